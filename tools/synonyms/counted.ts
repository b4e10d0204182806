import type { CountsByReport, VisitorEvent } from '@aisle/event-log'
import { ReportedFolder } from '../../packages/server/src/adapters/duckdb/report-database-for-test.ts'
import { areReplaceable } from '../../packages/server/src/domain/words/replaceable-phrases.ts'
import {
  isEvidence,
  type SynonymThresholds,
} from '../../packages/server/src/domain/values/synonym-evidence.ts'
import { createAnalyzer } from '@aisle/engine'

type Reformulations = CountsByReport['reformulations']

/** Logged at once. */
const BATCH = 20_000
const OWNER = { storeId: 'measured', createdAt: '2026-01-01T00:00:00.000Z' }
const analyzer = createAnalyzer('en')

/** The report on a history, as the service counts it. */
export async function countHistory(events: readonly VisitorEvent[]): Promise<Reformulations> {
  await using folder = new ReportedFolder()
  for (let at = 0; at < events.length; at += BATCH) {
    await folder.append(OWNER, events.slice(at, at + BATCH))
  }
  const times = events.map(({ atMs }) => atMs)
  const counts = await folder.reports.count(OWNER, {
    report: 'reformulations',
    fromMs: times.reduce((least, one) => Math.min(least, one)),
    toMs: times.reduce((most, one) => Math.max(most, one)) + 1,
    tags: [],
    needsAllTags: false,
    interval: 'day',
    orderBy: 'clicks',
    limit: 10_000,
  })
  return counts as Reformulations
}

/** Pairs suggested by the counts and the words, each once. @param isOneField asks the catalog */
export function suggestedPairs(
  { rows, totals }: Reformulations,
  limits: SynonymThresholds,
  isOneField: (from: string, to: string) => boolean = () => false,
): Reformulations['rows'] {
  const seen = new Set<string>()
  return rows.filter((row) => {
    const key = [row.from, row.to].toSorted().join('\n')
    if (seen.has(key) || !isEvidence(row, totals.visitors, limits)) return false
    if (!areReplaceable(row.from, row.to, analyzer) || isOneField(row.from, row.to)) return false
    seen.add(key)
    return true
  })
}
