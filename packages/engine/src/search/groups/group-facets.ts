import type { FilterNode } from '../../query/filter.ts'
import type { OtherCounts } from '../facets/facet-counter.ts'
import { andInto, hasBit } from '../../codec/bitset.ts'
import { filterBits, filterBitsInSteps } from '../filters/filterable-segment.ts'
import { WINDOW_SIZE } from '../../postings/postings-format.ts'
import { Matches, NO_MATCHES } from '../match/matches.ts'
import { pause, type Steps } from '../view/steps.ts'
import { FacetPairs } from './facet-pairs.ts'
import { listPart, listWindow } from './group-matches.ts'
import { GroupNumbers } from './group-numbers.ts'
import type { GroupedSearch } from './search-groups.ts'

/** Documents between two looks at the clock, for one facet. */
const DOCUMENTS_PER_CHECK = 4_096

/**
 * Counts, for each facet of a plan, the groups with a value or something in a range. Visits the
 * matches once per filter under which facets are counted.
 */
export class GroupFacets {
  readonly #search: GroupedSearch
  readonly #filters: readonly (FilterNode | undefined)[]
  readonly #pairs: readonly FacetPairs[]

  /** @param filters by facet */
  constructor(search: GroupedSearch, filters: readonly (FilterNode | undefined)[]) {
    this.#search = search
    this.#filters = filters
    this.#pairs = search.plan.facets.map((request) => new FacetPairs(request))
  }

  /** @throws DeadlineReached; the counts so far are kept */
  *count(): Generator<void, void> {
    for (const filter of new Set(this.#filters)) {
      const pairs = this.#pairs.filter((_, facet) => this.#filters[facet] === filter)
      yield* this.#countUnder(filter, pairs)
    }
  }

  *#countUnder(
    filter: FilterNode | undefined,
    pairs: readonly FacetPairs[],
  ): Generator<void, void> {
    const { run, sets, rule, similar, pinned, plan } = this.#search
    const matches = rule && new Matches(run, sets, rule, filter, false)
    const numbers = new GroupNumbers(run, plan.groups)
    const add = function* (segmentIndex: number, docs: Uint32Array): Steps {
      const groups = yield* numbers.ofAll(segmentIndex, docs)
      for (const one of pairs) {
        for (let from = 0; from < docs.length; from += DOCUMENTS_PER_CHECK) {
          yield* pause(run)
          const to = from + DOCUMENTS_PER_CHECK
          yield* one.add(docs.subarray(from, to), groups.subarray(from, to), run)
        }
      }
    }
    for (const [segmentIndex, segment] of run.view.segments.entries()) {
      const { found } = matches === undefined ? NO_MATCHES : yield* matches.open(segmentIndex)
      const own = pinned.in(segmentIndex)
      const near = similar?.all[segmentIndex]?.slice()
      if (found.count + own.length === 0 && near === undefined) continue
      for (const one of pairs) one.beginSegment(run.view.column(segment, one.request.field))
      // Pinned documents match regardless of their words.
      const bits =
        own.length === 0 || filter === undefined ? undefined : filterBits(run, segment, filter)
      const admitted = own.filter(({ docOrd }) => bits === undefined || hasBit(bits, docOrd))
      yield* add(
        segmentIndex,
        Uint32Array.from(admitted, ({ docOrd }) => docOrd),
      )
      if (near !== undefined && filter !== undefined) {
        andInto(near, yield* filterBitsInSteps(run, segment, filter))
      }
      for (let window = 0; window < segment.reader.windowCount; window++) {
        run.checkDeadline()
        if (run.isTurnOver()) yield
        yield* add(segmentIndex, listWindow(found, window))
        if (near === undefined) continue
        yield* add(segmentIndex, listPart(near, window * WINDOW_SIZE, WINDOW_SIZE))
      }
    }
  }

  /** By facet, of what was counted before the deadline. */
  *counts(): Steps<OtherCounts[]> {
    const { isTurnOver } = this.#search.run
    const pace = { checkDeadline: () => undefined, isTurnOver }
    const counts: OtherCounts[] = []
    for (const pairs of this.#pairs) {
      yield* pause(pace)
      counts.push(yield* pairs.counts(pace))
    }
    return counts
  }
}
