import type { Identification, VisitorEvent } from '@aisle/event-log'
import fc from 'fast-check'

type Entry = VisitorEvent | Identification

/**
 * The two days of generated histories, in which stretches, days and a month begin.
 */
export const HISTORY_START_MS = Date.UTC(2026, 0, 31)
export const HISTORY_END_MS = HISTORY_START_MS + 2 * 86_400_000

const QUERIES = [
  's',
  'sh',
  'shoe',
  'Shoe ',
  'shoes',
  'tent',
  'red tent',
  'red shoe',
  '',
  '*',
  'étui 🎒',
]
const ids = (prefix: string, count: number): fc.Arbitrary<string> =>
  fc.integer({ min: 1, max: count }).map((i) => `${prefix}${i}`)
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined })

const properties = fc.record(
  {
    search_id: ids('search-', 6),
    query: fc.constantFrom(...QUERIES),
    total_results: fc.integer({ min: 0, max: 3 }),
    position: fc.integer({ min: 0, max: 3 }),
    document_id: ids('d', 4),
    object_ids: fc.array(ids('d', 4), { maxLength: 3 }),
    order_id: ids('order-', 3),
    revenue: fc.constantFrom(0, 10, 0.1, 19.99, -5),
    currency: fc.constantFrom('EUR', 'usd'),
    products: fc.array(
      fc.record(
        {
          object_id: ids('d', 4),
          quantity: fc.integer({ min: 1, max: 3 }),
          price: fc.constantFrom(2.5, 10),
        },
        { requiredKeys: ['object_id'] },
      ),
      { maxLength: 2 },
    ),
    analytics_tags: fc.array(fc.constantFrom('mobile', 'nl', 'a b'), { maxLength: 2 }),
    filters_applied: fc.constantFrom(
      { brand: 'Fells' },
      { brand: ['Fells', 'Norrby'], price: { max: 10 } },
      { filter_by: 'brand:=`Fells` && price:>5' },
    ),
    popularity_trial: fc.record({
      with: fc.array(ids('d', 4), { maxLength: 2 }),
      without: fc.array(ids('d', 4), { maxLength: 2 }),
    }),
    experiment: fc.record({
      id: ids('experiment-', 2),
      arm: fc.constantFrom('live', 'draft', 'interleaved', 'none'),
      live: fc.array(ids('d', 4), { maxLength: 2 }),
      draft: fc.array(ids('d', 4), { maxLength: 2 }),
    }),
    took_ms: fc.constantFrom(0.25, 1, 7.5),
    applied_rules: fc.uniqueArray(ids('rule-', 3), { maxLength: 2 }),
    preset_name: ids('preset-', 2),
  },
  { requiredKeys: [] },
)

const visitor = fc.record(
  {
    userId: ids('u', 2),
    anonymousId: ids('a', 3),
    sessionId: ids('s', 3),
    client: ids('c', 2),
  },
  { requiredKeys: [] },
)

const NAMES = {
  server: ['search'],
  simple: ['search', 'click', 'conversion', 'custom'],
  canonical: [
    'Search Submitted',
    'Search Empty',
    'Search Impression',
    'Facet Applied',
    'Object Viewed',
    'Object Clicked',
    'Object Clicked Outside Search',
    'Object Converted',
    'Object Converted Outside Search',
    'Product Added',
    'Order Completed',
    'Suggestion Clicked',
    'Cart Viewed',
  ],
} as const

const kind = fc.constantFrom(
  ...Object.entries(NAMES).flatMap(([source, names]) =>
    names.map((name) => ({ source: source as VisitorEvent['source'], name })),
  ),
)

/** Moments close to one another, so that bursts and sessions occur, some hours apart. */
const atMs = fc
  .tuple(
    fc.constantFrom(0, 1, 2, 8, 11),
    fc.integer({ min: 0, max: 2 }),
    fc.integer({ min: 0, max: 9 }),
  )
  .map(([hours, tens, step]) => HISTORY_START_MS + hours * 4.1e6 * 3 + tens * 6e5 + step * 1_100)

const entry = fc.record({
  kind,
  at: atMs,
  lateMs: maybe(fc.constantFrom(1_000, 5e6, 4e7)),
  visitor,
  properties,
})

/**
 * Generates what a store may have received: events of all kinds, few ids, some late, in order of
 * arrival.
 */
export const arbitraryHistory: fc.Arbitrary<Entry[]> = fc
  .array(entry, { minLength: 1, maxLength: 80, size: 'max' })
  .map((rows) =>
    rows
      .map(({ kind: { source, name }, at, lateMs = 0, visitor: by, properties: p }, i): Entry => {
        const who = Object.fromEntries(
          Object.entries(by).filter(([, value]) => value !== undefined),
        )
        const common = { messageId: `m${i}`, atMs: at, receivedMs: at + lateMs, visitor: who }
        if (name === 'custom' && source === 'simple') return { kind: 'identify', ...common }
        return { kind: 'event', name, source, ...common, properties: p }
      })
      .toSorted((a, b) => a.receivedMs - b.receivedMs),
  )
