import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { createAnalyzer } from '../../analysis/create-analyzer.ts'
import { assertAgreement } from '../../naive/agreement.ts'
import { NaiveIndex } from '../../naive/naive-index.ts'
import { planForTest } from '../../naive/plan-for-test.ts'
import type { SearchPlan } from '../../query/plan.ts'
import type { Schema } from '../../schema/schema.ts'
import { SegmentReader } from '../../segment/segment-reader.ts'
import { EmbeddedIndexForTest } from '../embedded-index-for-test.ts'

const analyzer = createAnalyzer('en')
const schema: Schema = {
  fields: [
    { name: 'title', type: 'string', searchable: true, facet: false, sort: false },
    { name: 'text', type: 'string', searchable: true, facet: false, sort: false },
  ],
}
const EXPLAINED = { explain: true, size: 20, fieldWeights: [5, 1] } as const
const accessoryMarks = ['for', 'with', 'compatible', 'fits']

function indexesOf(titles: readonly string[], rankAllMax?: number) {
  const naive = new NaiveIndex(schema, analyzer)
  const embedded = new EmbeddedIndexForTest(schema, 'en', undefined, rankAllMax)
  titles.forEach((title, i) => {
    const document = { docKey: i + 1, id: String(i + 1), values: [title, 'for a phone'] }
    naive.add(document)
    embedded.add(document)
    if (i % 50 === 49) embedded.commit()
  })
  return { naive, embedded }
}

/** The titles of a search by rank, with the factor for their purpose. */
function answers(
  titles: readonly string[],
  query: string,
  changed: Partial<SearchPlan> = { accessoryMarks },
) {
  const { naive, embedded } = indexesOf(titles)
  const plan = { ...planForTest(query, schema, analyzer, EXPLAINED), ...changed }
  assertAgreement(naive, embedded, plan)
  return embedded.search(plan).hits.map(({ docKey, explanation }) => {
    return [titles[docKey - 1], explanation!.purpose?.factor]
  })
}

suite('a title that says that the product is for what is sought', () => {
  const phone = 'Apple iPhone 15 128GB Black'
  const accessory = 'Case for iPhone 15, iPhone 15 Pro, iPhone 15 Plus'

  test('comes after the thing itself', () => {
    assert.deepEqual(answers([phone, accessory], 'iphone 15', {}), [
      [accessory, undefined],
      [phone, undefined],
    ])
    const wanted = [
      [phone, undefined],
      [accessory, 0.75],
    ]
    assert.deepEqual(answers([phone, accessory], 'iphone 15'), wanted)
    assert.deepEqual(answers([phone, accessory], 'iphone'), wanted)
  })

  // Before, the positions of each word were read again at each mark: 12 s for 35,000 marks.
  test('is found in a long text that has the mark again and again', (t) => {
    const { embedded } = indexesOf(['a garden swing for years, '.repeat(2_000)])
    const plan = planForTest('garden swing', schema, analyzer, { ...EXPLAINED, accessoryMarks })
    const reads = t.mock.method(SegmentReader.prototype, 'positionsIn')
    assert.equal(embedded.search(plan).found, 1)
    assert.ok(reads.mock.callCount() < 100, `${reads.mock.callCount()} reads`)
  })

  test('has a mark directly before the words, in any order, all of them', () => {
    const factorOf = (title: string, query = 'iphone 15') => answers([title], query)[0]![1]
    assert.equal(factorOf('Case, fits 15 iPhone'), 0.75)
    assert.equal(factorOf('Case compatible with iPhones 15'), 0.75)
    assert.equal(factorOf('iPhone 15 with case for iPhone 15'), 0.75)
    assert.equal(factorOf('Case for the iPhone 15'), undefined)
    assert.equal(factorOf('Case for iPhone 14, iPhone 15'), undefined)
    assert.equal(factorOf('Case for iPhone 15', 'iphone case'), undefined)
    assert.equal(factorOf('Fitting case iPhone 15'), undefined)
    assert.equal(factorOf('Case for iPhone 15', 'iphone 15 of the'), 0.75)
  })

  test('is ranked as by the naive twin, also past the checked documents', () => {
    const words = 'phone phones for with nova fits fit t-shirt phone for'.split(' ')
    const arbitraryTitle = fc
      .array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 })
      .map((title) => title.join(' '))
    const arbitrary = fc.constantFrom(5, 40, 300).chain((length) =>
      fc.tuple(
        fc.array(arbitraryTitle, { minLength: length, maxLength: length, size: 'max' }),
        fc.array(fc.constantFrom('phone', 'phones', 'nova', 'nva', 'tshirt', 'the'), {
          minLength: 1,
          maxLength: 3,
        }),
        fc.record({ from: fc.constantFrom(0, 0, 190), size: fc.constantFrom(3, 50, 250) }),
        fc.constantFrom(0, 10_000),
        fc.constantFrom([], [{ filter: { kind: 'exists', field: 0 } as const, factor: 1.7 }]),
      ),
    )
    let lost = 0
    fc.assert(
      fc.property(arbitrary, ([titles, query, page, rankAllMax, boosts]) => {
        const { naive, embedded } = indexesOf(titles, rankAllMax)
        const options = { typoMax: 2, explain: true } as const
        const plan = planForTest(query.join(' '), schema, analyzer, options)
        const marked = { ...plan, ...page, boosts, accessoryMarks }
        assertAgreement(naive, embedded, marked)
        for (const { explanation } of embedded.search(marked).hits) {
          if (explanation?.purpose !== undefined) lost++
        }
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 40) },
    )
    assert.ok(lost > 0, 'no title lost points')
  })
})
