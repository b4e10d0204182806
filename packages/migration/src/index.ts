/** Converts catalogs of other search engines to the configuration and documents of a store. */
export { documentWriter } from './document-writer.ts'
export { ENGINES, migrate, partsOf } from './migrate.ts'
export type { Engine } from './migrate.ts'
export type { Migration } from './migration.ts'
export { openLive } from './live/open-live.ts'
export type { LiveSource } from './live/live-source.ts'
export { SourceError } from './source-error.ts'
export { reportOf } from './report.ts'
