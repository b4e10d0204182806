import { POPULARITY_POSITION_MAX } from '@aisle/contract'
import { RecentMap, type RecentState } from '../recent/recent-map.ts'
import { newChoice, raiseChoice, type Choice, type PlacedClick } from './choice.ts'
import { fading, raiseWorth, worthOn, type Worth } from './worth.ts'

/** Maximum of counted documents per store; the least recently clicked are dropped. */
const DOCUMENTS_MAX = 500_000
/** The same for queries, and for the documents of each query. */
const QUERIES_MAX = 100_000
const DOCUMENTS_PER_QUERY_MAX = 50
/** Entries that have decayed below this are dropped at the start of a day. */
const WORTH_MIN = 0.05

/** Clicks and purchases of documents: per document, and per query and document. */
export class AppealTable {
  readonly documents: RecentMap<string, Worth>
  readonly queries: RecentMap<string, Map<string, Choice>>
  /** Clicks of the store by position, for learning. */
  readonly places: Places
  /** Increases with everything that is counted. */
  changes = 0

  constructor(state?: AppealState) {
    this.documents = new RecentMap(DOCUMENTS_MAX, state?.documents)
    this.queries = new RecentMap(QUERIES_MAX, state?.queries)
    this.places = state?.places ?? { day: 0, clicks: [] }
  }

  get state(): AppealState {
    return { documents: this.documents.state, queries: this.queries.state, places: this.places }
  }

  /** @param network hash of the visitor's network */
  raiseDocument(id: string, amount: number, day: number, network: number): void {
    this.changes++
    const worth = this.documents.get(id) ?? newWorth(day)
    this.documents.set(id, worth)
    raiseWorth(worth, amount, day, network)
  }

  /**
   * Counts a document that was found with a query.
   * @param click what learning counts, if the position is known
   */
  raisePair(
    key: string,
    id: string,
    amount: number,
    click: PlacedClick | undefined,
    day: number,
    network: number,
  ): void {
    const documents = this.queries.get(key) ?? new Map<string, Choice>()
    this.queries.set(key, documents)
    const choice = documents.get(id) ?? newChoice(day)
    documents.delete(id)
    documents.set(id, choice)
    raiseChoice(choice, amount, click, day, network)
    if (documents.size <= DOCUMENTS_PER_QUERY_MAX) return
    for (const oldest of documents.keys()) {
      documents.delete(oldest)
      break
    }
  }

  /** Counts a click at a position, on any document. @param position of `isPositionCounted` */
  raisePlace(position: number, day: number): void {
    const { places } = this
    const at = Math.floor(position) - 1
    if (day > places.day) {
      const factor = fading(day - places.day)
      for (let i = 0; i < places.clicks.length; i++) places.clicks[i]! *= factor
      places.day = day
    }
    while (places.clicks.length <= at) places.clicks.push(0)
    places.clicks[at]! += fading(places.day - day)
  }

  /** Starts a day: drops faded entries. */
  forgetFaded(today: number): void {
    forgetFaded(this.documents, today)
    for (const [key, documents] of this.queries) {
      forgetFaded(documents, today)
      if (documents.size === 0) this.queries.delete(key)
    }
  }
}

export interface AppealState {
  readonly documents: RecentState<string, Worth>
  readonly queries: RecentState<string, Map<string, Choice>>
  readonly places: Places
}

interface Places {
  /** The newest day with a click. */
  day: number
  /** By position, from 1; as of `day`. */
  readonly clicks: number[]
}

/**
 * The weight of a click at a position (from 1). Visitors look at rank r with a probability of about
 * 1/r, so a click there represents r visitors who would have clicked had they looked (inverse
 * propensity scoring: Joachims, Swaminathan, Schnabel, "Unbiased learning-to-rank with biased
 * feedback", 2017). Bounded, because rare clicks far down would outweigh all others, and because
 * anyone can claim a position.
 */
export function positionWeight(position: number | undefined): number {
  if (position === undefined || !(position >= 1)) return 1
  return Math.min(POPULARITY_POSITION_MAX, Math.floor(position))
}

/** Whether a click there tells how often that position is clicked. */
export function isPositionCounted(position: number | undefined): position is number {
  return position !== undefined && position >= 1 && position < POPULARITY_POSITION_MAX + 1
}

function newWorth(day: number): Worth {
  return { value: 0, day, networks: [] }
}

function forgetFaded(worths: Map<string, Worth> | RecentMap<string, Worth>, today: number): void {
  for (const [id, worth] of worths) {
    if (worthOn(worth, today) < WORTH_MIN) worths.delete(id)
  }
}
