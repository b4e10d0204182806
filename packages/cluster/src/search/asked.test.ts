import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createAnalyzer } from '@aisle/engine'
import { askedForNothing, countedTogether } from './asked.ts'
import type { SearchAnswer } from './product-searches.ts'
import type { SearchPlace } from './search-place.ts'
import { formsQuestion, groupCount, rowCount } from './word-questions.ts'

/** Maximum of clauses by default, at any depth (`indices.query.bool.max_clause_count`). */
const CLUSTER_CLAUSES_MAX = 1_024
const PLACE = { scope: '1a', index: 'pool', slots: [], language: 'en' } as unknown as SearchPlace
const fieldWeights = Array.from({ length: 12 }, () => 1)
/** The ways to write long words apart. */
const ROWS = Array.from({ length: 60 }, (_, at) =>
  rowCount(PLACE, { stems: [`left${at}`, `right${at}`], fieldWeights, without: `both${at}` }),
)

/** The conditions of a query. */
function leavesOf(query: unknown): number {
  return JSON.stringify(query).match(/"(?:span_)?terms?":/g)?.length ?? 0
}

suite('Questions about what probably does not exist', () => {
  for (const together of [askedForNothing, countedTogether]) {
    test(`${together.name}: no search has more clauses than the cluster takes`, () => {
      const asked = together(ROWS)
      const sizes = asked.map(({ body }) => leavesOf((body as { query: unknown }).query))
      assert.ok(sizes.length > 1 && Math.max(...sizes) <= CLUSTER_CLAUSES_MAX, String(sizes))
      const none = { hits: { total: { value: 0 }, hits: [] } } as unknown as SearchAnswer
      const answers = asked.flatMap(({ read }) => read(none))
      assert.deepEqual(
        answers.map(([{ key }, value]) => [key, value]),
        ROWS.map(({ key }) => [key, 0]),
      )
    })
  }

  test('patterns inside of words are one, as long as the cluster takes it', () => {
    const inside = (texts: readonly string[]) =>
      formsQuestion(PLACE, { kind: 'inside', texts }, createAnalyzer('en'))
    const patternsOf = (texts: readonly string[]): string[] => {
      const [asked] = askedForNothing(texts.map((text) => inside([text])))
      return JSON.stringify(asked!.body).match(/(?<="value":")[^"]*/g) ?? []
    }
    assert.deepEqual(patternsOf(['2x8']), [String.raw`1a\\/.*(2x8).*`])
    assert.deepEqual(patternsOf(['2x8', '8in']), [String.raw`1a\\/(.*(2x8)|.*(8in)).*`])
    const long = Array.from({ length: 40 }, (_, at) => `${at}${'x'.repeat(at)}`)
    assert.deepEqual(
      patternsOf(long).flatMap((pattern) => pattern.match(/[0-9]+x*/g)!.slice(1)),
      long,
    )
    const lengths = patternsOf(long).map(({ length }) => length)
    assert.ok(lengths.length < 10 && Math.max(...lengths) < 450, String(lengths))
  })

  test('numbers come in the order of the questions', () => {
    const questions = ['red', 'blue'].map((stem) => groupCount(PLACE, stem))
    const [asked] = countedTogether(questions)
    const buckets = [{ doc_count: 3 }, { doc_count: 0 }]
    const answer = { aggregations: { each: { buckets } } } as unknown as SearchAnswer
    assert.deepEqual(
      asked!.read(answer).map(([{ key }, value]) => [key, value]),
      [
        ['group red', 3],
        ['group blue', 0],
      ],
    )
  })
})
