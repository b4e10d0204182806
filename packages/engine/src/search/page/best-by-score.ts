import { PAIR_CANDIDATES_MAX } from '../../scoring/formula.ts'
import type { InsertionOrder } from '../../segment/insertion-order.ts'
import { BestScores } from './best-scores.ts'
import type { RankedDocument } from './rescorer.ts'

export interface LevelledDocument extends RankedDocument {
  /** Popularity level; 0 if popularity does not count. */
  readonly level: number
  /** The docKey of its first version: see `InsertionOrder`. */
  readonly inserted: number
}

/** Minimum number of entries to collect before dropping the worst. */
const BUFFER_MIN = 1024
/** Larger buffers are not kept for the next search. */
const BUFFER_KEPT_MAX = 64 * BUFFER_MIN
/**
 * Packs level of popularity and insertion: `level * 2^42 + inserted`. Larger is more popular, then
 * newer.
 */
const LEVEL_STEP = 2 ** 42
/** Parts up to this size are sorted by insertion. */
const INSERTED_MAX = 12
/** The score at a rank up to this is found without sorting. */
const RANK_PICKED_MAX = 64

/** Buffers for entries, reused by one search after another. */
export class EntryBuffers {
  scores: Float64Array = new Float64Array(BUFFER_MIN)
  ties: Float64Array = new Float64Array(BUFFER_MIN)

  keep(scores: Float64Array, ties: Float64Array): void {
    if (scores.length > BUFFER_KEPT_MAX) return
    this.scores = scores
    this.ties = ties
  }
}

/** Where the live document with this `inserted` is; it is the only one. */
export type FindInserted = (inserted: number) => Pick<RankedDocument, 'segmentIndex' | 'docOrd'>

/**
 * The k best documents over all segments, by text match score, by popularity if it counts, and by
 * insertion. Collects entries in a buffer; when it is full, drops all but the k best (Hoare,
 * "Algorithm 65: Find", 1961). Cheaper than a heap, which sorts more than necessary.
 */
export class BestByScore {
  readonly #k: number
  readonly #buffers: EntryBuffers
  readonly #find: FindInserted
  #scores: Float64Array
  /** Which of equal scores is better: the larger one. */
  #ties: Float64Array
  #count = 0
  /** Documents with a lower score cannot be among the k best. */
  #threshold: number

  /** @param buffers for exclusive use */
  constructor(k: number, find: FindInserted, buffers = new EntryBuffers()) {
    this.#k = k
    this.#threshold = k === 0 ? Infinity : -Infinity
    this.#buffers = buffers
    this.#find = find
    this.#scores = buffers.scores
    this.#ties = buffers.ties
  }

  /** Documents with a lower score cannot be among the best. */
  get threshold(): number {
    return this.#threshold
  }

  /** Drops all but the best, which raises the threshold. */
  tighten(): void {
    this.#count = this.#keepBest(this.#count)
  }

  /**
   * Offers the first `count` documents of these arrays, all of one segment.
   *
   * @param insertions of the segment
   * @param levels of popularity by docOrd, which break ties between equal scores
   */
  offer(
    docs: Uint32Array,
    points: Float64Array,
    count: number,
    insertions: InsertionOrder,
    levels?: Uint16Array,
  ): void {
    if (this.#k === 0) return
    let scores = this.#scores
    let ties = this.#ties
    const { keys: inserted, base } = insertions
    let threshold = this.#threshold
    let used = this.#count
    for (let i = 0; i < count; i++) {
      const score = points[i]!
      if (score < threshold) continue
      scores[used] = score
      const docOrd = docs[i]!
      const tie = base + inserted[docOrd]!
      ties[used++] = levels === undefined ? tie : tie + levels[docOrd]! * LEVEL_STEP
      if (used < scores.length) continue
      if (used < 2 * this.#k) {
        // Grows with the matches, not with the page: requests for page 1,000,000 happen.
        scores = this.#scores = enlarged(scores)
        ties = this.#ties = enlarged(ties)
        this.#buffers.keep(scores, ties)
      } else {
        used = this.#keepBest(used)
        threshold = this.#threshold
      }
    }
    this.#count = used
  }

  /** The score at a rank of 1..k; -Infinity if there are fewer documents. */
  scoreAt(rank: number): number {
    this.#count = this.#keepBest(this.#count)
    const count = this.#count
    const scores = this.#scores
    if (count < rank) return -Infinity
    if (count === rank) return leastOf(scores, count)
    if (rank > RANK_PICKED_MAX) return scores.slice(0, count).sort()[count - rank]!
    const best = new BestScores(rank)
    for (let i = 0; i < count; i++) best.add(scores[i]!)
    return best.least
  }

  /**
   * The k best without the best `rank` of them, best first.
   *
   * @param isInReach by score; skips others without creating objects
   */
  ordered(rank = 0, isInReach?: (score: number) => boolean): LevelledDocument[] {
    this.#count = this.#keepBest(this.#count)
    if (rank >= this.#count) return []
    const scores = this.#scores
    const ties = this.#ties
    if (rank > 0) selectBest(scores, ties, this.#count, rank)
    let end = this.#count
    if (isInReach !== undefined) {
      end = rank
      for (let i = rank; i < this.#count; i++) {
        if (isInReach(scores[i]!)) exchange(scores, ties, i, end++)
      }
    }
    sortBest(scores, ties, rank, end - 1)
    const documents: LevelledDocument[] = []
    for (let i = rank; i < end; i++) {
      const level = Math.floor(ties[i]! / LEVEL_STEP)
      const inserted = ties[i]! - level * LEVEL_STEP
      documents.push({ ...this.#find(inserted), score: scores[i]!, level, inserted })
    }
    return documents
  }

  #keepBest(count: number): number {
    if (count <= this.#k) return count
    selectBest(this.#scores, this.#ties, count, this.#k)
    this.#threshold = leastOf(this.#scores, this.#k)
    return this.#k
  }
}

function leastOf(scores: Float64Array, count: number): number {
  let least = Infinity
  for (let i = 0; i < count; i++) least = Math.min(least, scores[i]!)
  return least
}

function enlarged(numbers: Float64Array): Float64Array {
  const larger = new Float64Array(2 * numbers.length)
  larger.set(numbers)
  return larger
}

/** Best first: by score, then popularity, newest first among equals. */
export function bestFirst(a: LevelledDocument, b: LevelledDocument): number {
  return betterFirst(a, b) || newestFirst(a, b)
}

/** By score, then popularity; 0 for equals. */
export function betterFirst(a: LevelledDocument, b: LevelledDocument): number {
  return b.score - a.score || b.level - a.level
}

/** By insertion, the last first. */
export function newestFirst(a: LevelledDocument, b: LevelledDocument): number {
  return b.inserted - a.inserted
}

/**
 * Number of documents to keep for a page that ends at rank `end`.
 * @param isReranked whether a second pass reorders the best
 */
export function keepFor(end: number, isReranked: boolean): number {
  return isReranked && end > 0 ? Math.max(end, PAIR_CANDIDATES_MAX) : end
}

/** Moves the k best of the first `count` entries to the front, unordered. 0 < k < count. */
function selectBest(scores: Float64Array, ties: Float64Array, count: number, k: number): void {
  let low = 0
  let high = count - 1
  while (low < high) {
    divide(scores, ties, low, high)
    if (k - 1 <= lastBefore) high = lastBefore
    else if (k - 1 >= firstBehind) low = firstBehind
    else return
  }
}

/** Sorts entries, best first. Sorting their arrays takes a third of the time of sorting objects. */
function sortBest(scores: Float64Array, ties: Float64Array, from: number, to: number): void {
  let low = from
  let high = to
  while (high - low > INSERTED_MAX) {
    divide(scores, ties, low, high)
    const last = lastBefore
    const first = firstBehind
    // Recurses into the shorter part, which bounds the depth to a few dozen calls.
    if (last - low < high - first) {
      sortBest(scores, ties, low, last)
      low = first
    } else {
      sortBest(scores, ties, first, high)
      high = last
    }
  }
  for (let i = low + 1; i <= high; i++) {
    const score = scores[i]!
    const tie = ties[i]!
    let at = i
    for (; at > low && isBefore(score, tie, scores[at - 1]!, ties[at - 1]!); at--) {
      scores[at] = scores[at - 1]!
      ties[at] = ties[at - 1]!
    }
    scores[at] = score
    ties[at] = tie
  }
}

/** Result of `divide`: the last entry of the better part, the first one of the worse. */
let lastBefore = 0
let firstBehind = 0

/**
 * Partitions the entries `low .. high`: no entry of the first part ranks after one of the second.
 */
function divide(scores: Float64Array, ties: Float64Array, low: number, high: number): void {
  const middle = (low + high) >>> 1
  const pivotScore = scores[middle]!
  const pivotTie = ties[middle]!
  let i = low
  let j = high
  while (i <= j) {
    while (isBefore(scores[i]!, ties[i]!, pivotScore, pivotTie)) i++
    while (isBefore(pivotScore, pivotTie, scores[j]!, ties[j]!)) j--
    if (i <= j) exchange(scores, ties, i++, j--)
  }
  lastBefore = j
  firstBehind = i
}

function exchange(scores: Float64Array, ties: Float64Array, i: number, j: number): void {
  const score = scores[i]!
  scores[i] = scores[j]!
  scores[j] = score
  const tie = ties[i]!
  ties[i] = ties[j]!
  ties[j] = tie
}

function isBefore(scoreA: number, tieA: number, scoreB: number, tieB: number): boolean {
  return scoreA > scoreB || (scoreA === scoreB && tieA > tieB)
}
