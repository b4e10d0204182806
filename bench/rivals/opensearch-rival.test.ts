import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { NEEDS_CLUSTER } from '@aisle/testing'
import { demoBenchCatalog, demoQueryLists } from '../lib/demo-bench-catalog.ts'
import { queryClasses } from '../lib/query-classes.ts'
import { openSearchQuery } from './opensearch-query.ts'
import { rivalLevel, RIVALS } from './rival.ts'

test('a query to OpenSearch requests the same as the others return: ten ids, the count, facets', () => {
  const texts = ['name', 'description']
  const plain = openSearchQuery({ q: 'dome tent', prefix_mode: 'off', typo_max: 0 }, texts)
  assert.deepEqual(plain, {
    query: { bool: { must: { multi_match: { query: 'dome tent', fields: texts } }, filter: [] } },
    size: 10,
    track_total_hits: true,
    _source: false,
  })
  const range = { price: { gte: 10, lte: 20 } }
  const browse = openSearchQuery(
    { q: '*', filters: range, facet_by: ['brand'], sort_by: 'price:asc' },
    texts,
  )
  assert.deepEqual(browse, {
    ...plain,
    query: { bool: { must: { match_all: {} }, filter: [{ range }] } },
    sort: [{ price: 'asc' }],
    aggs: { brand: { terms: { field: 'brand', size: 100 } } },
  })
})

suite('OpenSearch as a rival', NEEDS_CLUSTER, () => {
  test('it indexes a catalog and answers every class it lists', async () => {
    const rival = RIVALS.find(({ name }) => name === 'opensearch')!
    const lists = demoQueryLists(3)
    const classes = queryClasses(lists)
    const once = { warmupPasses: 0, passes: 1 }
    const report = await rivalLevel(rival, demoBenchCatalog(120), classes, lists.mix, once)
    assert.equal(report.failed, undefined)
    assert.match(report.title, /^OpenSearch \d+\.\d+\.\d+, over HTTP$/)
    assert.deepEqual(Object.keys(report.classes).toSorted(), [...rival.classes].toSorted())
    assert.ok((report.docsPerSecond ?? 0) > 0 && (report.bytesPerDocument ?? 0) > 0)
    assert.ok((report.requestsPerSecond ?? 0) > 0)
  })
})
