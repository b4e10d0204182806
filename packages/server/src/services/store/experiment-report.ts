import { EXPERIMENTS_MAX, type ExperimentReport } from '@aisle/contract'
import { MICROS, type CountsByReport, type ExperimentArm } from '@aisle/event-log'
import { experimentReport, NOBODY, type ArmCounts } from '../../domain/values/experiment-verdict.ts'
import { ownerOf } from '../events/reports.ts'
import type { ServicePorts } from '../service-ports.ts'
import { endOf, type ExperimentRecord } from './experiment-record.ts'

const DAY_MS = 86_400_000
/** Three arms at most of each experiment that searches of the period may name. */
const ROWS_MAX = 3 * EXPERIMENTS_MAX
/** Squares of revenue are counted in hundredths. */
const SQUARES_PER_UNIT = 10_000

/**
 * Counts an experiment from its start until its end, or until now.
 *
 * @param tags only searches with one of these; empty: all
 * @throws ApiError as reports do
 */
export async function countExperiment(
  ports: Pick<ServicePorts, 'reports' | 'registry' | 'clock'>,
  storeId: string,
  record: ExperimentRecord,
  tags: readonly string[],
): Promise<ExperimentReport> {
  const fromMs = Date.parse(record.startedAt)
  const toMs = Math.max(fromMs + 1, Math.min(endOf(record), ports.clock.now()))
  const counts = (await ports.reports.count(ownerOf(ports, storeId), {
    report: 'experiments',
    fromMs,
    toMs,
    tags,
    needsAllTags: false,
    interval: 'day',
    orderBy: 'clicks',
    limit: ROWS_MAX,
  })) as CountsByReport['experiments']
  const rows = counts.rows.filter(({ experimentId }) => experimentId === record.id)
  const of = (arm: ExperimentArm): ArmCounts => {
    const row = rows.find((one) => one.arm === arm)
    if (row === undefined) return NOBODY
    const { revenue, revenueSquares } = row
    return {
      ...row,
      revenue: revenue / MICROS,
      revenueSquares: revenueSquares / SQUARES_PER_UNIT,
    }
  }
  const currencies = new Set(rows.flatMap(({ currency }) => currency ?? []))
  const isOneCurrency = currencies.size === 1 && rows.every((row) => row.currencies <= 1)
  const [currency = ''] = currencies
  return {
    ...experimentReport({
      kind: record.kind,
      goal: record.goal,
      days: (toMs - fromMs) / DAY_MS,
      live: of('live'),
      draft: of('draft'),
      interleaved: of('interleaved'),
      isOneCurrency,
      isPart: tags.length > 0,
    }),
    ...(isOneCurrency && currency !== '' ? { currency } : {}),
  }
}
