import type { CanonicalEventName } from '@aisle/contract'
import { openStorage, type BrowserStorage } from './browser-storage.ts'
import { now } from './clock.ts'
import { EventQueue, QUEUE } from './event-queue.ts'
import { randomId } from './random-id.ts'
import { SearchTrail, TRAIL, type Results } from './search-trail.ts'

export interface EventsOptions {
  /** Base URL of the service. */
  readonly url: string
  /** `events_write_key` of the store; a page may show it. */
  readonly writeKey: string
  /**
   * Whether the visitor consents to be recognised. Without consent nothing is stored or sent; call
   * `consent` with the visitor's answer.
   */
  readonly consent: boolean
}

/** The visitor, in the form of `visitor` of `SearchClient`. */
export interface Visitor {
  readonly userId?: string
  readonly anonymousId?: string
  readonly sessionId?: string
}

export interface OrderedProduct {
  readonly id: string
  readonly quantity?: number
  /** Price of one unit. */
  readonly price?: number
}

export interface Order {
  readonly orderId: string
  readonly products: readonly OrderedProduct[]
  /** Total of the order. */
  readonly revenue?: number
  /** ISO 4217, such as `EUR`. */
  readonly currency?: string
}

type Properties = Readonly<Record<string, unknown>>

const PERSON = 'person'
const SESSION = 'session'
/** A longer pause starts a new session. */
const SESSION_PAUSE_MS = 30 * 60_000
/** Results that are replaced sooner were not seen: the visitor is typing. */
const LOOK_MS = 1_000
const SHOWN_MAX = 250
/** Maximum of searches whose report is remembered; the oldest is forgotten first. */
const REPORTED_MAX = 250

/** Records the events of one visitor in one browser. */
export class AisleEvents {
  readonly #storage: BrowserStorage
  readonly #queue: EventQueue
  readonly #trail: SearchTrail
  #isAllowed: boolean
  /** Results on the page that are not reported yet, by search. */
  #seen: ReadonlyMap<string, Results> = new Map()
  readonly #reported = new Set<string>()
  #seeing: ReturnType<typeof setTimeout> | undefined

  constructor({ url, writeKey, consent }: EventsOptions) {
    const names = [PERSON, SESSION, QUEUE, TRAIL]
    this.#storage = openStorage(`aisle:${writeKey}:`, names)
    this.#queue = new EventQueue(url, writeKey, this.#storage)
    this.#trail = new SearchTrail(this.#storage)
    this.#isAllowed = consent
    if (consent) void this.#queue.flush()
    else this.#storage.clear()
    this.#listen()
  }

  /** The ids of this visitor, for `visitor` of `SearchClient`; none without consent. */
  readonly visitor = (): Visitor => {
    if (!this.#isAllowed) return {}
    return { ...this.#person(), sessionId: this.#session() }
  }

  /** Records the visitor's answer. Without consent, everything stored is deleted, unsent. */
  consent(isGiven: boolean): void {
    this.#isAllowed = isGiven
    if (isGiven) return
    this.#forgetShown()
    this.#queue.stop()
    this.#storage.clear()
  }

  /** Sets the user who is logged in; `undefined`: logged out. */
  identify(userId: string | undefined): void {
    if (!this.#isAllowed) return
    const { anonymousId } = this.#person()
    this.#storage.set(PERSON, userId === undefined ? { anonymousId } : { anonymousId, userId })
    if (userId !== undefined) this.#send({ type: 'identify' })
  }

  /**
   * Reports shown results, so that clicks on them have their search and position.
   *
   * @param lists all results that the page shows now
   */
  shown(...lists: readonly Results[]): void {
    if (!this.#isAllowed) return
    for (const results of lists) this.#trail.show(results)
    const unreported = lists.filter(({ search_id }) => !this.#reported.has(search_id))
    // Widgets with the same query show the same search.
    const seen = new Map(unreported.map((results) => [results.search_id, results]))
    const isWaiting = Array.from(seen.keys()).every((id) => this.#seen.has(id))
    if (isWaiting && seen.size === this.#seen.size) return
    this.#forgetShown()
    this.#seen = seen
    this.#seeing = setTimeout(() => this.#reportShown(), LOOK_MS)
  }

  /** Reports a click on a product, in results or elsewhere. */
  clicked(id: string, properties: Properties = {}): void {
    if (!this.#isAllowed) return
    const place = searchIn(properties) ?? this.#trail.placeOf(id)
    this.#reportShown()
    if (place === undefined) {
      this.track('Object Clicked Outside Search', { object_id: id, ...properties })
      return
    }
    this.#trail.follow(id, place.search_id)
    this.track('Object Clicked', { object_id: id, ...place, ...properties })
  }

  /** Reports a view of a product page. */
  viewed(id: string, properties: Properties = {}): void {
    this.track('Object Viewed', { object_id: id, ...this.#searchOf([id]), ...properties })
  }

  /** Reports a product added to the cart; credits the search whose results showed it. */
  added(id: string, properties: Properties = {}): void {
    const place = searchIn(properties) ?? this.#trail.placeOf(id)
    if (this.#isAllowed && place !== undefined) this.#trail.follow(id, place.search_id)
    this.track('Product Added', { object_id: id, ...this.#searchOf([id]), ...properties })
  }

  ordered({ orderId, products, revenue, currency }: Order): void {
    this.track('Order Completed', {
      order_id: orderId,
      revenue,
      currency,
      products: products.map(({ id, quantity, price }) => ({ object_id: id, quantity, price })),
      ...this.#searchOf(products.map(({ id }) => id)),
    })
  }

  /** Sends any event that the service knows, see `docs/analytics.md`. */
  track(event: CanonicalEventName, properties: Properties = {}): void {
    this.#send({ type: 'track', event, properties })
  }

  /** Sends waiting events now; otherwise they are sent automatically. */
  async flush(): Promise<void> {
    this.#reportShown()
    await this.#queue.flush()
  }

  #send(event: { type: string; event?: string; properties?: Properties }): void {
    if (!this.#isAllowed) return
    const timestamp = new Date(now()).toISOString()
    const session = { session_id: this.#session() }
    const properties = { ...session, ...event.properties }
    const messageId = randomId()
    this.#queue.add({ ...event, properties, messageId, timestamp, ...this.#person() })
  }

  #reportShown(): void {
    const lists = this.#seen
    this.#forgetShown()
    for (const { search_id, hits } of lists.values()) {
      const ids = hits.slice(0, SHOWN_MAX).map(({ id }) => id)
      this.track('Search Impression', { search_id, object_ids: ids })
      this.#reported.add(search_id)
      const [oldest] = this.#reported
      if (this.#reported.size > REPORTED_MAX && oldest !== undefined) this.#reported.delete(oldest)
    }
  }

  #forgetShown(): void {
    clearTimeout(this.#seeing)
    this.#seen = new Map()
  }

  #searchOf(ids: readonly string[]): Properties {
    const searchId = this.#isAllowed ? this.#trail.searchOf(ids) : undefined
    return searchId === undefined ? {} : { search_id: searchId }
  }

  #person(): { anonymousId: string; userId?: string } {
    const known = this.#storage.get<{ anonymousId: string; userId?: string }>(PERSON)
    if (known !== undefined) return known
    const made = { anonymousId: randomId() }
    this.#storage.set(PERSON, made)
    return made
  }

  /** Every use extends the session. */
  #session(): string {
    const at = now()
    const known = this.#storage.get<{ id: string; at: number }>(SESSION)
    const isOver = known === undefined || at - known.at > SESSION_PAUSE_MS
    const id = isOver ? randomId() : known.id
    this.#storage.set(SESSION, { id, at })
    return id
  }

  /** On a server there is no page to observe. */
  #listen(): void {
    if (typeof document === 'undefined') return
    const leave = (): void => {
      if (!this.#isAllowed) return
      this.#reportShown()
      this.#queue.leave()
    }
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') leave()
    })
    addEventListener('pagehide', leave)
    addEventListener('online', () => {
      if (this.#isAllowed) void this.#queue.flush()
    })
  }
}

/** The search that the page passed. */
function searchIn({ search_id: id }: Properties): { search_id: string } | undefined {
  return typeof id === 'string' ? { search_id: id } : undefined
}
