import { seededRandom } from '@aisle/testing'

/** Canonical events with their expected figures, counted during generation. */
export interface KnownHistory {
  readonly events: readonly object[]
  readonly fromMs: number
  readonly toMs: number
  readonly expected: KnownFigures
}

export interface KnownFigures {
  searches: number
  sessions: number
  noResults: number
  clicks: number
  clickedSearches: number
  rankSum: number
  orders: number
  /** Cents by currency. */
  readonly cents: Map<string, number>
  readonly users: Set<string>
  readonly searchesByDay: Map<string, number>
  readonly searchesByQuery: Map<string, number>
  readonly clicksByPosition: Map<number, number>
  readonly ordersByQuery: Map<string, number>
  readonly added: Set<string>
  readonly ordered: Set<string>
}

const QUERIES = ['tent', 'sleeping bag', 'stove', 'zelt', 'kettle']
const DAYS = 90
const DAY_MS = 86_400_000

/**
 * Journeys over 90 days: typing letter by letter, the same search reported twice, clicks, a cart,
 * an order whose last page is loaded twice, users who log in midway. Each journey has a separate
 * session.
 */
export function knownHistory(journeyCount: number, endMs: number, seed = 7): KnownHistory {
  const random = seededRandom(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const events: object[] = []
  const fromMs = endMs - DAYS * DAY_MS
  const expected: KnownFigures = {
    searches: 0,
    sessions: 0,
    noResults: 0,
    clicks: 0,
    clickedSearches: 0,
    rankSum: 0,
    orders: 0,
    cents: new Map(),
    users: new Set(),
    searchesByDay: new Map(),
    searchesByQuery: new Map(),
    clicksByPosition: new Map(),
    ordersByQuery: new Map(),
    added: new Set(),
    ordered: new Set(),
  }
  for (let journey = 0; journey < journeyCount; journey++) {
    const user = `user-${Math.floor(random() * 40)}`
    const session = `session-${journey}`
    let atMs = fromMs + Math.floor(random() * (DAYS * DAY_MS - 600_000))
    const send = (event: string, properties: object, messageId?: string): void => {
      events.push({
        type: 'track',
        event,
        messageId: messageId ?? `${session}-${events.length}`,
        anonymousId: `browser of ${user}`,
        // Only some events name the user; the others belong to the same user.
        ...(random() < 0.3 ? { userId: user } : {}),
        timestamp: new Date(atMs).toISOString(),
        properties: { session_id: session, ...properties },
      })
    }
    events.push({
      type: 'identify',
      messageId: `${session}-identify`,
      anonymousId: `browser of ${user}`,
      userId: user,
      timestamp: new Date(atMs).toISOString(),
    })

    const query = pick(QUERIES)
    const found = random() < 0.2 ? 0 : 1 + Math.floor(random() * 50)
    for (let length = Math.max(1, query.length - 4); length < query.length; length++) {
      send('Search Submitted', {
        search_id: `${session}-typed-${length}`,
        query: query.slice(0, length),
        num_found: 5,
      })
      atMs += 400
    }
    const search_id = `search-${journey}`
    const dayOfSearch = new Date(atMs).toISOString().slice(0, 10)
    send('Search Submitted', { search_id, query, num_found: found })
    if (random() < 0.5) send('Search Refined', { search_id, query, num_found: found })
    if (found === 0) send('Search Empty', { search_id, query })
    expected.searches++
    expected.sessions++
    expected.users.add(user)
    if (found === 0) expected.noResults++
    add(expected.searchesByDay, dayOfSearch)
    add(expected.searchesByQuery, query)

    const clicks = found === 0 ? 0 : Math.floor(random() * 3)
    if (clicks > 0) expected.clickedSearches++
    for (let i = 0; i < clicks; i++) {
      atMs += 5_000
      const position = 1 + Math.floor(random() * 10)
      // Some name the search, the others are matched by their session.
      const link = random() < 0.6 ? { search_id } : {}
      send('Object Clicked', { ...link, object_id: `product-${position}`, position })
      expected.clicks++
      expected.rankSum += position
      add(expected.clicksByPosition, position)
    }
    if (clicks === 0 || random() < 0.5) continue
    atMs += 20_000
    send('Product Added', { search_id, product_id: 'product-1' })
    expected.added.add(search_id)
    if (random() < 0.4) continue
    atMs += 60_000
    const cents = 1 + Math.floor(random() * 100_000)
    const currency = random() < 0.8 ? 'EUR' : 'USD'
    const order = { order_id: `order-${journey}`, revenue: cents / 100, currency }
    send('Order Completed', { search_id, ...order })
    // The confirmation page, reloaded; and the same event sent again.
    atMs += 1_000
    send('Order Completed', order)
    events.push(events.at(-1)!)
    expected.orders++
    expected.ordered.add(search_id)
    add(expected.ordersByQuery, query)
    expected.cents.set(currency, (expected.cents.get(currency) ?? 0) + cents)
  }
  return { events, fromMs, toMs: endMs, expected }
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
