import { isObject, EVENT_AGE_MAX_DAYS, EVENT_ID_MAX_CHARS } from '@aisle/contract'
import { isCanonicalName } from '../model/event-facts.ts'
import type { Identification, RefusedEvent, Visitor, VisitorEvent } from '../model/visitor-event.ts'
import { correctedTime, parseTime } from './event-time.ts'
import { isId, received, wholeFault, type JsonObject } from './json-value.ts'

/** An ingest request with a valid envelope; its events are unchecked. */
export interface Envelope {
  readonly batch: readonly unknown[]
  readonly sentAtMs: number | undefined
}

/** The envelope is invalid, and with it the request. */
export class EnvelopeError extends Error {
  override readonly name = 'EnvelopeError'
}

/**
 * @param options.sentAtOptional whether `sentAt` may be left out, or be null
 * @throws EnvelopeError
 */
export function readEnvelope(
  body: unknown,
  { sentAtOptional = false }: { readonly sentAtOptional?: boolean } = {},
): Envelope {
  if (!isObject(body)) {
    throw new EnvelopeError(`The body must be a JSON object, received ${received(body)}`)
  }
  const { batch, sentAt } = body
  if (!Array.isArray(batch)) {
    throw new EnvelopeError(`"batch" must be a list of events, received ${received(batch)}`)
  }
  if (batch.length === 0) throw new EnvelopeError('"batch" must have at least one event')
  const sentAtMs = parseTime(sentAt)
  const mayBeAbsent = sentAtOptional && (sentAt ?? undefined) === undefined
  if (sentAtMs === undefined && !mayBeAbsent) {
    throw new EnvelopeError(`"sentAt" must be an ISO 8601 time, received ${received(sentAt)}`)
  }
  return { batch, sentAtMs }
}

/** The write key in the body: that of the envelope, else that of the first event. */
export function writeKeyOf(body: unknown): string | undefined {
  if (!isObject(body)) return undefined
  const first: unknown = Array.isArray(body['batch']) ? body['batch'][0] : undefined
  for (const key of [body['writeKey'], isObject(first) ? first['writeKey'] : undefined]) {
    if (typeof key === 'string' && key !== '') return key
  }
  return undefined
}

export interface CanonicalContext {
  readonly receivedMs: number
  readonly sentAtMs: number | undefined
  /** Hashes of the client's address; the ids are in each event. */
  readonly address: Pick<Visitor, 'client' | 'network'>
  /** Whether the write key of an event belongs to the store of the envelope. */
  readonly isKeyOfStore: (writeKey: string) => boolean
}

/**
 * - `stored`: appended to the log.
 * - `dropped`: counted in okEvents but not stored: an unknown name, or a type that is not used
 *   (page, screen, group, alias). -
 * - `invalid`: refused.
 */
export type CheckedCanonicalEvent =
  | { readonly kind: 'stored'; readonly entry: VisitorEvent | Identification }
  | { readonly kind: 'dropped' | 'invalid'; readonly refused: RefusedEvent }

/** Checks one event of a batch. */
export function checkCanonicalEvent(
  value: unknown,
  context: CanonicalContext,
): CheckedCanonicalEvent {
  if (!isObject(value)) {
    return invalid('unknown', undefined, `The event must be an object, received ${received(value)}`)
  }
  const { type, event: name, messageId } = value
  const label =
    typeof name === 'string' && name !== '' ? name : typeof type === 'string' ? type : 'unknown'
  const timestampMs = parseTime(value['timestamp'] ?? value['originalTimestamp'])
  const fault = faultOf(value, timestampMs, context)
  if (fault !== undefined) return invalid(label, messageId, fault)

  const { userId, anonymousId, properties } = value
  const { receivedMs, sentAtMs } = context
  const atMs =
    timestampMs === undefined ? receivedMs : correctedTime({ timestampMs, sentAtMs, receivedMs })
  if (atMs === undefined) {
    return invalid(label, messageId, `The event is more than ${EVENT_AGE_MAX_DAYS} days old`)
  }
  const visitor: Visitor = {
    ...(isId(userId) ? { userId } : {}),
    ...(isId(anonymousId) ? { anonymousId } : {}),
    ...sessionOf(value),
    ...context.address,
  }
  const common = { messageId: messageId as string, atMs, receivedMs, visitor }
  if (type === 'identify') return { kind: 'stored', entry: { kind: 'identify', ...common } }
  if (type !== 'track' || !isCanonicalName(name as string)) {
    const reason =
      type === 'track'
        ? 'Unknown event name: ignored'
        : `Events of type "${label}" are accepted but not stored`
    return { kind: 'dropped', refused: refusal('dropped_unknown', label, messageId, reason) }
  }
  return {
    kind: 'stored',
    entry: {
      kind: 'event',
      name: name as string,
      source: 'canonical',
      ...common,
      properties: properties as JsonObject,
    },
  }
}

function faultOf(
  event: JsonObject,
  timestampMs: number | undefined,
  context: CanonicalContext,
): string | undefined {
  const { type, messageId, writeKey } = event
  if (typeof type !== 'string' || type === '') {
    return `"type" must be a string, received ${received(type)}`
  }
  const whole = wholeFault(event)
  if (whole !== undefined) return whole
  if (!isId(messageId)) {
    return `"messageId" must be a string of 1 to ${EVENT_ID_MAX_CHARS} characters, received ${received(messageId)}`
  }
  if ((writeKey ?? undefined) !== undefined) {
    if (typeof writeKey !== 'string' || !context.isKeyOfStore(writeKey)) {
      return '"writeKey" is not a key of the store that the envelope names'
    }
  }
  return identityFault(event) ?? timeFault(event, timestampMs) ?? trackFault(event)
}

function identityFault({ anonymousId, userId }: JsonObject): string | undefined {
  const fault = idFault('anonymousId', anonymousId) ?? idFault('userId', userId)
  if (fault !== undefined) return fault
  return isId(anonymousId) || isId(userId) ? undefined : '"anonymousId" or "userId" is required'
}

/** Clients send null or an empty string for a visitor who is not logged in. */
function idFault(key: string, id: unknown): string | undefined {
  if (id === undefined || id === null || id === '' || isId(id)) return undefined
  return `"${key}" must be a string of at most ${EVENT_ID_MAX_CHARS} characters, received ${received(id)}`
}

function timeFault(event: JsonObject, timestampMs: number | undefined): string | undefined {
  if (timestampMs !== undefined) return undefined
  const time = event['timestamp'] ?? event['originalTimestamp']
  // Events that are not stored need no time.
  if (time === undefined && event['type'] !== 'track') return undefined
  return `"timestamp" must be an ISO 8601 time, received ${received(time)}`
}

function trackFault({ type, event, properties }: JsonObject): string | undefined {
  if (type !== 'track') return undefined
  if (typeof event !== 'string' || event === '') {
    return `"event" must be the name of an event, received ${received(event)}`
  }
  return isObject(properties)
    ? undefined
    : `"properties" must be an object, received ${received(properties)}`
}

/**
 * Clients of RudderStack number their sessions, in `context`; any client may name one in
 * `properties`.
 */
function sessionOf({ context, properties }: JsonObject): Pick<Visitor, 'sessionId'> {
  const own = isObject(properties) ? properties['session_id'] : undefined
  const session = own ?? (isObject(context) ? context['sessionId'] : undefined)
  if (Number.isSafeInteger(session)) return { sessionId: String(session) }
  return isId(session) ? { sessionId: session } : {}
}

function invalid(name: string, messageId: unknown, reason: string): CheckedCanonicalEvent {
  return { kind: 'invalid', refused: refusal('invalid', name, messageId, reason) }
}

function refusal(
  verdict: RefusedEvent['verdict'],
  name: string,
  messageId: unknown,
  reason: string,
): RefusedEvent {
  return {
    verdict,
    name,
    source: 'canonical',
    reasons: [reason],
    ...(isId(messageId) ? { messageId } : {}),
  }
}
