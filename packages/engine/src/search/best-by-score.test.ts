import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { BestByScore, byScoreThenNewest } from './best-by-score.ts'

const offers = fc.array(
  fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 900 }),
  { maxLength: 5 },
)

suite('the best by score', () => {
  test('are the first of all in order, from any rank on', () => {
    fc.assert(
      fc.property(offers, fc.nat(3_000), fc.nat(3_000), (segments, k, rank) => {
        const best = new BestByScore(k)
        const all = segments.flatMap((scores, segmentIndex) => {
          best.offer(
            segmentIndex,
            Uint32Array.from(scores.keys()),
            Float64Array.from(scores),
            scores.length,
          )
          return scores.map((score, docOrd) => ({ segmentIndex, docOrd, score }))
        })
        const wanted = all.toSorted(byScoreThenNewest).slice(0, k)
        assert.deepEqual(best.unordered().toSorted(byScoreThenNewest), wanted)
        assert.deepEqual(best.unordered(rank).toSorted(byScoreThenNewest), wanted.slice(rank))
      }),
      { numRuns: 200 },
    )
  })

  test('a page that nobody will ever see costs no memory', () => {
    const best = new BestByScore(250_000_000_000)
    best.offer(0, Uint32Array.of(7), Float64Array.of(3), 1)
    assert.deepEqual(best.unordered(249_999_999_750), [])
    assert.deepEqual(best.unordered(), [{ segmentIndex: 0, docOrd: 7, score: 3 }])
  })
})
