import {
  ApiError,
  DropEventsParameters,
  EraseVisitorParameters,
  type DroppedEvents,
  type ErasedEvents,
  type RebuiltReports,
} from '@aisle/contract'
import { parameterReader } from '@aisle/contract/check'
import { isId, type VisitorIds } from '@aisle/event-log'
import type { ServicePorts } from '../service-ports.ts'
import { ownerOf, timeOf } from './reports.ts'

const readErase = parameterReader<EraseVisitorParameters>(EraseVisitorParameters)
const readDrop = parameterReader<DropEventsParameters>(DropEventsParameters)

type UpkeepPorts = Pick<ServicePorts, 'reports' | 'registry' | 'clock'>

/** Erases the events of a visitor permanently. @throws ApiError */
export async function eraseVisitor(
  ports: UpkeepPorts,
  storeId: string,
  given: object,
): Promise<ErasedEvents> {
  const parameters = readErase(given)
  const visitor = visitorIds(parameters)
  const owner = ownerOf(ports, storeId)
  const erased = await ports.reports.erase(owner, visitor)
  return { status: 'erased', events_erased: erased }
}

/**
 * Reads the ids of the visitor.
 * @throws ApiError
 */
export function visitorIds({
  user_id,
  anonymous_id,
  session_id,
}: EraseVisitorParameters): VisitorIds {
  for (const [param, id] of Object.entries({ user_id, anonymous_id, session_id })) {
    if (id === undefined || isId(id)) continue
    throw new ApiError('invalid_parameter', `Parameter \`${param}\` is not a valid visitor id`, {
      param,
    })
  }
  if (user_id === undefined && anonymous_id === undefined && session_id === undefined) {
    throw new ApiError(
      'missing_parameter',
      'Parameter `user_id`, `anonymous_id` or `session_id` is required',
      { param: 'user_id' },
    )
  }
  return { userId: user_id, anonymousId: anonymous_id, sessionId: session_id }
}

/** Removes events that arrived before a time. @throws ApiError */
export async function dropEvents(
  ports: UpkeepPorts,
  storeId: string,
  given: object,
): Promise<DroppedEvents> {
  const { before } = readDrop(given)
  const beforeMs = timeOf('before', before) ?? 0
  if (beforeMs > ports.clock.now()) {
    throw new ApiError('invalid_parameter', 'Parameter `before` must not be in the future', {
      param: 'before',
    })
  }
  const owner = ownerOf(ports, storeId)
  const { bytesFreed, oldestReceivedMs } = await ports.reports.dropBefore(owner, beforeMs)
  return {
    status: 'dropped',
    bytes_freed: bytesFreed,
    oldest_event_at:
      oldestReceivedMs === undefined ? null : new Date(oldestReceivedMs).toISOString(),
  }
}

/** Rebuilds the reports from the log. */
export async function rebuildReports(ports: UpkeepPorts, storeId: string): Promise<RebuiltReports> {
  const owner = ownerOf(ports, storeId)
  const startedMs = performance.now()
  const events = await ports.reports.rebuild(owner)
  return { status: 'rebuilt', events, took_ms: Math.round(performance.now() - startedMs) }
}
