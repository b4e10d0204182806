import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { createAnalyzer } from '../../analysis/create-analyzer.ts'
import { assertAgreement } from '../../naive/agreement.ts'
import { NaiveIndex } from '../../naive/naive-index.ts'
import { planForTest } from '../../naive/plan-for-test.ts'
import { WEIGHT_CORRECTION } from '../../scoring/formula.ts'
import type { Schema } from '../../schema/schema.ts'
import { EmbeddedIndexForTest } from '../embedded-index-for-test.ts'

const analyzer = createAnalyzer('en')
const schema: Schema = {
  fields: [
    { name: 'title', type: 'string', searchable: true, facet: false, sort: false },
    { name: 'brand', type: 'string', searchable: true, facet: false, sort: false },
  ],
}

/** Few words, so that titles share some; later ones are rare. */
const WORDS = 'copper roof vane vanes weather weathervane rooster the barn t-shirt'.split(' ')
const arbitraryTitle = fc
  .array(fc.nat({ max: 99 }), { minLength: 1, maxLength: 6 })
  .map((numbers) => numbers.map((n) => WORDS[Math.floor(n ** 2 / 1_000)]!).join(' '))

const SHOP = [
  ['Copper weather vane with rooster'],
  ['Iron weather vane with rooster'],
  ['Brass weather vane with horse'],
  ['Steel shelf'],
  ['Barn star'],
  ['Rooster figure for the barn'],
  ['Removed'],
  ['Copper pipe'],
  ['Copper rooster'],
  ['Copper weather station'],
] as const

/** Both engines over the same documents, with every seventh removed again. */
function indexesOf(documents: readonly (readonly [title: string, brand?: string])[]) {
  const naive = new NaiveIndex(schema, analyzer)
  const embedded = new EmbeddedIndexForTest(schema)
  documents.forEach((values, i) => {
    const document = { docKey: i + 1, id: String(i + 1), values: [...values] }
    naive.add(document)
    embedded.add(document)
    if (i % 40 === 39) embedded.commit()
  })
  for (let docKey = 7; docKey <= documents.length; docKey += 7) {
    naive.remove(docKey)
    embedded.remove(docKey)
  }
  return { naive, embedded }
}

suite('vouching', () => {
  test('earns the same as in the naive twin, in small catalogs and beyond the sample', () => {
    let vouched = 0
    const query = fc.array(fc.constantFrom(...WORDS, 'weathr', 'zzzz'), {
      minLength: 2,
      maxLength: 4,
    })
    const size = fc.constantFrom(12, 60, 900)
    const arbitrary = size.chain((length) =>
      fc.tuple(
        fc.array(arbitraryTitle, { minLength: length, maxLength: length, size: 'max' }),
        fc.array(query, { minLength: 3, maxLength: 3 }),
        fc.constantFrom(5, 250),
      ),
    )
    fc.assert(
      fc.property(arbitrary, ([titles, queries, pageSize]) => {
        const documents = titles.map((title, i) => {
          return [title, WORDS[i % 31]] as const
        })
        const { naive, embedded } = indexesOf(documents.map(([a, b]) => (b ? [a, b] : [a])))
        for (const words of queries) {
          const plan = planForTest(words.join(' '), schema, analyzer, {
            typoMax: 2,
            size: pageSize,
            explain: true,
          })
          assertAgreement(naive, embedded, plan)
          for (const { explanation } of embedded.search(plan).hits) {
            vouched += explanation!.vouched.length
          }
        }
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 25) },
    )
    assert.ok(vouched > 20, `only ${vouched} words were vouched for`)
  })

  test('the words of a title vouch for the missing one, and are named', () => {
    const { embedded } = indexesOf(SHOP)
    const plan = planForTest('copper vane', schema, analyzer, { size: 10, explain: true })
    const { hits } = embedded.search(plan)
    const keys = hits.map(({ docKey }) => docKey)
    assert.equal(keys[0], 1)
    assert.ok(keys.indexOf(10) < keys.indexOf(8), 'a weather station comes before a pipe')
    const { vouched } = hits.find(({ docKey }) => docKey === 10)!.explanation!
    assert.deepEqual(
      vouched.map(({ form, words }) => [form, words[0]]),
      [['vane', 'weather']],
    )
  })

  test('earns less for a misspelt word, like its correction', () => {
    const { embedded } = indexesOf(SHOP)
    const vouchedIn = (words: string) => {
      const plan = planForTest(words, schema, analyzer, { typoMax: 2, size: 10, explain: true })
      const hit = embedded.search(plan).hits.find(({ docKey }) => docKey === 10)!
      return hit.explanation!.vouched
    }
    const [asMeant] = vouchedIn('copper weathervane vane')
    const [asTyped] = vouchedIn('copper weathervane vaen')
    assert.equal(asTyped!.share, asMeant!.share)
    const expected = asMeant!.points * WEIGHT_CORRECTION
    assert.ok(Math.abs(asTyped!.points - expected) <= 1, `${asTyped!.points}, not ${expected}`)
  })

  test('does not apply to queries of one word, other orders and other fields', () => {
    const { embedded } = indexesOf(SHOP)
    const plan = planForTest('copper vane', schema, analyzer, { size: 10, explain: true })
    const vouchedIn = (changed: object) =>
      embedded
        .search({ ...plan, ...changed })
        .hits.reduce((sum, { explanation }) => sum + explanation!.vouched.length, 0)
    assert.ok(vouchedIn({}) > 0)
    assert.equal(vouchedIn({ slots: plan.slots.slice(0, 1) }), 0)
    assert.equal(vouchedIn({ titleField: 1 }), 0)
    assert.equal(vouchedIn({ sort: [{ kind: 'random', seed: 1, descending: true }] }), 0)
  })
})
