import { POPULARITY_POSITION_MAX } from '@aisle/contract'
import { RecentMap, type RecentState } from '../recent/recent-map.ts'
import { raiseWorth, worthOn, type Worth } from './worth.ts'

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
  readonly queries: RecentMap<string, Map<string, Worth>>
  /** Increases with everything that is counted. */
  changes = 0

  constructor(state?: AppealState) {
    this.documents = new RecentMap(DOCUMENTS_MAX, state?.documents)
    this.queries = new RecentMap(QUERIES_MAX, state?.queries)
  }

  get state(): AppealState {
    return { documents: this.documents.state, queries: this.queries.state }
  }

  /** @param network hash of the visitor's network */
  raiseDocument(id: string, amount: number, day: number, network: number): void {
    this.changes++
    const worth = this.documents.get(id) ?? newWorth(day)
    this.documents.set(id, worth)
    raiseWorth(worth, amount, day, network)
  }

  /** Counts a document that was found with a query. */
  raisePair(key: string, id: string, amount: number, day: number, network: number): void {
    const documents = this.queries.get(key) ?? new Map<string, Worth>()
    this.queries.set(key, documents)
    const worth = documents.get(id) ?? newWorth(day)
    documents.delete(id)
    documents.set(id, worth)
    raiseWorth(worth, amount, day, network)
    if (documents.size <= DOCUMENTS_PER_QUERY_MAX) return
    for (const oldest of documents.keys()) {
      documents.delete(oldest)
      break
    }
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
  readonly queries: RecentState<string, Map<string, Worth>>
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

function newWorth(day: number): Worth {
  return { value: 0, day, networks: [] }
}

function forgetFaded(worths: Map<string, Worth> | RecentMap<string, Worth>, today: number): void {
  for (const [id, worth] of worths) {
    if (worthOn(worth, today) < WORTH_MIN) worths.delete(id)
  }
}
