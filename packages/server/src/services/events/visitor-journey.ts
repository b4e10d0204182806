import {
  ApiError,
  JOURNEY_EVENTS_DEFAULT,
  JourneyParameters,
  type JourneyEvent,
  type VisitorJourney,
} from '@aisle/contract'
import { parameterReader, unknownParameters } from '@aisle/contract/check'
import type { JourneyPlace, JourneyStep } from '@aisle/event-log'
import type { ServicePorts } from '../service-ports.ts'
import { visitorIds } from './event-upkeep.ts'
import { ownerOf, periodOf } from './reports.ts'
import { shownEvent } from './shown-event.ts'

const readParameters = parameterReader<JourneyParameters>(JourneyParameters)

/**
 * Returns what a visitor did, page by page: the events that erasing this visitor would remove,
 * without the hashes of addresses.
 *
 * @param given the parameters of the request, not checked. @throws ApiError
 */
export async function visitorJourney(
  ports: Pick<ServicePorts, 'reports' | 'registry' | 'clock'>,
  storeId: string,
  given: object,
): Promise<VisitorJourney> {
  const owner = ownerOf(ports, storeId)
  const parameters = readParameters(given)
  const visitor = visitorIds(parameters)
  const period = periodOf(parameters, ports.clock.now())
  const { limit = JOURNEY_EVENTS_DEFAULT } = parameters
  const after = parameters.after === undefined ? {} : { after: placeOf(parameters.after) }
  const journey = await ports.reports.journey(owner, { visitor, ...period, limit, ...after })
  const warnings = unknownParameters(JourneyParameters, given).map(
    (name) => `Unknown parameter \`${name.slice(0, 100).toWellFormed()}\` is ignored`,
  )
  const { next } = journey
  return {
    from: new Date(period.fromMs).toISOString(),
    to: new Date(period.toMs).toISOString(),
    events: journey.steps.map(eventOf),
    ...(next === undefined ? {} : { next: `${next.atMs}.${next.position}` }),
    ...(warnings.length === 0 ? {} : { warnings }),
  }
}

function eventOf({ entry, kind, query, isCounted }: JourneyStep): JourneyEvent {
  return { step: kind, query: query ?? null, counted: isCounted, ...shownEvent(entry) }
}

/** @throws ApiError invalid_parameter */
function placeOf(text: string): JourneyPlace {
  const [atMs = NaN, position = NaN, ...more] = text.split('.').map(Number)
  if (more.length === 0 && isPlace(atMs) && isPlace(position)) return { atMs, position }
  throw new ApiError(
    'invalid_parameter',
    'Parameter `after` must be the `next` of the previous page',
    { param: 'after' },
  )
}

function isPlace(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}
