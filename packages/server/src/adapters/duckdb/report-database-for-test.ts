import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LogFolder, logEnd, logNameOf, readLog, RecordBatch } from '@aisle/event-log'
import type { Identification, LogRecord, TallyCount, VisitorEvent } from '@aisle/event-log'
import type { LogOwner } from '../../ports/events/event-log.ts'
import type { Reports } from '../../ports/events/reports.ts'
import { ReportDatabase, type ReportDatabaseOptions } from './report-database.ts'

type Limits = Partial<
  Pick<
    ReportDatabaseOptions,
    'timeoutMs' | 'backlogMaxBytes' | 'roomBytes' | 'memoryBytes' | 'steps'
  >
>

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
