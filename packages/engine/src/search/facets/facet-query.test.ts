import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAnalyzer } from '../../analysis/create-analyzer.ts'
import { IndexWriter } from '../../indexer/index-writer.ts'
import { NaiveIndex } from '../../naive/naive-index.ts'
import { planForTest } from '../../naive/plan-for-test.ts'
import type { FacetRequest } from '../../query/plan.ts'
import type { Schema } from '../../schema/schema.ts'
import { Searcher } from '../searcher.ts'
import { TESTED_ALONE_MAX } from './facet-counter.ts'

const schema: Schema = {
  fields: [{ name: 'kind', type: 'string', searchable: true, facet: true, sort: false }],
}

test('the last word may end with an unfinished Korean syllable, as in the naive model', () => {
  const analyzer = createAnalyzer('ko')
  const naive = new NaiveIndex(schema, analyzer)
  const writer = new IndexWriter(schema, 'ko')
  const added = ['가방', '여행 가방', '갑옷', '과일', '나무'].map((kind, docKey) => ({
    docKey,
    id: `${docKey}`,
    values: [kind],
  }))
  for (const document of added) naive.add(document)
  writer.apply({ added, removed: [] })
  const searcher = new Searcher()
  searcher.update(writer.snapshot())

  const kinds = (text: string, edits: 0 | 1 = 0): string[] => {
    const query = text.split(' ').map((word) => ({ form: analyzer.fold(word), edits }))
    const facet: FacetRequest = { field: 0, limit: 9, order: 'value', stats: false, query }
    const plan = planForTest('', schema, analyzer, { size: 9, facets: [facet] })
    const answer = searcher.search({ ...plan, deadlineMs: Infinity }, Number)
    assert.deepEqual(answer.facets, naive.search(plan).facets, text)
    return answer.facets[0]!.counts.map(({ value }) => value)
  }
  assert.deepEqual(kinds('ㄱ'), ['가방', '갑옷', '과일', '여행 가방'])
  assert.deepEqual(kinds('갑'), ['가방', '갑옷', '여행 가방'])
  assert.deepEqual(kinds('가바'), ['가방', '여행 가방'])
  assert.deepEqual(kinds('고'), ['과일'])
  assert.deepEqual(kinds('여행 갑'), ['여행 가방'])
  assert.deepEqual(kinds('갑 여행'), [])
  // As typed it fits, so no typo is tolerated.
  assert.deepEqual(kinds('가바', 1), ['가방', '여행 가방'])
})

test('many values are tested by the index of their words, as in the naive model', () => {
  const analyzer = createAnalyzer('en')
  const naive = new NaiveIndex(schema, analyzer)
  const writer = new IndexWriter(schema, 'en')
  const words = ['rain', 'train', 'brain', 'trail', 'winter', 'summer', 'red', 'jacket']
  const added = Array.from({ length: 2 * TESTED_ALONE_MAX }, (_, docKey) => ({
    docKey,
    id: `${docKey}`,
    values: [`${words[docKey % 8]} ${words[(docKey >> 3) % 8]}${docKey % 5} ${docKey}`],
  }))
  for (const document of added) naive.add(document)
  writer.apply({ added, removed: [] })
  const searcher = new Searcher()
  searcher.update(writer.snapshot())
  for (const text of ['rain', 'tarin', 'winte', 'sumer3', 'wintr rde', 'brain jaket', 'nothing']) {
    const query = text.split(' ').map((form) => ({ form, edits: 2 as const }))
    const facet: FacetRequest = { field: 0, limit: 99, order: 'count', stats: false, query }
    const plan = planForTest('', schema, analyzer, { size: 9, facets: [facet] })
    const answer = searcher.search({ ...plan, deadlineMs: Infinity }, Number)
    assert.deepEqual(answer.facets, naive.search(plan).facets, text)
  }
})
