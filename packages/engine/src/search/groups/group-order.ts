import type { SortKey } from '../../query/plan.ts'
import { withScore } from '../../query/sort-order.ts'
import { mergeSegments, type SortedHit, type SortedSegment } from '../page/merge-segments.ts'
import { buildSortKeys, keyOf, type KeySource } from '../page/sort-keys.ts'
import { TopK } from '../page/top-k.ts'
import { sortableSegment } from '../page/sortable-segment.ts'
import type { Popularity } from '../model/popularity.ts'
import type { SearchRun } from '../view/search-run.ts'
import { pause, type Steps } from '../view/steps.ts'
import type { SegmentMatches } from './group-matches.ts'

/** Matches visited between two looks at the clock: comparing distances takes longest. */
const MATCHES_PER_CHECK = 2_048

interface OrderedMatches {
  readonly matches: SegmentMatches
  readonly sources: readonly KeySource[]
  /** Those that affect the order of this segment. */
  readonly ranking: readonly KeySource[]
}

/** A document and its group. */
export interface GroupedHit extends SortedHit {
  readonly group: number
}

/**
 * The order of collected documents beyond the reach of bonuses: by sort keys, then by score, then
 * newest first.
 */
export class GroupOrder {
  readonly #run: SearchRun
  readonly #segments: readonly OrderedMatches[]

  constructor(
    run: SearchRun,
    popularity: Popularity | undefined,
    gathered: readonly SegmentMatches[],
    sortKeys: readonly SortKey[],
  ) {
    const { view } = run
    this.#run = run
    const sort = withScore(sortKeys)
    this.#segments = gathered
      .filter(({ count }) => count > 0)
      .map((matches) => {
        const { segmentIndex } = matches
        const segment = view.segments[segmentIndex]!
        const sortable = sortableSegment(run, segmentIndex, segment, popularity)
        const sources = buildSortKeys(sort, sortable)
        return { matches, sources, ranking: sources.filter((source) => !source.isIdle) }
      })
  }

  /**
   * The best documents of the groups whose best come first.
   *
   * @param isShown by group: 1 to leave it out
   * @param wanted maximum number of groups
   */
  *bestOfGroups(isShown: Uint8Array, wanted: number): Steps<GroupedHit[]> {
    if (wanted === 0) return []
    const groups = new Map<string, number>()
    const segments: SortedSegment[] = []
    for (const segment of this.#segments) {
      const { segmentIndex, docs } = segment.matches
      const best = yield* this.#bestOf(segment, isShown)
      const top = new Rows(segment, wanted)
      for (let group = 0; group < best.length; group++) {
        if (group % MATCHES_PER_CHECK === 0) yield* pause(this.#run)
        const at = best[group]! - 1
        if (at >= 0 && top.offer(at)) groups.set(`${segmentIndex} ${docs[at]}`, group)
      }
      segments.push(top.sorted())
    }
    const shown = new Set<number>()
    const hits: GroupedHit[] = []
    for (const hit of this.#merged(segments, wanted * segments.length)) {
      const group = groups.get(`${hit.segmentIndex} ${hit.docOrd}`)!
      if (shown.has(group)) continue
      shown.add(group)
      hits.push({ ...hit, group })
      if (hits.length === wanted) break
    }
    return hits
  }

  /**
   * The best documents of some groups.
   *
   * @param wanted by group: maximum number of documents
   */
  *bestWithin(wanted: ReadonlyMap<number, number>): Steps<Map<number, SortedHit[]>> {
    const rows: Map<number, Rows>[] = []
    for (const segment of this.#segments) rows.push(yield* this.#bestRows(segment, wanted))
    const best = new Map<number, SortedHit[]>()
    for (const [group, count] of wanted) {
      const segments = rows.flatMap((tops) => tops.get(group)?.sorted() ?? [])
      best.set(group, this.#merged(segments, count))
    }
    return best
  }

  *#bestRows(
    segment: OrderedMatches,
    wanted: ReadonlyMap<number, number>,
  ): Steps<Map<number, Rows>> {
    const { checkDeadline, isTurnOver } = this.#run
    const { groups, count } = segment.matches
    const rows = new Map<number, Rows>()
    for (let at = 0; at < count; at++) {
      if (at % MATCHES_PER_CHECK === 0) {
        checkDeadline()
        if (isTurnOver()) yield
      }
      const group = groups[at]!
      let top = rows.get(group)
      if (top === undefined) {
        const most = wanted.get(group) ?? 0
        if (most === 0) continue
        rows.set(group, (top = new Rows(segment, most)))
      }
      top.offer(at)
    }
    return rows
  }

  /** By group: 1 + the number of its best match in the segment; 0 = none. */
  *#bestOf(segment: OrderedMatches, isShown: Uint8Array): Steps<Uint32Array> {
    const { checkDeadline, isTurnOver } = this.#run
    const { groups, count } = segment.matches
    const best = new Uint32Array(isShown.length)
    for (let at = 0; at < count; at++) {
      if (at % MATCHES_PER_CHECK === 0) {
        checkDeadline()
        if (isTurnOver()) yield
      }
      const group = groups[at]!
      if (isShown[group] === 1) continue
      const known = best[group]! - 1
      if (known < 0 || isBefore(segment, at, known)) best[group] = at + 1
    }
    return best
  }

  #merged(segments: readonly SortedSegment[], size: number): SortedHit[] {
    const filled = segments.filter(({ rows }) => rows.count > 0)
    const { analyzer } = this.#run.view
    return mergeSegments(filled, (text) => analyzer.fold(text), 0, size)
  }
}

/** The best matches of a segment. */
class Rows {
  readonly #segment: OrderedMatches
  readonly #top: TopK
  readonly #row: Float64Array

  constructor(segment: OrderedMatches, k: number) {
    this.#segment = segment
    this.#top = new TopK(Math.min(k, segment.matches.count), segment.ranking.length)
    this.#row = new Float64Array(segment.ranking.length)
  }

  /** @returns false if the match is certainly not among the best */
  offer(at: number): boolean {
    const { matches, ranking } = this.#segment
    const docOrd = matches.docs[at]!
    const score = matches.scores[at]!
    const row = this.#row
    row[0] = keyOf(ranking[0]!, docOrd, score)
    if (row[0] > this.#top.worst) return false
    for (let i = 1; i < ranking.length; i++) row[i] = keyOf(ranking[i]!, docOrd, score)
    this.#top.offer(row, docOrd, score)
    return true
  }

  sorted(): SortedSegment {
    const { matches, sources } = this.#segment
    return { segmentIndex: matches.segmentIndex, sources, rows: this.#top.sorted() }
  }
}

/** Whether match `a` of a segment comes before match `b`. */
function isBefore({ matches, ranking }: OrderedMatches, a: number, b: number): boolean {
  const { docs, scores } = matches
  for (let i = 0; i < ranking.length; i++) {
    const left = keyOf(ranking[i]!, docs[a]!, scores[a]!)
    const right = keyOf(ranking[i]!, docs[b]!, scores[b]!)
    if (left !== right) return left < right
  }
  return docs[a]! > docs[b]!
}
