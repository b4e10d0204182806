import { SourceThreads } from '../adapters/sources/source-threads.ts'
import type { SourceReadings } from '../ports/catalog/source-readings.ts'

/** @param networks that sources may reach besides public addresses */
export function sourceReadings(networks: readonly string[]): SourceReadings {
  return new SourceThreads(new URL('./source-thread.ts', import.meta.url), networks)
}
