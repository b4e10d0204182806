import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { ClusterConnection } from '@aisle/opensearch'
import { createAnalyzer } from '@aisle/engine'
import { ClusterCatalog } from './cluster-catalog.ts'
import { FactCache } from './fact-cache.ts'
import { Facts } from './facts.ts'
import type { SearchPlace } from './search-place.ts'

const PLACE = { scope: '1a', index: 'pool', routing: 'shop', slots: [], language: 'en' }
const WORDS = Array.from({ length: 20 }, (_, at) => `word${at}`)

interface Body {
  readonly query?: { readonly term?: Record<string, string> }
  readonly aggs?: { readonly counts?: { readonly terms: { readonly include: readonly string[] } } }
}

/**
 * A cluster of so many documents, where `wordN` is in the titles of N + 1 of them but for word0.
 */
function clusterOf(docCount: number): { connection: ClusterConnection; asked: Body[] } {
  const asked: Body[] = []
  const countOf = (term: string): number => {
    const at = Number(term.slice('1a/word'.length))
    return at === 0 ? 0 : at + 1
  }
  const answer = (body: Body): object => {
    asked.push(body)
    const term = Object.values(body.query?.term ?? {})[0]
    const buckets = (body.aggs?.counts?.terms.include ?? []).flatMap((key) =>
      countOf(key) === 0 ? [] : [{ key, doc_count: countOf(key) }],
    )
    const value = term === undefined || term === '1a' ? docCount : countOf(term)
    return { hits: { total: { value }, hits: [] }, aggregations: { counts: { buckets } } }
  }
  const request = async ({ lines }: { lines: Body[] }): Promise<object> => ({
    responses: lines.filter((_, at) => at % 2 === 1).map(answer),
  })
  return { connection: { request } as unknown as ClusterConnection, asked }
}

async function titleCounts(docCount: number): Promise<{ counts: number[]; asked: Body[] }> {
  const { connection, asked } = clusterOf(docCount)
  const place = PLACE as unknown as SearchPlace
  const facts = new Facts(connection, place, new FactCache().of('1a'), undefined)
  const catalog = new ClusterCatalog(facts, place, createAnalyzer('en'))
  await facts.settle(() => catalog.docCount)
  const counts = await facts.settle(() => WORDS.map((word) => catalog.titleDocFreq(word)))
  return { counts, asked }
}

suite('Facts about words', () => {
  const expected = WORDS.map((_, at) => (at === 0 ? 0 : at + 1))

  test('counts of many words are one search where documents are few', async () => {
    const { counts, asked } = await titleCounts(50_000)
    assert.deepEqual(counts, expected)
    assert.equal(asked.length, 2)
  })

  test('where documents are many each word is counted by itself', async () => {
    const { counts, asked } = await titleCounts(5_000_000)
    assert.deepEqual(counts, expected)
    assert.equal(asked.length, 1 + WORDS.length)
  })
})
