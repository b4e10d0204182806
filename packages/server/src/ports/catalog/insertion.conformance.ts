import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SearchPlan } from '@aisle/engine'
import { checkSchemaFields } from '../../domain/documents/schema-rules.ts'
import { FIELDS, filled, find, idsOfHits, planOf, STORE, upsert, write } from './catalog-fixture.ts'
import type { CatalogPorts, CreateCatalog } from './catalog-fixture.ts'
import { settled } from './language.conformance.ts'

const NO_CHANGE = { puts: [], removes: [] }

/** The ids of all documents, as a search without words orders them. */
async function order(catalog: CatalogPorts): Promise<string> {
  return (await idsOfHits(catalog, (await find(catalog)).hits)).join('')
}

/**
 * Tests the order of equal documents, for every adapter of the catalog ports: those that were
 * inserted last come first.
 */
export function insertionConformance(create: CreateCatalog): void {
  test('of equal documents, the one inserted last comes first; an update keeps its place', async () => {
    await using catalog = await filled(create)
    const { writer, reader } = catalog
    assert.equal(await order(catalog), 'cba')
    await writer.writeDocuments(STORE, [upsert('a', '{"title":"again"}')])
    assert.equal(await order(catalog), 'cba', 'upsert')
    await writer.writeDocuments(STORE, [write('update', 'b', '{"price":7}')])
    assert.equal(await order(catalog), 'cba', 'update')
    const { id, docKey } = (await reader.get(STORE, 'a'))!
    const change = { kind: 'update', patch: Buffer.from('{"price":9}') } as const
    await writer.changeVersions(STORE, [{ id, docKey }], change)
    assert.equal(await order(catalog), 'cba', 'update of a version')
    await writer.writeDocuments(STORE, [upsert('a', '{"title":"x"}'), upsert('d', '{}')])
    assert.equal(await order(catalog), 'dcba', 'an update and an insertion')
  })

  test('a document that was deleted and inserted again comes first', async () => {
    await using catalog = await filled(create)
    const { writer } = catalog
    await writer.deleteDocument(STORE, 'a')
    await writer.writeDocuments(STORE, [upsert('a', '{"title":"new"}')])
    assert.equal(await order(catalog), 'acb')
    await Promise.all([
      writer.deleteDocument(STORE, 'b'),
      writer.writeDocuments(STORE, [upsert('b', '{"title":"new"}')]),
      writer.writeDocuments(STORE, [upsert('c', '{"title":"changed"}')]),
    ])
    assert.equal(await order(catalog), 'bac')
  })

  test('documents of one bulk have the order of their first lines', async () => {
    await using catalog = await filled(create)
    await catalog.writer.writeDocuments(STORE, [
      upsert('f', '{"title":"1"}'),
      upsert('b', '{"title":"1"}'),
      upsert('e', '{"title":"1"}'),
      upsert('f', '{"title":"2"}'),
      write('update', 'e', '{"price":1}'),
      upsert('d', '{"title":"1"}'),
    ])
    assert.equal(await order(catalog), 'defcba')
  })

  test('it decides among equal scores, equal sort keys, in groups and on later pages', async () => {
    await using catalog = await filled(create)
    const { writer, backend } = catalog
    const json = '{"title":"red lamp","price":1.5,"tags":["sale"],"sku":7}'
    await writer.writeDocuments(
      STORE,
      [...'defgh'].map((id) => upsert(id, json)),
    )
    for (const id of 'fhd') await writer.writeDocuments(STORE, [upsert(id, json)])
    const idsBy = async (more: Partial<SearchPlan>, words = ['lamp']) => {
      const view = backend.view(STORE)!
      const { hits } = await view.search({ ...planOf(view, { words }), ...more })
      return (await idsOfHits(catalog, hits)).join('')
    }
    assert.equal(await idsBy({}), 'hgfed')
    assert.equal(await idsBy({ from: 1, size: 3 }), 'gfe')
    const price = { kind: 'field', field: 1, descending: true, missing: 'last' } as const
    assert.equal(await idsBy({ sort: [price] }), 'hgfed')
    assert.equal(await idsBy({ sort: [price], size: 2 }, []), 'bh')
    assert.equal(await idsBy({ sort: [price], from: 2, size: 3 }, []), 'gfe')
    const groups = { fields: [2], limit: 2, missing: 'apart', facetCount: 'documents' } as const
    assert.equal(await idsBy({ groups }), 'hg')
    assert.equal(await idsBy({ filter: { kind: 'ids', ids: ['d', 'g', 'e'] } }, []), 'ged')
  })
}

/** The same while documents are analysed again, for catalogs that do so in the background. */
export function keptInsertionConformance(name: string, create: CreateCatalog): void {
  test(`${name}: a change of the schema, the language or the fields keeps the order of equals, and so does a swap`, async () => {
    await using catalog = await filled(create)
    const { writer } = catalog
    await writer.writeDocuments(STORE, [upsert('d', '{"title":"lamp"}')])
    for (const id of 'cab') await writer.writeDocuments(STORE, [upsert(id, '{"title":"lamp"}')])
    assert.equal(await order(catalog), 'dcba')
    const size = checkSchemaFields([{ name: 'size', type: 'string', facet: true }])
    await writer.changeSchema(STORE, 'additive', [...FIELDS, ...size])
    assert.equal(await order(catalog), 'dcba', 'a field more')
    await writer.changeResources(STORE, NO_CHANGE, 'de')
    await settled(catalog)
    assert.equal(await order(catalog), 'dcba', 'another language')
    await writer.redefineFields(
      STORE,
      checkSchemaFields([{ name: 'sku', type: 'float', facet: true, sort: true }]),
    )
    await settled(catalog)
    assert.equal(await order(catalog), 'dcba', 'another type')
    await writer.createStore({ name: 'Other', id: 'other' })
    await writer.changeSchema('other', 'additive', FIELDS)
    await writer.swapStores(STORE, 'other')
    await writer.swapStores('other', STORE)
    await writer.writeDocuments(STORE, [upsert('a', '{"title":"lamp 2"}')])
    assert.equal(await order(catalog), 'dcba', 'swapped')
  })
}
