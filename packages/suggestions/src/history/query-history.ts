import { factsOf } from '@aisle/event-log'
import type { EventFacts, LogEntry, Visitor, VisitorEvent } from '@aisle/event-log'
import type { Analyzer } from '@aisle/engine'
import { RecentMap, type RecentState } from '../recent/recent-map.ts'
import { hashText } from '../text/hash.ts'
import { readQuery, type QueryText } from '../text/query-text.ts'
import { networkOf, sessionOf, visitorOf } from './actor.ts'
import { BURST_HOLD_MS, OpenBursts, type OpenBurst } from './open-bursts.ts'
import { FloodGuard } from './flood-guard.ts'
import { RecentMarks, type MarksState } from './recent-marks.ts'
import { DocumentTable } from './document-table.ts'
import {
  AppealTable,
  isPositionCounted,
  positionWeight,
  type AppealState,
} from '../popularity/appeal-table.ts'
import type { PlacedClick } from '../popularity/choice.ts'
import { CONVERSION_WEIGHT, type DayCells } from './day-cells.ts'
import { QueryTable, type QueryRecord } from './query-table.ts'
import { Profiles, type ProfileItem } from './profiles.ts'
import { SeenDocuments, type SeenDocument } from './seen-documents.ts'
import { TogetherTable, type Step, type TogetherState } from './together-table.ts'

const DAY_MS = 86_400_000
/** Events of a session without a query belong to its last query for this long. */
const JOURNEY_MS = 1_800_000
/** Maximum of searches that later events can refer to by id; the oldest are forgotten. */
const SEARCH_IDS_MAX = 300_000
const SESSIONS_MAX = 200_000
/** Maximum of cached queries. */
const TEXTS_MAX = 50_000
/** Maximum of earlier queries of a session that are related to its next one. */
const TRAIL_MAX = 8
/** Maximum of counted documents per event (lines of an order). */
const DOCUMENTS_PER_EVENT_MAX = 50

/** A search, until its burst shows whether it was final. */
interface Search {
  readonly session: string
  readonly query: string
  readonly atMs: number
  readonly receivedMs: number
  readonly visitor: Visitor
  readonly found: number | undefined
  readonly text: QueryText | undefined
  /** Key of the typed query, if `text` is its correction. */
  readonly typedKey: string | undefined
  readonly tagSet: number
  readonly searchHash: number | undefined
}

/** The facts about a search that later events need when they name it by id. */
interface SearchRef {
  readonly session: string
  readonly text: QueryText | undefined
  readonly typedKey: string | undefined
  readonly tagSet: number
  /** Known by its address only: a client that reports the same search knows the visitor better. */
  readonly nameless: boolean
}

interface Session {
  /** Keys of its queries, oldest first. */
  readonly trail: string[]
  last: (Pick<Search, 'typedKey' | 'tagSet' | 'atMs'> & { readonly text: QueryText }) | undefined
}

/** A click or more on a document that counts in ranking. */
interface RankedClick {
  readonly id: string
  readonly amount: number
  readonly click: PlacedClick | undefined
}

/** The state of a history, as plain values that `v8.serialize` accepts. */
export interface HistoryState {
  readonly queries: Map<string, QueryRecord>
  readonly tagSets: readonly (readonly string[])[]
  readonly marks: MarksState
  readonly bursts: Map<string, OpenBurst<Search>>
  readonly searches: RecentState<number, SearchRef>
  readonly sessions: RecentState<string, Session>
  readonly journeysMs: number
  readonly profiles: RecentState<number, ProfileItem[]>
  readonly documents: Map<string, DayCells>
  readonly appeal: AppealState
  readonly together: TogetherState
  readonly seen: RecentState<number, SeenDocument[]>
  readonly clockMs: number
}

/**
 * Counts queries by day: folds the event log, entry by entry. The state depends only on the
 * entries, so that folding the whole log again gives the same result (docs/suggestions.md, "What is
 * counted").
 */
export class QueryHistory {
  readonly table: QueryTable
  readonly profiles: Profiles
  readonly documents: DocumentTable
  readonly appeal: AppealTable
  readonly together: TogetherTable
  readonly seen: SeenDocuments
  readonly #analyzer: Analyzer
  readonly #texts = new RecentMap<string, QueryText>(TEXTS_MAX)
  readonly #marks: RecentMarks
  readonly #guard: FloodGuard
  readonly #bursts: OpenBursts<Search>
  readonly #searches: RecentMap<number, SearchRef>
  readonly #sessions: RecentMap<string, Session>
  /** Sessions that were idle since before are forgotten next. */
  #journeysMs: number
  /** The newest time of receipt. */
  #clockMs: number

  constructor(analyzer: Analyzer, state?: HistoryState) {
    this.#analyzer = analyzer
    this.table = new QueryTable(state?.queries, state?.tagSets)
    this.profiles = new Profiles(state?.profiles)
    this.documents = new DocumentTable(state?.documents)
    this.appeal = new AppealTable(state?.appeal)
    this.together = new TogetherTable(state?.together)
    this.seen = new SeenDocuments(state?.seen)
    this.#marks = new RecentMarks(state?.marks)
    this.#guard = new FloodGuard(this.#marks)
    this.#bursts = new OpenBursts((search) => this.#countSearch(search), state?.bursts)
    this.#searches = new RecentMap(SEARCH_IDS_MAX, state?.searches)
    this.#sessions = new RecentMap(SESSIONS_MAX, state?.sessions)
    this.#journeysMs = state?.journeysMs ?? 0
    this.#clockMs = state?.clockMs ?? 0
  }

  get state(): HistoryState {
    return {
      queries: this.table.queries,
      tagSets: this.table.tagSets,
      marks: this.#marks.state,
      bursts: this.#bursts.state,
      searches: this.#searches.state,
      sessions: this.#sessions.state,
      journeysMs: this.#journeysMs,
      profiles: this.profiles.items.state,
      documents: this.documents.documents,
      appeal: this.appeal.state,
      together: this.together.state,
      seen: this.seen.identities.state,
      clockMs: this.#clockMs,
    }
  }

  apply(entry: LogEntry): void {
    this.#advance(entry.receivedMs)
    if (entry.kind === 'identify') {
      this.profiles.link(entry.visitor)
      this.seen.link(entry.visitor)
    }
    if (entry.kind === 'event') this.#applyEvent(entry)
  }

  /**
   * Ends bursts that are over, without a new event.
   * @param nowMs not later than the receipt of any entry still to come
   */
  tick(nowMs: number): void {
    this.#bursts.endBefore(nowMs - BURST_HOLD_MS)
  }

  #advance(receivedMs: number): void {
    if (receivedMs <= this.#clockMs) return
    const isNewDay = Math.floor(receivedMs / DAY_MS) > Math.floor(this.#clockMs / DAY_MS)
    // Runs before the clock moves, so that it makes no difference whether `tick` ended them
    // already.
    this.#bursts.endBefore(receivedMs - BURST_HOLD_MS)
    this.#clockMs = receivedMs
    this.#marks.advance(receivedMs)
    if (isNewDay) {
      const today = Math.floor(receivedMs / DAY_MS)
      this.table.forgetBefore(today)
      this.documents.forgetBefore(today)
      this.appeal.forgetFaded(today)
    }
    if (receivedMs < this.#journeysMs + JOURNEY_MS) return
    this.#journeysMs = receivedMs
    this.#sessions.rotate()
  }

  #applyEvent(event: VisitorEvent): void {
    const facts = factsOf(event)
    const session = sessionOf(event.visitor)
    if (session !== undefined) this.#takeStep(event, facts, session)
    switch (facts.action) {
      case 'search':
        if (session !== undefined) this.#search(event, facts, session)
        break
      case 'click':
      case 'conversion':
      case 'add':
      case 'order':
        this.#follow(event, facts, session)
        break
      case 'filter':
      case 'view':
      case 'results':
      case 'list':
      case 'cart':
      case 'suggestion_impression':
      case 'suggestion_click':
      case 'custom':
        break
    }
  }

  /** Counts products that go together, and what the visitor saw and chose. */
  #takeStep({ visitor, atMs }: VisitorEvent, facts: EventFacts, session: string): void {
    const step = STEPS[facts.action]
    if (step === undefined || facts.documentIds.length === 0) return
    const visit = { session, atMs, network: networkOf(visitor) }
    this.together.take(step, facts.documentIds, visit, (thing) => {
      return (
        this.#guard.share(thing, session, visitor) === 'first' &&
        this.#guard.mayRank(thing, visitor)
      )
    })
    this.seen.add(visitor, facts.documentIds, step, atMs)
  }

  #search(event: VisitorEvent, facts: EventFacts, session: string): void {
    const { query } = facts
    if (query === undefined) return
    const { visitor, atMs, receivedMs } = event
    const nameless = session === visitor.client
    const searchHash = facts.searchId === undefined ? undefined : hashText(facts.searchId)
    const known = searchHash === undefined ? undefined : this.#searches.get(searchHash)
    if (known !== undefined) {
      if (!known.nameless || nameless) return
      this.#bursts.forget(known.session, (open) => open.searchHash === searchHash)
    }
    const typed = this.#read(query)
    const corrected = facts.correctedQuery
    const text = corrected === undefined ? meantBy(typed, [known]) : this.#read(corrected)
    const typedKey = text?.key === typed?.key ? undefined : typed?.key
    const tagSet = this.table.tagSetOf(facts.tags)
    if (searchHash !== undefined)
      this.#searches.set(searchHash, { session, text, typedKey, tagSet, nameless })
    const { found } = facts
    this.#bursts.search({
      session,
      query,
      atMs,
      receivedMs,
      visitor,
      found,
      text,
      typedKey,
      tagSet,
      searchHash,
    })
  }

  /** A few recurring queries make up most of the traffic. */
  #read(query: string): QueryText | undefined {
    const known = this.#texts.get(query)
    if (known !== undefined) return known
    const text = readQuery(query, this.#analyzer)
    if (text !== undefined) this.#texts.set(query, text)
    return text
  }

  /** A final query. It counts if it had results, as far as known. */
  #countSearch({ session, atMs, visitor, found, text, typedKey, tagSet }: Search): void {
    if (text === undefined || found === 0) return
    const isCounted = this.#countSession(text, tagSet, session, visitor, atMs)
    const known = this.#sessionOf(session)
    known.last = { text, typedKey, tagSet, atMs }
    if (!isCounted) return
    this.profiles.add(visitor, { key: text.key, atMs, weight: 'search' })
  }

  /**
   * A click or more: belongs to the query it names, else to its search, else to the last query of
   * the session.
   */
  #follow(event: VisitorEvent, facts: EventFacts, given: string | undefined): void {
    if (given !== undefined) this.#bursts.end(given)
    const ref =
      facts.searchId === undefined ? undefined : this.#searches.get(hashText(facts.searchId))
    const { visitor, atMs } = event
    const nameless = given === undefined || given === visitor.client
    const session = ref !== undefined && (nameless || !ref.nameless) ? ref.session : given
    if (session === undefined) return
    if (session !== given) this.#bursts.end(session)
    const isClick = facts.action === 'click'
    const counted = isClick ? 'clicks' : 'conversions'
    const documents = this.#countDocuments(facts, counted, session, visitor, atMs)
    const last = this.#sessions.get(session)?.last
    const recent = last !== undefined && Math.abs(atMs - last.atMs) <= JOURNEY_MS ? last : undefined
    const isOutside = event.name.endsWith('Outside Search')
    const text =
      facts.query === undefined
        ? (ref?.text ?? (isOutside ? undefined : recent?.text))
        : meantBy(this.#read(facts.query), [ref, recent])
    if (text === undefined) return
    const own = this.table.tagSetOf(facts.tags)
    const tagSet =
      own > 0 ? own : (ref?.tagSet ?? (recent?.text.key === text.key ? recent.tagSet : 0))
    if (!this.#countSession(text, tagSet, session, visitor, atMs)) return
    const day = Math.floor(atMs / DAY_MS)
    for (const { id, amount, click } of documents) {
      this.appeal.raisePair(text.key, id, amount, click, day, networkOf(visitor))
    }
    const { position } = facts
    const isPlaced = isClick && documents.length > 0 && isPositionCounted(position)
    if (isPlaced && this.#guard.mayPlace(day, visitor)) this.appeal.raisePlace(position, day)
    for (const set of tagSet === 0 ? [0] : [0, tagSet]) {
      const hash = hashText(`${counted} ${day} ${set} ${session}\n${text.key}`)
      if (this.#marks.raise(hash) === 0) this.table.raise(text, day, set, counted)
    }
    this.profiles.add(visitor, { key: text.key, atMs, weight: isClick ? 'click' : 'conversion' })
  }

  /**
   * Counts a session once per query and day, unless its visitor or address has reached its limit.
   *
   * @returns whether the session counts for the query, now or earlier
   */
  #countSession(
    text: QueryText,
    tagSet: number,
    session: string,
    visitor: Visitor,
    atMs: number,
  ): boolean {
    const day = Math.floor(atMs / DAY_MS)
    const share = this.#guard.share(`${day}\n${text.key}`, session, visitor)
    if (share === 'refused') return false
    const by = { hash: hashText(visitorOf(visitor)), network: visitor.network }
    if (share === 'first') {
      this.table.raise(text, day, 0, 'sessions', by)
      this.#relate(session, text.key)
    }
    const tagged = hashText(`tagged ${tagSet} ${session} ${day}\n${text.key}`)
    if (tagSet > 0 && this.#marks.raise(tagged) === 0) {
      this.table.raise(text, day, tagSet, 'sessions', { ...by, network: undefined })
    }
    return true
  }

  /**
   * Counts a session for a document once a day and kind, for all queries.
   *
   * @returns documents that it also counts for in ranking, with what popularity and learning count
   */
  #countDocuments(
    { documentIds, position }: EventFacts,
    counted: 'clicks' | 'conversions',
    session: string,
    visitor: Visitor,
    atMs: number,
  ): RankedClick[] {
    const day = Math.floor(atMs / DAY_MS)
    const worth: RankedClick[] = []
    for (const id of documentIds.slice(0, DOCUMENTS_PER_EVENT_MAX)) {
      const share = this.#guard.share(`${counted} ${day} ${id}`, session, visitor)
      if (share !== 'first') continue
      this.documents.raise(id, day, counted)
      if (!this.#guard.mayRank(`${counted} ${day} ${id}`, visitor)) continue
      // A buyer clicked before, at a position that the purchase does not contain.
      const clicked = hashText(`position ${day} ${session} ${id}`)
      const place = position === undefined ? this.#marks.get(clicked) : positionWeight(position)
      if (counted === 'clicks') this.#marks.set(clicked, place)
      const weight = counted === 'clicks' ? 1 : CONVERSION_WEIGHT
      const amount = Math.max(1, place) * weight
      this.appeal.raiseDocument(id, amount, day, networkOf(visitor))
      worth.push({ id, amount, click: place === 0 ? undefined : { position: place, weight } })
    }
    return worth
  }

  #relate(name: string, key: string): void {
    const { trail } = this.#sessionOf(name)
    for (const other of trail) this.table.relate(key, other)
    if (trail.includes(key)) return
    trail.push(key)
    if (trail.length > TRAIL_MAX) trail.shift()
  }

  #sessionOf(name: string): Session {
    const known = this.#sessions.get(name)
    const session = known ?? { trail: [], last: undefined }
    this.#sessions.set(name, session)
    return session
  }
}

/**
 * Returns the query searched for a typed text: the text, unless one of these searches corrected it.
 */
function meantBy(
  typed: QueryText | undefined,
  searches: readonly (Pick<SearchRef, 'text' | 'typedKey'> | undefined)[],
): QueryText | undefined {
  if (typed === undefined) return undefined
  return searches.find((search) => search?.typedKey === typed.key)?.text ?? typed
}

/** Actions that make products go together. */
const STEPS: Readonly<Partial<Record<EventFacts['action'], Step>>> = {
  click: 'look',
  view: 'look',
  add: 'cart',
  conversion: 'cart',
  order: 'order',
}
