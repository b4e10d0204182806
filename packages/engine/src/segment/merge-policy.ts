/** Sizes that the merge policy uses, oldest segment first. */
export interface SegmentSize {
  readonly docCount: number
  readonly liveCount: number
}

/** Neighbouring segments `from .. to - 1` to merge into one. */
export interface MergeRun {
  readonly from: number
  readonly to: number
}

/** Segments of one level that merge together. */
const RUN_LENGTH = 5
/** Size ratio between levels. */
const LEVEL_FACTOR = 5
/**
 * Segments up to the first size are in the lowest level, up to the second in the next. Without the
 * first, documents written one at a time would each be rewritten 60 times on the way to the second.
 */
const LEVEL_TINY_DOCS = 20
const LEVEL_BASE_DOCS = 500
/** A segment with a larger share of deleted documents is rewritten. */
const DEAD_SHARE_MAX = 0.3
/**
 * An idle index up to this size becomes one segment: that takes some 10 ms, and four segments of
 * 125 documents take a third more memory than one, in four times the objects.
 */
const ONE_SEGMENT_DOCS = 1000
/** An idle index merges until it has at most this many segments. */
export const SEGMENTS_IDLE_MAX = 8
/**
 * An idle index merges this many neighbours if none of them has more than half of their documents.
 * Each segment costs every search some 30 µs, however small it is. Rewrites stay rare: each moves a
 * document into a segment twice as large, except at the end of a run.
 */
const BALANCED_RUN_LENGTH = 3
/**
 * An index without writes for a while becomes one segment, if at least this share of its documents
 * is outside of the largest one: so each document is rewritten by at most 16 such merges.
 */
const WHOLE_SHARE_MIN = 1 / 16
/** Above this number of documents it does not: that would take minutes of a core. */
const WHOLE_DOCS_MAX = 4_000_000

/**
 * Picks the next merge: a tiered policy over neighbours only, so that documents stay in the order
 * in which they were written. The newest segments of one size become one of the next size; each
 * document is rewritten about once per level.
 *
 * @param idle no recent writes: work toward few segments
 * @param isQuiet none for a while: work toward one segment
 */
export function pickMerge(
  segments: readonly SegmentSize[],
  idle: boolean,
  isQuiet = false,
): MergeRun | undefined {
  const bloated = segments.findIndex(
    ({ docCount, liveCount }) => docCount - liveCount > docCount * DEAD_SHARE_MAX,
  )
  if (bloated >= 0) return { from: bloated, to: bloated + 1 }
  const run = pickTier(segments)
  if (run !== undefined || !idle) return run
  const whole = isQuiet ? pickWhole(segments) : undefined
  return whole ?? pickAll(segments) ?? pickBalanced(segments) ?? pickCheapest(segments)
}

/** All segments of a small index. */
function pickAll(segments: readonly SegmentSize[]): MergeRun | undefined {
  const docs = segments.reduce((sum, { liveCount }) => sum + liveCount, 0)
  return segments.length > 1 && docs <= ONE_SEGMENT_DOCS
    ? { from: 0, to: segments.length }
    : undefined
}

/** All segments, unless the largest has nearly all documents. */
function pickWhole(segments: readonly SegmentSize[]): MergeRun | undefined {
  const sizes = segments.map(({ liveCount }) => liveCount)
  const docs = sizes.reduce((sum, size) => sum + size, 0)
  const outside = docs - Math.max(0, ...sizes)
  const pays = outside > 0 && outside >= docs * WHOLE_SHARE_MIN && docs <= WHOLE_DOCS_MAX
  return pays ? { from: 0, to: segments.length } : undefined
}

/** The longest suffix of segments that are no larger than the level of its first one. */
function pickTier(segments: readonly SegmentSize[]): MergeRun | undefined {
  for (let to = segments.length; to >= RUN_LENGTH; to--) {
    const level = levelOf(segments[to - 1]!)
    let from = to
    while (from > 0 && levelOf(segments[from - 1]!) <= level) from--
    if (to - from >= RUN_LENGTH) return { from, to }
  }
  return undefined
}

function levelOf({ liveCount }: SegmentSize): number {
  if (liveCount <= LEVEL_TINY_DOCS) return 0
  let level = 1
  for (let size = LEVEL_BASE_DOCS; size < liveCount; size *= LEVEL_FACTOR) level++
  return level
}

/** The longest run from the first neighbours where none has more than half of the documents. */
function pickBalanced(segments: readonly SegmentSize[]): MergeRun | undefined {
  for (let from = 0; from + BALANCED_RUN_LENGTH <= segments.length; from++) {
    for (let to = segments.length; to >= from + BALANCED_RUN_LENGTH; to--) {
      const sizes = segments.slice(from, to).map(({ liveCount }) => liveCount)
      const all = sizes.reduce((sum, size) => sum + size, 0)
      if (Math.max(...sizes) * 2 <= all) return { from, to }
    }
  }
  return undefined
}

/** The neighbours whose merge writes the fewest documents per removed segment. */
function pickCheapest(segments: readonly SegmentSize[]): MergeRun | undefined {
  if (segments.length <= SEGMENTS_IDLE_MAX) return undefined
  const excess = segments.length - SEGMENTS_IDLE_MAX + 1
  let best: MergeRun | undefined
  let bestCost = Infinity
  for (let from = 0; from + excess <= segments.length; from++) {
    let cost = 0
    for (let i = from; i < from + excess; i++) cost += segments[i]!.liveCount
    if (cost < bestCost) {
      bestCost = cost
      best = { from, to: from + excess }
    }
  }
  return best
}
