import type { SortKey } from '../../query/plan.ts'
import { withScore } from '../../query/sort-order.ts'
import { mergeSegments } from './merge-segments.ts'
import type { SortedHit, SortedSegment } from './merge-segments.ts'
import { mostSimilar } from './most-similar.ts'
import { nearestOf } from './nearest.ts'
import type { KeySource, SortableSegment } from './sort-keys.ts'
import { buildSortKeys, keyOf, keysInSteps } from './sort-keys.ts'
import { TopK } from './top-k.ts'
import type { Pace, Steps } from '../view/steps.ts'

/**
 * Keeps the k best documents of each segment by the sort keys of a plan, then merges them. Call
 * `beginSegment`, then `collect` for each matching document, and finally `finish`.
 */
export class SortedCollector {
  readonly #sort: readonly SortKey[]
  readonly #k: number
  readonly #fold: (text: string) => string
  readonly #segments: SortedSegment[] = []
  #current: { readonly segmentIndex: number; readonly segment: SortableSegment } | undefined
  #sources: KeySource[] = []
  /** The sources that distinguish documents of this segment; the first one is separate. */
  #first: KeySource | undefined
  #others: readonly KeySource[] = []
  #top = new TopK(0, 1)
  #row = new Float64Array(1)

  /**
   * @param sort text match score, descending, is appended unless it is included
   * @param k `from + size`
   * @param context `fold` of the analyzer, which defines the order of strings
   */
  constructor(
    sort: readonly SortKey[],
    k: number,
    context: { readonly fold: (text: string) => string },
  ) {
    this.#sort = withScore(sort)
    this.#k = k
    this.#fold = context.fold
  }

  /** Segments may come in any order, each once. */
  beginSegment(segmentIndex: number, segment: SortableSegment): void {
    this.#endSegment()
    this.#current = { segmentIndex, segment }
    this.#sources = buildSortKeys(this.#sort, segment)
    const [first, ...others] = this.#sources.filter((source) => !source.isIdle)
    this.#first = first
    this.#others = others
    this.#row = new Float64Array(1 + others.length)
    this.#top = new TopK(Math.min(this.#k, segment.docKeys.length), 1 + others.length)
  }

  /**
   * Keeps those of some documents (at most a window) whose first key may be among the best. These
   * are scored and then collected.
   *
   * @param docOrds changed; must be the caller's own, because the work has steps
   * @returns number of documents kept at the front
   */
  *contenders(docOrds: Uint32Array, pace: Pace): Steps<number> {
    const first = this.#first!
    const count = docOrds.length
    if (first.key.kind === 'textMatch') return count
    const { worst } = this.#top
    const keys = new Float64Array(count)
    yield* keysInSteps(first, docOrds, keys, pace)
    let kept = 0
    for (let i = 0; i < count; i++) {
      const key = keys[i]!
      docOrds[kept] = docOrds[i]!
      keys[kept] = key
      if (key <= worst) kept++
    }
    if (kept <= 2 * this.#k || this.#k > LEAST_MAX) return kept
    const limit = leastAt(keys, kept, this.#k)
    const inReach = kept
    kept = 0
    for (let i = 0; i < inReach; i++) {
      docOrds[kept] = docOrds[i]!
      if (keys[i]! <= limit) kept++
    }
    return kept
  }

  /**
   * The same for all matches of the segment, by iterating over its documents in the order of the
   * first key until the page is full: of 25,000 matches among a million documents, the first 10 are
   * found among the first 400.
   *
   * @param set one bit per document of the segment: the matches
   * @param matches number of documents in the set
   * @param areScoresEqual whether all matches have the same text match score
   * @returns docOrds, ascending; undefined if listing the matches is cheaper
   */
  *firstOf(
    set: Uint32Array,
    matches: number,
    pace: Pace,
    areScoresEqual = false,
  ): Steps<Uint32Array | undefined> {
    const { segment } = this.#current!
    const { length: docCount } = segment.docKeys
    const first = this.#first!
    const k = Math.min(this.#k, matches)
    if (k === 0) return new Uint32Array(0)
    if (first.key.kind === 'distance') {
      const column = segment.column(first.key.field)!
      const order = yield* segment.valueOrderInSteps(first.key.field, pace)
      return yield* nearestOf(set, matches, k, first, column, order, pace)
    }
    if (first.key.kind !== 'field' || k * docCount * WALK_COST > matches * matches) return undefined
    const order = yield* segment.valueOrderInSteps(first.key.field, pace)
    const hasNoOther = this.#others.every(
      ({ key }) => key.kind === 'textMatch' || key.kind === 'inserted',
    )
    const isByAge = areScoresEqual && hasNoOther && k <= WALK_FOUND_MAX
    const walk = new Walk(set, k, first, isByAge)
    const parts = [order.missing, order.docOrds]
    for (const part of first.missing < 0 ? parts : parts.toReversed()) {
      const isBackward = part === order.docOrds && first.sign < 0
      if (walk.isDone(part, isBackward)) break
    }
    return walk.found?.sort()
  }

  /** `firstOf` for an order by similarity; undefined for others. */
  *mostSimilar(set: Uint32Array, matches: number, pace: Pace): Steps<Uint32Array | undefined> {
    const first = this.#first!
    if (first.key.kind !== 'similarity') return undefined
    return yield* mostSimilar(set, Math.min(this.#k, matches), first, pace)
  }

  /** @param score text match score */
  collect(docOrd: number, score: number): void {
    const top = this.#top
    const first = keyOf(this.#first!, docOrd, score)
    if (first > top.worst) return
    const others = this.#others
    if (others.length === 0) {
      top.offer1(first, docOrd, score)
      return
    }
    const row = this.#row
    row[0] = first
    for (let i = 0; i < others.length; i++) row[i + 1] = keyOf(others[i]!, docOrd, score)
    top.offer(row, docOrd, score)
  }

  /** The hits of ranks `from .. from + size - 1`. */
  finish(from: number, size: number): SortedHit[] {
    this.#endSegment()
    return mergeSegments(this.#segments, this.#fold, from, size)
  }

  #endSegment(): void {
    if (this.#current === undefined) return
    const { segmentIndex } = this.#current
    const rows = this.#top.sorted()
    if (rows.count > 0) {
      const sources = this.#sources
      this.#segments.push({ segmentIndex, sources, rows })
    }
    this.#current = undefined
  }
}

/** Testing a document in the order of a key costs as much as listing this many matches. */
const WALK_COST = 4
/** If more documents share a key with the last of the page, all matches are listed. */
const WALK_FOUND_MAX = 4096

/**
 * Collects the first k documents of a set in the order of a key, and those equal to the last. If
 * the newest of equal ones come first, no more than k: a million ratings have few values.
 */
class Walk {
  readonly #set: Uint32Array
  readonly #k: number
  readonly #key: KeySource
  readonly #isByAge: boolean
  readonly #found = new Uint32Array(WALK_FOUND_MAX)
  #count = 0
  /** Key of the last of the first k. */
  #last = NaN

  /** @param isByAge whether equal documents are in order of insertion, the last first */
  constructor(set: Uint32Array, k: number, key: KeySource, isByAge: boolean) {
    this.#set = set
    this.#k = k
    this.#key = key
    this.#isByAge = isByAge
  }

  /** The documents; undefined: too many. */
  get found(): Uint32Array | undefined {
    return this.#count > WALK_FOUND_MAX ? undefined : this.#found.slice(0, this.#count)
  }

  /** Visits documents in order. @returns whether no later one is within reach */
  isDone(docOrds: Uint32Array, isBackward: boolean): boolean {
    if (this.#isByAge) return this.#takeNewest(docOrds, isBackward)
    const set = this.#set
    const { length } = docOrds
    for (let i = 0; i < length; i++) {
      const docOrd = docOrds[isBackward ? length - 1 - i : i]!
      if (((set[docOrd >>> 5]! >>> (docOrd & 31)) & 1) === 0) continue
      if (this.#count >= this.#k) {
        const key = keyOf(this.#key, docOrd, 0)
        if (this.#count === this.#k) this.#last = keyOf(this.#key, this.#found[this.#k - 1]!, 0)
        if (key !== this.#last) return true
      }
      this.#found[this.#count++] = docOrd
      if (this.#count > WALK_FOUND_MAX) return true
    }
    return false
  }

  /** Equal documents are in order of insertion: each group is read backward. */
  #takeNewest(docOrds: Uint32Array, isBackward: boolean): boolean {
    const set = this.#set
    for (let from = 0; from < docOrds.length && this.#count < this.#k;) {
      const to = isBackward ? docOrds.length : this.#endOfEqual(docOrds, from)
      for (let i = to - 1; i >= from && this.#count < this.#k; i--) {
        const docOrd = docOrds[i]!
        if (((set[docOrd >>> 5]! >>> (docOrd & 31)) & 1) === 0) continue
        this.#found[this.#count++] = docOrd
      }
      from = to
    }
    return this.#count >= this.#k
  }

  /** The end of the documents with the key of that at `from`, by steps of twice the length. */
  #endOfEqual(docOrds: Uint32Array, from: number): number {
    const key = keyOf(this.#key, docOrds[from]!, 0)
    const isEqual = (i: number) => i < docOrds.length && keyOf(this.#key, docOrds[i]!, 0) === key
    let step = 1
    while (isEqual(from + step)) step *= 2
    let [low, high] = [from + (step >>> 1), Math.min(from + step, docOrds.length)]
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if (isEqual(middle)) low = middle
      else high = middle
    }
    return high
  }
}

/** Up to this rank, the smallest numbers are kept in order by insertion. */
const LEAST_MAX = 64

/** The `rank`th smallest (from 1) of the first `count` numbers. @param rank 1 .. count */
function leastAt(numbers: Float64Array, count: number, rank: number): number {
  const least = new Float64Array(rank).fill(Infinity)
  let limit = Infinity
  for (let i = 0; i < count; i++) {
    const number = numbers[i]!
    if (number >= limit) continue
    let at = rank - 1
    for (; at > 0 && least[at - 1]! > number; at--) least[at] = least[at - 1]!
    least[at] = number
    limit = least[rank - 1]!
  }
  return limit
}
