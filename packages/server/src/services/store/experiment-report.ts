import type { ExperimentReport, ExperimentTagReport } from '@aisle/contract'
import {
  MICROS,
  type ArmCounts as CountedArm,
  type CountsByReport,
  type ExperimentArm,
  type ExperimentDay,
  type ExperimentRow,
} from '@aisle/event-log'
import {
  armFigures,
  experimentReport,
  figuresByDay,
  NOBODY,
  type ArmCounts,
  type CountedDay,
  type CountedExperiment,
} from '../../domain/values/experiment-verdict.ts'
import { ownerOf } from '../events/reports.ts'
import type { ServicePorts } from '../service-ports.ts'
import { endOf, type ExperimentRecord } from './experiment-record.ts'

const DAY_MS = 86_400_000
const ARMS: readonly ExperimentArm[] = ['live', 'draft', 'interleaved']
/** Squares of revenue are counted in hundredths. */
const SQUARES_PER_UNIT = 10_000

/** Which part of an experiment is reported, and what beside it. */
export interface ExperimentPart {
  /** Only searches with one of these; empty: all. */
  readonly tags: readonly string[]
  /** Also each tag that starts with this. */
  readonly tagPrefix: string | undefined
}

/**
 * Counts an experiment from its start until its end, or until now.
 *
 * @throws ApiError as reports do
 */
export async function countExperiment(
  ports: Pick<ServicePorts, 'reports' | 'registry' | 'clock'>,
  storeId: string,
  record: ExperimentRecord,
  { tags, tagPrefix }: ExperimentPart,
): Promise<ExperimentReport> {
  const { id, kind, goal } = record
  const fromMs = Date.parse(record.startedAt)
  const toMs = Math.max(fromMs + 1, Math.min(endOf(record), ports.clock.now()))
  const { rows, days, byTag } = (await ports.reports.count(ownerOf(ports, storeId), {
    report: 'experiments',
    experimentId: id,
    ...(tagPrefix === undefined ? {} : { tagPrefix }),
    fromMs,
    toMs,
    tags,
    needsAllTags: false,
    interval: 'day',
    orderBy: 'clicks',
    limit: ARMS.length,
  })) as CountsByReport['experiments']
  const { currency, ...counted } = countedArms(kind, rows)
  const { isOneCurrency } = counted
  return {
    ...experimentReport({
      goal,
      days: (toMs - fromMs) / DAY_MS,
      isPart: tags.length > 0,
      ...counted,
    }),
    ...currency,
    by_day: figuresByDay({ kind, goal, isOneCurrency }, everyDay(days, toMs)),
    ...(tagPrefix === undefined
      ? {}
      : {
          by_tag: [...Map.groupBy(byTag, ({ tag }) => tag)].map(
            ([tag, own]): ExperimentTagReport => {
              const { currency: ofTag, ...arms } = countedArms(kind, own)
              return { tag, ...armFigures(arms), ...ofTag }
            },
          ),
        }),
  }
}

type ArmRow = Omit<ExperimentRow, 'experimentId'>

/** The rows of all arms in units, and their currency if there is one. */
function countedArms(
  kind: CountedExperiment['kind'],
  rows: readonly ArmRow[],
): Omit<CountedExperiment, 'goal' | 'days' | 'isPart'> & {
  readonly currency: { readonly currency?: string }
} {
  const of = (arm: ExperimentArm): ArmCounts => inUnits(rows.find((one) => one.arm === arm))
  const currencies = new Set(rows.flatMap((row) => row.currency ?? []))
  const isOneCurrency = currencies.size === 1 && rows.every((row) => row.currencies <= 1)
  const [currency = ''] = currencies
  return {
    kind,
    live: of('live'),
    draft: of('draft'),
    interleaved: of('interleaved'),
    isOneCurrency,
    currency: isOneCurrency && currency !== '' ? { currency } : {},
  }
}

/** All days from the first with visitors on; one without any is like the day before. */
function everyDay(days: readonly ExperimentDay[], toMs: number): CountedDay[] {
  const byStart = Map.groupBy(days, ({ startMs }) => startMs)
  const all: CountedDay[] = []
  for (let startMs = Math.min(...byStart.keys()); startMs < toMs; startMs += DAY_MS) {
    const changed = byStart.get(startMs) ?? []
    const before = all.at(-1)
    const [live, draft, interleaved] = ARMS.map((arm) => {
      const own = changed.find((one) => one.arm === arm)
      return own === undefined ? (before?.[arm] ?? NOBODY) : inUnits(own)
    }) as [ArmCounts, ArmCounts, ArmCounts]
    all.push({ startMs, live, draft, interleaved })
  }
  return all
}

function inUnits(counts: CountedArm | undefined): ArmCounts {
  if (counts === undefined) return NOBODY
  const { revenue, revenueSquares } = counts
  return {
    ...counts,
    revenue: revenue / MICROS,
    revenueSquares: revenueSquares / SQUARES_PER_UNIT,
  }
}
