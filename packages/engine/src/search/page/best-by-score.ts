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
/** Packs segment and document: `segmentIndex * 2^32 + docOrd`. */
const SEGMENT_STEP = 2 ** 32
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
  entries: Entries = newEntries(BUFFER_MIN)

  keep(entries: Entries): void {
    if (entries.scores.length <= BUFFER_KEPT_MAX) this.entries = entries
  }
}

/** Documents, one number each in three arrays. */
interface Entries {
  readonly scores: Float64Array
  /** Which of equal scores is better: the larger one. */
  readonly ties: Float64Array
  readonly places: Float64Array
}

function newEntries(length: number): Entries {
  return {
    scores: new Float64Array(length),
    ties: new Float64Array(length),
    places: new Float64Array(length),
  }
}

/**
 * The k best documents over all segments, by text match score, by popularity if it counts, and by
 * insertion. Collects entries in a buffer; when it is full, drops all but the k best (Hoare, "Algorithm
 * 65: Find", 1961). Cheaper than a heap, which sorts more than necessary.
 */
export class BestByScore {
  readonly #k: number
  readonly #buffers: EntryBuffers
  #entries: Entries
  #count = 0
  /** Documents with a lower score cannot be among the k best. */
  #threshold: number

  /** @param buffers for exclusive use */
  constructor(k: number, buffers = new EntryBuffers()) {
    this.#k = k
    this.#threshold = k === 0 ? Infinity : -Infinity
    this.#buffers = buffers
    this.#entries = buffers.entries
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
    segmentIndex: number,
    docs: Uint32Array,
    points: Float64Array,
    count: number,
    insertions: InsertionOrder,
    levels?: Uint16Array,
  ): void {
    if (this.#k === 0) return
    let { scores, ties, places } = this.#entries
    const { keys: inserted, base: insertedBase } = insertions
    const base = segmentIndex * SEGMENT_STEP
    let threshold = this.#threshold
    let used = this.#count
    for (let i = 0; i < count; i++) {
      const score = points[i]!
      if (score < threshold) continue
      scores[used] = score
      const docOrd = docs[i]!
      const tie = insertedBase + inserted[docOrd]!
      ties[used] = levels === undefined ? tie : tie + levels[docOrd]! * LEVEL_STEP
      places[used++] = base + docOrd
      if (used < scores.length) continue
      if (used < 2 * this.#k) {
        // Grows with the matches, not with the page: requests for page 1,000,000 happen.
        ;({ scores, ties, places } = this.#entries = enlarged(this.#entries))
        this.#buffers.keep(this.#entries)
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
    const { scores } = this.#entries
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
    const entries = this.#entries
    const { scores, ties, places } = entries
    if (rank > 0) selectBest(entries, this.#count, rank)
    let end = this.#count
    if (isInReach !== undefined) {
      end = rank
      for (let i = rank; i < this.#count; i++) {
        if (isInReach(scores[i]!)) exchange(entries, i, end++)
      }
    }
    sortBest(entries, rank, end - 1)
    const documents: LevelledDocument[] = []
    for (let i = rank; i < end; i++) {
      const level = Math.floor(ties[i]! / LEVEL_STEP)
      const inserted = ties[i]! - level * LEVEL_STEP
      const segmentIndex = Math.floor(places[i]! / SEGMENT_STEP)
      const docOrd = places[i]! - segmentIndex * SEGMENT_STEP
      documents.push({ segmentIndex, docOrd, score: scores[i]!, level, inserted })
    }
    return documents
  }

  #keepBest(count: number): number {
    if (count <= this.#k) return count
    selectBest(this.#entries, count, this.#k)
    this.#threshold = leastOf(this.#entries.scores, this.#k)
    return this.#k
  }
}

function leastOf(scores: Float64Array, count: number): number {
  let least = Infinity
  for (let i = 0; i < count; i++) least = Math.min(least, scores[i]!)
  return least
}

function enlarged({ scores, ties, places }: Entries): Entries {
  const larger = newEntries(2 * scores.length)
  larger.scores.set(scores)
  larger.ties.set(ties)
  larger.places.set(places)
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
function selectBest(entries: Entries, count: number, k: number): void {
  let low = 0
  let high = count - 1
  while (low < high) {
    divide(entries, low, high)
    if (k - 1 <= lastBefore) high = lastBefore
    else if (k - 1 >= firstBehind) low = firstBehind
    else return
  }
}

/** Sorts entries, best first. Sorting their arrays takes a third of the time of sorting objects. */
function sortBest(entries: Entries, from: number, to: number): void {
  let low = from
  let high = to
  while (high - low > INSERTED_MAX) {
    divide(entries, low, high)
    const last = lastBefore
    const first = firstBehind
    // Recurses into the shorter part, which bounds the depth to a few dozen calls.
    if (last - low < high - first) {
      sortBest(entries, low, last)
      low = first
    } else {
      sortBest(entries, first, high)
      high = last
    }
  }
  const { scores, ties, places } = entries
  for (let i = low + 1; i <= high; i++) {
    const score = scores[i]!
    const tie = ties[i]!
    const place = places[i]!
    let at = i
    for (; at > low && isBefore(score, tie, scores[at - 1]!, ties[at - 1]!); at--) {
      scores[at] = scores[at - 1]!
      ties[at] = ties[at - 1]!
      places[at] = places[at - 1]!
    }
    scores[at] = score
    ties[at] = tie
    places[at] = place
  }
}

/** Result of `divide`: the last entry of the better part, the first one of the worse. */
let lastBefore = 0
let firstBehind = 0

/**
 * Partitions the entries `low .. high`: no entry of the first part ranks after one of the second.
 */
function divide(entries: Entries, low: number, high: number): void {
  const { scores, ties } = entries
  const middle = (low + high) >>> 1
  const pivotScore = scores[middle]!
  const pivotTie = ties[middle]!
  let i = low
  let j = high
  while (i <= j) {
    while (isBefore(scores[i]!, ties[i]!, pivotScore, pivotTie)) i++
    while (isBefore(pivotScore, pivotTie, scores[j]!, ties[j]!)) j--
    if (i <= j) exchange(entries, i++, j--)
  }
  lastBefore = j
  firstBehind = i
}

function exchange({ scores, ties, places }: Entries, i: number, j: number): void {
  const score = scores[i]!
  scores[i] = scores[j]!
  scores[j] = score
  const tie = ties[i]!
  ties[i] = ties[j]!
  ties[j] = tie
  const place = places[i]!
  places[i] = places[j]!
  places[j] = place
}

function isBefore(scoreA: number, tieA: number, scoreB: number, tieB: number): boolean {
  return scoreA > scoreB || (scoreA === scoreB && tieA > tieB)
}
