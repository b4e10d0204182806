import { WINDOW_SIZE } from '../../postings/postings-format.ts'
import type { SegmentView } from '../view/index-view.ts'

/**
 * A consumer of matching documents. The producer calls `beginSegment`, then for each window fills
 * the first `count` entries of `docs` and `points` and calls `take(count)`.
 */
export interface MatchSink {
  /** docOrds of live documents that match the words, not yet filtered. */
  readonly docs: Uint32Array
  /** Their text match scores. */
  readonly points: Float64Array
  /** Documents with a score below this need not be handed over, only counted. */
  readonly countOnlyBelow: number
  countOnly(count: number): void
  /**
   * Documents that are not ranked must be listed all the same: to be filtered, or counted into
   * facets.
   */
  readonly needsUnranked: boolean
  /**
   * How many documents must be ranked to be sure of the page; `undefined` when the order is not by
   * score.
   */
  readonly ranksNeeded: number | undefined
  beginSegment(segmentIndex: number, segment: SegmentView): void
  take(count: number): void
  /**
   * The same for documents without scores, when the order does not begin with them.
   *
   * @returns how many are left at the front of `docs`: those whose first sort key may reach the
   * page
   */
  pick(count: number): number
  /** Scored documents that `pick` left. */
  rank(docs: Uint32Array, points: Float64Array, count: number): void
  /**
   * The same for documents that match but cannot be among the best: `points` say nothing about
   * them.
   */
  takeUnranked(count: number): void
}

/** Room for one window of matches; one per thread, since a search never waits. */
export const sinkDocs = new Uint32Array(WINDOW_SIZE)
export const sinkPoints = new Float64Array(WINDOW_SIZE)
