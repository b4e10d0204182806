import { hasBit, listBits } from '../../codec/bitset.ts'
import { WINDOW_BITS } from '../../postings/postings-format.ts'
import type { QueryVector } from '../../vectors/quantise.ts'
import { vectorMemory } from '../../vectors/vector-memory.ts'
import type { DocumentSet } from '../match/document-set.ts'
import type { Matches } from '../match/matches.ts'
import { scratch } from '../match/window-scratch.ts'
import type { Boosts } from '../model/boosts.ts'
import type { Scorer } from '../score/document-scorer.ts'
import type { SearchRun } from '../view/search-run.ts'
import { pause, type Steps } from '../view/steps.ts'
import type { GroupNumbers } from './group-numbers.ts'

const CAPACITY_MIN = 256
/** Documents compared by vector between two looks at the clock: half a millisecond. */
const COMPARED_PER_CHECK = 4_096

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

  /** Adds documents, each with a score and a group. */
  add(docs: Uint32Array, scores: Float64Array, groups: Uint32Array, count: number): void {
    this.#reserve(count)
    this.docs.set(docs.subarray(0, count), this.count)
    this.scores.set(scores.subarray(0, count), this.count)
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
  /** Those that words found. */
  readonly segments: SegmentMatches[] = []
  /** Those that only their meaning found; their scores are similarities. */
  readonly similar: SegmentMatches[] = []
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
        const chosen = this.#choose(segmentIndex, docs, groups)
        if (chosen === 0) continue
        touch(window, docs, chosen)
        const count = segmentScorer.score(window, chosen, -Infinity)
        this.#boosts.apply(segmentIndex, scratch.docs, scratch.points, count)
        segment.add(scratch.docs, scratch.points, groups, count)
      }
    }
  }

  /** The same for documents that only their meaning found. @param found by segment */
  *collectSimilar(
    run: SearchRun,
    { field, vector }: { readonly field: number; readonly vector: QueryVector },
    found: readonly (Uint32Array | undefined)[],
  ): Steps {
    for (const [segmentIndex, set] of found.entries()) {
      const { reader } = run.view.segments[segmentIndex]!
      const vectors = reader.vectors(run.view.schema, field)
      if (set === undefined || vectors === undefined) continue
      const segment = new SegmentMatches(segmentIndex)
      this.similar.push(segment)
      for (let base = 0; base < reader.docCount; base += COMPARED_PER_CHECK) {
        yield* pause(run)
        const docs = listPart(set, base, COMPARED_PER_CHECK)
        const groups = yield* this.#numbers.ofAll(segmentIndex, docs)
        const chosen = this.#choose(segmentIndex, docs, groups)
        if (chosen === 0) continue
        const rows = docs.subarray(0, chosen).map((docOrd) => vectors.ords[docOrd]! - 1)
        const similarities = new Float64Array(chosen)
        vectorMemory.similarities(vectors, vector, rows, chosen, similarities)
        segment.add(docs, similarities, groups, chosen)
      }
    }
  }

  /** Counts a document that is found but not listed: a pinned one. */
  countOne(group: number): void {
    this.#reserve()
    if (this.counts[group]!++ === 0) this.found++
  }

  /**
   * Counts documents for their groups, and moves the wanted ones to the front, with their groups.
   *
   * @returns how many are wanted
   */
  #choose(segmentIndex: number, docs: Uint32Array, groups: Uint32Array): number {
    this.#reserve()
    const { counts } = this
    const { groups: wanted } = this.#wanted
    const except = this.#wanted.except[segmentIndex]
    let kept = 0
    let found = 0
    for (let i = 0; i < docs.length; i++) {
      const group = groups[i]!
      if (counts[group]!++ === 0) found++
      if (wanted !== undefined && wanted[group] !== 1) continue
      if (except !== undefined && hasBit(except, docs[i]!)) continue
      docs[kept] = docs[i]!
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

/** Makes the first documents of a list those of the scratch memory. */
function touch(window: number, docs: Uint32Array, count: number): void {
  const { seen, touched } = scratch
  const base = window << WINDOW_BITS
  for (let i = 0; i < count; i++) {
    const id = docs[i]! - base
    touched[i] = id
    seen[id >>> 5]! |= 1 << (id & 31)
  }
}

/** The documents of a part of a set. @param base, size multiples of 32 */
export function listPart(set: Uint32Array, base: number, size: number): Uint32Array<ArrayBuffer> {
  const docs = new Uint32Array(size + 3)
  const end = Math.min(set.length, (base + size) >>> 5)
  return docs.subarray(0, listBits(set, base >>> 5, end, base, docs))
}

function enlarged<T extends Uint32Array | Float64Array>(numbers: T, larger: T): T {
  larger.set(numbers)
  return larger
}
