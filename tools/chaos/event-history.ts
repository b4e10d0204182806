/** Names of the events of one journey, in order. */
const STEPS = [
  'Search Submitted',
  'Object Clicked',
  'Object Viewed',
  'Product Added',
  'Order Completed',
] as const
const DAYS = 60
const DAY_MS = 86_400_000
const STEP_MS = 20_000
/** Number of journeys per visitor. */
const JOURNEYS_PER_VISITOR = 4
const CENTS = 250

const KINDS = ['dome', 'family', 'winter', 'light', 'red', 'folding', 'solar', 'travel']
const THINGS = ['tent', 'stove', 'kettle', 'lantern', 'mat', 'chair', 'rope', 'pillow', 'hammock']
export const QUERIES: readonly string[] = KINDS.flatMap((kind) =>
  THINGS.map((thing) => `${kind} ${thing}`),
)

/** The figures of a history. */
export interface HistoryFigures {
  readonly searches: number
  readonly sessions: number
  readonly users: number
  readonly clicks: number
  readonly orders: number
  readonly revenue: readonly { readonly currency: string; readonly amount: number }[]
  readonly searchesByQuery: Readonly<Record<string, number>>
  readonly eventsByName: Readonly<Record<string, number>>
}

/**
 * Events derived from their number alone, so that a million of them need no memory: journeys of
 * five events, search to order, spread over two months. Their figures are known without counting.
 */
export class EventHistory {
  readonly eventCount: number
  readonly #startMs: number
  readonly #journeyCount: number

  /** @param eventCount a multiple of five */
  constructor(eventCount: number, endMs: number) {
    this.eventCount = eventCount
    this.#journeyCount = eventCount / STEPS.length
    this.#startMs = endMs - DAYS * DAY_MS
  }

  get period(): { readonly from: string; readonly to: string } {
    const toMs = this.#startMs + (DAYS + 1) * DAY_MS
    return { from: new Date(this.#startMs).toISOString(), to: new Date(toMs).toISOString() }
  }

  /** The number of the event with this message id. */
  static numberOf(messageId: string): number {
    return Number(messageId.slice('event-'.length))
  }

  event(number: number): object {
    const journey = Math.floor(number / STEPS.length)
    const step = number % STEPS.length
    const atMs =
      this.#startMs +
      Math.floor((journey / this.#journeyCount) * (DAYS - 1) * DAY_MS) +
      step * STEP_MS
    return {
      type: 'track',
      event: STEPS[step],
      messageId: `event-${number}`,
      anonymousId: `browser-${Math.floor(journey / JOURNEYS_PER_VISITOR)}`,
      timestamp: new Date(atMs).toISOString(),
      properties: {
        session_id: `session-${journey}`,
        search_id: `search-${journey}`,
        ...propertiesOf(step, journey),
      },
    }
  }

  get figures(): HistoryFigures {
    const journeys = this.#journeyCount
    const searchesByQuery: Record<string, number> = {}
    for (let journey = 0; journey < journeys; journey++) {
      const query = queryOf(journey)
      searchesByQuery[query] = (searchesByQuery[query] ?? 0) + 1
    }
    return {
      searches: journeys,
      sessions: journeys,
      users: Math.ceil(journeys / JOURNEYS_PER_VISITOR),
      clicks: journeys,
      orders: journeys,
      revenue: [{ currency: 'EUR', amount: (journeys * CENTS) / 100 }],
      searchesByQuery,
      eventsByName: Object.fromEntries(STEPS.map((name) => [name, journeys])),
    }
  }
}

function propertiesOf(step: number, journey: number): object {
  const product = `product-${journey % QUERIES.length}`
  switch (step) {
    case 0:
      return { query: queryOf(journey), num_found: 7 }
    case 1:
      return { object_id: product, position: 1 + (journey % 10) }
    case 2:
      return { object_id: product }
    case 3:
      return { product_id: product }
    default:
      return { order_id: `order-${journey}`, revenue: CENTS / 100, currency: 'EUR' }
  }
}

/** Some are searched much more often than others. */
function queryOf(journey: number): string {
  const share = ((journey * 7_919) % 10_007) / 10_007
  return QUERIES[Math.floor(share * share * QUERIES.length)]!
}
