import assert from 'node:assert/strict'
import { createAnalyzer } from '../../analysis/create-analyzer.ts'
import { NaiveIndex } from '../../naive/naive-index.ts'
import { planForTest } from '../../naive/plan-for-test.ts'
import type { SlotOptions } from '../../naive/plan-for-test.ts'
import type { SearchOutcome } from '../../query/plan.ts'
import type { Schema } from '../../schema/schema.ts'
import { EmbeddedIndexForTest } from '../embedded-index-for-test.ts'

export const TITLE_SCHEMA: Schema = {
  fields: [{ name: 'title', type: 'string', searchable: true, facet: false, sort: false }],
}

/** Titles by query, best first; both engines agree, with and without a trie. */
export function shopForTest(
  language: string,
  titles: readonly string[],
): (query: string, options?: SlotOptions) => string[] {
  const analyzer = createAnalyzer(language)
  const naive = new NaiveIndex(TITLE_SCHEMA, analyzer)
  const index = new EmbeddedIndexForTest(TITLE_SCHEMA, language)
  titles.forEach((title, i) => {
    const document = { docKey: i + 1, id: String(i + 1), values: [title] }
    naive.add(document)
    index.add(document)
  })
  return (query, options = {}) => {
    const plan = planForTest(query, TITLE_SCHEMA, analyzer, {
      size: 100,
      explain: true,
      ...options,
    })
    const outcome = naive.search(plan)
    assert.deepEqual(index.search(plan), outcome)
    index.merge()
    index.buildTrie()
    assert.deepEqual(index.search(plan), outcome)
    return titlesOf(outcome)
  }
  function titlesOf({ hits }: SearchOutcome): string[] {
    return hits.map((hit) => titles[hit.docKey - 1]!)
  }
}
