import type { JourneyEvent } from '@aisle/client'
import { formatCount } from '../../format/numbers.ts'

/** A pause this long starts a new visit; an action after it belongs to no earlier search. */
export const VISIT_PAUSE_MS = 30 * 60_000

export interface Visit {
  readonly startMs: number
  /** In the order in which they happened. */
  readonly events: readonly JourneyEvent[]
}

/** @param events of all pages, the newest first. @returns visits, the newest first */
export function visitsOf(events: readonly JourneyEvent[]): Visit[] {
  const visits: { startMs: number; events: JourneyEvent[] }[] = []
  let lastMs = -Infinity
  for (const event of events.toReversed()) {
    const atMs = Date.parse(event.timestamp)
    const visit = visits.at(-1)
    if (visit === undefined || atMs - lastMs > VISIT_PAUSE_MS) {
      visits.push({ startMs: atMs, events: [event] })
    } else visit.events.push(event)
    lastMs = atMs
  }
  return visits.toReversed()
}

const COUNTED: readonly (readonly [JourneyEvent['step'][], string, string])[] = [
  [['search'], 'search', 'searches'],
  [['click'], 'click', 'clicks'],
  [['add', 'conversion'], 'addition to the cart', 'additions to the cart'],
  [['order', 'purchase'], 'order', 'orders'],
]

/** `2 searches, 1 click, 1 order`: searches as reports count them. */
export function visitSummary({ events }: Visit): string {
  const parts = COUNTED.flatMap(([steps, one, many]) => {
    const count = events.filter(
      ({ step, counted }) => steps.includes(step) && (step !== 'search' || counted),
    ).length
    return count === 0 ? [] : [formatCount(count, one, many)]
  })
  return parts.length === 0 ? formatCount(events.length, 'event') : parts.join(', ')
}

/** What an event is about, in words: results, position, order, amount. */
export function detailOf({ step, query, counted, properties }: JourneyEvent): string {
  const facts = (properties ?? {}) as Readonly<Record<string, unknown>>
  const first = (...names: string[]): string | undefined => {
    const value = names.map((name) => facts[name]).find((one) => (one ?? undefined) !== undefined)
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
  }
  const said = (text: string | undefined, before = '', after = ''): string[] =>
    text === undefined ? [] : [`${before}${text}${after}`]
  if (step === 'search') {
    return [
      ...said(first('query'), '“', '”'),
      ...said(first('num_found', 'total_results'), '', ' found'),
      ...(counted ? [] : ['refined, or reported again']),
    ].join(' · ')
  }
  const shown = facts['object_ids']
  return [
    ...said(first('object_id', 'product_id', 'document_id')),
    ...(Array.isArray(shown) ? [formatCount(shown.length, 'product')] : []),
    ...said(first('position'), 'place '),
    ...said(first('order_id'), 'order '),
    ...said(first('revenue'), '', ` ${first('currency') ?? ''}`.trimEnd()),
    ...(query === null ? [] : [`from “${query}”`]),
  ].join(' · ')
}
