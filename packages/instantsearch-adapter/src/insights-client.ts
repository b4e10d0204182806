import { listOf } from './filters.ts'

/** The part of `AisleEvents` that this client calls. */
export interface TrackedEvents {
  visitor(): { readonly anonymousId?: string; readonly userId?: string }
  identify(userId: string | undefined): void
  clicked(id: string, properties?: Readonly<Record<string, unknown>>): void
  added(id: string, properties?: Readonly<Record<string, unknown>>): void
  ordered(order: {
    orderId: string
    products: readonly { id: string; quantity?: number; price?: number }[]
    revenue?: number
    currency?: string
  }): void
  track(
    event:
      | 'Object Clicked Outside Search'
      | 'Facet Applied'
      | 'Filter Viewed'
      | 'Filter Converted'
      | 'Object Converted'
      | 'Object Converted Outside Search',
    properties?: Readonly<Record<string, unknown>>,
  ): void
}

/** The function that InstantSearch and pages call: `aa('clickedObjectIDs', {…})`. */
export interface InsightsClient {
  (method: string, ...words: readonly unknown[]): void
  /** Since 2.6, InstantSearch does not ask for an application id. */
  version: string
}

interface Payload {
  readonly eventSubtype?: string
  readonly queryID?: string
  readonly objectIDs?: readonly string[]
  readonly positions?: readonly number[]
  readonly filters?: readonly string[]
  readonly objectData?: readonly {
    readonly queryID?: string
    readonly price?: number | string
    readonly quantity?: number
  }[]
  readonly value?: number | string
  readonly currency?: string
  readonly orderId?: string
}

/** Prefix of ids that the browser generated. */
const ANONYMOUS = 'anonymous-'

/**
 * The `insightsClient` for InstantSearch: turns its calls into Aisle events. Ignores views of hits:
 * the search client reports what is shown.
 */
export function insightsClient(events: TrackedEvents): InsightsClient {
  const client = (method: string, ...words: readonly unknown[]): void => {
    const [payload, callback] = words
    if (method === 'getUserToken') {
      const { anonymousId, userId } = events.visitor()
      const token = userId ?? (anonymousId === undefined ? undefined : ANONYMOUS + anonymousId)
      if (typeof callback === 'function') callback(undefined, token)
    } else if (method === 'setUserToken' || method === 'setAuthenticatedUserToken') {
      const token = typeof payload === 'number' ? String(payload) : payload
      if (token === undefined) events.identify(undefined)
      if (typeof token === 'string' && !token.startsWith(ANONYMOUS)) identify(events, token)
    } else if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) {
      tell(events, method, payload)
    }
  }
  return Object.assign(client, { version: '2.17.3' })
}

/** InstantSearch repeats earlier calls; each is an event. */
function identify(events: TrackedEvents, userId: string): void {
  if (events.visitor().userId !== userId) events.identify(userId)
}

function tell(events: TrackedEvents, method: string, payload: Payload): void {
  const { queryID, objectIDs = [], positions = [], eventSubtype } = payload
  switch (method) {
    case 'clickedObjectIDs':
    case 'clickedObjectIDsAfterSearch':
      for (const [i, id] of objectIDs.entries()) {
        const place = defined({ search_id: queryID, position: positions[i] })
        // A row of recommendations has positions, but no search, even if results show the product.
        if (queryID !== undefined || place.position === undefined) events.clicked(id, place)
        else events.track('Object Clicked Outside Search', { object_id: id, ...place })
      }
      return
    case 'addedToCartObjectIDs':
    case 'addedToCartObjectIDsAfterSearch':
      added(events, payload)
      return
    case 'purchasedObjectIDs':
    case 'purchasedObjectIDsAfterSearch':
      ordered(events, payload)
      return
    case 'convertedObjectIDs':
    case 'convertedObjectIDsAfterSearch':
      if (eventSubtype === 'addToCart') added(events, payload)
      else if (eventSubtype === 'purchase') ordered(events, payload)
      else for (const id of objectIDs) converted(events, id, queryID)
      return
    case 'clickedFilters':
      filtered(events, 'Facet Applied', payload)
      return
    case 'viewedFilters':
      filtered(events, 'Filter Viewed', payload)
      return
    case 'convertedFilters':
      filtered(events, 'Filter Converted', payload)
      return
    default:
      return
  }
}

function added(events: TrackedEvents, { queryID, objectIDs = [], objectData = [] }: Payload): void {
  for (const [i, id] of objectIDs.entries()) {
    const { quantity, price, queryID: own } = objectData[i] ?? {}
    events.added(id, defined({ search_id: own ?? queryID, quantity, price: numberOf(price) }))
  }
}

function ordered(events: TrackedEvents, payload: Payload): void {
  const { objectIDs = [], objectData = [], value, currency, orderId } = payload
  events.ordered({
    orderId: orderId ?? randomId(),
    products: objectIDs.map((id, i) => {
      const { quantity, price } = objectData[i] ?? {}
      return { id, ...defined({ quantity, price: numberOf(price) }) }
    }),
    ...defined({ revenue: numberOf(value), currency }),
  })
}

function converted(events: TrackedEvents, id: string, searchId: string | undefined): void {
  const name = searchId === undefined ? 'Object Converted Outside Search' : 'Object Converted'
  events.track(name, defined({ object_id: id, search_id: searchId }))
}

/** `crypto.randomUUID` requires a page served over https. */
function randomId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}

/** `filters` are URL-encoded: `brand:Acme%20%26%20Co`. */
function filtered(
  events: TrackedEvents,
  name: 'Facet Applied' | 'Filter Viewed' | 'Filter Converted',
  { filters, queryID }: Payload,
): void {
  const byField: Record<string, string[]> = {}
  for (const filter of listOf(filters).map(String)) {
    const colon = filter.indexOf(':')
    const field = decoded(filter.slice(0, colon))
    byField[field] = [...(byField[field] ?? []), decoded(filter.slice(colon + 1))]
  }
  events.track(name, defined({ filters: byField, search_id: queryID }))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function numberOf(value: number | string | undefined): number | undefined {
  const number = Number(value)
  return value === undefined || Number.isNaN(number) ? undefined : number
}

function defined<Properties extends object>(
  properties: Properties,
): {
  [Name in keyof Properties]?: Exclude<Properties[Name], undefined>
} {
  return Object.fromEntries(
    Object.entries(properties).filter(([, value]) => value !== undefined),
  ) as { [Name in keyof Properties]?: Exclude<Properties[Name], undefined> }
}
