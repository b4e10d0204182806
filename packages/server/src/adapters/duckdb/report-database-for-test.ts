import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LogFolder, logEnd, logNameOf, naiveReport, readLog, RecordBatch } from '@aisle/event-log'
import type {
  Identification,
  LogRecord,
  ReportCounts,
  ReportQuery,
  TallyCount,
  VisitorEvent,
} from '@aisle/event-log'
import fc from 'fast-check'
import type { LogOwner } from '../../ports/events/event-log.ts'
import type { Reports } from '../../ports/events/reports.ts'
import { ReportDatabase, type ReportDatabaseOptions } from './report-database.ts'

type Limits = Partial<
  Pick<
    ReportDatabaseOptions,
    'timeoutMs' | 'backlogMaxBytes' | 'roomBytes' | 'memoryBytes' | 'steps'
  >
>

const REPORTED: LogOwner = { storeId: 'shop', createdAt: '2026-01-01T00:00:00.000Z' }

/** What decides a report, except the events: the rest of a query is usual. */
type AskedReport = Pick<ReportQuery, 'report' | 'fromMs' | 'toMs'> & {
  readonly [Name in 'tags' | 'limit' | 'onlyQuery' | 'experimentId' | 'tagPrefix']?:
    | ReportQuery[Name]
    | undefined
}

/**
 * Checks that reports of generated events equal their naive twins.
 *
 * @param onCounts is given what was counted, to see that it says something
 */
export async function assertCountedAsNaive(
  history: fc.Arbitrary<readonly VisitorEvent[]>,
  asked: fc.Arbitrary<AskedReport>,
  onCounts: (counts: ReportCounts, query: ReportQuery) => void,
): Promise<void> {
  await using made = new ReportedFolder()
  let stores = 0
  await fc.assert(
    fc.asyncProperty(
      history,
      asked,
      async (events, { onlyQuery, experimentId, tagPrefix, ...rest }) => {
        const owner = { ...REPORTED, storeId: `shop-${stores++}` }
        await made.append(owner, events)
        const query: ReportQuery = {
          needsAllTags: false,
          interval: 'day',
          orderBy: 'clicks',
          ...rest,
          tags: rest.tags ?? [],
          limit: rest.limit ?? 100,
          ...(onlyQuery === undefined ? {} : { onlyQuery }),
          ...(experimentId === undefined ? {} : { experimentId }),
          ...(tagPrefix === undefined ? {} : { tagPrefix }),
        }
        const counts = await made.reports.count(owner, query)
        assert.deepEqual(counts, naiveReport(made.log(owner), query))
        onCounts(counts, query)
        // A separate store for each history: closing it frees its memory.
        await made.database.sweep(new Set())
      },
    ),
    { numRuns: Number(process.env['FUZZ_RUNS'] ?? 30) },
  )
}

/** Logs on disk and their reports, in a separate folder. */
export class ReportedFolder implements AsyncDisposable {
  readonly folder: string
  readonly logs: LogFolder
  database: ReportDatabase
  readonly problems: string[] = []
  nowMs = Date.UTC(2026, 1, 2)

  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), 'aisle-reports-'))
    this.logs = new LogFolder({
      folder: join(this.folder, 'events'),
      now: () => this.nowMs,
      onProblem: (_log, message) => this.problems.push(message),
    })
    this.database = this.#open()
  }

  async append(
    owner: LogOwner,
    entries: readonly (VisitorEvent | Identification)[],
    counts: readonly TallyCount[] = [],
  ): Promise<void> {
    const batch = new RecordBatch()
    for (const entry of entries) batch.add(entry)
    await this.logs.append(logNameOf(owner), { records: batch.take(), counts })
  }

  log(owner: LogOwner): readonly LogRecord[] {
    const files = this.logs.files(logNameOf(owner))
    const end = logEnd(files)
    const records: LogRecord[] = []
    for (let at = 0; ;) {
      const page = readLog(files, at, end)
      records.push(...page.records)
      if (page.next === at) return records
      at = page.next
    }
  }

  /** As after a restart. */
  async reopen(limits: Limits = {}): Promise<void> {
    await this.database.close()
    this.database = this.#open(limits)
  }

  reportFile(owner: LogOwner): string {
    return join(this.folder, 'reports', `${logNameOf(owner)}.duckdb`)
  }

  get reports(): Reports {
    return {
      count: (owner, query) => this.database.count(logNameOf(owner), query),
      journey: (owner, query) => this.database.journey(logNameOf(owner), query),
      rebuild: (owner) => this.database.rebuild(logNameOf(owner)),
      erase: (owner, visitor) => this.database.erase(logNameOf(owner), visitor),
      dropBefore: (owner, ms) => this.database.dropBefore(logNameOf(owner), ms),
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.database.close()
    await this.logs.close()
    rmSync(this.folder, { recursive: true, force: true })
  }

  #open(limits: Limits = {}): ReportDatabase {
    return new ReportDatabase({
      folder: join(this.folder, 'reports'),
      logs: this.logs,
      memoryBytes: 128e6,
      now: () => this.nowMs,
      onProblem: (_log, message) => this.problems.push(message),
      ...limits,
    })
  }
}
