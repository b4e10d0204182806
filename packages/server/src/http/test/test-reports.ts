import { logNameOf, naiveJourney, naiveReport } from '@aisle/event-log'
import type { ReportDatabase } from '../../adapters/duckdb/report-database.ts'
import type { Reports } from '../../ports/events/reports.ts'
import { readAll, type TestLogs } from './test-backend.ts'

/**
 * Reports of everything that was answered. Figures are the naive twin's, which takes no time for a
 * handful of events, where a database takes a tenth of a second;
 * `ports/events/reports.conformance.ts` holds the two against each other. What changes the log is
 * the database's.
 */
export function testReports(database: ReportDatabase, logs: TestLogs): Reports {
  return {
    count: async (owner, query) => naiveReport(await readAll(logs, owner), query),
    journey: async (owner, query) => naiveJourney(await readAll(logs, owner), query),
    rebuild: (owner) => database.rebuild(logNameOf(owner)),
    erase: (owner, visitor) => database.erase(logNameOf(owner), visitor),
    dropBefore: (owner, beforeMs) => database.dropBefore(logNameOf(owner), beforeMs),
  }
}
