import assert from 'node:assert/strict'
import test from 'node:test'
import { countGroups, GroupCount } from './group-count.ts'
import type { GroupCountOptions } from './group-count.ts'
import type { SearchAnswer } from './product-searches.ts'

const options = {
  groups: { fields: [0], limit: 1, missing: 'together', facetCount: 'groups' },
  values: { columnName: () => 'long00', isWide: () => false },
  query: { match_all: {} },
  listedMax: 1,
} as unknown as GroupCountOptions

const page = (...keys: number[]): SearchAnswer =>
  ({
    timed_out: false,
    aggregations: { listed: { buckets: keys.map((key) => ({ key: { 0: key } })) } },
  }) as unknown as SearchAnswer

test('groups are counted from page to page', async () => {
  const pages = [page(1), page(2), page()]
  const count = new GroupCount(options)
  assert.equal(await countGroups([count], () => Promise.resolve([pages.shift()!])), false)
  assert.equal(count.found, 2)
})

test('a list that gives the same page again ends, as an incomplete answer', async () => {
  let asked = 0
  const count = new GroupCount(options)
  const isCutShort = await countGroups([count], () => {
    assert.ok(++asked < 10, 'goes on without an end')
    return Promise.resolve([page(1)])
  })
  assert.equal(isCutShort, true)
})
