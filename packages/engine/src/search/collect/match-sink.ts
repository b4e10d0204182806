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
  /** Documents with a lower score may be counted without being passed on. */
  readonly countOnlyBelow: number
  /** Raises `countOnlyBelow` as far as possible. */
  tighten(): void
  countOnly(count: number): void
  /** Whether unranked documents must be listed too, for filters or facets. */
  readonly needsUnranked: boolean
  /**
   * Number of documents that must be ranked to fill the page; `undefined` if the order is not by
   * score.
   */
  readonly ranksNeeded: number | undefined
  beginSegment(segmentIndex: number, segment: SegmentView): void
  take(count: number): void
  /**
   * For orders that do not begin with the score: takes documents without scores and keeps the
   * contenders.
   *
   * @returns number of documents kept at the front of `docs`: those whose first sort key may reach
   * the page
   */
  pick(count: number): number
  /**
   * The same for all matches of the segment; not with `needsUnranked`.
   *
   * @param set one bit per document of the segment
   * @param matches number of documents in the set
   * @returns docOrds, ascending; undefined if the matches must be listed for `pick`
   */
  pickOf(set: Uint32Array, matches: number): Uint32Array | undefined
  /** Takes the documents that `pick` kept, now with scores. */
  rank(docs: Uint32Array, points: Float64Array, count: number): void
  /** Takes matches that cannot be among the best. Their `points` are undefined. */
  takeUnranked(count: number): void
}

/** Entries that `listBits` may write after the last. */
const LISTED_BEYOND = 3

/** Space for the matches of one window. One per thread is enough, because a search never waits. */
export const sinkDocs = new Uint32Array(WINDOW_SIZE + LISTED_BEYOND)
export const sinkPoints = new Float64Array(WINDOW_SIZE)
