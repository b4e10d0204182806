import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { finish } from '../view/steps.ts'
import { SortedPairs } from './sorted-pairs.ts'

const PACE = { checkDeadline: () => undefined, isTurnOver: () => true }

suite('sorted pairs', () => {
  test('are the numbers that were added, ascending, each once', () => {
    const cases = fc.record({
      count: fc.integer({ min: 0, max: 120_000 }),
      distinct: fc.integer({ min: 1, max: 200_000 }),
      factor: fc.integer({ min: 1, max: 1_000_003 }),
      mergedEvery: fc.integer({ min: 1_000, max: 60_000 }),
    })
    fc.assert(
      fc.property(cases, ({ count, distinct, factor, mergedEvery }) => {
        const pairs = new SortedPairs()
        const expected = new Set<number>()
        for (let i = 0; i < count; i++) {
          const pair = ((i * factor) % distinct) * 2 ** 26 + (i % 3)
          pairs.add(pair)
          expected.add(pair)
          if (i % mergedEvery === 0) finish(pairs.merge(PACE))
        }
        const all = finish(pairs.all(PACE))
        assert.deepEqual(all, Float64Array.from(expected).sort())
      }),
      { numRuns: 30 },
    )
  })

  test('a million are merged in many steps, and the deadline loses none', () => {
    const pairs = new SortedPairs()
    for (let i = 0; i < 1_000_000; i++) pairs.add((i * 7_919) % 1_000_003)
    const late = {
      checkDeadline: () => {
        throw new Error('late')
      },
    }
    assert.throws(() => finish(pairs.all(late)), /late/)
    const steps = pairs.all(PACE)
    let count = 0
    let step = steps.next()
    for (; step.done !== true; count++) step = steps.next()
    assert.ok(count > 15, `${count} steps`)
    assert.equal(step.value.length, 1_000_000)
    assert.ok(step.value.every((pair, i) => i === 0 || pair > (step.value as Float64Array)[i - 1]!))
  })
})
