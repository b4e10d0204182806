import { hasBit } from '../../codec/bitset.ts'
import { WINDOW_BITS } from '../../postings/postings-format.ts'
import type { DocumentSet } from '../match/document-set.ts'
import type { Matches } from '../match/matches.ts'
import { scratch } from '../match/window-scratch.ts'
import type { Boosts } from '../model/boosts.ts'
import type { Scorer } from '../score/document-scorer.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { GroupNumbers } from './group-numbers.ts'

const CAPACITY_MIN = 256

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

  /** Adds the scored documents of the scratch memory. @param groups of each of them */
  add(count: number, groups: Uint32Array): void {
    this.#reserve(count)
    this.docs.set(scratch.docs.subarray(0, count), this.count)
    this.scores.set(scratch.points.subarray(0, count), this.count)
    this.groups.set(groups.subarray(0, count), this.count)
    this.count += count
  }

  #reserve(more: number): void {
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
export class GroupMatches {
  readonly segments: SegmentMatches[] = []
  /** Number of groups with documents. */
  found = 0
  /** By group: number of documents. */
  counts = new Uint32Array(CAPACITY_MIN)
  readonly #numbers: GroupNumbers
  readonly #wanted: WantedMatches
  readonly #boosts: Boosts

  constructor(numbers: GroupNumbers, wanted: WantedMatches, boosts: Boosts) {
    this.#numbers = numbers
    this.#wanted = wanted
    this.#boosts = boosts
  }

  *collect(run: SearchRun, matches: Matches, scorer: Scorer): Generator<void, void> {
    for (const [segmentIndex, { reader }] of run.view.segments.entries()) {
      const { found } = yield* matches.open(segmentIndex)
      if (found.count === 0) continue
      const segment = new SegmentMatches(segmentIndex)
      this.segments.push(segment)
      const segmentScorer = scorer.in(segmentIndex)
      for (let window = 0; window < reader.windowCount; window++) {
        run.checkDeadline()
        if (run.isTurnOver()) yield
        const docs = listWindow(found, window)
        const groups = yield* this.#numbers.ofAll(segmentIndex, docs)
        const chosen = this.#choose(segmentIndex, window, docs, groups)
        if (chosen === 0) continue
        const count = segmentScorer.score(window, chosen, -Infinity)
        this.#boosts.apply(segmentIndex, scratch.docs, scratch.points, count)
        segment.add(count, groups)
      }
    }
  }

  /** Counts a document that is found but not listed: a pinned one. */
  countOne(group: number): void {
    this.#reserve()
    if (this.counts[group]!++ === 0) this.found++
  }

  /**
   * Counts the documents of a window for their groups, and makes the wanted ones the documents of
   * the scratch memory.
   *
   * @param groups of the documents; then, at the front, of the wanted ones
   * @returns how many are wanted
   */
  #choose(segmentIndex: number, window: number, docs: Uint32Array, groups: Uint32Array): number {
    const { seen, touched } = scratch
    this.#reserve()
    const { counts } = this
    const { groups: wanted } = this.#wanted
    const except = this.#wanted.except[segmentIndex]
    const base = window << WINDOW_BITS
    let kept = 0
    let found = 0
    for (let i = 0; i < docs.length; i++) {
      const group = groups[i]!
      if (counts[group]!++ === 0) found++
      if (wanted !== undefined && wanted[group] !== 1) continue
      if (except !== undefined && hasBit(except, docs[i]!)) continue
      const id = docs[i]! - base
      touched[kept] = id
      seen[id >>> 5]! |= 1 << (id & 31)
      groups[kept++] = group
    }
    this.found += found
    return kept
  }

  #reserve(): void {
    const { end } = this.#numbers
    if (end <= this.counts.length) return
    const isFirst = this.counts.length === CAPACITY_MIN
    this.counts = enlarged(this.counts, new Uint32Array(isFirst ? end : 2 * end))
  }
}

/** The documents of a window, in an array of the caller's: others use the scratch memory. */
export function listWindow(documents: DocumentSet, window: number): Uint32Array<ArrayBuffer> {
  const { touched } = scratch
  const base = window << WINDOW_BITS
  const count = documents.touch(window)
  const docs = new Uint32Array(count)
  for (let i = 0; i < count; i++) docs[i] = base + touched[i]!
  scratch.forget(count)
  return docs
}

function enlarged<T extends Uint32Array | Float64Array>(numbers: T, larger: T): T {
  larger.set(numbers)
  return larger
}
