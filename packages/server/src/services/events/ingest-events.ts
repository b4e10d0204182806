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
  type CheckedCanonicalEvent,
  type CheckedSimpleEvent,
  type Identification,
  type RefusedEvent,
  type Visitor,
  type VisitorEvent,
} from '@aisle/event-log'
import type { EventBatch } from '../../ports/events/event-log.ts'
import type { StoreRecord } from '../../ports/catalog/store-registry.ts'
import type { ServicePorts } from '../service-ports.ts'
import type { VisibleDocuments } from './visible-documents.ts'

/** Number of events by verdict, for the metrics. */
export type VerdictCounts = Readonly<Record<EventVerdict, number>>

export interface Ingested<Answer> {
  readonly answer: Answer
  readonly verdicts: VerdictCounts
}

export type Events = Pick<ServicePorts, 'events' | 'clock' | 'registry'> & {
  /** What the sender sees of the store; absent: everything. */
  readonly visible?: VisibleDocuments
}

/** Parses the JSON of a request with events. @throws ApiError malformed_json */
export function parseEvents(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(UTF_8.decode(bytes))
  } catch (error) {
    const message = error instanceof TypeError ? 'not UTF-8' : (error as Error).message
    throw new ApiError('malformed_json', `The body is not JSON: ${message}`)
  }
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/** Ingests one event of the simple form. @throws ApiError invalid_event, unavailable */
export async function ingestEvent(
  ports: Events,
  storeId: string,
  visitor: Visitor,
  value: unknown,
): Promise<Ingested<EventAccepted>> {
  const checked = checkSimple(ports, visitor, value)
  const { event, errors } = checked
  if (event === undefined) {
    await store(ports, storeId, { entries: [], refused: [refusalOf(checked)] })
    const details = errors.map(({ param, message }) => ({
      ...(param === undefined ? {} : { param }),
      code: 'invalid_event' as const,
      message,
    }))
    const [first] = errors
    throw new ApiError('invalid_event', `Invalid event: ${first?.message ?? ''}`, {
      param: first?.param,
      details,
    })
  }
  const verdicts = await storeVisible(ports, storeId, { entries: [event], refused: [] })
  return { answer: { status: 'accepted', event_id: event.messageId }, verdicts }
}

/**
 * Ingests up to a hundred events, each independently.
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
    const checked = checkSimple(ports, visitor, value)
    if (checked.event !== undefined) {
      entries.push(checked.event)
      continue
    }
    refused.push(refusalOf(checked))
    errors.push({ index, errors: checked.errors.map(({ message }) => message) })
  }
  const verdicts = await storeVisible(ports, storeId, { entries, refused })
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

/** Reports the faults of an event without storing it. */
export function validateEvent(ports: Events, visitor: Visitor, value: unknown): EventValidation {
  const { errors, warnings } = checkSimple(ports, visitor, value)
  return {
    valid: errors.length === 0,
    ...(errors.length === 0 ? {} : { errors: errors.map(({ message }) => message) }),
    warnings: [...warnings],
  }
}

export interface CanonicalOptions {
  readonly address: Pick<Visitor, 'client' | 'network'>
  readonly storeOf: (writeKey: string) => StoreRecord | undefined
  /** Whether `sentAt` may be missing; the clock of the client is trusted then. */
  readonly sentAtOptional?: boolean
  /** The only user whose id is accepted; empty: none; absent: all. */
  readonly onlyUser?: string | undefined
}

/**
 * Ingests a batch of the canonical form. `okEvents` are those that passed the checks, duplicates
 * and unknown names included: a client must not send them again.
 *
 * @throws EnvelopeError, ApiError unavailable
 */
export async function ingestCanonical(
  ports: Events,
  owner: StoreRecord,
  body: unknown,
  options: CanonicalOptions,
): Promise<Ingested<IngestResponse>> {
  const checked = checkCanonical(ports, owner, body, options)
  const entries = checked.flatMap((one) => (one.kind === 'stored' ? one.entry : []))
  const refused = checked.flatMap((one) => (one.kind === 'stored' ? [] : one.refused))
  const verdicts = await store(ports, owner.storeId, { entries, refused })
  const receivedEvents = checked.length
  const okEvents = receivedEvents - verdicts.invalid
  return { answer: { ok: okEvents === receivedEvents, okEvents, receivedEvents }, verdicts }
}

/** Returns the events of a batch of the canonical form, one by one. @throws EnvelopeError */
export function checkCanonical(
  { clock }: Pick<Events, 'clock'>,
  owner: StoreRecord,
  body: unknown,
  options: CanonicalOptions,
): (CheckedCanonicalEvent & { readonly isOthers: boolean })[] {
  const { batch, sentAtMs } = readEnvelope(body, options)
  const knownKeys = new Map<string, boolean>()
  const context = {
    receivedMs: clock.now(),
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
  return batch.map((value) => {
    const checked = checkCanonicalEvent(value, context)
    if (checked.kind !== 'stored') return { ...checked, isOthers: false }
    const entry = withoutOthers(checked.entry, options.onlyUser)
    return { kind: 'stored', entry, isOthers: entry !== checked.entry }
  })
}

/** Removes ids of other users from an event; the event itself is stored. */
function withoutOthers<Entry extends VisitorEvent | Identification>(
  entry: Entry,
  onlyUser: string | undefined,
): Entry {
  const { userId, ...visitor } = entry.visitor
  if (onlyUser === undefined || userId === undefined || userId === onlyUser) return entry
  return { ...entry, visitor }
}

/**
 * Drops events about documents that the sender does not see. The answer is that of stored events,
 * so that it does not tell which documents exist.
 */
async function storeVisible(
  ports: Events,
  storeId: string,
  { entries, refused }: { entries: VisitorEvent[]; refused: RefusedEvent[] },
): Promise<VerdictCounts> {
  const { seen, dropped } = (await ports.visible?.split(entries)) ?? { seen: entries, dropped: [] }
  return await store(ports, storeId, { entries: seen, refused: [...refused, ...dropped] })
}

async function store(
  { events, registry }: Events,
  storeId: string,
  batch: EventBatch,
): Promise<VerdictCounts> {
  const owner = registry.find(storeId)
  if (owner === undefined) {
    throw new ApiError('store_not_found', 'There is no store with this id')
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

export function checkSimple(
  { clock }: Events,
  visitor: Visitor,
  value: unknown,
): CheckedSimpleEvent {
  return checkSimpleEvent(value, { receivedMs: clock.now(), visitor, newId: randomUUID })
}

export function refusalOf({ name, errors }: CheckedSimpleEvent): RefusedEvent {
  const reasons = errors.map(({ message }) => message)
  return { verdict: 'invalid', name, source: 'simple', reasons }
}

/** @throws ApiError */
export function listOf(body: unknown): readonly unknown[] {
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
