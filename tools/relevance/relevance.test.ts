import assert from 'node:assert/strict'
import test from 'node:test'
import { compareWith, ndcgByQuery } from './baseline.ts'
import { sample } from './judged-set.ts'
import { mapConcurrently } from './run-queries.ts'
import type { QueryResult } from './run-queries.ts'
import { reachableWords } from './typo-report.ts'

function result(id: string, ndcg: number | undefined): QueryResult {
  const rest = {
    text: id,
    ranked: [],
    found: 0,
    condensed: ndcg,
    recall: ndcg,
    firstFive: ndcg,
    judged: 0,
    tookMs: 1,
  }
  return { id, ndcg, ...rest }
}

test('a baseline keeps ids and figures of the queries that have one', () => {
  assert.deepEqual(ndcgByQuery([result('a', 0.123456), result('b', undefined)]), { a: 0.1235 })
})

test('only queries in both runs are compared', () => {
  const comparison = compareWith({ a: 0.5, gone: 1 }, [result('a', 0.75), result('new', 1)])
  assert.equal(comparison?.pairs, 1)
  assert.equal(comparison?.mean, 0.25)
  assert.equal(compareWith(undefined, []), undefined)
})

test('a sample is spread evenly, has the asked size and is always the same', () => {
  const items = Array.from({ length: 5_879 }, (_, at) => at)
  const taken = sample(items, 1_000)
  assert.equal(taken.length, 1_000)
  assert.equal(new Set(taken).size, 1_000)
  assert.ok((taken.at(-1) ?? 0) > 5_860)
  assert.deepEqual(sample(items, 1_000), taken)
  assert.deepEqual(sample([1, 2], 5), [1, 2])
})

test('calls run a few at a time and answer in order', async () => {
  let underWay = 0
  let most = 0
  const doubled = await mapConcurrently([1, 2, 3, 4, 5], 2, async (value) => {
    most = Math.max(most, ++underWay)
    await new Promise((resolve) => setImmediate(resolve))
    underWay -= 1
    return value * 2
  })
  assert.deepEqual(doubled, [2, 4, 6, 8, 10])
  assert.equal(most, 2)
})

test('a misspelling is reachable when its length allows its edits and only the correct word exists', () => {
  const catalog = new Set(['mower', 'ladder', 'sprinkler', 'tool', 'lader'])
  const word = (misspelling: string, correct: string, distance: number) => ({
    misspelling,
    correct,
    distance,
  })
  const words = [
    word('mowe', 'mower', 1),
    word('too', 'tool', 1),
    word('sprinklr', 'sprinkler', 1),
    word('sprnklr', 'sprinkler', 2),
    word('lddr', 'ladder', 2),
    word('lader', 'ladder', 1),
    word('chainsw', 'chainsaw', 1),
  ]
  assert.deepEqual(
    reachableWords(words, (text) => catalog.has(text)).map(({ misspelling }) => misspelling),
    ['mowe', 'sprinklr', 'sprnklr'],
  )
})
