import type { TailedEvent } from '@aisle/contract'

type Properties = Readonly<Record<string, unknown>>

/** @param text in the name, an id, or a property. @param verdict empty: any */
export function isWanted(event: TailedEvent, text: string, verdict: string): boolean {
  if (verdict === FAULTY ? !isFaulty(event) : verdict !== '' && event.verdict !== verdict) {
    return false
  }
  const wanted = text.trim().toLocaleLowerCase()
  if (wanted === '') return true
  const { name, user_id, anonymous_id, session_id, message_id, properties } = event
  const { reasons, warnings } = event
  const parts = [name, user_id, anonymous_id, session_id, message_id, properties]
  return [...parts, reasons, warnings].some(
    (part) =>
      part !== undefined &&
      (typeof part === 'string' ? part : JSON.stringify(part)).toLocaleLowerCase().includes(wanted),
  )
}

/** The choice of all events that need somebody's attention. */
export const FAULTY = 'faulty'

function isFaulty({ verdict, warnings = [] }: TailedEvent): boolean {
  return verdict === 'invalid' || verdict === 'dropped_unknown' || warnings.length > 0
}

/** Whether two events name the same user, browser or session. */
export function sameVisitor(left: TailedEvent, right: TailedEvent): boolean {
  return (['user_id', 'anonymous_id', 'session_id'] as const).some(
    (id) => left[id] !== undefined && left[id] === right[id],
  )
}

/** The ids that a visitor is known by. */
export const ID_KINDS = [
  { value: 'anonymous_id', label: 'Anonymous id' },
  { value: 'user_id', label: 'User id' },
  { value: 'session_id', label: 'Session id' },
] as const
export type IdKind = (typeof ID_KINDS)[number]['value']

/** A link to the whole journey of the visitor of an event; undefined if it names nobody. */
export function journeyAddress(event: TailedEvent): string | undefined {
  const by = (['user_id', 'anonymous_id', 'session_id'] as const).find(
    (kind) => event[kind] !== undefined,
  )
  if (by === undefined) return undefined
  return `?${new URLSearchParams({ tab: 'journey', by, visitor: event[by]! }).toString()}`
}

/** The visitor, by the best id that the event has. */
export function visitorOf({ user_id, anonymous_id, session_id }: TailedEvent): string | undefined {
  return user_id ?? anonymous_id ?? session_id
}

/**
 * The subject of an event in one line: the query, the product, the order, or the reason for its
 * refusal.
 */
export function aboutOf({ reasons = [], warnings = [], properties }: TailedEvent): string {
  const faults = [...reasons, ...warnings]
  if (faults.length > 0) return faults.join('; ')
  const facts = (properties ?? {}) as Properties
  const text = (names: readonly string[]): string | undefined => {
    const value = names.map((name) => facts[name]).find((one) => one !== undefined && one !== null)
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
  }
  const query = text(['query', 'q'])
  const parts = [
    query === undefined ? undefined : `“${query}”`,
    text(['object_id', 'product_id', 'document_id']),
    text(['order_id']),
  ]
  return parts.filter((part) => part !== undefined).join(' · ')
}
