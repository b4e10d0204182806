import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import fc from 'fast-check'
import { openEmbeddedCatalog } from '../../adapters/embedded/test/embedded-catalog.ts'
import { checkSchemaFields } from '../../domain/documents/schema-rules.ts'
import { AnalysedQuery } from '../../domain/query/analysed-query.ts'
import { upsert } from '../../ports/catalog/catalog-fixture.ts'
import { interpretQuery } from './interpret-query.ts'
import { naiveInterpretation, type NaiveProduct } from './naive-interpretation-for-test.ts'
import { soloPace } from './request-pace.ts'

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 60)
const PATIENT_MS = 60_000
const FIELDS = checkSchemaFields([
  { name: 'title', type: 'string', searchable: true },
  { name: 'brand', type: 'string', facet: true },
  { name: 'color', type: 'string', facet: true },
  { name: 'sizes', type: 'string[]', facet: true },
  { name: 'price', type: 'float', facet: true, sort: true },
])

const catalog = await openEmbeddedCatalog(undefined, { clock: { now: () => 0 } })
after(() => catalog[Symbol.asyncDispose]())

/** Words of titles, values and queries: far from each other, none begins another. */
const NOUNS = ['kettle', 'lantern', 'juice', 'decker', 'wagon', 'orange', 'black']
const BRANDS = ['Nordvik', 'Black+Decker', 'Orange', 'Quimby Works']
const COLORS = ['Black', 'Orange', 'Turquoise', 'Cherry Black', 'Lantern Orange']
const SIZES = ['4217', 'Medium', '12 cm']
const ADDED = [
  'in',
  'and',
  'for',
  'size',
  'color',
  'brand',
  'under',
  '50',
  'under 50',
  'between 20 and 50',
  'over 30 €',
  '20-50',
]

const product: fc.Arbitrary<NaiveProduct> = fc
  .record({
    words: fc.array(fc.constantFrom(...NOUNS, ...COLORS, ...BRANDS), {
      minLength: 1,
      maxLength: 3,
    }),
    brand: fc.constantFrom(...BRANDS),
    color: fc.constantFrom(...COLORS),
    sizes: fc.uniqueArray(fc.constantFrom(...SIZES), { maxLength: 2 }),
    price: fc.integer({ min: 5, max: 100 }),
    isNamed: fc.boolean(),
  })
  .map(({ words, isNamed, ...rest }) => ({
    ...rest,
    title: [...(isNamed ? [rest.brand] : []), ...words, ...(isNamed ? [rest.color] : [])].join(' '),
  }))
const query = fc
  .array(
    fc.oneof(
      fc.constantFrom(...NOUNS),
      fc.constantFrom(...BRANDS, ...COLORS, ...SIZES).map((text) => text.toLowerCase()),
      fc.constantFrom(...ADDED),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((words) => words.join(' '))

let storeCount = 0

async function viewOf(products: readonly NaiveProduct[]) {
  const id = `shop${++storeCount}`
  await catalog.writer.createStore({ name: id, id })
  await catalog.writer.changeSchema(id, 'additive', FIELDS)
  const settings = JSON.stringify({ settings: { ranking: { require_all_terms: true } } })
  await catalog.writer.changeResources(id, {
    puts: [{ kind: 'settings', name: '1', json: settings }],
    removes: [],
  })
  await catalog.writer.writeDocuments(
    id,
    products.map((one, i) => upsert(`p${i}`, JSON.stringify(one))),
  )
  return catalog.backend.view(id)!
}

suite('interpretation', () => {
  test('reads what its definition reads, over generated stores and queries', async () => {
    let read = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(product, { minLength: 1, maxLength: 14 }),
        fc.array(query, { minLength: 6, maxLength: 12 }),
        async (products, queries) => {
          const view = await viewOf(products)
          for (const q of queries) {
            const pace = { ...soloPace(), timeoutDefaultMs: PATIENT_MS }
            const analysed = new AnalysedQuery(q, view.analyzer)
            const answer = (await interpretQuery(view, analysed, [], pace))!
            const expected = naiveInterpretation(q, products, view.analyzer)
            assert.deepEqual(outline(answer), outline(expected), q)
            read += answer.readings.length
          }
        },
      ),
      { numRuns: RUNS },
    )
    assert.ok(read > 0, 'nothing was read')
  })
})

function outline({ readings, rest }: ReturnType<typeof naiveInterpretation>): object {
  return {
    rest,
    readings: readings.map(({ kind, field, operator, values, text, start, end }) => {
      return { kind, field, operator, values: new Set(values), text, start, end }
    }),
  }
}
