import { latest, SearchClient, type FilteredTab } from '@aisle/client/search'
import { AisleEvents } from '@aisle/events'
import type { Answer, Product, ShopSearch } from './page-data.ts'
import type { Connection } from './shop-config.ts'

/** A request of this page, for display. */
export interface SentRequest {
  readonly path: string
  readonly body: unknown
  /** Time until the answer, and the time according to the service. */
  readonly tookMs: number
  readonly serviceMs: number | undefined
}

export interface SentEvent {
  readonly name: string
  readonly detail: string
  readonly atMs: number
}

const KEPT = 30

/**
 * The actions of a visitor: searches and events, through the published clients, and a log of both
 * for the panel about this shop.
 */
export class Visit {
  readonly shop: ShopSearch
  readonly requests: SentRequest[] = []
  readonly sent: SentEvent[] = []
  readonly #events: AisleEvents
  readonly #listeners = new Set<() => void>()
  /** Increases with every change of the log. */
  version = 0

  constructor({ storeId, readSecret, eventsWriteKey, url = location.origin }: Connection) {
    // A shop that must ask for consent starts with `consent: false`, and calls `consent`.
    this.#events = new AisleEvents({ url, writeKey: eventsWriteKey, consent: true })
    this.shop = new SearchClient<Product>({
      url,
      storeId,
      readSecret,
      visitor: this.#events.visitor,
      fetch: (input, init) => this.#fetch(input, init),
    })
  }

  /** Suggestions for a text; requests for earlier texts are aborted. */
  readonly suggest = latest((signal, q: string, tabs: readonly FilteredTab[]) => {
    return this.shop.suggest(
      {
        q,
        hitsPerPage: 6,
        include_categories: true,
        max_categories: 12,
        include_empty_query_recommendations: true,
        filtered_tabs: [...tabs],
      },
      { signal },
    )
  })

  shown(answer: Answer): void {
    this.#events.shown(answer)
    this.#note('Search Impression', `${answer.hits.length} products, if they stay for a second`)
  }

  clicked(id: string): void {
    this.#events.clicked(id)
    this.#note('Object Clicked', id)
  }

  viewed(id: string): void {
    this.#events.viewed(id)
    this.#note('Object Viewed', id)
  }

  added(id: string, price: number | undefined): void {
    this.#events.added(id, { quantity: 1, ...(price === undefined ? {} : { price }) })
    this.#note('Product Added', id)
  }

  ordered(products: readonly { readonly id: string; readonly price?: number }[]): void {
    const revenue = products.reduce((sum, { price = 0 }) => sum + price, 0)
    const orderId = `demo-${Date.now()}`
    this.#events.ordered({ orderId, products, revenue, currency: 'EUR' })
    this.#note('Order Completed', `${products.length} products`)
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async #fetch(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
    const startMs = performance.now()
    const response = await fetch(input, init)
    const text = await response.clone().text()
    const { pathname } = new URL(String(input instanceof Request ? input.url : input))
    this.requests.unshift({
      path: pathname,
      body: parsed(init?.body),
      tookMs: performance.now() - startMs,
      serviceMs: (parsed(text) as { search_time_ms?: number } | undefined)?.search_time_ms,
    })
    this.requests.splice(KEPT)
    this.#changed()
    return response
  }

  #note(name: string, detail: string): void {
    this.sent.unshift({ name, detail, atMs: Date.now() })
    this.sent.splice(KEPT)
    this.#changed()
  }

  #changed(): void {
    this.version++
    for (const listener of this.#listeners) listener()
  }
}

function parsed(text: unknown): unknown {
  if (typeof text !== 'string') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
