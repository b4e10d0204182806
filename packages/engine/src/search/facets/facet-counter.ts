import type { Analyzer } from '../../analysis/analyzer.ts'
import { valueAnalyzer } from '../../analysis/field-analyzer.ts'
import type { Column } from '../../columns/column-reader.ts'
import { WINDOW_BITS, WINDOW_SIZE } from '../../postings/postings-format.ts'
import type { FacetOutcome, FacetRequest, FacetWord } from '../../query/plan.ts'
import type { Field, Schema } from '../../schema/schema.ts'
import { elementType } from '../../schema/schema.ts'
import { DeadlineReached } from '../view/deadline.ts'
import { Pool } from '../view/pool.ts'
import { FacetQuery } from './facet-query.ts'
import { IntervalCounts } from './facet-intervals.ts'
import { mistakesByValue } from './indexed-facet-query.ts'
import { countRanges } from './facet-ranges.ts'
import { FacetMemory, type CountedColumn, type CountTable } from './facet-memory.ts'
import { NumberTotals } from './number-totals.ts'
import { SegmentCounts } from './segment-counts.ts'
import { selectByCount, selectFirst } from './select-first.ts'
import { TextTotals } from './text-totals.ts'
import type { FacetTotals, ValueCounts } from './value-counts.ts'
import { pause, type Pace, type Steps } from '../view/steps.ts'
import type { ValueIndex } from '../view/value-index.ts'

/** Values sorted, and labels split into words, between two deadline checks. */
const VALUES_PER_CHECK = 65_536
const LABELS_PER_CHECK = 32
const OTHERS_PER_CHECK = 16_384
/** Facet queries test up to this many values one by one, and more by the index of their words. */
export const TESTED_ALONE_MAX = 512

const usualMemories = new Pool(() => new FacetMemory())

/** Documents of a window, between calls of one counter. */
const windowDocs = new Uint32Array(WINDOW_SIZE)

const UNTIMED: Pace = { checkDeadline: () => undefined }

/** What facets need from a segment. Must be the same object throughout a search. */
export interface FacetableSegment {
  /** Undefined: no document has a value. */
  column(field: number): Column | undefined
}

/**
 * Counts the values of facets over the matching documents of a search, segment by segment. Each
 * live match must be passed once per request.
 */
export class FacetCounter {
  readonly #facets: readonly FacetState[]
  /** Taken for the first documents; undefined before. */
  #memory: FacetMemory | undefined
  readonly #memories: Pick<Pool<FacetMemory>, 'take' | 'giveBack'>
  /** Whether the search timed out before all were counted. */
  isCut = false

  /** @param valueIndex the words of the values of a field, if they are indexed */
  constructor(
    requests: readonly FacetRequest[],
    schema: Schema,
    analyzer: Analyzer,
    valueIndex: (field: number) => ValueIndex | undefined = () => undefined,
    memories: Pick<Pool<FacetMemory>, 'take' | 'giveBack'> = usualMemories,
  ) {
    this.#memories = memories
    this.#facets = requests.map(
      (request) => new FacetState(request, schema.fields[request.field]!, analyzer, valueIndex),
    )
  }

  /**
   * Adds the first `count` docOrds of a list to several facets.
   */
  addDocs(
    requestIndexes: readonly number[],
    segment: FacetableSegment,
    docs: Uint32Array,
    count: number,
  ): void {
    if (requestIndexes.length === 0) return
    const memory = this.#begunMemory()
    for (let from = 0; from < count;) {
      const listed = memory.listDocs(docs, from, count)
      this.#addListed(requestIndexes, segment, listed, docs[from]! >>> WINDOW_BITS)
      from += listed
    }
  }

  /** The same for the set of one window. @param set one bit per document */
  addSet(
    requestIndexes: readonly number[],
    segment: FacetableSegment,
    set: Uint32Array,
    window: number,
  ): void {
    if (requestIndexes.length === 0) return
    const listed = this.#begunMemory().list(set)
    if (listed > 0) this.#addListed(requestIndexes, segment, listed, window)
  }

  /**
   * Adds every live document of a segment and caches the counts for the next search.
   *
   * @param live undefined: all documents are live; replaced by another array after deletes
   * @param cacheKeyOwner any object with the lifetime of the segment
   */
  addAll(
    requestIndex: number,
    segment: FacetableSegment,
    live: Uint32Array | undefined,
    _docCount: number,
    cacheKeyOwner: object,
  ): void {
    this.#facets[requestIndex]!.addAll(segment, live, cacheKeyOwner)
  }

  /**
   * In the order of the requests. With `others`, values and ranges have these counts instead. A
   * facet with very many values checks the deadline; after it, the facet stays empty and `isCut` is
   * set.
   */
  *outcome(
    time = UNTIMED,
    others: readonly (OtherCounts | undefined)[] = [],
  ): Steps<FacetOutcome[]> {
    const outcomes: FacetOutcome[] = []
    for (const [i, facet] of this.#facets.entries()) {
      if (time.isTurnOver?.() === true) yield
      try {
        outcomes.push(yield* facet.outcome(time, others[i]))
      } catch (error) {
        if (!(error instanceof DeadlineReached)) throw error
        this.isCut = true
        outcomes.push(facet.empty())
      }
    }
    if (this.#memory !== undefined) this.#memories.giveBack(this.#memory)
    this.#memory = undefined
    return outcomes
  }

  #begunMemory(): FacetMemory {
    if (this.#memory === undefined) {
      this.#memory = this.#memories.take()
      this.#memory.beginSearch()
    }
    return this.#memory
  }

  /** @param listed number of documents of a window that the memory has listed */
  #addListed(
    requestIndexes: readonly number[],
    segment: FacetableSegment,
    listed: number,
    window: number,
  ): void {
    const memory = this.#memory!
    const columns: CountedColumn[] = []
    for (const i of requestIndexes) {
      const facet = this.#facets[i]!
      const column = facet.columnIn(memory, segment)
      if (column === undefined) facet.addListed(memory, segment, listed, window)
      else columns.push(column)
    }
    memory.count(listed, window, columns)
  }
}

/** Counts of something other than documents. */
export interface OtherCounts {
  /** By identity of the value; each value of a matching document has one. */
  readonly values: ReadonlyMap<number | bigint, number>
  /** By range. */
  readonly ranges: ArrayLike<number>
}

class FacetState {
  readonly #request: FacetRequest
  readonly #analyzer: Analyzer
  readonly #valueIndex: (field: number) => ValueIndex | undefined
  readonly #totals: FacetTotals
  /** By range. */
  readonly #rangeCounts: Float64Array
  readonly #intervals: IntervalCounts | undefined
  #segment: FacetableSegment | undefined
  /** Column of the current segment; undefined if none of its documents has a value. */
  #column: Column | undefined
  /** The table in the memory for the ordinals of the current segment. */
  #ordinals:
    | { readonly memory: FacetMemory; readonly table: CountTable; isCounted: boolean }
    | undefined
  /** Counts of the current segment outside of the memory. */
  #segmentCounts: SegmentCounts | undefined

  constructor(
    request: FacetRequest,
    field: Field,
    analyzer: Analyzer,
    valueIndex: (field: number) => ValueIndex | undefined,
  ) {
    this.#request = request
    this.#valueIndex = valueIndex
    this.#analyzer = valueAnalyzer(analyzer, field)
    const type = elementType(field.type)
    this.#totals = type === 'string' ? new TextTotals() : new NumberTotals(type)
    this.#rangeCounts = new Float64Array(request.ranges?.length ?? 0)
    const { intervals } = request
    this.#intervals = intervals === undefined ? undefined : new IntervalCounts(intervals)
  }

  /** The column that the memory is to count for a segment; undefined: none, or no space. */
  columnIn(memory: FacetMemory, segment: FacetableSegment): CountedColumn | undefined {
    this.#begin(segment)
    const column = this.#column
    if (column === undefined) return undefined
    const byId = this.#countsValues ? this.#totals.tableFor?.(memory, column) : undefined
    const place = memory.place(column, byId !== undefined)
    const table = place === undefined ? undefined : (byId ?? this.#tableOf(memory, column))
    return table && { place: place!, table }
  }

  /** Adds the documents that the memory has listed. */
  addListed(memory: FacetMemory, segment: FacetableSegment, listed: number, window: number): void {
    this.#begin(segment)
    const counts = this.#counts()
    if (counts === undefined) return
    memory.copyList(listed, window, windowDocs)
    counts.add(windowDocs, listed)
  }

  addAll(segment: FacetableSegment, live: Uint32Array | undefined, owner: object): void {
    const column = segment.column(this.#request.field)
    if (column === undefined) return
    const counts = new SegmentCounts(column)
    counts.addLive(live, owner)
    this.#add(counts)
  }

  empty(): FacetOutcome {
    return { field: this.#request.field, counts: [], totalValues: 0 }
  }

  *outcome(time: Pace, others: OtherCounts | undefined): Steps<FacetOutcome> {
    this.#fold()
    if (time.isTurnOver?.() === true) yield
    const rangeCounts = others?.ranges ?? this.#rangeCounts
    const { field, ranges } = this.#request
    const values = this.#totals.finish()
    if (time.isTurnOver?.() === true) yield
    const stats = this.#request.stats ? values.stats() : undefined
    const counted =
      this.#intervals?.outcome(this.#request) ??
      (ranges === undefined
        ? yield* this.#valueCounts(values, others, time)
        : {
            counts: ranges.map(({ name }, i) => ({ value: name, count: rangeCounts[i]! })),
            totalValues: ranges.length,
          })
    this.#totals.release()
    return { field, ...counted, ...(stats === undefined ? {} : { stats }) }
  }

  /** Whether it counts values, not ranges or intervals. */
  get #countsValues(): boolean {
    return this.#request.ranges === undefined && this.#intervals === undefined
  }

  #begin(segment: FacetableSegment): void {
    if (segment === this.#segment) return
    this.#fold()
    this.#segment = segment
    this.#column = segment.column(this.#request.field)
  }

  /** Counts of the current segment. */
  #counts(): SegmentCounts | undefined {
    if (this.#column === undefined) return undefined
    return (this.#segmentCounts ??= new SegmentCounts(this.#column))
  }

  /** The table for the ordinals of the current segment; undefined without space. */
  #tableOf(memory: FacetMemory, { ordCount }: Column): CountTable | undefined {
    const last = this.#ordinals?.table
    const table = last !== undefined && last.length >= ordCount ? last : memory.takeTable(ordCount)
    if (table !== undefined) this.#ordinals = { memory, table, isCounted: true }
    return table
  }

  /** Adds the counts of the current segment to the totals. */
  #fold(): void {
    const ordinals = this.#ordinals
    if (ordinals?.isCounted === true) {
      this.#counts()!.addCounters(ordinals.memory.counters(ordinals.table))
      ordinals.isCounted = false
    }
    if (this.#segmentCounts !== undefined) this.#add(this.#segmentCounts)
    this.#segment = undefined
    this.#column = undefined
    this.#segmentCounts = undefined
  }

  #add(counts: SegmentCounts): void {
    const { ranges, stats } = this.#request
    if (ranges !== undefined) {
      countRanges(ranges, counts.column, counts.ordCounts, this.#rangeCounts)
    }
    this.#intervals?.add(counts.column, counts.ordCounts)
    if (this.#countsValues || stats) this.#totals.add(counts)
    counts.release()
  }

  /** The mistakes of a value by its number. */
  *#mistakesIn(
    values: ValueCounts,
    query: readonly FacetWord[],
    time: Pace,
  ): Steps<(i: number) => number> {
    const index =
      this.#totals instanceof TextTotals ? this.#valueIndex(this.#request.field) : undefined
    if (index !== undefined && values.length > TESTED_ALONE_MAX) {
      const mistakes = yield* mistakesByValue(index, query, time)
      return (i) => mistakes[values.identity(i) as number]!
    }
    const alone = new FacetQuery(query)
    if (index !== undefined) {
      return (i) => alone.mistakesIn(index.formsOf(values.identity(i) as number))
    }
    const formsOf = (text: string) => this.#analyzer.analyze(text).map(({ form }) => form)
    return (i) => alone.mistakesIn(formsOf(values.label(i)))
  }

  *#valueCounts(
    given: ValueCounts,
    others: OtherCounts | undefined,
    time: Pace,
  ): Steps<Pick<FacetOutcome, 'counts' | 'totalValues'>> {
    const { limit, order, query } = this.#request
    const isWhole = order !== 'count' || others !== undefined || (query?.length ?? 0) > 0
    const values = isWhole ? given : (given.most?.(limit) ?? given)
    const counts = others === undefined ? values.counts : yield* otherCounts(values, others, time)
    const kept =
      query === undefined || query.length === 0
        ? undefined
        : yield* keepQueried(values, yield* this.#mistakesIn(values, query, time), time)
    if (values.length > VALUES_PER_CHECK) time.checkDeadline()
    const total = kept === undefined ? values.length : kept.length
    const totalValues = kept === undefined ? given.length : kept.length
    const numberOf = (at: number) => (kept === undefined ? at : kept[at]!)
    const compare = (a: number, b: number) => values.compare(numberOf(a), numberOf(b))
    const first =
      order === 'count'
        ? yield* selectByCount(
            kept?.map((i) => counts[i]!) ?? counts,
            limit,
            compare,
            time.isTurnOver,
          )
        : yield* selectFirst(
            values.isSorted ? Math.min(total, limit) : total,
            limit,
            compare,
            time.isTurnOver,
          )
    const labelled: FacetOutcome['counts'][number][] = []
    for (const at of first) {
      if (labelled.length % LABELS_PER_CHECK === LABELS_PER_CHECK - 1) {
        if (time.isTurnOver?.() === true) yield
      }
      const i = numberOf(at)
      labelled.push({ value: values.label(i), count: counts[i]! })
    }
    return { counts: labelled, totalValues }
  }
}

function* otherCounts(values: ValueCounts, others: OtherCounts, time: Pace): Steps<Float64Array> {
  const counts = new Float64Array(values.length)
  for (let i = 0; i < counts.length; i++) {
    if (i % OTHERS_PER_CHECK === OTHERS_PER_CHECK - 1 && time.isTurnOver?.() === true) yield
    counts[i] = others.values.get(values.identity(i)) ?? 0
  }
  return counts
}

/**
 * "Facet query" in docs/ranking.md: the values with all words as typed, or else those with the
 * fewest edits.
 */
function* keepQueried(
  values: ValueCounts,
  mistakesIn: (i: number) => number,
  time: Pace,
): Steps<number[]> {
  let nearest: number[] = []
  let fewest = Infinity
  for (let i = 0; i < values.length; i++) {
    if (i % LABELS_PER_CHECK === LABELS_PER_CHECK - 1) {
      yield* pause(time)
    }
    const mistakes = mistakesIn(i)
    if (mistakes === Infinity || mistakes > fewest) continue
    if (mistakes < fewest) nearest = []
    fewest = mistakes
    nearest.push(i)
  }
  return nearest
}
