import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import type { InsertionOrder } from '../../segment/insertion-order.ts'
import { insertionsOf } from '../../segment/segment-for-test.ts'
import { BestByScore, bestFirst } from './best-by-score.ts'

const offers = fc.array(
  fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 900 }),
  { maxLength: 5 },
)

/** Unique, and in no order. */
function insertedOf(segmentIndex: number, docOrd: number): number {
  return 1 + (((segmentIndex * 1_000 + docOrd) * 701) % 6_007)
}

const places = new Map(
  Array.from({ length: 5 }, (_, segmentIndex) =>
    Array.from({ length: 900 }, (__, docOrd) => {
      return [insertedOf(segmentIndex, docOrd), { segmentIndex, docOrd }] as const
    }),
  ).flat(),
)

function findInserted(inserted: number) {
  return places.get(inserted)!
}

function insertionsIn(segmentIndex: number, docCount: number): InsertionOrder {
  const docOrds = Array.from({ length: docCount }, (_, docOrd) => docOrd)
  return insertionsOf(
    docOrds,
    docOrds.map((docOrd) => insertedOf(segmentIndex, docOrd)),
  )
}

suite('the best by score', () => {
  test('are the first of all in order, starting at any rank', () => {
    fc.assert(
      fc.property(
        offers,
        fc.nat(3_000),
        fc.nat(3_000),
        fc.nat(4),
        (segments, k, rank, levelMax) => {
          const best = new BestByScore(k, findInserted)
          const levelOf = (docOrd: number) => (docOrd * 7) % (levelMax + 1)
          const all = segments.flatMap((scores, segmentIndex) => {
            best.offer(
              Uint32Array.from(scores.keys()),
              Float64Array.from(scores),
              scores.length,
              insertionsIn(segmentIndex, scores.length),
              Uint16Array.from(scores, (_, docOrd) => levelOf(docOrd)),
            )
            return scores.map((score, docOrd) => {
              const inserted = insertedOf(segmentIndex, docOrd)
              return { segmentIndex, docOrd, score, level: levelOf(docOrd), inserted }
            })
          })
          const wanted = all.toSorted(bestFirst).slice(0, k)
          assert.deepEqual(best.ordered(), wanted)
          assert.deepEqual(best.ordered(rank), wanted.slice(rank))
        },
      ),
      { numRuns: 200 },
    )
  })

  test('a page far past the end costs no memory', () => {
    const best = new BestByScore(250_000_000_000, findInserted)
    best.offer(Uint32Array.of(7), Float64Array.of(3), 1, insertionsIn(0, 8))
    assert.deepEqual(best.ordered(249_999_999_750), [])
    assert.deepEqual(best.ordered(), [
      { segmentIndex: 0, docOrd: 7, score: 3, level: 0, inserted: insertedOf(0, 7) },
    ])
  })
})
