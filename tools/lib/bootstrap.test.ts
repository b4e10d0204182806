import assert from 'node:assert/strict'
import test from 'node:test'
import { SeededRandom } from '@aisle/testing'
import { pairedBootstrap } from './bootstrap.ts'

test('the interval of equal runs is zero', () => {
  const same = pairedBootstrap([0, 0, 0])
  assert.deepEqual([same.mean, same.low, same.high, same.better, same.worse], [0, 0, 0, 0, 0])
})

test('the interval contains the mean and has the theoretical width', () => {
  const random = new SeededRandom(1)
  const differences = Array.from({ length: 1_000 }, () => 0.02 + (random.next() - 0.5) * 0.2)
  const { mean, low, high } = pairedBootstrap(differences)
  assert.ok(low < mean && mean < high)
  // Uniform over 0.2: sigma = 0.2 / sqrt(12); 95 % of the mean of 1,000 = 2 * 1.96 * sigma /
  // sqrt(1000).
  const expected = (2 * 1.96 * (0.2 / Math.sqrt(12))) / Math.sqrt(1_000)
  assert.ok(Math.abs(high - low - expected) < expected * 0.15, `${high - low} against ${expected}`)
})

test('a clear gain excludes zero, and the same input gives the same interval', () => {
  const differences = Array.from({ length: 50 }, (_, at) => (at % 5 === 0 ? -0.01 : 0.05))
  const first = pairedBootstrap(differences)
  assert.ok(first.low > 0)
  assert.equal(first.better, 40)
  assert.equal(first.worse, 10)
  assert.deepEqual(pairedBootstrap(differences), first)
})

test('no pairs give no numbers instead of an error', () => {
  assert.ok(Number.isNaN(pairedBootstrap([]).mean))
})
