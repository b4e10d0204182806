import {
  EVENT_BYTES_PER_DAY_DEFAULT,
  EVENT_RETENTION_DEFAULT_DAYS,
  type GivenSettings,
} from '@aisle/contract'
import { logNameOf } from '@aisle/event-log'
import type { DocumentStore } from '../../ports/catalog/document-store.ts'
import type { LogOwner } from '../../ports/events/event-log.ts'
import type { Resource } from '../../ports/catalog/resource-reader.ts'

const DAY_MS = 86_400_000

/** The event log of an existing store. */
export interface LogLimits {
  readonly log: string
  /** How long events are kept. */
  readonly retentionMs: number
  /** Bytes that the log accepts per day. */
  readonly dayMaxBytes: number
}

/** The event logs of all existing stores, with their limits. */
export function logLimits(documents: DocumentStore): LogLimits[] {
  return documents.stores().map((store) => {
    const rows = documents.resources(store.storeNumber)
    return logLimitsOf(
      store,
      rows.filter(({ kind }) => kind === 'settings'),
    )
  })
}

/** @param versions of its settings */
export function logLimitsOf(store: LogOwner, versions: readonly Resource[]): LogLimits {
  const { retention_days, max_bytes_per_day } = eventSettings(versions)
  return {
    log: logNameOf(store),
    retentionMs: (retention_days ?? EVENT_RETENTION_DEFAULT_DAYS) * DAY_MS,
    dayMaxBytes: max_bytes_per_day ?? EVENT_BYTES_PER_DAY_DEFAULT,
  }
}

/** The events settings of the newest version. */
function eventSettings(versions: readonly Resource[]): NonNullable<GivenSettings['events']> {
  const newest = versions.toSorted((a, b) => (a.name < b.name ? -1 : 1)).at(-1)
  const { settings } = JSON.parse(newest?.json ?? '{}') as { settings?: GivenSettings }
  return settings?.events ?? {}
}
