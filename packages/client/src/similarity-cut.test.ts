import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { CUT_PAIRS_MIN, CUT_SHARE_MIN, similarityCut, type JudgedPair } from './similarity-cut.ts'

const pair = (similarity: number, isRight: boolean): JudgedPair => ({ similarity, isRight })

suite('the cut of similarity', () => {
  test('is the least from which on eight in ten are right', () => {
    const pairs = [
      ...[0.9, 0.8, 0.75, 0.7].map((one) => pair(one, true)),
      pair(0.65, false),
      pair(0.556, true),
      pair(0.5, false),
      pair(0.4, true),
      pair(0.3, false),
    ]
    assert.deepEqual(similarityCut(pairs), { cut: 0.55, judged: 6, right: 5 })
  })

  test('needs five pairs, and is none if most are wrong', () => {
    const few = [0.9, 0.8, 0.7, 0.6].map((one) => pair(one, true))
    assert.equal(similarityCut(few).cut, undefined)
    assert.equal(similarityCut([...few, pair(0.5, true)]).cut, 0.5)
    const wrong = [0.9, 0.8, 0.7, 0.6, 0.5].map((one) => pair(one, false))
    assert.equal(similarityCut(wrong).cut, undefined)
    assert.equal(similarityCut([]).cut, undefined)
  })

  test('is what trying every value finds', () => {
    const judged = fc.array(
      fc.record({
        similarity: fc.integer({ min: 0, max: 20 }).map((n) => n / 20),
        isRight: fc.boolean(),
      }),
    )
    fc.assert(
      fc.property(judged, (pairs) => {
        const shareFrom = (least: number): number => {
          const above = pairs.filter(({ similarity }) => similarity >= least)
          if (above.length < CUT_PAIRS_MIN) return 0
          return above.filter(({ isRight }) => isRight).length / above.length
        }
        const good = pairs
          .filter(({ similarity }) => shareFrom(similarity) >= CUT_SHARE_MIN)
          .map(({ similarity }) => similarity)
        const least = good.length === 0 ? undefined : Math.min(...good)
        assert.equal(similarityCut(pairs).cut, least)
      }),
    )
  })
})
