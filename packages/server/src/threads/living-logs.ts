import { EVENT_RETENTION_DEFAULT_DAYS, type GivenSettings } from '@aisle/contract'
import { logNameOf } from '@aisle/events'
import type { DocumentStore, StoreRow } from '../ports/document-store.ts'
import type { LivingLog } from './reports-thread.ts'

const DAY_MS = 86_400_000

/** The event logs of the stores that are there, and how long each keeps its events. */
export function livingLogs(documents: DocumentStore): LivingLog[] {
  return documents.stores().map((store) => ({
    log: logNameOf(store),
    retentionMs: retentionDays(documents, store) * DAY_MS,
  }))
}

/** Of the newest version of the settings. */
function retentionDays(documents: DocumentStore, { storeNumber }: StoreRow): number {
  const newest = documents
    .resources(storeNumber)
    .filter(({ kind }) => kind === 'settings')
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .at(-1)
  const { settings } = JSON.parse(newest?.json ?? '{}') as { settings?: GivenSettings }
  return settings?.events?.retention_days ?? EVENT_RETENTION_DEFAULT_DAYS
}
