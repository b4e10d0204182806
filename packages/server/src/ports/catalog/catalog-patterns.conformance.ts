import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generatedRuns } from '@aisle/testing'
import fc from 'fast-check'
import { PATTERN_FIELDS_MAX } from '@aisle/contract'
import { checkSchemaFields } from '../../domain/documents/schema-rules.ts'
import type { CatalogPorts, CreateCatalog } from './catalog-fixture.ts'
import { idsOf, statuses, STORE, upsert, write } from './catalog-fixture.ts'

const FIELDS = checkSchemaFields([
  { name: 'title', type: 'string', searchable: true },
  { name: 'specs', type: 'object' },
  { name: 'specs.*', type: 'auto', searchable: true, facet: true, sort: true },
  { name: 'labels', type: 'object' },
  { name: 'labels.*', type: 'string', facet: true },
])

/** Fields that documents add by patterns. */
export function catalogPatternsConformance(create: CreateCatalog): void {
  test('documents add the fields of a pattern; rejected ones add nothing', async () => {
    await using catalog = await openCatalog(create)
    const outcomes = await catalog.writer.writeDocuments(STORE, [
      upsert('a', '{"specs":{"width":3,"color":"red"}}'),
      upsert('b', '{"specs":{"width":[3],"height":1}}'),
      upsert('c', '{"specs":{"width":3.5,"sizes":["M","L"],"empty":[],"none":null}}'),
      upsert('d', '{"specs":{"box":{"depth":1}},"labels":{"de":"rot"}}'),
      upsert('e', '{"labels":{"fr":[5]}}'),
      write('update', 'a', '{"specs":{"is_new":true}}'),
    ])
    assert.deepEqual(statuses(outcomes), [
      'created',
      'invalid_type',
      'created',
      'created',
      'invalid_type',
      'updated',
    ])
    assert.deepEqual(addedTo(catalog), {
      'specs.width': 'float',
      'specs.color': 'string',
      'specs.sizes': 'string[]',
      'specs.box': 'object',
      'specs.box.depth': 'float',
      'labels.de': 'string',
      'specs.is_new': 'bool',
    })
    assert.deepEqual(await having(catalog, 'specs.width'), ['a', 'c'])
    assert.deepEqual(await having(catalog, 'specs.is_new'), ['a'])
    assert.deepEqual(await having(catalog, 'specs.box.depth'), ['d'])
    assert.deepEqual(await having(catalog, 'labels.de'), ['d'])
  })

  test('a field that one write adds applies to the next write, and survives clear but not replace', async () => {
    await using catalog = await openCatalog(create)
    const { writer } = catalog
    await writer.writeDocuments(STORE, [upsert('a', '{"specs":{"width":3}}')])
    const [refused] = await writer.writeDocuments(STORE, [upsert('b', '{"specs":{"width":["x"]}}')])
    assert.ok(refused?.status === 'failed')
    assert.match(refused.message, /field "specs.width" must be float, received \["x"\] \(its first/)
    await writer.writeDocuments(STORE, [upsert('b', '{"specs":{"width":"x"}}')])
    assert.deepEqual(await having(catalog, 'specs.width'), ['a'])
    assert.deepEqual(await having(catalog, 'specs.width#text'), ['b'])
    await writer.clearDocuments(STORE)
    assert.deepEqual(addedTo(catalog), { 'specs.width': 'float', 'specs.width#text': 'string' })
    await writer.changeSchema(STORE, 'replace', FIELDS)
    assert.deepEqual(addedTo(catalog), {})
    await writer.writeDocuments(STORE, [upsert('b', '{"specs":{"width":"x"}}')])
    assert.deepEqual(addedTo(catalog), { 'specs.width': 'string' })
    assert.deepEqual(await having(catalog, 'specs.width'), ['b'])
  })

  test('concurrent writers add each field once', async () => {
    await using catalog = await openCatalog(create)
    const values = Array.from({ length: 24 }, (_, i) => (i % 2 === 0 ? i : `text ${i}`))
    const outcomes = await Promise.all(
      values.map((value, i) =>
        catalog.writer.writeDocuments(STORE, [
          upsert(`${i}`, JSON.stringify({ specs: { contested: value, [`own_${i % 5}`]: i } })),
        ]),
      ),
    )
    const added = addedTo(catalog)
    const winner = added['specs.contested']
    assert.ok(winner === 'float' || winner === 'string')
    for (const outcome of outcomes) assert.deepEqual(statuses(outcome), ['created'])
    // Numbers are texts too where a text came first.
    const numbers = values.flatMap((value, i) => (typeof value === 'number' ? [`${i}`] : []))
    const all = values.map((_, i) => `${i}`).toSorted()
    const contested = await having(catalog, 'specs.contested')
    assert.deepEqual(contested, winner === 'float' ? numbers.toSorted() : all)
    assert.equal(Object.keys(added).length, 7)
  })

  test('the first value decides the type, even if one id occurs twice', async () => {
    await using catalog = await openCatalog(create)
    const outcomes = await catalog.writer.writeDocuments(STORE, [
      upsert('4', '{"specs":{}}'),
      upsert('1', '{"specs":{"a":[1,2]}}'),
      upsert('4', '{"specs":{"a":1}}'),
    ])
    assert.deepEqual(statuses(outcomes), ['created', 'created', 'invalid_type'])
    assert.deepEqual(addedTo(catalog), { 'specs.a': 'float[]' })
  })

  test('patterns add fields up to the limit', async () => {
    await using catalog = await openCatalog(create)
    const labels = (count: number, from = 0) =>
      JSON.stringify({
        labels: Object.fromEntries(Array.from({ length: count }, (_, i) => [`l${from + i}`, 'x'])),
      })
    const roomForAll = await catalog.writer.writeDocuments(STORE, [
      upsert('a', labels(60)),
      upsert('b', labels(PATTERN_FIELDS_MAX + 1)),
      upsert('c', labels(10)),
      upsert('d', '{"labels":{"a.b":"x"}}'),
    ])
    assert.deepEqual(statuses(roomForAll), ['created', 'out_of_range', 'created', 'unknown_field'])
    assert.equal(Object.keys(addedTo(catalog)).length, 60)
    assert.deepEqual(await having(catalog, 'labels.l7'), ['a', 'c'])
  })

  generatedLives(create)
}

/** Goal: the same fields and documents as plain maps would hold. */
function generatedLives(create: CreateCatalog): void {
  const value = fc.constantFrom<unknown>(1, 2.5, 'red', 'blue', true, ['M'], [1, 2], [], null)
  const specs = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), value, { maxKeys: 3 })
  const one = fc.record({ id: fc.constantFrom('1', '2', '3', '4'), specs })
  const life = fc.array(fc.array(one, { minLength: 1, maxLength: 4 }), { maxLength: 6 })
  test('any writes add the fields that a plain map of types would have', async () => {
    await using catalog = await openCatalog(create)
    await fc.assert(
      fc.asyncProperty(life, async (batches) => {
        await catalog.writer.changeSchema(STORE, 'replace', FIELDS)
        const types = new Map<string, string>()
        const documents = new Map<string, Record<string, unknown>>()
        for (const batch of batches) {
          const outcomes = await catalog.writer.writeDocuments(
            STORE,
            batch.map(({ id, specs }) => upsert(id, JSON.stringify({ specs }))),
          )
          for (const [at, { id, specs }] of batch.entries()) {
            const isTaken = take(types, specs)
            assert.equal(outcomes[at]!.status === 'failed', !isTaken)
            if (isTaken) documents.set(id, specs)
          }
        }
        const added = Object.fromEntries([...types].map(([key, type]) => [`specs.${key}`, type]))
        assert.deepEqual(addedTo(catalog), added)
        for (const [key, type] of types) {
          const ids = [...documents].filter(([, specs]) => isPresent(types, specs, key, type))
          assert.deepEqual(await having(catalog, `specs.${key}`), ids.map(([id]) => id).toSorted())
        }
      }),
      { numRuns: generatedRuns(15) },
    )
  })
}

/** @returns whether a document with these members is accepted; their types are then recorded */
function take(types: Map<string, string>, specs: Record<string, unknown>): boolean {
  const added = new Map<string, string>()
  for (const [key, value] of Object.entries(specs)) {
    const type = typeOf(value)
    const first = types.get(key)
    if (type === undefined || type === first) continue
    if (first === undefined) added.set(key, type)
    else if (first === 'string[]' && isList(type)) continue
    else if (isList(type) || isList(first)) return false
    else if (first !== 'string') added.set(`${key}#text`, 'string')
    else if (type === 'float') added.set(`${key}#number`, 'float')
  }
  for (const [key, type] of added) types.set(key, type)
  return true
}

const isList = (type: string): boolean => type.endsWith('[]')

function typeOf(value: unknown): string | undefined {
  if (value === null || (Array.isArray(value) && value.length === 0)) return undefined
  if (Array.isArray(value)) return `${typeOf(value[0])}[]`
  if (typeof value === 'number') return 'float'
  return typeof value === 'string' ? 'string' : 'bool'
}

/** Whether a document has a value in a field of this type; an empty list is not a value. */
function isPresent(
  types: ReadonlyMap<string, string>,
  specs: Record<string, unknown>,
  field: string,
  type: string,
): boolean {
  const [key = '', kind] = field.split('#')
  const own = typeOf(specs[key] ?? null)
  if (own === undefined) return false
  if (kind === 'text') return own !== types.get(key)
  if (type === 'string[]') return isList(own)
  return own === type || (kind === undefined && type === 'string')
}

async function openCatalog(create: CreateCatalog): Promise<CatalogPorts & AsyncDisposable> {
  const catalog = await create()
  await catalog.writer.createStore({ name: 'My shop', id: STORE })
  await catalog.writer.changeSchema(STORE, 'additive', FIELDS)
  return catalog
}

function addedTo({ backend }: CatalogPorts): Record<string, string> {
  const { fields, patterns } = backend.view(STORE)!.schema!
  assert.equal(patterns?.length, 2)
  const added = fields.filter(({ pattern }) => pattern !== undefined)
  return Object.fromEntries(added.map(({ name, type }) => [name, type]))
}

function having(catalog: CatalogPorts, name: string): Promise<string[]> {
  const field = catalog.backend.view(STORE)!.schema!.fields.findIndex((one) => one.name === name)
  return idsOf(catalog, { filter: { kind: 'exists', field } })
}
