import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { openEmbeddedCatalog } from '../adapters/embedded/test/embedded-catalog.ts'
import { checkFormat, FORMAT_VERSION, openDataFolder } from '../adapters/lmdb/data-folder.ts'
import {
  find,
  idsOf,
  idsOfHits,
  STORE,
  textOf,
  TITLE,
  upsert,
} from '../ports/catalog/catalog-fixture.ts'
import { examineDataFolder } from './examine-data-folder.ts'

/**
 * Data folders as released formats wrote them, each with the store and the three documents of
 * `ports/catalog/catalog-fixture.ts`. A folder is never rebuilt, because it is what people have on
 * their disks.
 */
const GOLDEN = readdirSync(join(import.meta.dirname, 'test')).filter((name) =>
  name.startsWith('golden-format-'),
)

function copyOf(name: string): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'aisle-golden-'))
  cpSync(join(import.meta.dirname, 'test', name), path, { recursive: true })
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

suite('data folders of every format', () => {
  for (const name of GOLDEN) {
    test(`${name} is opened, searched and written to`, async () => {
      using folder = copyOf(name)
      openDataFolder(folder.path).release()
      assert.equal(checkFormat(folder.path), FORMAT_VERSION, 'older versions refuse it from now on')
      const catalog = await openEmbeddedCatalog(folder.path)
      assert.equal(await textOf(catalog, 'a'), '{"title":"red shoe","price":1.5,"sku":1}')
      assert.deepEqual(await idsOf(catalog, { words: ['shoe'] }), ['a', 'b'])
      assert.equal(catalog.backend.view(STORE)!.schema!.fields[TITLE!]!.name, 'title')
      const order = async () => (await idsOfHits(catalog, (await find(catalog)).hits)).join('')
      assert.equal(await order(), 'cba')
      await catalog.writer.writeDocuments(STORE, [
        upsert('d', '{"title":"new shoe"}'),
        upsert('a', '{"title":"red shoe"}'),
      ])
      assert.equal(await order(), 'dcba')
      assert.deepEqual(await idsOf(catalog, { words: ['shoe'] }), ['a', 'b', 'd'])
      await catalog.close()
      const findings = await examineDataFolder(folder.path, 0)
      assert.ok(findings.every(({ verdict }) => verdict !== 'error'))
    })
  }

  test('one of a newer format is refused, and not a byte of it changes', () => {
    using folder = copyOf(GOLDEN[0]!)
    writeFileSync(join(folder.path, 'aisle.json'), '{"format":99}\n')
    const before = digestsOf(folder.path)
    assert.throws(() => openDataFolder(folder.path), /format 99.*nothing was changed/)
    assert.deepEqual(digestsOf(folder.path), before)
  })
})

function digestsOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((file) => `${file} ${createHash('sha256').update(readFileSync(file)).digest('hex')}`)
}
