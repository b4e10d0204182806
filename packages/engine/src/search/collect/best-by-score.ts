import { PAIR_CANDIDATES_MAX } from '../../scoring/formula.ts'
import type { RankedDocument } from '../ranking/pair-bonus.ts'

export interface LevelledDocument extends RankedDocument {
  /** 0 when popularity does not count. */
  readonly level: number
}

/** Entries gathered at least before the worst are thrown out. */
const BUFFER_MIN = 1024
/**
 * Levels of popularity, segments and documents in one number: `level * 2^42 + segmentIndex * 2^32 +
 * docOrd`, larger is more popular, then newer.
 */
const SEGMENT_STEP = 2 ** 32
const LEVEL_STEP = 2 ** 42
/** More would not fit into such a number beside levels. */
export const LEVELLED_SEGMENTS_MAX = LEVEL_STEP / SEGMENT_STEP

/**
 * The k best documents by text match score, popularity if it is to count, and age, over all
 * segments: entries are gathered in a buffer, and when it is full all but the k best go (Hoare's
 * selection, "Find", 1961). Cheaper than a heap, which would keep the best sorted that nobody may
 * ask for.
 */
export class BestByScore {
  readonly #k: number
  #scores: Float64Array
  #places: Float64Array
  #count = 0
  /** Without levels there may be any number of segments. */
  #isLevelled = false
  /** Scores below this cannot be among the k best. */
  #threshold: number

  constructor(k: number) {
    this.#k = k
    this.#threshold = k === 0 ? Infinity : -Infinity
    // Grows with what is found, not with what is asked for: somebody asks for page 1,000,000.
    this.#scores = new Float64Array(BUFFER_MIN)
    this.#places = new Float64Array(BUFFER_MIN)
  }

  /** Documents with a score below this cannot be among the best. */
  get threshold(): number {
    return this.#threshold
  }

  /**
   * Offers the first `count` of these documents of a segment.
   *
   * @param levels of popularity, by docOrd; the more popular of two with the same score comes first
   */
  offer(
    segmentIndex: number,
    docs: Uint32Array,
    points: Float64Array,
    count: number,
    levels?: Uint16Array,
  ): void {
    if (this.#k === 0) return
    this.#isLevelled = levels !== undefined
    let scores = this.#scores
    let places = this.#places
    const base = segmentIndex * SEGMENT_STEP
    let threshold = this.#threshold
    let used = this.#count
    for (let i = 0; i < count; i++) {
      const score = points[i]!
      if (score < threshold) continue
      scores[used] = score
      const docOrd = docs[i]!
      places[used++] =
        levels === undefined ? base + docOrd : base + docOrd + levels[docOrd]! * LEVEL_STEP
      if (used < scores.length) continue
      if (used < 2 * this.#k) {
        scores = this.#scores = enlarged(scores)
        places = this.#places = enlarged(places)
      } else {
        used = this.#keepBest(used)
        threshold = this.#threshold
      }
    }
    this.#count = used
  }

  /** The score of the entry at a rank of 1..k; -Infinity when there are fewer. */
  scoreAt(rank: number): number {
    this.#count = this.#keepBest(this.#count)
    if (this.#count < rank) return -Infinity
    return this.#scores.slice(0, this.#count).sort()[this.#count - rank]!
  }

  /** The k best without the `rank` best of them, in no order. */
  unordered(rank = 0): LevelledDocument[] {
    this.#count = this.#keepBest(this.#count)
    if (rank >= this.#count) return []
    if (rank > 0) selectBest(this.#scores, this.#places, this.#count, rank)
    const documents: LevelledDocument[] = []
    for (let i = rank; i < this.#count; i++) {
      const level = this.#isLevelled ? Math.floor(this.#places[i]! / LEVEL_STEP) : 0
      const place = this.#places[i]! - level * LEVEL_STEP
      const segmentIndex = Math.floor(place / SEGMENT_STEP)
      documents.push({
        segmentIndex,
        docOrd: place - segmentIndex * SEGMENT_STEP,
        score: this.#scores[i]!,
        level,
      })
    }
    return documents
  }

  #keepBest(count: number): number {
    if (count <= this.#k) return count
    selectBest(this.#scores, this.#places, count, this.#k)
    let threshold = Infinity
    for (let i = 0; i < this.#k; i++) threshold = Math.min(threshold, this.#scores[i]!)
    this.#threshold = threshold
    return this.#k
  }
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

export function newestFirst(a: RankedDocument, b: RankedDocument): number {
  return b.segmentIndex - a.segmentIndex || b.docOrd - a.docOrd
}

/**
 * How many documents to keep for a page that ends at rank `end`.
 * @param isRankedAnew the best are, in a second pass
 */
export function keepFor(end: number, isRankedAnew: boolean): number {
  return isRankedAnew && end > 0 ? Math.max(end, PAIR_CANDIDATES_MAX) : end
}

/** Moves the k best of the first `count` entries to the front, in no order. 0 < k < count. */
function selectBest(scores: Float64Array, places: Float64Array, count: number, k: number): void {
  let low = 0
  let high = count - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    const pivotScore = scores[middle]!
    const pivotPlace = places[middle]!
    let i = low
    let j = high
    while (i <= j) {
      while (isBefore(scores[i]!, places[i]!, pivotScore, pivotPlace)) i++
      while (isBefore(pivotScore, pivotPlace, scores[j]!, places[j]!)) j--
      if (i <= j) {
        const score = scores[i]!
        scores[i] = scores[j]!
        scores[j] = score
        const place = places[i]!
        places[i] = places[j]!
        places[j] = place
        i++
        j--
      }
    }
    if (k - 1 <= j) high = j
    else if (k - 1 >= i) low = i
    else return
  }
}

function isBefore(scoreA: number, placeA: number, scoreB: number, placeB: number): boolean {
  return scoreA > scoreB || (scoreA === scoreB && placeA > placeB)
}
