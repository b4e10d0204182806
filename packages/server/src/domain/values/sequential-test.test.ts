import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import fc from 'fast-check'
import { compareMeans, compareVotes } from './sequential-test.ts'

const ERROR = 0.05
const count = fc.integer({ min: 0, max: 3_000 })

suite('tests that may be looked at every day', () => {
  test('votes: the interval excludes one half exactly if the confidence reaches 95 %', () => {
    fc.assert(
      fc.property(count, count, (wins, losses) => {
        const evidence = compareVotes(wins, losses, ERROR)
        if (evidence === undefined) return wins + losses === 0
        const { value, low, high, confidence } = evidence
        assert.ok(low >= 0 && low <= value && value <= high && high <= 1)
        const isExcluded = low > 0.5 || high < 0.5
        if (Math.abs(confidence - 0.95) > 1e-9) assert.equal(isExcluded, confidence > 0.95)
        const mirrored = compareVotes(losses, wins, ERROR)!
        assert.ok(Math.abs(mirrored.low - (1 - high)) < 1e-9)
        return true
      }),
    )
  })

  test('votes: under a fair coin, the expected likelihood ratio is one after any number', () => {
    // Ville's inequality: then it reaches 20 with a probability of at most 1/20, at any time.
    for (const votes of [1, 10, 60]) {
      let expected = 0
      let ways = 1
      for (let wins = 0; wins <= votes; wins++) {
        const { confidence } = compareVotes(wins, votes - wins, ERROR)!
        // A confidence of 0 hides ratios below 1.
        const ratio = 1 / (1 - confidence)
        expected += (ways / 2 ** votes) * (confidence === 0 ? 0 : ratio)
        ways = (ways * (votes - wins)) / (wins + 1)
      }
      assert.ok(expected <= 1 + 1e-9, `${expected} after ${votes} votes`)
    }
  })

  test('means: the interval excludes 0 exactly if the confidence reaches 95 %', () => {
    fc.assert(
      fc.property(count, count, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, share) => {
        const arm = (visitors: number, part: number) => {
          const did = Math.round(visitors * part)
          return { count: visitors, sum: did, squares: did }
        }
        const evidence = compareMeans(arm(a, share), arm(b, share / 2), ERROR)
        if (evidence === undefined) return
        const { low, high, value, confidence } = evidence
        assert.ok(low <= value && value <= high)
        if (Math.abs(confidence - 0.95) > 1e-9) {
          assert.equal(low > 0 || high < 0, confidence > 0.95)
        }
      }),
    )
  })

  test('says nothing about samples that are too small or all alike', () => {
    const none = { count: 1, sum: 1, squares: 1 }
    const alike = { count: 50, sum: 50, squares: 50 }
    assert.equal(compareMeans(none, alike, ERROR), undefined)
    assert.equal(compareMeans(alike, alike, ERROR), undefined)
    assert.equal(compareVotes(0, 0, ERROR), undefined)
  })
})
