import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { openEmbeddedCatalog } from '../embedded/test/embedded-catalog.ts'
import { FIELDS, idsOf, STORE, upsert } from '../../ports/catalog/catalog-fixture.ts'
import { compactWhenWorthwhile, fileUse } from './compaction.ts'

const MIN_BYTES = 256 * 1024

/** A folder with a mostly unused file: many documents were added, and nearly all were deleted. */
async function wornFolder(): Promise<{ path: string } & Disposable> {
  const path = mkdtempSync(join(tmpdir(), 'aisle-compaction-'))
  const catalog = await openEmbeddedCatalog(path)
  await catalog.writer.createStore({ name: 'Shop', id: STORE })
  await catalog.writer.changeSchema(STORE, 'additive', FIELDS)
  const title = 'shoe '.repeat(60)
  const documents = Array.from({ length: 3_000 }, (_, i) => upsert(`d${i}`, `{"title":"${title}"}`))
  await catalog.writer.writeDocuments(STORE, documents)
  await catalog.writer.clearDocuments(STORE)
  await catalog.writer.writeDocuments(STORE, [upsert('last', '{"title":"red shoe"}')])
  for (let pass = 0; pass < 3; pass++) await catalog.reap()
  await catalog.close()
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

suite('compaction', () => {
  test('a file that is mostly unused is replaced by one that is not, with the same rows', async () => {
    using folder = await wornFolder()
    const lmdb = join(folder.path, 'lmdb')
    const use = await fileUse(lmdb)
    assert.ok(use.usedBytes * 4 < use.fileBytes, JSON.stringify(use))
    const outcome = await compactWhenWorthwhile(lmdb, Infinity, MIN_BYTES)
    assert.ok(outcome?.kind === 'compacted')
    const done = outcome.use
    assert.equal(done.fileBytes, use.fileBytes)
    assert.equal(done.fileBytesNow, statSync(join(lmdb, 'data.mdb')).size)
    assert.ok(done.fileBytesNow * 4 < use.fileBytes, JSON.stringify(done))
    assert.deepEqual(readdirSync(lmdb), ['data.mdb'])
    assert.equal(
      await compactWhenWorthwhile(lmdb, Infinity, MIN_BYTES),
      undefined,
      'there is nothing more',
    )

    const catalog = await openEmbeddedCatalog(folder.path)
    assert.deepEqual(await idsOf(catalog, { words: ['shoe'] }), ['last'])
    await catalog.writer.writeDocuments(STORE, [upsert('new', '{"title":"new shoe"}')])
    assert.deepEqual(await idsOf(catalog, { words: ['shoe'] }), ['last', 'new'])
    assert.deepEqual(catalog.log, [])
    await catalog.close()
  })

  test('a small file stays, and so does any after an attempt that was cut off', async () => {
    using folder = await wornFolder()
    const lmdb = join(folder.path, 'lmdb')
    assert.equal(await compactWhenWorthwhile(lmdb, Infinity), undefined)
    mkdirSync(join(lmdb, 'compacting'))
    assert.equal(await compactWhenWorthwhile(lmdb, Infinity, MIN_BYTES), undefined)
    assert.ok(!existsSync(join(lmdb, 'compacting')))
    assert.notEqual(
      await compactWhenWorthwhile(lmdb, Infinity, MIN_BYTES),
      undefined,
      'the next start tries',
    )
    assert.equal(await compactWhenWorthwhile(join(folder.path, 'none'), Infinity), undefined)
  })

  test('a copy that would take more than there is room for waits for a later start', async () => {
    using folder = await wornFolder()
    const lmdb = join(folder.path, 'lmdb')
    const use = await fileUse(lmdb)
    const refused = await compactWhenWorthwhile(lmdb, use.usedBytes - 1, MIN_BYTES)
    assert.deepEqual(refused, { kind: 'not enough disk space', use })
    assert.equal(statSync(join(lmdb, 'data.mdb')).size, use.fileBytes)
    const done = await compactWhenWorthwhile(lmdb, use.usedBytes, MIN_BYTES)
    assert.equal(done?.kind, 'compacted')
  })
})
