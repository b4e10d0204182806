import { ApiError, isObject, type CheckedEvent, type EventCheck } from '@aisle/contract'
import { EnvelopeError, propertyWarnings, writeKeyOf, type RefusedEvent } from '@aisle/event-log'
import type { Identification, Visitor, VisitorEvent } from '@aisle/event-log'
import type { StoreRecord } from '../../ports/catalog/store-registry.ts'
import {
  checkCanonical,
  checkSimple,
  listOf,
  refusalOf,
  type CanonicalOptions,
  type Events,
} from './ingest-events.ts'
import { shownEvent } from './shown-event.ts'

export interface CheckOptions extends Omit<CanonicalOptions, 'sentAtOptional'> {
  /** Whether the paths that stock clients have built in are served. */
  readonly hasAliases: boolean
}

interface Checked {
  readonly entry?: VisitorEvent | Identification
  readonly refused?: RefusedEvent
  readonly warnings: readonly string[]
}

type Request = Pick<EventCheck, 'form' | 'route' | 'error'> & {
  readonly warnings: readonly string[]
  readonly checked: readonly Checked[]
}

/**
 * Checks a request as the ingest would, in any form: one event or a batch, simple or canonical.
 * Stores and counts nothing.
 *
 * @throws ApiError unavailable
 */
export async function checkEvents(
  ports: Events,
  owner: StoreRecord,
  visitor: Visitor,
  body: unknown,
  options: CheckOptions,
): Promise<EventCheck> {
  const request = isCanonical(body)
    ? canonicalRequest(ports, owner, body, options)
    : simpleRequest(ports, visitor, body)
  const { checked, warnings, ...rest } = request
  const entries = checked.flatMap(({ entry }) => entry ?? [])
  const places = await ports.events.known(owner, entries)
  const known = new Set(places.map((place) => entries[place]))
  return {
    ...rest,
    warnings: [...warnings],
    events: checked.map((one) => verdictOf(one, known)),
  }
}

/** Events of the canonical form have a `type`, batches of them a `batch`. */
function isCanonical(body: unknown): body is Readonly<Record<string, unknown>> {
  if (!isObject(body) || body['event_type'] !== undefined || body['events'] !== undefined) {
    return false
  }
  return ['batch', 'type', 'messageId', 'event'].some((key) => body[key] !== undefined)
}

function simpleRequest(ports: Events, visitor: Visitor, body: unknown): Request {
  const isBatch = isObject(body) && body['events'] !== undefined
  const route = isBatch ? '/analytics/batch' : '/analytics/event'
  const base = { form: 'simple', route, warnings: [] } as const
  try {
    const list = isBatch ? listOf(body) : [body]
    const checked = list.map((value): Checked => {
      const { event, warnings, ...fault } = checkSimple(ports, visitor, value)
      if (event !== undefined) return { entry: event, warnings }
      return { refused: refusalOf({ ...fault, warnings }), warnings }
    })
    return { ...base, checked }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { ...base, error: error.message, checked: [] }
  }
}

function canonicalRequest(
  ports: Events,
  owner: StoreRecord,
  body: Readonly<Record<string, unknown>>,
  options: CheckOptions,
): Request {
  const isBatch = body['batch'] !== undefined
  const isStrict = isBatch && (body['sentAt'] ?? undefined) !== undefined
  const route = isStrict ? '/v1/b' : isBatch ? '/v1/batch' : `/v1/${typeOf(body)}`
  const envelope = isBatch ? body : { batch: [body], sentAt: body['sentAt'] }
  const warnings: string[] = []
  const key = writeKeyOf(envelope)
  if (key === undefined) {
    warnings.push(
      'No `writeKey`: send it as the user name of Basic authentication, or as `?writeKey`',
    )
  }
  const isOther = key !== undefined && options.storeOf(key)?.storeId !== owner.storeId
  const base = { form: 'canonical', route, warnings } as const
  if (isOther) return { ...base, error: '"writeKey" is not a key of this store', checked: [] }
  if (!isStrict && !options.hasAliases) {
    const missing = isBatch ? '`sentAt` is missing' : '`batch` and `sentAt` are missing'
    const error = `${missing}, and the paths of stock clients, such as ${route}, are switched off`
    return { ...base, error, checked: [] }
  }
  try {
    const checked = checkCanonical(ports, owner, envelope, {
      ...options,
      sentAtOptional: !isStrict,
    })
    return {
      ...base,
      checked: checked.map((one): Checked => {
        if (one.kind !== 'stored') return { refused: one.refused, warnings: [] }
        const isUnsigned = one.isOthers ? ['`userId` is ignored: it is not signed'] : []
        const { entry } = one
        const missing = entry.kind === 'event' ? propertyWarnings(entry) : []
        return { entry, warnings: [...isUnsigned, ...missing] }
      }),
    }
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error
    return { ...base, error: error.message, checked: [] }
  }
}

function verdictOf(
  { entry, refused, warnings }: Checked,
  known: ReadonlySet<VisitorEvent | Identification | undefined>,
): CheckedEvent {
  const common = { warnings: [...warnings] }
  if (entry === undefined) {
    const { verdict = 'invalid', name = 'unknown', reasons = [] } = refused ?? {}
    return { verdict, name: name.slice(0, 128).toWellFormed(), reasons: [...reasons], ...common }
  }
  const event = shownEvent(entry)
  if (!known.has(entry)) {
    return { verdict: 'accepted', name: event.name, reasons: [], ...common, event }
  }
  const reason = 'The message id was received before, or the visitor was erased after this event'
  return { verdict: 'duplicate', name: event.name, reasons: [reason], ...common }
}

/** Stock clients name the type in the path too. */
function typeOf({ type }: Readonly<Record<string, unknown>>): string {
  const types = ['track', 'page', 'identify', 'group', 'alias', 'screen']
  return typeof type === 'string' && types.includes(type) ? type : 'track'
}
