import { join } from 'node:path'
import { DiskLogFiles } from '@aisle/event-log'
import { HistoryFolder } from '../../packages/server/src/adapters/suggestions/history-file.ts'

/**
 * The layout of the data folder of `whole-folder.ts`, in a separate file so that its readers start
 * quickly.
 */
export const STORE = 'shop'
export const LOG = 'shop.1'
export const DOCUMENTS = 300

export const documentId = (number: number): string => `document-${number}`

export const placesOf = (folder: string) => ({
  documents: join(folder, 'lmdb'),
  index: join(folder, 'index'),
  events: join(folder, 'events'),
  snapshots: join(folder, 'snapshots'),
  reports: join(folder, 'reports'),
  suggestions: join(folder, 'suggestions'),
})

export const eventFiles = (folder: string): DiskLogFiles =>
  new DiskLogFiles(join(placesOf(folder).events, LOG))

export const reportPath = (folder: string): string =>
  join(placesOf(folder).reports, `${LOG}.duckdb`)

export const historyOf = (folder: string) => new HistoryFolder(placesOf(folder).suggestions).of(LOG)
