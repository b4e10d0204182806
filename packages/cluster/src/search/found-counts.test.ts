import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { FactCache } from './fact-cache.ts'
import { FoundCounts } from './found-counts.ts'

const PAGE = { from: 0, size: 200 }

function main(term: string) {
  return { query: { bool: { filter: [{ term: { groups: term } }], must_not: [], should: [] } } }
}

function answer(value: number) {
  return { took: 0, timed_out: false, hits: { total: { value }, hits: [] } }
}

suite('Counts of what searches have found', () => {
  test('few matches may be all among the candidates, once that was seen', () => {
    const facts = new FactCache().of('1a')
    const first = new FoundCounts(facts)
    assert.equal(first.mayBeAll(main('red'), PAGE), false)
    assert.equal(first.learn(main('red'), answer(200)), true)
    const second = new FoundCounts(facts)
    assert.equal(second.mayBeAll(main('red'), PAGE), true)
    assert.equal(second.mayBeAll(main('blue'), PAGE), false)
    assert.equal(second.mayBeAll(main('red'), { from: 200, size: 10 }), false)
    assert.equal(second.mayBeAll(main('red'), { from: 0, size: 10 }), false)
  })

  test('a search does not change its mind but by its own answer', () => {
    const facts = new FactCache().of('1a')
    const one = new FoundCounts(facts)
    const red = main('red')
    assert.equal(one.mayBeAll(red, PAGE), false)
    new FoundCounts(facts).learn(main('red'), answer(3))
    assert.equal(one.mayBeAll(red, PAGE), false)
    assert.equal(one.learn(red, answer(201)), false)
    assert.equal(new FoundCounts(facts).mayBeAll(main('red'), PAGE), false)
  })
})
