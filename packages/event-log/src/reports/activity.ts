import { DOCUMENT_ID_MAX_BYTES, EVENT_ID_MAX_CHARS, QUERY_LENGTH_MAX_CHARS } from '@aisle/contract'
import { typedForm } from '../bursts/typing-bursts.ts'
import {
  factsOf,
  type EventAction,
  type EventFacts,
  type ExperimentFacts,
} from '../model/event-facts.ts'
import type { EventSource, Identification, Visitor, VisitorEvent } from '../model/visitor-event.ts'
import { filtersUsed, type UsedFilter } from './used-filters.ts'

/**
 * The kinds of activity in reports:
 *
 * - `search`
 * - `shown`: documents came into view
 * - `click`, `filter`, `cart`, `suggestion`: the visitor acted, which ends a typing burst
 * - `add`: Product Added
 * - `conversion`: a conversion without order id and revenue, such as adding to the cart
 * - `purchase`: a conversion with an order id or a revenue
 * - `order`: Order Completed
 * - `identify`, `other`: counted by name only
 */
export type ActivityKind =
  | 'search'
  | 'shown'
  | 'click'
  | 'filter'
  | 'cart'
  | 'suggestion'
  | 'add'
  | 'conversion'
  | 'purchase'
  | 'order'
  | 'identify'
  | 'other'

/** A part of an order, with its price. */
export interface SaleItem {
  readonly documentId: string | undefined
  readonly amount: number | undefined
}

/**
 * An entry of the log for reports: flat, and without what cannot be counted. Amounts are whole
 * millionths of a currency unit, so that sums are exact in any order.
 */
export interface Activity {
  readonly kind: ActivityKind
  readonly name: string
  readonly source: EventSource
  readonly atMs: number
  readonly receivedMs: number
  readonly visitor: Visitor
  readonly searchId: string | undefined
  /** The typed query: trimmed, in lower case, single blanks. */
  readonly query: string | undefined
  readonly found: number | undefined
  readonly tookMs: number | undefined
  /** Position of the clicked document among the results, from 1. */
  readonly rank: number | undefined
  readonly documentId: string | undefined
  /** Documents that came into view. */
  readonly shown: readonly string[]
  readonly orderId: string | undefined
  readonly currency: string | undefined
  /** Total of the order. */
  readonly amount: number | undefined
  /** The items converted or bought; the amounts add up to the total. */
  readonly items: readonly SaleItem[]
  readonly tags: readonly string[]
  readonly filters: readonly UsedFilter[]
  /** The arm of an experiment, from the service's record of the search. */
  readonly experiment: ExperimentFacts | undefined
  /** Rules that applied to a search, and its preset, from the service's record. */
  readonly rules: readonly string[]
  readonly preset: string | undefined
  /** It happened outside of search results: belongs to a search only if it names one. */
  readonly isOutside: boolean
}

/** Unit of amounts. */
export const MICROS = 1_000_000
const AMOUNT_MAX = 9e9
const RANK_MAX = 1_000_000
const CURRENCY_MAX_CHARS = 16
const SHOWN_MAX = 1_000

const KINDS: Readonly<Record<EventAction, ActivityKind>> = {
  search: 'search',
  results: 'shown',
  view: 'shown',
  filter: 'filter',
  click: 'click',
  conversion: 'conversion',
  add: 'add',
  order: 'order',
  list: 'other',
  cart: 'cart',
  suggestion_impression: 'other',
  suggestion_click: 'suggestion',
  custom: 'other',
}

const OUTSIDE = new Set(['Object Clicked Outside Search', 'Object Converted Outside Search'])

export function activityOf(event: VisitorEvent | Identification): Activity {
  const { atMs, receivedMs, visitor } = event
  if (event.kind === 'identify') {
    const base = { kind: 'identify', name: 'identify', source: 'canonical' } as const
    return { ...NOTHING, ...base, atMs, receivedMs, visitor }
  }
  const facts = factsOf(event)
  const { name, source } = event
  const documentIds = facts.documentIds.filter(
    (id) => Buffer.byteLength(id) <= DOCUMENT_ID_MAX_BYTES,
  )
  const amount = amountOf(facts)
  const orderId = short(facts.orderId, EVENT_ID_MAX_CHARS)
  const kind = kindOf(facts.action, orderId, amount)
  const documentId = documentIds[0]
  return {
    kind,
    name,
    source,
    atMs,
    receivedMs,
    visitor,
    searchId: short(facts.searchId, EVENT_ID_MAX_CHARS),
    query:
      kind === 'search'
        ? cleanQuery(facts.query ?? '')
        : facts.query === undefined
          ? undefined
          : cleanQuery(facts.query),
    found: count(facts.found),
    tookMs: source === 'server' ? facts.tookMs : undefined,
    rank: rankOf(facts.position),
    documentId,
    shown: kind === 'shown' ? documentIds.slice(0, SHOWN_MAX) : [],
    orderId,
    currency: short(facts.currency, CURRENCY_MAX_CHARS),
    amount,
    items: isConverting(kind) ? itemsOf(facts, documentId, amount) : [],
    tags: facts.tags.map((tag) => tag.replaceAll(TAG_SEPARATOR, ' ').toWellFormed()),
    filters: kind === 'search' || kind === 'filter' ? filtersUsed(event.properties) : [],
    rules: [...new Set(facts.rules.map((rule) => rule.toWellFormed()))],
    preset: facts.preset?.toWellFormed(),
    experiment: facts.experiment,
    isOutside: OUTSIDE.has(name),
  }
}

/** Never part of a tag: joins a list of tags to one string. */
export const TAG_SEPARATOR = '\u001F'

/** Returns the typed text in the form of reports. */
export function shownQueryOf(text: string): string {
  return shownQuery(cleanQuery(text))
}

/** An empty query and `*` ask for everything. */
export function shownQuery(typed: string): string {
  return typed === '' ? '*' : typed
}

const NOTHING = {
  searchId: undefined,
  query: undefined,
  found: undefined,
  tookMs: undefined,
  rank: undefined,
  documentId: undefined,
  shown: [],
  orderId: undefined,
  currency: undefined,
  amount: undefined,
  items: [],
  tags: [],
  filters: [],
  experiment: undefined,
  rules: [],
  preset: undefined,
  isOutside: false,
} as const

/** Counted in `conversions`. */
export function isConverting(kind: ActivityKind): boolean {
  return kind === 'conversion' || kind === 'purchase' || kind === 'order'
}

/** A click on a result. */
export function isSearchClick({ kind, isOutside }: Pick<Activity, 'kind' | 'isOutside'>): boolean {
  return kind === 'click' && !isOutside
}

function kindOf(
  action: EventAction,
  orderId: string | undefined,
  amount: number | undefined,
): ActivityKind {
  if (action === 'conversion' && (orderId !== undefined || amount !== undefined)) return 'purchase'
  return KINDS[action]
}

function amountOf({ revenue, lines }: EventFacts): number | undefined {
  if (revenue !== undefined) return micros(revenue)
  const priced = lines.flatMap((line) => lineAmount(line) ?? [])
  return priced.length === 0 ? undefined : priced.reduce((sum, one) => sum + one, 0)
}

/** The lines, and the rest of the total (delivery, a discount) without a document. */
function itemsOf(
  { lines }: EventFacts,
  documentId: string | undefined,
  amount: number | undefined,
): SaleItem[] {
  if (lines.length === 0) return [{ documentId, amount }]
  const items: SaleItem[] = lines.map((line) => ({
    documentId: short(line.documentId, DOCUMENT_ID_MAX_BYTES),
    amount: lineAmount(line),
  }))
  const rest = (amount ?? 0) - items.reduce((sum, item) => sum + (item.amount ?? 0), 0)
  if (rest !== 0) items.push({ documentId: undefined, amount: rest })
  return items
}

function lineAmount({ quantity, price }: EventFacts['lines'][number]): number | undefined {
  return price === undefined ? undefined : micros(quantity * price)
}

function micros(amount: number): number | undefined {
  return Math.abs(amount) < AMOUNT_MAX ? Math.round(amount * MICROS) + 0 : undefined
}

function count(value: number | undefined): number | undefined {
  return Number.isSafeInteger(value) && value! >= 0 ? value : undefined
}

function rankOf(value: number | undefined): number | undefined {
  return Number.isSafeInteger(value) && value! >= 1 && value! <= RANK_MAX ? value : undefined
}

function cleanQuery(query: string): string {
  return typedForm(query.slice(0, QUERY_LENGTH_MAX_CHARS).toWellFormed())
}

function short(text: string | undefined, maxChars: number): string | undefined {
  return text !== undefined && text.length <= maxChars ? text.toWellFormed() : undefined
}
