import type { EmbeddedCatalog } from '../adapters/embedded/test/embedded-catalog.ts'
import { createAnswerChannel, SharedAnswerCache } from '../adapters/shared-memory/answer-cache.ts'
import type { Clock } from '../ports/host/clock.ts'
import type { EventLog } from '../ports/events/event-log.ts'
import type { Reports } from '../ports/events/reports.ts'
import { NO_EMBEDDERS } from '../ports/search/embedder.ts'
import { NO_QUERY_VECTORS } from '../ports/search/query-vectors.ts'
import type { ServicePorts } from './service-ports.ts'

const NO_EVENTS: EventLog = {
  append: () => Promise.resolve([]),
  known: () => Promise.resolve([]),
  offer: () => true,
  recent: () => Promise.resolve([]),
  tail: () => () => undefined,
}

/** Creates the ports of use cases over a catalog without events. */
export function servicePortsOver(catalog: EmbeddedCatalog, clock: Clock): ServicePorts {
  return {
    ...catalog,
    clock,
    events: NO_EVENTS,
    answers: new SharedAnswerCache(createAnswerChannel(), 1_000_000, () => undefined),
    suggestions: { of: () => Promise.resolve(undefined), popularity: () => undefined },
    reports: {} as Reports,
    embedders: NO_EMBEDDERS,
    queryVectors: NO_QUERY_VECTORS,
  }
}
