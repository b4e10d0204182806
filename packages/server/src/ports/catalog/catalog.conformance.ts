import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { FilterNode } from '@aisle/engine'
import { checkSchemaFields } from '../../domain/documents/schema-rules.ts'
import { digestOf, matchingKey } from '../../domain/access/store-keys.ts'
import {
  FIELDS,
  filled,
  find,
  idsOfHits,
  idsOf,
  planOf,
  SKU,
  statuses,
  STORE,
  textOf,
  upsert,
  write,
} from './catalog-fixture.ts'
import { catalogPatternsConformance } from './catalog-patterns.conformance.ts'
import { catalogScanConformance } from './catalog-scan.conformance.ts'
import { catalogSwapConformance } from './catalog-swap.conformance.ts'
import type { CreateCatalog } from './catalog-fixture.ts'
import { documentTagConformance } from './document-tag.conformance.ts'
import { insertionConformance } from './insertion.conformance.ts'
import { catalogModelConformance } from './catalog-model.conformance.ts'

/**
 * Tests for every adapter of the catalog ports; each adapter calls it from its own test file.
 */
export function catalogConformance(name: string, create: CreateCatalog): void {
  suite(`${name} keeps the promises of a catalog`, () => {
    storeTests(create)
    schemaTests(create)
    documentTests(create)
    visibilityTests(create)
    catalogModelConformance(create)
    catalogPatternsConformance(create)
    catalogScanConformance(create)
    insertionConformance(create)
    documentTagConformance(create)
    catalogSwapConformance(create)
  })
}

function storeTests(create: CreateCatalog): void {
  test('a new store is known, with secrets that open it and are kept as digests', async () => {
    await using catalog = await create()
    const { registry, writer, backend } = catalog
    assert.equal(registry.find(STORE), undefined)
    assert.equal(backend.view(STORE), undefined)
    const created = await writer.createStore({ name: 'My shop', id: STORE })
    assert.equal(created.storeId, STORE)
    const record = registry.find(STORE)!
    assert.equal(record.name, 'My shop')
    assert.match(record.createdAt, /^\d{4}-\d\d-\d\dT/)
    const createdMs = Date.parse(record.createdAt)
    assert.deepEqual(record.keys, {
      read: [{ digest: digestOf(created.readSecret), createdMs }],
      write: [{ digest: digestOf(created.writeSecret), createdMs }],
      events: [{ digest: digestOf(created.eventsWriteKey), createdMs }],
    })
    assert.equal(record.readSecret, created.readSecret)
    assert.equal(record.eventsWriteKey, created.eventsWriteKey)
    assert.ok(!JSON.stringify(record).includes(created.writeSecret))
    assert.equal(backend.view(STORE)!.schema, undefined)
    assert.equal((await registry.statistics(STORE)).docCount, 0)
    const second = await writer.createStore({ name: 'Other' })
    assert.deepEqual(
      registry
        .list()
        .map((store) => store.storeId)
        .toSorted(),
      [STORE, second.storeId].toSorted(),
    )
  })

  test('an id can be used once, and must be valid', async () => {
    await using catalog = await create()
    const { writer } = catalog
    await writer.createStore({ name: 'One', id: STORE })
    await assert.rejects(writer.createStore({ name: 'Two', id: STORE }), { code: 'store_exists' })
    await assert.rejects(writer.createStore({ name: 'Two', id: '../x' }), {
      code: 'invalid_parameter',
    })
    await assert.rejects(writer.createStore({ name: '', id: 'x' }), { code: 'invalid_parameter' })
  })

  test('a rotated key works immediately, the old one during its grace period', async () => {
    await using catalog = await create()
    const { registry, writer } = catalog
    const { writeSecret } = await writer.createStore({ name: 'My shop', id: STORE })
    const rotated = await writer.rotateKey(STORE, 'write', 60)
    const untilMs = Date.parse(rotated.previousValidUntil)
    const opens = (secret: string, nowMs: number): boolean =>
      matchingKey(registry.find(STORE)!.keys.write, secret, nowMs) !== undefined
    assert.equal(opens(rotated.secret, untilMs + 1), true)
    assert.equal(opens(writeSecret, untilMs - 1), true)
    assert.equal(opens(writeSecret, untilMs), false)
    assert.equal(registry.find(STORE)!.keys.read.length, 1)
    await writer.rotateKey(STORE, 'write', 0)
    assert.equal(opens(rotated.secret, untilMs - 1), false)
    await assert.rejects(writer.rotateKey('none', 'read', 0), { code: 'store_not_found' })
    const { secret } = await writer.rotateKey(STORE, 'read', 60)
    assert.equal(registry.find(STORE)!.readSecret, secret)
    assert.equal(await writer.revokePreviousKey(STORE, 'read'), true)
    assert.equal(registry.find(STORE)!.keys.read.length, 1)
    assert.equal(await writer.revokePreviousKey(STORE, 'read'), false)
    await assert.rejects(writer.revokePreviousKey('none', 'read'), { code: 'store_not_found' })
  })

  test('the last uses of keys are stored, and only move forward', async () => {
    await using catalog = await filled(create)
    const { registry, writer } = catalog
    const key = (kind: 'read' | 'write') => registry.find(STORE)!.keys[kind][0]!
    const use = (digest: string, atMs: number) => ({ storeId: STORE, digest, atMs })
    assert.equal(key('read').lastUsedMs, undefined)
    await writer.noteKeyUses([
      use(key('read').digest, 7_000),
      use(key('read').digest, 5_000),
      use(key('write').digest, 6_000),
      use('0'.repeat(64), 9_000),
      { storeId: 'none', digest: key('read').digest, atMs: 9_000 },
    ])
    assert.deepEqual([key('read').lastUsedMs, key('write').lastUsedMs], [7_000, 6_000])
    await writer.noteKeyUses([use(key('read').digest, 1_000)])
    assert.equal(key('read').lastUsedMs, 7_000)
    await writer.rotateKey(STORE, 'read', 60)
    assert.equal(key('read').lastUsedMs, undefined)
    assert.equal(registry.find(STORE)!.keys.read[1]!.lastUsedMs, 7_000)
  })

  test('a deleted store is gone with its content, and its id is free again', async () => {
    await using catalog = await filled(create)
    const { registry, reader, writer, backend } = catalog
    await writer.createStore({ name: 'Neighbour', id: 'neighbour' })
    await writer.deleteStore(STORE)
    assert.equal(registry.find(STORE), undefined)
    assert.equal(backend.view(STORE), undefined)
    assert.equal(await reader.get(STORE, 'a'), undefined)
    assert.ok(registry.find('neighbour'))
    const refused = { code: 'store_not_found' }
    await assert.rejects(writer.deleteStore(STORE), refused)
    await assert.rejects(writer.writeDocuments(STORE, [upsert('a', '{}')]), refused)
    await assert.rejects(writer.deleteDocument(STORE, 'a'), refused)
    await assert.rejects(writer.clearDocuments(STORE), refused)
    await assert.rejects(writer.changeSchema(STORE, 'additive', FIELDS), refused)
    await writer.createStore({ name: 'Again', id: STORE })
    assert.equal(await reader.get(STORE, 'a'), undefined)
    assert.equal(backend.view(STORE)!.schema, undefined)
    assert.equal((await registry.statistics(STORE)).docCount, 0)
  })
}

function schemaTests(create: CreateCatalog): void {
  test('documents need a schema', async () => {
    await using catalog = await create()
    await catalog.writer.createStore({ name: 'My shop', id: STORE })
    await assert.rejects(catalog.writer.writeDocuments(STORE, [upsert('a', '{}')]), {
      code: 'schema_not_defined',
    })
    assert.equal(await catalog.writer.deleteDocument(STORE, 'a'), false)
    assert.equal(await catalog.writer.clearDocuments(STORE), 0)
  })

  test('additive keeps documents and fields, and appends fields', async () => {
    await using catalog = await filled(create)
    const { writer, backend } = catalog
    const more = checkSchemaFields([
      { name: 'color', type: 'string', facet: true },
      { name: 'price', type: 'string' },
      { name: 'sku', type: 'int64', facet: true, sort: true },
    ])
    const change = await writer.changeSchema(STORE, 'additive', more)
    assert.deepEqual([change.fieldsAdded, change.fieldsUnchanged], [['color'], ['price', 'sku']])
    assert.equal(change.warnings.length, 1)
    const fields = backend.view(STORE)!.schema!.fields
    assert.deepEqual(fields, [...FIELDS, more[0]])
    const color = FIELDS.length
    assert.equal((await find(catalog)).found, 3)
    assert.equal((await find(catalog, { filter: { kind: 'exists', field: color } })).found, 0)
    await writer.writeDocuments(STORE, [write('update', 'a', '{"color":"red"}')])
    assert.deepEqual(await idsOf(catalog, { filter: { kind: 'exists', field: color } }), ['a'])
    const again = await writer.changeSchema(STORE, 'additive', more)
    assert.deepEqual(again.fieldsAdded, [])
    assert.equal((await find(catalog)).found, 3)
  })

  test('replace drops all documents and fields', async () => {
    await using catalog = await filled(create)
    const { registry, reader, writer, backend } = catalog
    const fields = checkSchemaFields([{ name: 'title', type: 'int32', sort: true }])
    const change = await writer.changeSchema(STORE, 'replace', fields)
    assert.deepEqual(change, { fieldsAdded: ['title'], fieldsUnchanged: [], warnings: [] })
    assert.deepEqual(backend.view(STORE)!.schema!.fields, fields)
    assert.equal(await reader.get(STORE, 'a'), undefined)
    assert.equal((await find(catalog)).found, 0)
    assert.equal((await registry.statistics(STORE)).docCount, 0)
    assert.deepEqual(statuses(await writer.writeDocuments(STORE, [upsert('a', '{"title":1}')])), [
      'created',
    ])
    assert.deepEqual(await idsOf(catalog), ['a'])
  })
}

function documentTests(create: CreateCatalog): void {
  test('documents come back byte for byte', async () => {
    await using catalog = await filled(create)
    const json = '{ "price" : 1.0, "sku":9007199254740993, "title":"caf\\u00e9 é", "tags":null }'
    await catalog.writer.writeDocuments(STORE, [upsert('exact', json)])
    assert.equal(await textOf(catalog, 'exact'), json)
    assert.equal(await textOf(catalog, 'none'), undefined)
    assert.equal(await catalog.reader.get('none', 'exact'), undefined)
  })

  test('the caller may reuse the bytes of a write after the answer', async () => {
    await using catalog = await filled(create)
    const json = Buffer.from('{"title":"before"}')
    await catalog.writer.writeDocuments(STORE, [{ id: 'x', action: 'upsert', json }])
    json.fill(0)
    assert.equal(await textOf(catalog, 'x'), '{"title":"before"}')
  })

  test('insert, upsert and update are applied in order, also for one id', async () => {
    await using catalog = await filled(create)
    const outcomes = await catalog.writer.writeDocuments(STORE, [
      write('insert', 'n', '{"title":"one","price":1}'),
      write('insert', 'n', '{"title":"two"}'),
      write('update', 'n', '{"title":null,"tags":["t"]}'),
      write('upsert', 'n', '{"sku":7}'),
      write('update', 'n', '{"price":2.50}'),
      write('update', 'absent', '{"price":1}'),
      write('upsert', undefined, '{"title":"anonymous"}'),
    ])
    assert.deepEqual(statuses(outcomes), [
      'created',
      'document_exists',
      'updated',
      'updated',
      'updated',
      'document_not_found',
      'created',
    ])
    assert.equal(await textOf(catalog, 'n'), '{"sku":7,"price":2.50}')
    assert.equal(await textOf(catalog, 'absent'), undefined)
    assert.match(outcomes[6]!.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    assert.equal(await textOf(catalog, outcomes[6]!.id), '{"title":"anonymous"}')
    assert.equal((await catalog.registry.statistics(STORE)).docCount, 5)
    assert.equal((await find(catalog)).found, 5)
  })

  test('an invalid document changes nothing and does not affect the others', async () => {
    await using catalog = await filled(create)
    const before = await textOf(catalog, 'a')
    const outcomes = await catalog.writer.writeDocuments(STORE, [
      upsert('good1', '{"title":"fine"}'),
      upsert('a', '{"price":"12,90","color":1}'),
      upsert('bad', '{"title":"\\ud800"}'),
      write('update', 'a', '{"sku":1e400}'),
      upsert('good2', '{"title":"fine"}'),
    ])
    assert.deepEqual(statuses(outcomes), [
      'created',
      'invalid_type',
      'invalid_unicode',
      'out_of_range',
      'created',
    ])
    const failed = outcomes[1]!
    assert.ok(failed.status === 'failed')
    assert.deepEqual(
      failed.details.map((detail) => detail.param),
      ['data.price', 'data.color'],
    )
    assert.equal(await textOf(catalog, 'a'), before)
    assert.deepEqual(await idsOf(catalog, { words: ['fine'] }), ['good1', 'good2'])
  })

  test('an empty batch returns no outcomes', async () => {
    await using catalog = await filled(create)
    assert.deepEqual(await catalog.writer.writeDocuments(STORE, []), [])
  })

  test('int64 is exact from write to read, filter and sort', async () => {
    await using catalog = await filled(create)
    await catalog.writer.clearDocuments(STORE)
    const values = [
      2n ** 53n - 1n,
      2n ** 53n,
      2n ** 53n + 1n,
      2n ** 63n - 1n,
      -(2n ** 63n),
      -(2n ** 53n) - 1n,
    ]
    await catalog.writer.writeDocuments(
      STORE,
      values.map((value) => upsert(`${value}`, `{"sku":${value}}`)),
    )
    for (const value of values) {
      const filter: FilterNode = { kind: 'equals', field: SKU!, value }
      assert.deepEqual(await idsOf(catalog, { filter }), [`${value}`])
      assert.equal(await textOf(catalog, `${value}`), `{"sku":${value}}`)
    }
    const ascending = values.toSorted((a, b) => (a < b ? -1 : 1)).map(String)
    const { hits } = await find(catalog, { sortBy: SKU! })
    assert.deepEqual(await idsOfHits(catalog, hits), ascending)
  })

  test('delete and clear report what they removed', async () => {
    await using catalog = await filled(create)
    const { registry, writer } = catalog
    assert.equal(await writer.deleteDocument(STORE, 'b'), true)
    assert.equal(await writer.deleteDocument(STORE, 'b'), false)
    assert.equal(await textOf(catalog, 'b'), undefined)
    assert.deepEqual(await idsOf(catalog), ['a', 'c'])
    assert.equal(await writer.clearDocuments(STORE), 2)
    assert.equal(await writer.clearDocuments(STORE), 0)
    assert.equal((await find(catalog)).found, 0)
    const { docCount, documentBytes, lastWriteAt } = await registry.statistics(STORE)
    assert.deepEqual([docCount, documentBytes], [0, 0])
    assert.ok(lastWriteAt)
    assert.deepEqual(statuses(await writer.writeDocuments(STORE, [write('insert', 'a', '{}')])), [
      'created',
    ])
    assert.deepEqual(await idsOf(catalog), ['a'])
  })

  test('any text is an id', async () => {
    await using catalog = await filled(create)
    const ids = ['é', 'e\u0301', ' ', 'A', '🛒/../', 'x'.repeat(512), '__proto__', 'a:b,"c"', '0']
    const outcomes = await catalog.writer.writeDocuments(
      STORE,
      ids.map((id) => upsert(id, `{"title":"any"}`)),
    )
    assert.deepEqual(
      outcomes,
      ids.map((id) => ({ status: 'created', id })),
    )
    for (const id of ids) {
      assert.equal(await textOf(catalog, id), '{"title":"any"}')
      assert.deepEqual(await idsOf(catalog, { filter: { kind: 'ids', ids: [id] } }), [id])
    }
    assert.deepEqual(await idsOf(catalog, { words: ['any'] }), ids.toSorted())
  })
}

function visibilityTests(create: CreateCatalog): void {
  test('a write is seen by the first search, read and count after its answer', async () => {
    await using catalog = await filled(create)
    const { registry, writer, backend } = catalog
    for (let i = 0; i < 20; i++) {
      const word = `word${i}x`
      await writer.writeDocuments(STORE, [
        upsert('a', `{"title":"${word}"}`),
        upsert(`new${i}`, `{"title":"${word}"}`),
      ])
      assert.deepEqual(await idsOf(catalog, { words: [word] }), ['a', `new${i}`])
      if (i > 0)
        assert.deepEqual(await idsOf(catalog, { words: [`word${i - 1}x`] }), [`new${i - 1}`])
      assert.equal((await registry.statistics(STORE)).docCount, 4 + i)
      assert.equal(await backend.view(STORE)!.docCount(), 4 + i)
    }
  })

  test('words are completed after the last write, under a filter, beside other words', async () => {
    await using catalog = await filled(create)
    const { backend, writer } = catalog
    const complete = async (prefix: string, words: string[][], filter?: FilterNode) => {
      const view = backend.view(STORE)!
      const plan = planOf(view, filter === undefined ? {} : { filter })
      return view.complete(plan, { prefix, words, limit: 5 })
    }
    const shoe = { form: 'shoe', docCount: 2 }
    assert.deepEqual(await complete('sh', []), { docCount: 3, completions: [shoe], cutoff: false })
    const counted = async (countMax: number) => {
      const view = backend.view(STORE)!
      return (await view.complete(planOf(view, {}), { words: [], limit: 1, countMax })).docCount
    }
    assert.deepEqual([await counted(2), await counted(5)], [2, 3])
    const red = await complete('sh', [['red', 'green']])
    assert.deepEqual(red, { docCount: 2, completions: [{ ...shoe, docCount: 1 }], cutoff: false })
    const c = await complete('sh', [], { kind: 'ids', ids: ['c'] })
    assert.deepEqual(c, { docCount: 1, completions: [], cutoff: false })
    await writer.writeDocuments(STORE, [upsert('c', '{"title":"shovel"}')])
    const { completions } = await complete('sho', [])
    assert.deepEqual(completions, [shoe, { form: 'shovel', docCount: 1 }])
  })

  test('a word exists as long as some document contains it', async () => {
    await using catalog = await filled(create)
    const { backend, writer } = catalog
    assert.deepEqual(await backend.view(STORE)!.holds(['zebra']), [false])
    await writer.writeDocuments(STORE, [upsert('z', '{"title":"zebras"}')])
    assert.deepEqual(await backend.view(STORE)!.holds(['zebra']), [true])
    await writer.deleteDocument(STORE, 'z')
    assert.deepEqual(await backend.view(STORE)!.holds(['zebra']), [false])
  })

  test('concurrent writes are all answered and all stored', async () => {
    await using catalog = await filled(create)
    const { writer } = catalog
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        writer.writeDocuments(STORE, [
          upsert(`p${i}`, `{"title":"parallel"}`),
          write('insert', 'only-once', `{"title":"parallel"}`),
        ]),
      ),
    )
    const created = answers.filter(([, second]) => second!.status === 'created')
    assert.equal(created.length, 1)
    assert.equal((await find(catalog, { words: ['parallel'] })).found, 51)
  })

  test('stores do not see each other', async () => {
    await using catalog = await filled(create)
    const { reader, writer, backend } = catalog
    await writer.createStore({ name: 'Other', id: 'other' })
    await writer.changeSchema('other', 'additive', FIELDS)
    await writer.writeDocuments('other', [upsert('a', '{"title":"elsewhere"}')])
    assert.equal(await textOf(catalog, 'a'), '{"title":"red shoe","price":1.5,"sku":1}')
    assert.equal(await reader.get('other', 'b'), undefined)
    assert.equal(await backend.view('other')!.docCount(), 1)
    assert.equal((await find(catalog, { words: ['elsewhere'] })).found, 0)
    assert.equal(await writer.clearDocuments('other'), 1)
    assert.equal((await find(catalog)).found, 3)
  })

  test('a replaced version can be fetched during the turn that found it', async () => {
    await using catalog = await filled(create)
    const { reader, writer } = catalog
    const { docKey } = (await reader.get(STORE, 'a'))!
    await writer.writeDocuments(STORE, [upsert('a', '{"title":"new"}')])
    const current = (await reader.get(STORE, 'a'))!
    assert.ok(current.docKey > docKey)
    const documentOf = await reader.fetch(STORE, [docKey, current.docKey, 2 ** 40])
    assert.match(Buffer.from(documentOf(docKey)!.json).toString(), /red shoe/)
    assert.equal(documentOf(current.docKey)?.docKey, current.docKey)
    assert.equal(documentOf(2 ** 40), undefined)
  })
}
