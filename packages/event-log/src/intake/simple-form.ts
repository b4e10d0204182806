import {
  isObject,
  ANALYTICS_TAG_MAX_CHARS,
  ANALYTICS_TAGS_MAX,
  EVENT_ID_MAX_CHARS,
  EVENT_NAME_MAX_CHARS,
  SIMPLE_EVENT_TYPES,
  type SimpleEventType,
} from '@aisle/contract'
import type { Visitor, VisitorEvent } from '../model/visitor-event.ts'
import { correctedTime, parseTime } from './event-time.ts'
import { isId, received, wholeFault, type JsonObject } from './json-value.ts'

export interface SimpleContext {
  readonly receivedMs: number
  /** Taken from the identity headers and the client's address. */
  readonly visitor: Visitor
  /** Generates a message id for an event without one. */
  readonly newId: () => string
}

export interface SimpleFault {
  /** `data.query`; absent if the event as a whole is invalid. */
  readonly param?: string
  readonly message: string
}

export interface CheckedSimpleEvent {
  /** Absent if there are errors. */
  readonly event?: VisitorEvent
  /** The name to count under, also for an invalid event. */
  readonly name: string
  readonly errors: readonly SimpleFault[]
  readonly warnings: readonly string[]
}

type FieldKind = 'text' | 'whole' | 'number' | 'object' | 'tags'

const COMMON: Readonly<Record<string, FieldKind>> = { search_id: 'text', analytics_tags: 'tags' }

/** The known fields of `data`, by event type. Others are stored unchanged. */
const FIELDS: Readonly<Record<SimpleEventType, Readonly<Record<string, FieldKind>>>> = {
  search: {
    query: 'text',
    total_results: 'whole',
    page: 'whole',
    filters_applied: 'object',
    ...COMMON,
  },
  click: { query: 'text', document_id: 'text', position: 'whole', ...COMMON },
  conversion: {
    query: 'text',
    document_id: 'text',
    revenue: 'number',
    currency: 'text',
    order_id: 'text',
    ...COMMON,
  },
  custom: { name: 'text', document_id: 'text', query: 'text', metadata: 'object', ...COMMON },
}

/** Required fields: at least one field of each list must be present. */
const REQUIRED: Readonly<Record<SimpleEventType, readonly (readonly string[])[]>> = {
  search: [['query']],
  click: [['query'], ['document_id']],
  conversion: [['document_id', 'order_id']],
  custom: [['name']],
}

/** A visitor may submit an empty search box; no other text may be empty. */
const MAY_BE_EMPTY = 'query'
const KNOWN_KEYS = ['event_type', 'data', 'timestamp', 'message_id']

/** Checks one event of the main API, the same way for every route. */
export function checkSimpleEvent(value: unknown, context: SimpleContext): CheckedSimpleEvent {
  const errors: SimpleFault[] = []
  const warnings: string[] = []
  if (!isObject(value)) {
    const message = `The event must be a JSON object, received ${received(value)}`
    return { name: 'unknown', errors: [{ message }], warnings }
  }
  const whole = wholeFault(value)
  const name = isSimpleType(value['event_type']) ? value['event_type'] : undefined
  if (whole !== undefined)
    return { name: name ?? 'unknown', errors: [{ message: whole }], warnings }
  if (name === undefined) {
    errors.push({
      param: 'event_type',
      message: `\`event_type\` must be one of ${SIMPLE_EVENT_TYPES.join(', ')}, received ${received(value['event_type'])}`,
    })
  }
  const { data } = value
  if (!isObject(data)) {
    errors.push({
      param: 'data',
      message: `\`data\` must be an object, received ${received(data)}`,
    })
  } else if (name !== undefined) {
    checkData(name, data, errors)
  }
  const atMs = checkTime(value['timestamp'], context.receivedMs, errors, warnings)
  const messageId = value['message_id'] ?? undefined
  if (messageId !== undefined && !isId(messageId)) {
    errors.push({
      param: 'message_id',
      message: `\`message_id\` must be a string of 1 to ${EVENT_ID_MAX_CHARS} characters, received ${received(messageId)}`,
    })
  }
  const { anonymousId, sessionId, userId } = context.visitor
  if (anonymousId === undefined && sessionId === undefined) {
    warnings.push(
      userId === undefined
        ? 'No identity: send the header x-anon-id or x-session-id, so that the event belongs to a visitor'
        : 'Send the header x-session-id or x-anon-id too, so that the event belongs to a session',
    )
  }
  for (const key of Object.keys(value)) {
    if (KNOWN_KEYS.includes(key) || warnings.length >= 20) continue
    warnings.push(`Unknown field \`${key.slice(0, 100).toWellFormed()}\` is ignored`)
  }
  if (errors.length > 0 || name === undefined || !isObject(data)) {
    return { name: name ?? 'unknown', errors, warnings }
  }
  const event: VisitorEvent = {
    kind: 'event',
    name,
    source: 'simple',
    messageId: isId(messageId) ? messageId : context.newId(),
    atMs,
    receivedMs: context.receivedMs,
    visitor: context.visitor,
    properties: data,
  }
  return { event, name, errors, warnings }
}

function isSimpleType(value: unknown): value is SimpleEventType {
  return SIMPLE_EVENT_TYPES.includes(value as SimpleEventType)
}

function checkTime(
  timestamp: unknown,
  receivedMs: number,
  errors: SimpleFault[],
  warnings: string[],
): number {
  if (timestamp === undefined || timestamp === null) {
    warnings.push('No `timestamp`: the time of receipt is used')
    return receivedMs
  }
  const timestampMs = parseTime(timestamp)
  if (timestampMs === undefined) {
    errors.push({
      param: 'timestamp',
      message: `\`timestamp\` must be an ISO 8601 time, received ${received(timestamp)}`,
    })
    return receivedMs
  }
  const atMs = correctedTime({ timestampMs, receivedMs })
  if (atMs === undefined) {
    errors.push({ param: 'timestamp', message: '`timestamp` is too old to be counted' })
  } else if (atMs !== timestampMs) {
    warnings.push('`timestamp` is in the future: the time of receipt is used')
  }
  return atMs ?? receivedMs
}

function checkData(name: SimpleEventType, data: JsonObject, errors: SimpleFault[]): void {
  for (const choice of REQUIRED[name]) {
    if (choice.some((field) => (data[field] ?? undefined) !== undefined)) continue
    const names = choice.map((field) => `\`data.${field}\``).join(' or ')
    errors.push({ param: `data.${choice[0]}`, message: `${names} is required for a ${name} event` })
  }
  for (const [field, kind] of Object.entries(FIELDS[name])) {
    const value = data[field] ?? undefined
    if (value === undefined) continue
    const expected = faultOf(kind, value, field)
    if (expected === undefined) continue
    const param = `data.${field}`
    errors.push({ param, message: `\`${param}\` must be ${expected}, received ${received(value)}` })
  }
}

/** @returns what was expected, or `undefined` if the value is valid */
function faultOf(kind: FieldKind, value: unknown, field: string): string | undefined {
  switch (kind) {
    case 'text': {
      if (typeof value === 'string' && (value !== '' || field === MAY_BE_EMPTY)) {
        const isName = field === 'name' && value.length > EVENT_NAME_MAX_CHARS
        return isName ? `a string of at most ${EVENT_NAME_MAX_CHARS} characters` : undefined
      }
      return field === MAY_BE_EMPTY ? 'a string' : 'a non-empty string'
    }
    case 'whole':
      return Number.isSafeInteger(value) && (value as number) >= 0
        ? undefined
        : 'a whole number from 0'
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? undefined : 'a number'
    case 'object':
      return isObject(value) ? undefined : 'an object'
    case 'tags':
      return areTags(value)
        ? undefined
        : `a list of at most ${ANALYTICS_TAGS_MAX} strings of 1 to ${ANALYTICS_TAG_MAX_CHARS} characters`
  }
}

function areTags(value: unknown): boolean {
  if (!Array.isArray(value) || value.length > ANALYTICS_TAGS_MAX) return false
  return value.every(
    (tag) => typeof tag === 'string' && tag !== '' && tag.length <= ANALYTICS_TAG_MAX_CHARS,
  )
}
