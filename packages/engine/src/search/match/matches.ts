import { fillBits } from '../../codec/bitset.ts'
import type { FilterNode } from '../../query/filter.ts'
import { filterBitsInSteps } from '../filters/filterable-segment.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { Steps } from '../view/steps.ts'
import type { WordDemand } from '../words/matching-words.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'
import { BitDocuments, NO_DOCUMENTS, type DocumentSet } from './document-set.ts'
import { listDocuments } from './list-documents.ts'
import { postingsOf } from './postings-of.ts'
import { slotLists } from './slot-lists.ts'
import type { WordSets } from './word-sets.ts'

/** What a match must meet besides the filter. */
export interface MatchRule {
  /** Undefined: a search without words, or for no word of the catalog. */
  readonly demand: WordDemand | undefined
  /** By segment: the documents that meet everything else; undefined: all do. */
  readonly allowed: (segmentIndex: number) => Uint32Array | undefined
}

/** The same rule for only some documents. @param bits of each segment */
export function narrowed({ demand, allowed }: MatchRule, bits: readonly Uint32Array[]): MatchRule {
  return {
    demand,
    allowed(segmentIndex) {
      const before = allowed(segmentIndex)
      const own = bits[segmentIndex]!
      return before === undefined ? own : own.map((word, i) => word & before[i]!)
    },
  }
}

/** The matches in one segment. */
export interface SegmentMatches {
  /** The matches that pass the filter: the documents found. */
  readonly found: DocumentSet
  /** All matches, for facets that leave out clauses of the filter. */
  readonly all: DocumentSet
}

export const NO_MATCHES: SegmentMatches = { found: NO_DOCUMENTS, all: NO_DOCUMENTS }

/**
 * The matching documents, as sets: matching needs no scores. Computed segment by segment, on
 * demand.
 */
export class Matches {
  readonly #run: SearchRun
  readonly #sets: WordSets
  readonly #rule: MatchRule
  readonly #filter: FilterNode | undefined
  readonly #keepsAll: boolean
  readonly #bySegment: SegmentMatches[] = []
  /** Whether the matches are so few that they are stored as a list. */
  readonly areFew: boolean

  /** @param keepsAll whether matches that fail the filter are needed too */
  constructor(
    run: SearchRun,
    sets: WordSets,
    rule: MatchRule,
    filter: FilterNode | undefined,
    keepsAll: boolean,
  ) {
    this.#run = run
    this.#sets = sets
    this.#rule = rule
    this.#filter = filter
    this.#keepsAll = keepsAll
    const { view } = run
    const size = rule.demand?.demanded.reduce((sum, slot) => sum + postingsOf(view, slot), 0)
    this.areFew = size !== undefined && size <= view.rankAllMax
  }

  /** Those of a segment that was opened. */
  in(segmentIndex: number): SegmentMatches {
    return this.#bySegment[segmentIndex]!
  }

  /** Those of any segment, in turns. */
  *open(segmentIndex: number): Steps<SegmentMatches> {
    return (this.#bySegment[segmentIndex] ??= yield* this.#make(segmentIndex))
  }

  *#make(segmentIndex: number): Steps<SegmentMatches> {
    const { view, checkDeadline, isTurnOver } = this.#run
    checkDeadline()
    if (isTurnOver()) yield
    const segment = view.segments[segmentIndex]!
    const { demand } = this.#rule
    const allowed = this.#rule.allowed(segmentIndex)
    if (allowed?.every((bits) => bits === 0) === true) return NO_MATCHES
    if (demand !== undefined) {
      const isHeld = (slot: ResolvedSlot) => hasDocuments(slot, this.#run, segmentIndex)
      const { demanded } = demand
      if (!(demand.count === 'all' ? demanded.every(isHeld) : demanded.some(isHeld))) {
        return NO_MATCHES
      }
    }
    const filter = this.#filter
    const bits = filter && (yield* filterBitsInSteps(this.#run, segment, filter))
    if (isTurnOver()) yield
    if (demand !== undefined && this.areFew) {
      const all = listDocuments(this.#run, demand, segmentIndex, allowed)
      return { all, found: bits === undefined ? all : all.within(bits) }
    }
    return yield* this.#unite(segmentIndex, allowed, bits)
  }

  *#unite(
    segmentIndex: number,
    allowed: Uint32Array | undefined,
    admitted: Uint32Array | undefined,
  ): Steps<SegmentMatches> {
    const sets = this.#sets
    const bytes = sets.bytes(segmentIndex)
    const { demand } = this.#rule
    const words: number[] = []
    for (const slot of demand?.demanded ?? []) {
      words.push(sets.of(slot, segmentIndex))
      if (this.#run.isTurnOver()) yield
    }
    const narrowing = allowed === undefined ? undefined : sets.copyOf(allowed, segmentIndex)
    const filter = admitted === undefined ? undefined : sets.copyOf(admitted, segmentIndex)
    const [only, ...others] = words
    // The set of a single word is not copied.
    let all = others.length === 0 && only !== undefined ? only : sets.room(segmentIndex)
    if (only === undefined) {
      sets.words(all, bytes).fill(0)
      fillBits(sets.words(all, bytes), this.#run.view.segments[segmentIndex]!.reader.docCount)
    } else if (others.length > 0 && demand!.count === 'all') sets.intersect(words, all, bytes)
    else if (others.length > 0) sets.unite(words, all, bytes)
    if (narrowing !== undefined) all = sets.both(all, narrowing, segmentIndex)
    const matching = new BitDocuments(sets, all, segmentIndex)
    if (filter === undefined) return { all: matching, found: matching }
    const found = new BitDocuments(sets, sets.both(all, filter, segmentIndex), segmentIndex)
    return this.#keepsAll ? { all: matching, found } : { all: found, found }
  }
}

/** Whether a document of a segment may have a word. */
function hasDocuments(slot: ResolvedSlot, { view }: SearchRun, segmentIndex: number): boolean {
  const { lists, fewStrong, fewWeak } = slotLists(slot, view.segments[segmentIndex]!)
  return (
    lists.length > 0 ||
    fewStrong !== undefined ||
    fewWeak !== undefined ||
    slot.shortPrefix !== undefined ||
    slot.infix !== undefined ||
    slot.phrases.some(({ documents }) => documents[segmentIndex]!.docOrds.length > 0)
  )
}
