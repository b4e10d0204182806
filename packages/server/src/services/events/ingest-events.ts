import { randomUUID } from 'node:crypto'
import {
  ApiError,
  EVENTS_PER_BATCH_MAX,
  type EventAccepted,
  type EventBatchAccepted,
  type EventValidation,
  type EventVerdict,
  type IngestResponse,
} from '@aisle/contract'
import {
  checkCanonicalEvent,
  checkSimpleEvent,
  readEnvelope,
  type CheckedSimpleEvent,
  type Identification,
  type RefusedEvent,
  type Visitor,
  type VisitorEvent,
} from '@aisle/events'
import type { EventBatch } from '../../ports/event-log.ts'
import type { StoreRecord } from '../../ports/store-registry.ts'
import type { ServicePorts } from '../service-ports.ts'

/** Number of events by verdict, for the metrics. */
export type VerdictCounts = Readonly<Record<EventVerdict, number>>

export interface Ingested<Answer> {
  readonly answer: Answer
  readonly verdicts: VerdictCounts
}

type Events = Pick<ServicePorts, 'events' | 'clock' | 'registry'>

/** The JSON of a request with events. @throws ApiError malformed_json */
export function parseEvents(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(UTF_8.decode(bytes))
  } catch (error) {
    const message = error instanceof TypeError ? 'not UTF-8' : (error as Error).message
    throw new ApiError('malformed_json', `The body is not JSON: ${message}`)
  }
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/** One event of the simple form. @throws ApiError invalid_event, unavailable */
export async function ingestEvent(
  ports: Events,
  storeId: string,
  visitor: Visitor,
  value: unknown,
): Promise<Ingested<EventAccepted>> {
  const checked = checkOne(ports, visitor, value)
  const { event, errors } = checked
  if (event === undefined) {
    await store(ports, storeId, { entries: [], refused: [refusalOf(checked)] })
    const details = errors.map(({ param, message }) => ({
      ...(param === undefined ? {} : { param }),
      code: 'invalid_event' as const,
      message,
    }))
    const [first] = errors
    throw new ApiError('invalid_event', `Cannot take the event: ${first?.message ?? ''}`, {
      param: first?.param,
      details,
    })
  }
  const verdicts = await store(ports, storeId, { entries: [event], refused: [] })
  return { answer: { status: 'accepted', event_id: event.messageId }, verdicts }
}

/**
 * Ingests up to a hundred events, each on its own.
 * @throws ApiError if the list as a whole is invalid; unavailable
 */
export async function ingestBatch(
  ports: Events,
  storeId: string,
  visitor: Visitor,
  body: unknown,
): Promise<Ingested<EventBatchAccepted>> {
  const entries: VisitorEvent[] = []
  const refused: RefusedEvent[] = []
  const errors: { index: number; errors: string[] }[] = []
  for (const [index, value] of listOf(body).entries()) {
    const checked = checkOne(ports, visitor, value)
    if (checked.event !== undefined) {
      entries.push(checked.event)
      continue
    }
    refused.push(refusalOf(checked))
    errors.push({ index, errors: checked.errors.map(({ message }) => message) })
  }
  const verdicts = await store(ports, storeId, { entries, refused })
  return {
    answer: {
      status: 'accepted',
      accepted: entries.length,
      rejected: refused.length,
      ...(errors.length === 0 ? {} : { errors }),
    },
    verdicts,
  }
}

/** Reports what is wrong with an event, and stores nothing. */
export function validateEvent(ports: Events, visitor: Visitor, value: unknown): EventValidation {
  const { errors, warnings } = checkOne(ports, visitor, value)
  return {
    valid: errors.length === 0,
    ...(errors.length === 0 ? {} : { errors: errors.map(({ message }) => message) }),
    warnings: [...warnings],
  }
}

/**
 * Ingests a batch in the canonical form. `okEvents` counts those that passed the checks, duplicates
 * and unknown names included, because a client must not send them again.
 *
 * @throws EnvelopeError, ApiError unavailable
 */
export async function ingestCanonical(
  ports: Events,
  owner: StoreRecord,
  body: unknown,
  options: {
    readonly address: Pick<Visitor, 'client' | 'network'>
    readonly storeOf: (writeKey: string) => StoreRecord | undefined
    /** Without `sentAt`, the client's clock is trusted. */
    readonly sentAtOptional?: boolean
    /** The only user id that counts; empty: none counts; absent: all count. */
    readonly onlyUser?: string | undefined
  },
): Promise<Ingested<IngestResponse>> {
  const { batch, sentAtMs } = readEnvelope(body, options)
  const entries: (VisitorEvent | Identification)[] = []
  const refused: RefusedEvent[] = []
  const knownKeys = new Map<string, boolean>()
  const context = {
    receivedMs: ports.clock.now(),
    sentAtMs,
    address: options.address,
    isKeyOfStore: (writeKey: string): boolean => {
      let isKey = knownKeys.get(writeKey)
      if (isKey === undefined) {
        isKey = options.storeOf(writeKey)?.storeId === owner.storeId
        knownKeys.set(writeKey, isKey)
      }
      return isKey
    },
  }
  let okEvents = 0
  for (const value of batch) {
    const checked = checkCanonicalEvent(value, context)
    if (checked.kind !== 'invalid') okEvents++
    if (checked.kind === 'stored') entries.push(withoutOthers(checked.entry, options.onlyUser))
    else refused.push(checked.refused)
  }
  const verdicts = await store(ports, owner.storeId, { entries, refused })
  const receivedEvents = batch.length
  return { answer: { ok: okEvents === receivedEvents, okEvents, receivedEvents }, verdicts }
}

/** Drops ids of other users from an event; the event itself counts. */
function withoutOthers<Entry extends VisitorEvent | Identification>(
  entry: Entry,
  onlyUser: string | undefined,
): Entry {
  const { userId, ...visitor } = entry.visitor
  if (onlyUser === undefined || userId === undefined || userId === onlyUser) return entry
  return { ...entry, visitor }
}

async function store(
  { events, registry }: Events,
  storeId: string,
  batch: EventBatch,
): Promise<VerdictCounts> {
  const owner = registry.find(storeId)
  if (owner === undefined) {
    throw new ApiError('store_not_found', 'There is no store of that id')
  }
  const { entries, refused } = batch
  const duplicates = entries.length + refused.length === 0 ? [] : await events.append(owner, batch)
  const dropped = refused.filter(({ verdict }) => verdict === 'dropped_unknown').length
  return {
    accepted: entries.length - duplicates.length,
    duplicate: duplicates.length,
    dropped_unknown: dropped,
    invalid: refused.length - dropped,
  }
}

function checkOne({ clock }: Events, visitor: Visitor, value: unknown): CheckedSimpleEvent {
  return checkSimpleEvent(value, { receivedMs: clock.now(), visitor, newId: randomUUID })
}

function refusalOf({ name, errors }: CheckedSimpleEvent): RefusedEvent {
  const reasons = errors.map(({ message }) => message)
  return { verdict: 'invalid', name, source: 'simple', reasons }
}

function listOf(body: unknown): readonly unknown[] {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  const { events } = (isObject ? body : {}) as { events?: unknown }
  if (events === undefined) {
    throw new ApiError('missing_parameter', 'Parameter `events` is required', { param: 'events' })
  }
  if (Array.isArray(events) && events.length <= EVENTS_PER_BATCH_MAX) return events
  throw new ApiError(
    'invalid_parameter',
    `Parameter \`events\` must be a list of at most ${EVENTS_PER_BATCH_MAX} events`,
    { param: 'events' },
  )
}
