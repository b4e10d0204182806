import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { FIELDS, idsOf, STORE, upsert } from '../../ports/catalog/catalog-fixture.ts'
import { openEmbeddedCatalog } from './test/embedded-catalog.ts'

test('index files wait for room on the disk, and the next start answers the same without them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aisle-index-disk-'))
  const postponed: number[] = []
  const disk = {
    room: 10,
    roomBytes: () => disk.room,
    onPostponed: ({ bytes }: { readonly bytes: number }) => void postponed.push(bytes),
  }
  const files = (): string[] => {
    const path = join(folder, 'index')
    return existsSync(path) ? readdirSync(path, { recursive: true }).map(String) : []
  }
  const first = await openEmbeddedCatalog(folder, { disk })
  await first.writer.createStore({ name: 'Shop', id: STORE })
  await first.writer.changeSchema(STORE, 'additive', FIELDS)
  await first.writer.writeDocuments(STORE, [upsert('a', '{"title":"red shoe"}')])
  await first.close()
  assert.ok(postponed.length > 0 && postponed.every((bytes) => bytes > 10))
  assert.deepEqual(
    files().filter((name) => name.endsWith('.json')),
    [],
  )

  const second = await openEmbeddedCatalog(folder, { disk })
  assert.deepEqual(await idsOf(second, { words: ['shoe'] }), ['a'])
  disk.room = Infinity
  await second.writer.writeDocuments(STORE, [upsert('b', '{"title":"blue shoe"}')])
  await second.close()
  assert.equal(files().filter((name) => name.endsWith('manifest.json')).length, 1)

  const third = await openEmbeddedCatalog(folder, { disk })
  assert.deepEqual(await idsOf(third, { words: ['shoe'] }), ['a', 'b'])
  assert.deepEqual(third.log, [])
  await third.close()
  rmSync(folder, { recursive: true })
})
