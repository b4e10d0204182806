import { hasBit } from '../../codec/bitset.ts'
import { WINDOW_SIZE } from '../../postings/postings-format.ts'
import { Admission } from '../collect/admission.ts'
import type { MatchSink } from '../collect/match-sink.ts'
import { sinkDocs, sinkPoints } from '../collect/match-sink.ts'
import type { Boosts } from '../ranking/boosts.ts'
import type { SegmentView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { GroupNumbers } from './group-numbers.ts'

const CAPACITY_MIN = 256

/**
 * Groups of the documents of one window. One per thread is enough, because a search never waits.
 */
const windowGroups = new Uint32Array(WINDOW_SIZE)

/** Documents of a segment with scores and groups: 16 bytes each. */
export class SegmentMatches {
  readonly segmentIndex: number
  docs = new Uint32Array(CAPACITY_MIN)
  scores = new Float64Array(CAPACITY_MIN)
  groups = new Uint32Array(CAPACITY_MIN)
  count = 0

  constructor(segmentIndex: number) {
    this.segmentIndex = segmentIndex
  }

  reserve(more: number): void {
    let capacity = this.docs.length
    if (this.count + more <= capacity) return
    while (capacity < this.count + more) capacity *= 2
    this.docs = enlarged(this.docs, new Uint32Array(capacity))
    this.scores = enlarged(this.scores, new Float64Array(capacity))
    this.groups = enlarged(this.groups, new Uint32Array(capacity))
  }
}

/** Which documents to collect. */
export interface WantedMatches {
  /** By group: 1 to collect its documents; undefined: collects those of every group. */
  readonly groups: Uint8Array | undefined
  /** By segment: documents to skip. */
  readonly except: readonly (Uint32Array | undefined)[]
}

/**
 * Counts the documents of each group, and collects those that may be shown. Only these need scores.
 */
export class GroupMatches implements MatchSink {
  readonly docs = sinkDocs
  readonly points = sinkPoints
  readonly needsUnranked = false
  readonly ranksNeeded = undefined
  readonly countOnlyBelow = -Infinity
  readonly segments: SegmentMatches[] = []
  /** Number of groups with documents. */
  found = 0
  /** By group: number of documents. */
  counts = new Uint32Array(CAPACITY_MIN)
  readonly #numbers: GroupNumbers
  readonly #wanted: WantedMatches
  readonly #admission: Admission
  readonly #boosts: Boosts
  #except: Uint32Array | undefined

  constructor(run: SearchRun, numbers: GroupNumbers, wanted: WantedMatches, boosts: Boosts) {
    this.#numbers = numbers
    this.#wanted = wanted
    this.#admission = new Admission(run)
    this.#boosts = boosts
  }

  beginSegment(segmentIndex: number, segment: SegmentView): void {
    this.#admission.beginSegment(segment)
    this.#except = this.#wanted.except[segmentIndex]
    this.segments.push(new SegmentMatches(segmentIndex))
  }

  take(count: number): void {
    const { docs, points } = this
    const kept = this.#choose(this.#admission.admit(docs, points, count))
    this.#gather(docs, points, kept)
  }

  pick(count: number): number {
    return this.#choose(this.#admission.admit(this.docs, this.points, count))
  }

  rank(docs: Uint32Array, points: Float64Array, count: number): void {
    this.#numbers.fill(this.segments.at(-1)!.segmentIndex, docs, count, windowGroups)
    this.#gather(docs, points, count)
  }

  /** Counts a document that is found but not listed: a pinned one. */
  countOne(group: number): void {
    this.#reserve()
    if (this.counts[group]!++ === 0) this.found++
  }

  /**
   * Counts the first `count` documents for their groups, and moves the wanted ones to the front,
   * with their points and groups.
   */
  #choose(count: number): number {
    const { docs, points } = this
    this.#numbers.fill(this.segments.at(-1)!.segmentIndex, docs, count, windowGroups)
    this.#reserve()
    const { counts } = this
    const { groups: wanted } = this.#wanted
    const except = this.#except
    let kept = 0
    let found = 0
    for (let i = 0; i < count; i++) {
      const group = windowGroups[i]!
      if (counts[group]!++ === 0) found++
      if (wanted !== undefined && wanted[group] !== 1) continue
      if (except !== undefined && hasBit(except, docs[i]!)) continue
      docs[kept] = docs[i]!
      points[kept] = points[i]!
      windowGroups[kept++] = group
    }
    this.found += found
    return kept
  }

  #gather(docs: Uint32Array, points: Float64Array, count: number): void {
    if (count === 0) return
    const matches = this.segments.at(-1)!
    this.#boosts.apply(matches.segmentIndex, docs, points, count)
    matches.reserve(count)
    matches.docs.set(docs.subarray(0, count), matches.count)
    matches.scores.set(points.subarray(0, count), matches.count)
    matches.groups.set(windowGroups.subarray(0, count), matches.count)
    matches.count += count
  }

  #reserve(): void {
    const { end } = this.#numbers
    if (end <= this.counts.length) return
    const isFirst = this.counts.length === CAPACITY_MIN
    this.counts = enlarged(this.counts, new Uint32Array(isFirst ? end : 2 * end))
  }

  tighten(): void {}
  countOnly(): void {}
  takeUnranked(): void {}
  pickOf(): undefined {}
}

function enlarged<T extends Uint32Array | Float64Array>(numbers: T, larger: T): T {
  larger.set(numbers)
  return larger
}
