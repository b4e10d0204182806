import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSchemaFields } from '../../domain/documents/schema-rules.ts'
import { digestOf } from '../../domain/access/store-keys.ts'
import type { ResourceChange } from '../../domain/store/resource.ts'
import { filled, statuses, STORE, upsert } from './catalog-fixture.ts'
import type { CatalogPorts, CreateCatalog } from './catalog-fixture.ts'

const OTHER = 'next'
const OTHER_FIELDS = checkSchemaFields([{ name: 'name', type: 'string', searchable: true }])
const PRESET: ResourceChange = {
  puts: [{ kind: 'preset', name: 'small', json: '{"per_page":1}' }],
  removes: [],
}

/** Tests of swapped stores, for every adapter of the catalog ports. */
export function catalogSwapConformance(create: CreateCatalog): void {
  test('swapped stores have the content of the other, under their own names and keys', async () => {
    await using catalog = await two(create)
    const { registry, writer, backend, resources } = catalog
    const records = [STORE, OTHER].map((storeId) => registry.find(storeId))
    const contents = [STORE, OTHER].map((storeId) => backend.view(storeId)!.content)
    await writer.changeResources(OTHER, PRESET)
    await writer.swapStores(STORE, OTHER)
    assert.deepEqual(
      [STORE, OTHER].map((storeId) => registry.find(storeId)),
      records,
    )
    assert.deepEqual(
      [OTHER, STORE].map((storeId) => backend.view(storeId)!.content),
      contents,
    )
    assert.deepEqual(await documentsOf(catalog, STORE), { x: '{"name":"lamp"}' })
    assert.deepEqual(Object.keys(await documentsOf(catalog, OTHER)), ['a', 'b', 'c'])
    assert.deepEqual(fieldsOf(catalog, STORE), ['name'])
    assert.equal(fieldsOf(catalog, OTHER).length, 4)
    assert.equal(resources.of(STORE).get('preset', 'small')?.json, '{"per_page":1}')
    assert.equal(resources.of(OTHER).get('preset', 'small'), undefined)
    assert.equal(backend.view(STORE)!.resources.list('preset').length, 1)
    const counts = [STORE, OTHER].map(async (id) => (await registry.statistics(id)).docCount)
    assert.deepEqual(await Promise.all(counts), [1, 3])
  })

  test('writes, schema, resources and keys reach the right one of the swapped stores', async () => {
    await using catalog = await two(create)
    const { registry, writer, resources } = catalog
    await writer.swapStores(STORE, OTHER)
    const written = await writer.writeDocuments(STORE, [upsert('y', '{"name":"table"}')])
    assert.deepEqual(statuses(written), ['created'])
    assert.equal(await writer.deleteDocument(OTHER, 'a'), true)
    assert.equal(await writer.deleteDocument(STORE, 'b'), false)
    await writer.changeResources(STORE, PRESET)
    await writer.changeSchema(STORE, 'additive', [
      ...OTHER_FIELDS,
      ...checkSchemaFields([{ name: 'size', type: 'int32', facet: true }]),
    ])
    const { secret } = await writer.rotateKey(STORE, 'read', 0)
    await writer.renameStore(OTHER, 'Renamed')
    const check = async () => {
      assert.deepEqual(Object.keys(await documentsOf(catalog, STORE)), ['x', 'y'])
      assert.deepEqual(Object.keys(await documentsOf(catalog, OTHER)), ['b', 'c'])
      assert.deepEqual(fieldsOf(catalog, STORE), ['name', 'size'])
      assert.equal(resources.of(OTHER).list('preset').length, 0)
      assert.equal(registry.find(STORE)!.keys.read[0]!.digest, digestOf(secret))
      assert.equal(registry.find(OTHER)!.name, 'Renamed')
    }
    await check()
    await writer.swapStores(OTHER, STORE)
    assert.deepEqual(Object.keys(await documentsOf(catalog, STORE)), ['b', 'c'])
    assert.equal(registry.find(OTHER)!.name, 'Renamed')
    await writer.swapStores(STORE, OTHER)
    await check()
  })

  test('versions that were found before a swap are not changed after it', async () => {
    await using catalog = await two(create)
    const { backend, reader, writer } = catalog
    // The same ids, and maybe the same docKeys, in both.
    await writer.changeSchema(OTHER, 'replace', fieldsIn(catalog, STORE))
    await writer.writeDocuments(OTHER, [upsert('a', '{"title":"other"}')])
    const { content } = backend.view(STORE)!
    const { id, docKey } = (await reader.get(STORE, 'a'))!
    await writer.swapStores(STORE, OTHER)
    const gone = { kind: 'delete' } as const
    assert.deepEqual(await writer.changeVersions(STORE, [{ id, docKey }], gone, content), [
      { status: 'superseded', id },
    ])
    const found = (await reader.fetch(STORE, [docKey], content))(docKey)
    assert.equal(Buffer.from(found!.json).toString(), '{"title":"red shoe","price":1.5,"sku":1}')
    assert.deepEqual(await writer.changeVersions(OTHER, [{ id, docKey }], gone, content), [
      { status: 'changed', id },
    ])
    assert.deepEqual(Object.keys(await documentsOf(catalog, STORE)), ['a'])
  })

  test('missing stores cannot be swapped; swapped stores can be deleted', async () => {
    await using catalog = await two(create)
    const { registry, writer, resources } = catalog
    const refused = { code: 'store_not_found' }
    await assert.rejects(writer.swapStores(STORE, 'none'), refused)
    await assert.rejects(writer.swapStores('none', STORE), refused)
    assert.deepEqual(Object.keys(await documentsOf(catalog, STORE)), ['a', 'b', 'c'])
    await writer.changeResources(OTHER, PRESET)
    await writer.swapStores(STORE, OTHER)
    await writer.deleteStore(OTHER)
    assert.equal(registry.find(OTHER), undefined)
    assert.deepEqual(await documentsOf(catalog, STORE), { x: '{"name":"lamp"}' })
    assert.equal(resources.of(STORE).list('preset').length, 1)
    // The id is free again; the content of its first store is now in the other store.
    await writer.createStore({ name: 'Second', id: OTHER })
    assert.deepEqual(fieldsOf(catalog, OTHER), [])
    assert.equal(resources.of(OTHER).list('preset').length, 0)
    await writer.changeSchema(OTHER, 'additive', OTHER_FIELDS)
    await writer.writeDocuments(OTHER, [upsert('z', '{"name":"chair"}')])
    await writer.changeResources(OTHER, PRESET)
    await writer.swapStores(STORE, OTHER)
    assert.deepEqual(await documentsOf(catalog, STORE), { z: '{"name":"chair"}' })
    assert.deepEqual(await documentsOf(catalog, OTHER), { x: '{"name":"lamp"}' })
    await writer.deleteStore(OTHER)
    await writer.createStore({ name: 'Third', id: OTHER })
    await writer.changeSchema(OTHER, 'additive', OTHER_FIELDS)
    assert.deepEqual(await documentsOf(catalog, OTHER), {})
    assert.deepEqual(await documentsOf(catalog, STORE), { z: '{"name":"chair"}' })
  })

  test('each write during a swap is in one of the stores, with its neighbours', async () => {
    await using catalog = await two(create)
    const { writer } = catalog
    await writer.changeSchema(OTHER, 'replace', fieldsIn(catalog, STORE))
    await writer.clearDocuments(STORE)
    const writes: Promise<unknown>[] = []
    const swaps: Promise<void>[] = []
    const acknowledged: string[] = []
    for (let i = 0; i < 60; i++) {
      const id = `d${i}`
      writes.push(
        writer.writeDocuments(STORE, [upsert(id, `{"title":"number ${i}"}`)]).then(
          () => acknowledged.push(id),
          // A cluster may reject a write that it would have to retry.
          (error: { code: string }) => assert.equal(error.code, 'unavailable'),
        ),
      )
      if (i % 20 === 10) swaps.push(writer.swapStores(STORE, OTHER))
      if (i % 5 === 0) await Promise.all(writes)
    }
    await Promise.all([...writes, ...swaps])
    const [one, other] = [await documentsOf(catalog, STORE), await documentsOf(catalog, OTHER)]
    for (const id of acknowledged) {
      assert.equal(Number(id in one) + Number(id in other), 1, `${id} is in one store`)
    }
    // Writes begun after the last swap are in the store that they were sent to.
    for (const id of ['d56', 'd59']) if (acknowledged.includes(id)) assert.ok(id in one, id)
  })
}

/** Creates the filled store, and another one with another schema and one document. */
async function two(create: CreateCatalog): Promise<CatalogPorts & AsyncDisposable> {
  const catalog = await filled(create)
  await catalog.writer.createStore({ name: 'Next shop', id: OTHER })
  await catalog.writer.changeSchema(OTHER, 'additive', OTHER_FIELDS)
  await catalog.writer.writeDocuments(OTHER, [upsert('x', '{"name":"lamp"}')])
  return catalog
}

function fieldsIn({ backend }: CatalogPorts, storeId: string) {
  return backend.view(storeId)!.schema!.fields
}

function fieldsOf(catalog: CatalogPorts, storeId: string): string[] {
  return (catalog.backend.view(storeId)!.schema?.fields ?? []).map(({ name }) => name)
}

/** Returns all documents by id, as searches find them. */
async function documentsOf(
  { backend, reader }: CatalogPorts,
  storeId: string,
): Promise<Record<string, string>> {
  const view = backend.view(storeId)!
  if (view.schema === undefined) return {}
  const documents: [string, string][] = []
  for (const docKey of await view.matchingKeys({ kind: 'not', node: { kind: 'ids', ids: [] } })) {
    const found = (await reader.fetch(storeId, [docKey], view.content))(docKey)!
    documents.push([found.id, Buffer.from(found.json).toString()])
    const read = await reader.get(storeId, found.id)
    assert.equal(Buffer.from(read!.json).toString(), documents.at(-1)![1])
  }
  return Object.fromEntries(documents.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
