import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FilterNode } from '@aisle/engine'
import { filled, STORE, textOf, upsert } from './catalog-fixture.ts'
import type { CatalogPorts, CreateCatalog } from './catalog-fixture.ts'
import type { DocumentVersion } from './catalog-writer.ts'
import type { DocumentScan } from './document-reader.ts'

const ALL: FilterNode = { kind: 'and', nodes: [] }
const CHUNK_BYTES = 1_000

/** Tests scans of documents at one moment, and changes to the scanned documents. */
export function catalogScanConformance(create: CreateCatalog): void {
  test('a scan returns every live document, in the order of writing', async () => {
    await using catalog = await filled(create)
    await catalog.writer.writeDocuments(STORE, [upsert('a', '{"title":"again"}')])
    await catalog.writer.deleteDocument(STORE, 'b')
    const scan = (await catalog.reader.scan(STORE))!
    assert.equal(scan.docCount, 2)
    assert.deepEqual(await texts(scan), [
      'c {"title":"green hat","tags":["sale"]}',
      'a {"title":"again"}',
    ])
    assert.equal(await catalog.reader.scan('none'), undefined)
  })

  test('a scan does not see later writes', async () => {
    await using catalog = await filled(create)
    const { reader, writer } = catalog
    const scan = (await reader.scan(STORE))!
    assert.equal((await scan.next(1)).length, 1)
    await writer.writeDocuments(STORE, [upsert('c', '{}'), upsert('d', '{}')])
    await writer.deleteDocument(STORE, 'b')
    await writer.clearDocuments(STORE)
    assert.deepEqual(
      (await texts(scan)).map((text) => text[0]),
      ['b', 'c'],
    )
    assert.equal(await reader.get(STORE, 'c'), undefined)
  })

  test('a scan of filtered documents returns them in bounded pages', async () => {
    await using catalog = await filled(create)
    const { backend, reader, writer } = catalog
    const many = Array.from({ length: 300 }, (_, i) => upsert(`m${i}`, '{"title":"many"}'))
    await writer.writeDocuments(STORE, many)
    const keys = await backend.view(STORE)!.matchingKeys(ALL)
    assert.equal(keys.length, 303)
    const scan = (await reader.scan(STORE, keys))!
    const pages: number[] = []
    const pageLength = async () => (await scan.next(CHUNK_BYTES)).length
    for (let page = await pageLength(); page > 0; page = await pageLength()) pages.push(page)
    scan.close()
    assert.equal(
      pages.reduce((sum, count) => sum + count, 0),
      303,
    )
    assert.ok(Math.max(...pages) < 100)
    const second = await reader.scan(STORE, keys.slice(1, 2))
    assert.deepEqual(await texts(second!), ['b {"title":"blue shoe","price":2.5,"sku":2}'])
  })

  test('a scan by insertion has the order of equals, which a copy of it keeps', async () => {
    await using catalog = await filled(create)
    const { reader, writer } = catalog
    await writer.writeDocuments(STORE, [upsert('a', '{"title":"again"}'), upsert('d', '{}')])
    await writer.deleteDocument(STORE, 'c')
    const more = Array.from({ length: 30 }, (_, i) => upsert(`m${i}`, '{"title":"many"}'))
    await writer.writeDocuments(STORE, more)
    for (const at of [7, 3, 29, 3]) await writer.writeDocuments(STORE, [more[at]!])
    await writer.writeDocuments(STORE, [upsert('c', '{}')])
    const scan = (await reader.scanInserted(STORE))!
    assert.equal(scan.docCount, 34)
    const ids = ['a', 'b', 'd', ...more.map(({ id }) => id), 'c']
    assert.deepEqual(
      (await texts(scan)).map((text) => text.split(' ')[0]),
      ids,
    )
    const first = (await reader.scanInserted(STORE))!
    const page = await first.next(300)
    // A change after the first scan began: a later one continues behind the same document.
    await writer.writeDocuments(STORE, [more[20]!, upsert('a', '{}'), upsert('e', '{}')])
    first.close()
    const rest = (await reader.scanInserted(STORE, page.at(-1)))!
    assert.deepEqual(
      [...page.map(({ id }) => id), ...(await texts(rest)).map((text) => text.split(' ')[0])],
      [...ids, 'e'],
    )
    assert.equal(await reader.scanInserted('none'), undefined)
  })

  test('versions are changed only while they are live', async () => {
    await using catalog = await filled(create)
    const { writer } = catalog
    const versions = await versionsOf(catalog, 'a', 'b', 'c')
    await writer.writeDocuments(STORE, [upsert('b', '{"title":"newer"}')])
    await writer.deleteDocument(STORE, 'c')
    const patch = Buffer.from('{"price":9,"sku":null}')
    const updated = await writer.changeVersions(STORE, versions, { kind: 'update', patch })
    assert.deepEqual(
      updated.map(({ status }) => status),
      ['changed', 'superseded', 'superseded'],
    )
    assert.equal(await textOf(catalog, 'a'), '{"title":"red shoe","price":9}')
    assert.equal(await textOf(catalog, 'b'), '{"title":"newer"}')
    const again = await versionsOf(catalog, 'a')
    const deleted = await writer.changeVersions(STORE, again, { kind: 'delete' })
    assert.deepEqual(deleted, [{ status: 'changed', id: 'a' }])
    assert.equal(await textOf(catalog, 'a'), undefined)
    const refused = { kind: 'update', patch: Buffer.from('{"price":"x"}') } as const
    const [failed] = await writer.changeVersions(STORE, await versionsOf(catalog, 'b'), refused)
    assert.equal(failed?.status === 'failed' && failed.code, 'invalid_type')
  })

  test('versions are replaced while they are live, each by its own document', async () => {
    await using catalog = await filled(create)
    const { writer } = catalog
    const versions = await versionsOf(catalog, 'a', 'b', 'c')
    await writer.writeDocuments(STORE, [upsert('b', '{"title":"newer"}')])
    const json = new Map([
      ['a', Buffer.from('{"title":"red boot","sku":9223372036854775807}')],
      ['b', Buffer.from('{"title":"lost"}')],
      ['c', Buffer.from('{"price":"x"}')],
    ])
    const outcomes = await writer.changeVersions(STORE, versions, { kind: 'replace', json })
    assert.deepEqual(
      outcomes.map((one) => (one.status === 'failed' ? one.code : one.status)),
      ['changed', 'superseded', 'invalid_type'],
    )
    assert.equal(await textOf(catalog, 'a'), '{"title":"red boot","sku":9223372036854775807}')
    assert.equal(await textOf(catalog, 'b'), '{"title":"newer"}')
    assert.equal(await textOf(catalog, 'c'), '{"title":"green hat","tags":["sale"]}')
  })

  test('of two concurrent changes to a version, one finds it superseded', async () => {
    await using catalog = await filled(create)
    const versions = await versionsOf(catalog, 'a')
    const change = { kind: 'update', patch: Buffer.from('{"price":7}') } as const
    const outcomes = await Promise.all([
      catalog.writer.changeVersions(STORE, versions, change),
      catalog.writer.changeVersions(STORE, versions, change),
    ])
    assert.deepEqual(
      outcomes.map(([outcome]) => outcome?.status),
      ['changed', 'superseded'],
    )
  })

  test('renaming a store changes nothing else', async () => {
    await using catalog = await filled(create)
    const before = catalog.registry.find(STORE)!
    await catalog.writer.renameStore(STORE, 'Renamed')
    assert.deepEqual(catalog.registry.find(STORE), { ...before, name: 'Renamed' })
    await assert.rejects(catalog.writer.renameStore(STORE, ''), { code: 'invalid_parameter' })
    await assert.rejects(catalog.writer.renameStore('none', 'x'), { code: 'store_not_found' })
  })
}

async function texts(scan: DocumentScan): Promise<string[]> {
  const lines: string[] = []
  for (let page = await scan.next(1); page.length > 0; page = await scan.next(1)) {
    for (const { id, json } of page) lines.push(`${id} ${Buffer.from(json).toString()}`)
  }
  scan.close()
  return lines
}

function versionsOf({ reader }: CatalogPorts, ...ids: string[]): Promise<DocumentVersion[]> {
  return Promise.all(ids.map(async (id) => ({ id, docKey: (await reader.get(STORE, id))!.docKey })))
}
