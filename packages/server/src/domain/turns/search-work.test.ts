import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchWork } from './search-work.ts'

const workOf = (request: Readonly<Record<string, unknown>>, storeId = 'a'): string =>
  searchWork(storeId, request, (name) => name !== 'stray')

test('searches of the same cost are the same work in any notation', () => {
  const work = workOf({ q: 'red tent', facet_by: 'brand', per_page: 250 })
  for (const same of [
    { per_page: 250, facet_by: 'brand', q: 'Tent  red ' },
    { q: 'tent red', facet_by: 'brand', per_page: 250, analytics_tags: ['x1'] },
    { q: 'red tent', facet_by: 'brand', per_page: 250, stray: 7, snippet_prefix: '<b>' },
  ]) {
    assert.equal(workOf(same), work)
  }
})

test('another store, or other words, are other work', () => {
  const work = workOf({ q: 'red tent' })
  assert.notEqual(workOf({ q: 'red tent' }, 'b'), work)
  assert.notEqual(workOf({ q: 'red tents' }), work)
  assert.notEqual(workOf({ q: 'red tent', page: 2 }), work)
})
