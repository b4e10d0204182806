import { seededRandom, sendEvents as sendBatches } from '@aisle/testing'
import type { TestStore } from './dashboard-session.ts'

const DAY_MS = 86_400_000
/** With how often each is searched for; the last ones find nothing. */
const QUERIES = [
  ['tent', 30],
  ['family tent', 18],
  ['stove', 14],
  ['sleeping bag', 12],
  ['backpack', 10],
  ['lantern', 6],
  ['hiking boots', 5],
  ['zelt', 5],
  ['bbq grill', 3],
  ['kayak', 2],
] as const
const FOUND_NOTHING: ReadonlySet<string> = new Set(['zelt', 'bbq grill', 'kayak'])

/** Visitors of a shop who search, click further up rather than further down, and sometimes buy. */
export async function sendHistory(
  url: string,
  store: TestStore,
  {
    journeys = 500,
    days = 45,
    seed = 11,
  }: { journeys?: number; days?: number; seed?: number } = {},
): Promise<void> {
  const random = seededRandom(seed)
  const productsByQuery = new Map<string, readonly string[]>()
  for (const [query] of QUERIES)
    productsByQuery.set(query, await searchIn(url, store, query, false))
  const nowMs = Date.now()
  const events: object[] = []
  for (let journey = 0; journey < journeys; journey++) {
    const visitor = `visitor-${Math.floor(random() * journeys * 0.6)}`
    // More of them lately.
    let atMs = nowMs - 600_000 - Math.floor((1 - Math.sqrt(random())) * days * DAY_MS)
    const send = (event: string, properties: object): void => {
      events.push({
        type: 'track',
        event,
        messageId: `${store.id}-${journey}-${events.length}`,
        anonymousId: visitor,
        timestamp: new Date(atMs).toISOString(),
        properties: { session_id: `${visitor}-${journey}`, ...properties },
      })
    }
    const query = weighted(random())
    const found = productsByQuery.get(query) ?? []
    const search_id = `${store.id}-search-${journey}`
    const count = FOUND_NOTHING.has(query) ? 0 : found.length
    const facets = random() < 0.2 ? { filters: { brand: 'Norrdal' } } : {}
    send('Search Submitted', { search_id, query, num_found: count, ...facets })
    if (count === 0 || random() < 0.35) continue
    send('Search Impression', { search_id, query, object_ids: found.slice(0, 12) })
    atMs += 8_000
    const place = Math.min(found.length - 1, Math.floor(random() ** 2.5 * 24))
    const object_id = found[place]!
    send('Object Clicked', { search_id, query, object_id, position: place + 1 })
    if (random() < 0.6) continue
    atMs += 30_000
    send('Product Added', { search_id, product_id: object_id })
    if (random() < 0.4) continue
    atMs += 120_000
    const price = 20 + Math.floor(random() * 200)
    send('Order Completed', {
      search_id,
      order_id: `${store.id}-order-${journey}`,
      revenue: price,
      currency: 'EUR',
      products: [{ product_id: object_id, quantity: 1, price }],
    })
  }
  await sendEvents(url, store, events)
}

/** Events of the canonical form. */
export async function sendEvents(
  url: string,
  { eventsKey }: TestStore,
  events: readonly object[],
): Promise<void> {
  await sendBatches(url, eventsKey, events)
}

/** A search as a shop sends it. @param analytics whether it is counted. @returns ids of its hits */
export async function searchIn(
  url: string,
  { id, readSecret }: TestStore,
  q: string,
  analytics = true,
): Promise<readonly string[]> {
  const answer = await fetch(`${url}/v1/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-storeid': id, 'x-storesecret': readSecret },
    body: JSON.stringify({ q, per_page: 24, analytics }),
  })
  const { hits } = (await answer.json()) as { hits: { id: string }[] }
  return hits.map((hit) => hit.id)
}

/** A search of a visitor, which is counted. @returns its search id */
export async function searchAs(
  url: string,
  { id, readSecret }: TestStore,
  session: string,
  body: object,
): Promise<string> {
  const answer = await fetch(`${url}/v1/search`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-storeid': id,
      'x-storesecret': readSecret,
      'x-session-id': session,
    },
    body: JSON.stringify(body),
  })
  const { search_id } = (await answer.json()) as { search_id: string }
  return search_id
}

function weighted(share: number): string {
  const all = QUERIES.reduce((sum, [, weight]) => sum + weight, 0)
  let rest = share * all
  for (const [query, weight] of QUERIES) {
    rest -= weight
    if (rest < 0) return query
  }
  return QUERIES[0][0]
}
