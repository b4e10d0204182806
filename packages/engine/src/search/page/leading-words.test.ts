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
    { name: 'text', type: 'string', searchable: true, facet: false, sort: false },
  ],
}
const accessoryMarks = ['for', 'with', 'compatible', 'fits']

function indexesOf(titles: readonly string[]) {
  const naive = new NaiveIndex(schema, analyzer)
  const embedded = new EmbeddedIndexForTest(schema)
  titles.forEach((title, i) => {
    const document = { docKey: i + 1, id: String(i + 1), values: [title, 'for a phone'] }
    naive.add(document)
    embedded.add(document)
    if (i % 50 === 49) embedded.commit()
  })
  return { naive, embedded }
}

/** The documents of a search by rank, with the leading words in their titles. */
function answers(titles: readonly string[], query: string, marks?: readonly string[]) {
  const { naive, embedded } = indexesOf(titles)
  const changed = marks === undefined ? {} : { accessoryMarks: marks, accessoriesDown: true }
  const plan = { ...planForTest(query, schema, analyzer, { explain: true, size: 20 }), ...changed }
  assertAgreement(naive, embedded, plan)
  return embedded.search(plan).hits.map(({ docKey, explanation }) => {
    return [titles[docKey - 1], explanation!.leading?.map(({ form }) => form)]
  })
}

suite('words before the part of a title that says what the product is for', () => {
  test('earn a bonus, so accessories come down', () => {
    const titles = ['Nova phone in a rather long title', 'Case for Nova phone']
    assert.deepEqual(
      answers(titles, 'nova phone').map(([title]) => title),
      titles.toReversed(),
    )
    assert.deepEqual(answers(titles, 'nova phone', accessoryMarks), [
      [titles[0], ['nova', 'phone']],
      [titles[1], []],
    ])
  })

  test('are those before the first mark, which is a form, not a stem', () => {
    const leading = (title: string) => answers([title], 'phone case', accessoryMarks)[0]![1]
    assert.deepEqual(leading('Phone with case for phone'), ['phone'])
    assert.deepEqual(leading('Slim fit case, fits phone'), ['case'])
    assert.deepEqual(leading('For phone: case'), [])
    assert.deepEqual(leading('Case'), ['case'])
  })

  test('earn the same as in the naive twin, also past the checked documents', () => {
    const words = 'phone phones case for with fits fit charger nova t-shirt'.split(' ')
    const arbitraryTitle = fc
      .array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 })
      .map((title) => title.join(' '))
    const arbitrary = fc
      .constantFrom(5, 40, 300)
      .chain((length) =>
        fc.tuple(
          fc.array(arbitraryTitle, { minLength: length, maxLength: length, size: 'max' }),
          fc.array(fc.constantFrom(...words, 'chargr', 'tshirt'), { minLength: 1, maxLength: 3 }),
          fc.constantFrom(['for'], accessoryMarks, ['zzzz']),
          fc.record({ from: fc.constantFrom(0, 0, 190), size: fc.constantFrom(3, 50, 250) }),
        ),
      )
    fc.assert(
      fc.property(arbitrary, ([titles, query, marks, page]) => {
        const { naive, embedded } = indexesOf(titles)
        const options = { typoMax: 2, explain: true } as const
        const plan = planForTest(query.join(' '), schema, analyzer, options)
        const marked = { accessoryMarks: marks, accessoriesDown: true }
        assertAgreement(naive, embedded, { ...plan, ...page, ...marked })
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 40) },
    )
  })
})
