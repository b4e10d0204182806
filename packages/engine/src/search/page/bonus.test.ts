import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { createAnalyzer } from '../../analysis/create-analyzer.ts'
import { assertAgreement } from '../../naive/agreement.ts'
import { NaiveIndex } from '../../naive/naive-index.ts'
import { planForTest } from '../../naive/plan-for-test.ts'
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
const WORDS = 'copper roof vane vanes for weather weathervane rooster the barn t-shirt'.split(' ')
const arbitraryTitle = fc
  .array(fc.nat({ max: 99 }), { minLength: 1, maxLength: 6 })
  .map((numbers) => numbers.map((n) => WORDS[Math.floor(n ** 2 / 1_000)]!).join(' '))

/** Both engines over the same documents, with every seventh removed again. */
function indexesOf(titles: readonly string[], rankAllMax: number) {
  const naive = new NaiveIndex(schema, analyzer)
  const embedded = new EmbeddedIndexForTest(schema, 'en', undefined, rankAllMax)
  titles.forEach((title, i) => {
    const document = { docKey: i + 1, id: String(i + 1), values: [title, WORDS[i % 31]] }
    naive.add(document)
    embedded.add(document)
    if (i % 40 === 39) embedded.commit()
  })
  for (let docKey = 7; docKey <= titles.length; docKey += 7) {
    naive.remove(docKey)
    embedded.remove(docKey)
  }
  return { naive, embedded }
}

suite('the bonus of the best documents', () => {
  test('is that of the naive twin, in small catalogs and beyond the best 200', () => {
    const query = fc.array(fc.constantFrom(...WORDS, 'weathr', 'zzzz'), {
      minLength: 2,
      maxLength: 4,
    })
    const arbitrary = fc.constantFrom(12, 60, 900).chain((length) =>
      fc.tuple(
        fc.array(arbitraryTitle, { minLength: length, maxLength: length, size: 'max' }),
        fc.array(fc.tuple(query, fc.constantFrom(undefined, ['for']), fc.boolean()), {
          minLength: 3,
        }),
        fc.record({ size: fc.constantFrom(5, 250), explain: fc.boolean() }),
        fc.constantFrom(0, 10_000),
      ),
    )
    let earned = 0
    fc.assert(
      fc.property(arbitrary, ([titles, queries, options, rankAllMax]) => {
        const { naive, embedded } = indexesOf(titles, rankAllMax)
        for (const [words, marks, accessoriesDown] of queries) {
          const plan = planForTest(words.join(' '), schema, analyzer, { typoMax: 2, ...options })
          const marked =
            marks === undefined ? plan : { ...plan, accessoryMarks: marks, accessoriesDown }
          assertAgreement(naive, embedded, marked)
          for (const { explanation } of embedded.search(marked).hits) {
            earned += explanation?.pairs.length ?? 0
          }
        }
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 25) },
    )
    assert.ok(earned > 0, 'no pair earned a bonus')
  })
})
