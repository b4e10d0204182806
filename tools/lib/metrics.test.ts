import assert from 'node:assert/strict'
import test from 'node:test'
import {
  condensedNdcgAt,
  gradeShareAt,
  judgedAt,
  mean,
  ndcgAt,
  quantile,
  recallAt,
} from './metrics.ts'

const judgments = new Map([
  ['a', 3],
  ['b', 2],
  ['c', 0],
  ['d', 1],
])

function near(actual: number | undefined, expected: number): void {
  assert.ok(
    actual !== undefined && Math.abs(actual - expected) < 5e-5,
    `${actual} is not ${expected}`,
  )
}

test('the ideal order has NDCG 1', () => {
  near(ndcgAt(10, ['a', 'b', 'd', 'c'], judgments), 1)
  near(ndcgAt(10, ['a', 'b', 'd'], judgments), 1)
})

test('NDCG equals a manual computation', () => {
  // DCG = 3/log2(2) + 0 + 7/log2(4) = 6.5; IDCG = 7 + 3/log2(3) + 1/log2(4) = 9.39279
  near(ndcgAt(10, ['b', 'unjudged', 'a'], judgments), 0.692)
})

test('fractional grades gain by the same formula', () => {
  const fractional = new Map([
    ['a', 1.67],
    ['b', 0.33],
  ])
  // DCG = (2^.33-1) + (2^1.67-1)/log2(3) = 0.25701 + 1.37644; IDCG = 2.18159 + 0.16216
  near(ndcgAt(10, ['b', 'a'], fractional), 0.69697)
})

test('the ideal includes judged documents that were not found', () => {
  near(ndcgAt(10, ['b'], judgments), 3 / 9.39279)
  assert.equal(ndcgAt(10, [], judgments), 0)
})

test('only the first k places count, in the ranking and in the ideal', () => {
  near(ndcgAt(1, ['b', 'a'], judgments), 3 / 7)
})

test('a query without a positive judgment has no NDCG', () => {
  assert.equal(ndcgAt(10, ['c'], new Map([['c', 0]])), undefined)
  assert.equal(ndcgAt(10, ['c'], new Map()), undefined)
})

test('a repeated document counts once', () => {
  near(ndcgAt(10, ['a', 'a', 'b', 'd'], judgments), 1)
})

test('condensed NDCG leaves unjudged documents out', () => {
  near(condensedNdcgAt(10, ['x', 'a', 'y', 'b', 'd'], judgments), 1)
})

test('recall counts the good documents among the first k', () => {
  assert.equal(recallAt(100, ['a', 'x'], judgments, 1), 1 / 3)
  assert.equal(recallAt(100, ['a', 'x'], judgments, 2), 1 / 2)
  assert.equal(recallAt(1, ['x', 'a'], judgments, 1), 0)
  assert.equal(recallAt(100, ['a'], judgments, 4), undefined)
})

test('judged@k divides by k, so that missing results count as unjudged', () => {
  assert.equal(judgedAt(10, ['a', 'x', 'c'], judgments), 0.2)
})

test('mean ignores missing values', () => {
  assert.equal(mean([1, undefined, 3]), 2)
  assert.ok(Number.isNaN(mean([undefined])))
})

test('quantiles are values of the sample', () => {
  const values = Array.from({ length: 100 }, (_, at) => 100 - at)
  assert.equal(quantile(values, 0.5), 50)
  assert.equal(quantile(values, 0.99), 99)
  assert.equal(quantile(values, 1), 100)
  assert.equal(quantile([7], 0), 7)
})

test('the grades of the first places are a share of the best possible', () => {
  near(gradeShareAt(2, ['b', 'x', 'a'], judgments), 2 / 5)
  near(gradeShareAt(5, ['d', 'd', 'b', 'a'], judgments), 1)
  assert.equal(gradeShareAt(5, ['a'], new Map([['a', 0]])), undefined)
})
