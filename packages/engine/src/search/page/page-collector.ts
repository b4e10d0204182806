import { isByScore } from '../../query/sort-order.ts'
import { PAIR_CANDIDATES_MAX, TIER_STEP } from '../../scoring/formula.ts'
import type { Bonus } from './bonus.ts'
import type { Boosts } from '../model/boosts.ts'
import type { RankedDocument } from './rescorer.ts'
import type { MatchCount } from '../match/count-matches.ts'
import type { Popularity } from '../model/popularity.ts'
import type { MeaningOrder } from './meaning-order.ts'
import { rankPage } from './rank-page.ts'
import type { TitlePlaces } from './title-places.ts'
import type { SegmentView } from '../view/index-view.ts'
import { Pool } from '../view/pool.ts'
import type { SearchRun } from '../view/search-run.ts'
import { pause, type Steps } from '../view/steps.ts'
import {
  bestFirst,
  BestByScore,
  betterFirst,
  EntryBuffers,
  keepFor,
  newestFirst,
  type LevelledDocument,
} from './best-by-score.ts'
import { withPinned, type PageEntry } from './pinned-page.ts'
import { sortableSegment } from './sortable-segment.ts'
import { SortedCollector } from './sorted-collector.ts'

/** Documents sorted by several keys between two looks at the clock: distances take longest. */
const OFFERED_PER_CHECK = 2_048

const buffers = new Pool(() => new EntryBuffers())

/** Keeps the best of the found documents and assembles the page. */
export class PageCollector {
  readonly #run: SearchRun
  readonly #boosts: Boosts
  readonly #popularity: Popularity | undefined
  /**
   * Whether the order is by score, descending, at most with popularity as a tie-break: the usual
   * case.
   */
  readonly isByScore: boolean
  /** By score, then popularity. */
  readonly #isLevelled: boolean
  /** The rank after the last document that may come onto the page; 0 for a page without hits. */
  readonly end: number
  readonly #pageEnd: number
  /** The order by words and meaning; set before the page is assembled. */
  meaning: MeaningOrder | undefined
  #best: BestByScore | undefined
  #sorted: SortedCollector | undefined
  readonly #bonus: Bonus
  readonly #places: TitlePlaces | undefined
  readonly #buffers = buffers.take()
  #segmentIndex = 0

  constructor(
    run: SearchRun,
    boosts: Boosts,
    popularity: Popularity | undefined,
    bonus: Bonus,
    places: TitlePlaces | undefined,
  ) {
    const { plan } = run
    this.#run = run
    this.#bonus = bonus
    this.#boosts = boosts
    this.#popularity = popularity
    const keys = plan.sort.filter(({ kind }) => kind !== 'popularity' || popularity !== undefined)
    const [first, second] = keys
    this.#isLevelled =
      keys.length === 2 && isByScore(first) && second!.kind === 'popularity' && second!.descending
    this.isByScore = this.#isLevelled || keys.every(isByScore)
    this.#pageEnd = plan.size === 0 ? 0 : plan.from + plan.size
    this.end =
      plan.meaning === undefined || this.#pageEnd === 0
        ? this.#pageEnd
        : Math.max(this.#pageEnd, PAIR_CANDIDATES_MAX)
    this.#places = this.isByScore ? places : undefined
  }

  /** Call when all documents have been offered and the page has been assembled. */
  close(): void {
    buffers.giveBack(this.#buffers)
  }

  /** How many documents with the same points can reach the page: the newest. */
  get alikeMax(): number {
    return this.#boosts.isEmpty && this.#popularity === undefined ? this.#reach : Infinity
  }

  /** Popularity levels of a segment's documents, if popularity breaks ties between equal scores. */
  levelsIn(segmentIndex: number): Uint16Array | undefined {
    return this.#isLevelled ? this.#popularity?.levels(segmentIndex) : undefined
  }

  beginSegment(segmentIndex: number, segment: SegmentView): void {
    this.#segmentIndex = segmentIndex
    if (this.isByScore) return this.#best?.tighten()
    const sortable = sortableSegment(this.#run, segmentIndex, segment, this.#popularity)
    this.#bySortKeys().beginSegment(segmentIndex, sortable)
  }

  /** Takes scored documents of the segment. Writes boosts into `points`. */
  offer(docs: Uint32Array, points: Float64Array, count: number): void {
    this.#boosts.apply(this.#segmentIndex, docs, points, count)
    if (this.isByScore) {
      const levels = this.levelsIn(this.#segmentIndex)
      const { insertions } = this.#run.view.segments[this.#segmentIndex]!.reader
      this.#byScore().offer(docs, points, count, insertions, levels)
      return
    }
    const sorted = this.#bySortKeys()
    for (let i = 0; i < count; i++) sorted.collect(docs[i]!, points[i]!)
  }

  /** The same in steps, if there are many and their keys may have to be computed. */
  *offerInSteps(docs: Uint32Array, points: Float64Array, count: number): Steps {
    if (this.isByScore || count <= OFFERED_PER_CHECK) return this.offer(docs, points, count)
    // Others use the scratch memory between two steps.
    const [ownDocs, ownPoints] = [docs.slice(0, count), points.slice(0, count)]
    for (let from = 0; from < count; from += OFFERED_PER_CHECK) {
      yield* pause(this.#run)
      const to = Math.min(count, from + OFFERED_PER_CHECK)
      this.offer(ownDocs.subarray(from, to), ownPoints.subarray(from, to), to - from)
    }
  }

  /** For orders that do not begin with the score: see `SortedCollector.contenders`. */
  contenders(docs: Uint32Array): Steps<number> {
    return this.#bySortKeys().contenders(docs, this.#run)
  }

  /** See `SortedCollector.firstOf`. */
  firstOf(
    set: Uint32Array,
    matches: number,
    areScoresEqual = false,
  ): Steps<Uint32Array | undefined> {
    return this.#bySortKeys().firstOf(set, matches, this.#run, areScoresEqual)
  }

  /** See `SortedCollector.mostSimilar`. */
  mostSimilar(set: Uint32Array, matches: number): Steps<Uint32Array | undefined> {
    return this.#bySortKeys().mostSimilar(set, matches, this.#run)
  }

  /** Documents with a lower score cannot be among the best. */
  get scoreMin(): number {
    return this.isByScore ? this.#boosts.least(this.#byScore().threshold) : -Infinity
  }

  /** Raises `scoreMin` as far as possible. */
  tighten(): void {
    if (this.isByScore) this.#byScore().tighten()
  }

  /** Whether a match with at most this score may stay unranked. */
  isBelowPage(score: number): boolean {
    if (!this.isByScore || this.end === 0 || score === -Infinity) return true
    const best = this.#byScore()
    const most = this.#boosts.most(score)
    const isLower = most < TIER_STEP
    // Nothing moves a document from one tier to another.
    if (isLower && best.scoreAt(this.end) >= TIER_STEP) return true
    return best.scoreAt(isLower && this.#bonus.isUpperTierOnly ? this.end : this.#reach) > most
  }

  /** The hits of the page, in order. @param counted pinned documents count towards `found` */
  entries({ found, pinned }: MatchCount): PageEntry[] {
    const { from } = this.#run.plan
    if (this.#pageEnd <= from) return []
    const { meaning } = this
    const byWords = (first: number, end: number) => this.#ranked(first, end)
    const ranked =
      meaning === undefined
        ? byWords
        : (first: number, end: number) => meaning.ranked(byWords, first, end)
    const byPosition = pinned.toSorted((a, b) => a.position - b.position)
    return withPinned(byPosition, found, from, this.#pageEnd, ranked)
  }

  /** Documents of these ranks among those that are not pinned. */
  #ranked(from: number, end: number): RankedDocument[] {
    // Past the reach of any bonus.
    const isDeep = from >= PAIR_CANDIDATES_MAX
    if (this.isByScore) {
      const best = this.#byScore()
      if (isDeep) return best.ordered(from).slice(0, end - from)
      return this.#rankByScore(this.#inReach(best, end), from, end, () => best.ordered())
    }
    if (this.#bonus.isEmpty || isDeep) return this.#sorted?.finish(from, end - from) ?? []
    const sorted = this.#sorted?.finish(0, this.#keep()) ?? []
    const rank = new Map<RankedDocument, number>(sorted.map((document, i) => [document, i]))
    return rankPage(sorted, (a, b) => rank.get(a)! - rank.get(b)!, this.#bonus, from, end)
  }

  #rankByScore(
    inReach: LevelledDocument[],
    from: number,
    end: number,
    all: () => LevelledDocument[],
  ): RankedDocument[] {
    const places = this.#places
    const earliestFirst = (a: LevelledDocument, b: LevelledDocument) =>
      betterFirst(a, b) || places!.sumOf(a) - places!.sumOf(b) || newestFirst(a, b)
    const compareRaised = places === undefined ? bestFirst : earliestFirst
    return rankPage(inReach, bestFirst, this.#bonus, from, end, { compareRaised, all })
  }

  /** The best documents whose bonus may bring them onto a page that ends at a rank, best first. */
  #inReach(best: BestByScore, end: number): LevelledDocument[] {
    const least = end === 0 ? Infinity : best.scoreAt(end)
    const upper = this.#bonus.maxOf(TIER_STEP)
    const lower = this.#bonus.maxOf(0)
    return best.ordered(0, (score) => score + (score < TIER_STEP ? lower : upper) >= least)
  }

  /** The rank up to which a document may come onto the page. */
  get #reach(): number {
    return this.#bonus.isEmpty ? this.end : this.#keep()
  }

  #keep(): number {
    return keepFor(this.end, !this.#bonus.isEmpty || this.#places !== undefined)
  }

  #byScore(): BestByScore {
    const find = (inserted: number) => this.#run.view.findInserted(inserted)
    return (this.#best ??= new BestByScore(this.#keep(), find, this.#buffers))
  }

  #bySortKeys(): SortedCollector {
    const { plan, view } = this.#run
    return (this.#sorted ??= new SortedCollector(plan.sort, this.#keep(), view.analyzer))
  }
}
