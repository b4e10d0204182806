import {
  isObject,
  POPULARITY_TRIAL_ID,
  type CanonicalEventName,
  type SimpleEventType,
} from '@aisle/contract'
import type { VisitorEvent } from './visitor-event.ts'

/** The meaning of an event, in either form. */
export type EventAction =
  | 'search'
  | 'results'
  | 'filter'
  | 'view'
  | 'click'
  | 'conversion'
  | 'add'
  | 'order'
  | 'list'
  | 'cart'
  | 'suggestion_impression'
  | 'suggestion_click'
  | 'custom'

const CANONICAL_ACTIONS: Readonly<Record<CanonicalEventName, EventAction>> = {
  'Search Submitted': 'search',
  'Search Refined': 'search',
  'Search Empty': 'search',
  'Search Impression': 'results',
  'Filter Viewed': 'results',
  'Filter Converted': 'filter',
  'Facet Applied': 'filter',
  'Object Viewed': 'view',
  'Object Clicked': 'click',
  'Object Clicked Outside Search': 'click',
  'Object Converted': 'conversion',
  'Object Converted Outside Search': 'conversion',
  'Product Added': 'add',
  'Product List Viewed': 'list',
  'Order Completed': 'order',
  'Suggestion Impression': 'suggestion_impression',
  'Suggestion Clicked': 'suggestion_click',
  'Cart Viewed': 'cart',
}

const SIMPLE_ACTIONS: Readonly<Record<SimpleEventType, EventAction>> = {
  search: 'search',
  click: 'click',
  conversion: 'conversion',
  custom: 'custom',
}

export function isCanonicalName(name: string): name is CanonicalEventName {
  return Object.hasOwn(CANONICAL_ACTIONS, name)
}

export interface OrderLine {
  readonly documentId: string
  readonly quantity: number
  readonly price: number | undefined
}

/** What answers a search in an experiment; `interleaved`: both orders in one. */
export const EXPERIMENT_ARMS = ['live', 'draft', 'interleaved'] as const
export type ExperimentArm = (typeof EXPERIMENT_ARMS)[number]

export interface ExperimentFacts {
  readonly id: string
  readonly arm: ExperimentArm
  /** Documents that only one order placed where they were, if interleaved. */
  readonly live: readonly string[]
  readonly draft: readonly string[]
}

/**
 * The properties of an event that reports, popularity and suggestions use. Absent or of a wrong
 * type: undefined.
 */
export interface EventFacts {
  readonly action: EventAction
  /** The search that led here: events with the same search id form a journey. */
  readonly searchId: string | undefined
  readonly query: string | undefined
  /** The query that the service searched instead, if words were misspelt. */
  readonly correctedQuery: string | undefined
  /** Number of results of the visitor's search. */
  readonly found: number | undefined
  readonly page: number | undefined
  readonly filters: unknown
  /** Documents that were shown, seen, clicked, added or bought. */
  readonly documentIds: readonly string[]
  /** Position of the clicked document among the results, from 1. */
  readonly position: number | undefined
  readonly revenue: number | undefined
  /** Upper case, as in ISO 4217. */
  readonly currency: string | undefined
  readonly orderId: string | undefined
  readonly lines: readonly OrderLine[]
  readonly tags: readonly string[]
  /** Milliseconds that the search took; only in the service's own events. */
  readonly tookMs: number | undefined
  /** The arm of an experiment that answered the search; only in the service's own events. */
  readonly experiment: ExperimentFacts | undefined
  /** Ids of the rules that applied to the search; only in the service's own events. */
  readonly rules: readonly string[]
  /** Name of the preset of the search; only in the service's own events. */
  readonly preset: string | undefined
  readonly surface: string | undefined
}

/** Reads the properties of an event by the names of either form. Never throws. */
export function factsOf(event: Pick<VisitorEvent, 'name' | 'source' | 'properties'>): EventFacts {
  const { properties: p } = event
  const lines = orderLines(p['products'])
  return {
    action: actionOf(event),
    searchId: text(p['search_id']),
    query: text(p['query']),
    correctedQuery: event.source === 'server' ? text(p['corrected_query']) : undefined,
    found: number(p['num_found']) ?? number(p['total_results']) ?? emptyFound(event.name),
    page: number(p['page']),
    filters: p['filters_applied'] ?? p['filters'],
    documentIds: documentIds(p, lines),
    position: number(p['position']),
    revenue: number(p['revenue']),
    currency: text(p['currency'])?.toUpperCase(),
    orderId: text(p['order_id']),
    lines,
    tags: texts(p['analytics_tags']),
    tookMs: number(p['took_ms']),
    experiment: event.source === 'server' ? experimentOf(p) : undefined,
    rules: event.source === 'server' ? texts(p['applied_rules']) : [],
    preset: event.source === 'server' ? text(p['preset_name']) : undefined,
    surface: text(p['surface']),
  }
}

/** What the visitor did. */
export function actionOf({ name, source }: Pick<VisitorEvent, 'name' | 'source'>): EventAction {
  if (source === 'canonical') return isCanonicalName(name) ? CANONICAL_ACTIONS[name] : 'custom'
  return SIMPLE_ACTIONS[name as SimpleEventType] ?? 'custom'
}

function experimentOf({
  experiment: given,
  popularity_trial: trial,
}: VisitorEvent['properties']): ExperimentFacts | undefined {
  // Searches of a popularity trial, as they were recorded before it was an experiment.
  if (isObject(trial)) {
    const [live, draft] = [texts(trial['without']), texts(trial['with'])]
    return { id: POPULARITY_TRIAL_ID, arm: 'interleaved', live, draft }
  }
  if (!isObject(given)) return undefined
  const id = text(given['id'])
  const arm = EXPERIMENT_ARMS.find((one) => one === given['arm'])
  if (id === undefined || arm === undefined) return undefined
  return { id, arm, live: texts(given['live']), draft: texts(given['draft']) }
}

function emptyFound(name: string): number | undefined {
  return name === 'Search Empty' ? 0 : undefined
}

function documentIds(p: VisitorEvent['properties'], lines: readonly OrderLine[]): string[] {
  const one = text(p['object_id']) ?? text(p['document_id']) ?? text(p['product_id'])
  const ids = [...(one === undefined ? [] : [one]), ...texts(p['object_ids'])]
  for (const { documentId } of lines) ids.push(documentId)
  return ids.length < 2 ? ids : [...new Set(ids)]
}

function orderLines(value: unknown): OrderLine[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((line: unknown) => {
    if (typeof line !== 'object' || line === null) return []
    const fields = line as Record<string, unknown>
    const documentId = text(fields['object_id']) ?? text(fields['product_id'])
    if (documentId === undefined) return []
    return [
      { documentId, quantity: number(fields['quantity']) ?? 1, price: number(fields['price']) },
    ]
  })
}

/** Ids may be numbers in shops; they equal their decimal text. */
function text(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  return Number.isSafeInteger(value) ? String(value) : undefined
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

function texts(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((one: unknown) => text(one) ?? [])
}
