import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DuckDBInstance } from '@duckdb/node-api'
import { STRETCH_MARGIN_MS, STRETCH_MS } from '@aisle/event-log'
import type { ErasedIds, LogPage, VisitorIds } from '@aisle/event-log'
import { loadRecords } from './activity-loader.ts'
import { LOG_TABLES, REPORT_FORMAT, REPORT_TABLES } from './report-tables.ts'
import { literal, runAtOnce, SqlSession, type RunSteps, type SqlParameters } from './sql-session.ts'
import { makeStaleSearches } from './stretch-searches.ts'

/** The file is damaged, or of another format: it must be rebuilt. */
export class UnusableReportsError extends Error {
  override readonly name = 'UnusableReportsError'
}

let attachedCount = 0

/**
 * The tables of one store, in a separate file. All of it can be rebuilt from the log, so nothing is
 * repaired: an unusable file is removed. The watermark changes in the same transaction as the
 * tables.
 */
export class ReportFile {
  readonly #instance: DuckDBInstance
  readonly #path: string
  readonly #database: string
  session: SqlSession
  watermark = 0
  /** Records read since the log began, or since it was last read from its beginning. */
  entries = 0

  private constructor(
    instance: DuckDBInstance,
    path: string,
    database: string,
    session: SqlSession,
  ) {
    this.#instance = instance
    this.#path = path
    this.#database = database
    this.session = session
  }

  /**
   * Opens the file, or creates it.
   *
   * @param runSteps shares the thread with other files; absent: there are none
   * @throws UnusableReportsError
   */
  static async open(
    instance: DuckDBInstance,
    path: string,
    runSteps: RunSteps = runAtOnce,
  ): Promise<ReportFile> {
    mkdirSync(dirname(path), { recursive: true })
    // A native library may end the process on a damaged file, so it is not opened a second time.
    const marker = `${path}.opening`
    if (existsSync(marker) && existsSync(path)) {
      throw new UnusableReportsError('the process ended while opening it')
    }
    writeFileSync(marker, '')
    const isNew = !existsSync(path)
    const { session, name } = await attach(instance, path, runSteps).catch((error: unknown) => {
      rmSync(marker, { force: true })
      throw error
    })
    const file = new ReportFile(instance, path, name, session)
    try {
      if (isNew) await file.#create()
      await file.#readProgress()
    } catch (error) {
      await file.close()
      throw error instanceof UnusableReportsError ? error : unusable(error)
    } finally {
      rmSync(marker, { force: true })
    }
    return file
  }

  static remove(path: string): void {
    for (const suffix of ['', '.wal', '.opening', COPY, `${COPY}.wal`]) {
      rmSync(path + suffix, { force: true })
    }
  }

  /** Adds records read from the log. */
  async load({ records, next }: LogPage): Promise<void> {
    await this.session.transaction(async () => {
      await loadRecords(this.session, records)
      await this.session.run('UPDATE progress SET watermark = $next, entries = entries + $count', {
        next,
        count: records.length,
      })
    })
    this.watermark = next
    this.entries += records.length
  }

  /** Removes rows whose records the log no longer has. @returns whether there were any */
  async dropBefore(position: number): Promise<boolean> {
    const { oldest } = await this.session.row(
      `SELECT min(position) AS oldest FROM (
         SELECT min(position) AS position FROM activity
         UNION ALL SELECT min(position) FROM tallies)`,
    )
    if (oldest === null || oldest === undefined || Number(oldest) >= position) return false
    await this.#remove('position < $position', { position })
    return true
  }

  /** Positions of the records that belong to a visitor, ascending. */
  async recordsOf(visitor: VisitorIds): Promise<number[]> {
    const rows = await this.session.rows(
      `SELECT position FROM activity WHERE ${isOfVisitor(visitor)} ORDER BY position`,
      idParameters(visitor),
    )
    return rows.map((row) => Number(row['position']))
  }

  /** The ids of a visitor. */
  async idsOf({ userId, anonymousId, sessionId }: VisitorIds): Promise<ErasedIds> {
    const ownIds = async (column: string): Promise<string[]> => {
      if (userId === undefined) return []
      const rows = await this.session.rows(
        `SELECT DISTINCT ${column} AS id FROM activity WHERE ${owned(column)}`,
        { user: userId },
      )
      return rows.map((row) => String(row['id']))
    }
    return {
      ids: {
        ...(userId === undefined ? {} : { userId }),
        ...(anonymousId === undefined ? {} : { anonymousId }),
        ...(sessionId === undefined ? {} : { sessionId }),
      },
      ownAnonymousIds: await ownIds('anonymous_id'),
      ownSessionIds: await ownIds('session_id'),
    }
  }

  /** Marks that until the end of `erase`, the tables hold more than the log may. */
  async invalidate(): Promise<void> {
    await this.session.run('UPDATE progress SET is_valid = FALSE')
  }

  /** Removes records from all tables, then from the bytes of the file. */
  async erase(positions: readonly number[]): Promise<void> {
    await this.session.run('CREATE OR REPLACE TEMP TABLE erased (position BIGINT)')
    const appender = await this.session.connection.createAppender('erased', 'main', 'temp')
    for (const position of positions) {
      appender.appendBigInt(BigInt(position))
      appender.endRow()
    }
    appender.closeSync()
    await this.#remove('position IN (SELECT position FROM erased)', {})
    await this.session.run('DROP TABLE temp.erased')
    await this.compact()
    await this.session.run('UPDATE progress SET is_valid = TRUE')
  }

  /** Rewrites the file, without deleted rows and the rows derived from them. */
  async compact(): Promise<void> {
    await makeStaleSearches(this.session)
    const copy = this.#path + COPY
    for (const suffix of ['', '.wal']) rmSync(copy + suffix, { force: true })
    await this.session.run(`ATTACH ${literal(copy)} AS copy`)
    await this.session.runElsewhere(`COPY FROM DATABASE "${this.#database}" TO copy`)
    await this.session.run('DETACH copy')
    await this.close()
    rmSync(`${this.#path}.wal`, { force: true })
    renameSync(copy, this.#path)
    const { runSteps } = this.session
    this.session = (await attach(this.#instance, this.#path, runSteps, this.#database)).session
  }

  async close(): Promise<void> {
    this.session.resume()
    try {
      await this.session.run('USE memory')
      await this.session.run(`DETACH "${this.#database}"`)
    } finally {
      this.session.connection.closeSync()
    }
  }

  async #create(): Promise<void> {
    for (const table of REPORT_TABLES) await this.session.run(table)
    await this.session.run(`INSERT INTO progress VALUES (${REPORT_FORMAT}, 0, 0, TRUE)`)
    // Changes of tables do not stay in the write-ahead file.
    await this.session.runElsewhere('CHECKPOINT')
  }

  async #readProgress(): Promise<void> {
    const [row, ...others] = await this.session.rows('SELECT * FROM progress')
    if (row === undefined || others.length > 0 || row['format'] !== REPORT_FORMAT) {
      throw new UnusableReportsError('it has another format')
    }
    if (row['is_valid'] !== true) {
      throw new UnusableReportsError('erasing was interrupted')
    }
    this.watermark = Number(row['watermark'])
    this.entries = Number(row['entries'])
  }

  /** Removes rows by position, and has the searches they belonged to derived again. */
  async #remove(where: string, parameters: { readonly position?: number }): Promise<void> {
    const { session } = this
    await session.transaction(async () => {
      await session.run(
        `INSERT INTO stale
         SELECT DISTINCT unnest([
           (received_ms - ${STRETCH_MARGIN_MS}) // ${STRETCH_MS},
           (received_ms + ${STRETCH_MARGIN_MS}) // ${STRETCH_MS}])
         FROM activity WHERE ${where}
         UNION
         SELECT received_ms // ${STRETCH_MS} FROM activity WHERE kind = 'search' AND search_id IN (
           SELECT search_id FROM activity
           WHERE kind = 'search' AND search_id IS NOT NULL AND ${where})`,
        parameters,
      )
      for (const table of LOG_TABLES) {
        await session.run(`DELETE FROM ${table} WHERE ${where}`, parameters)
      }
    })
  }
}

const COPY = '.copy'

/** Condition on an activity: `visitorTest` in SQL. Takes `idParameters`. */
export function isOfVisitor({ userId, anonymousId, sessionId }: VisitorIds): string {
  return [
    ...(userId === undefined ? [] : [`user_id = $user OR ${OWNED_BY_USER}`]),
    ...(anonymousId === undefined ? [] : ['anonymous_id = $anonymous']),
    ...(sessionId === undefined ? [] : ['session_id = $session']),
  ].join(' OR ')
}

export function idParameters({ userId, anonymousId, sessionId }: VisitorIds): SqlParameters {
  return { user: userId ?? '', anonymous: anonymousId ?? '', session: sessionId ?? '' }
}

const OWNED_BY_USER = `(user_id IS NULL AND (${owned('anonymous_id')} OR ${owned('session_id')}))`

/** Ids that were seen with this user, and with no other one. */
function owned(column: string): string {
  return `${column} IN (
    SELECT ${column} FROM activity
    WHERE ${column} IN (SELECT ${column} FROM activity WHERE user_id = $user)
    GROUP BY ${column} HAVING bool_and(user_id IS NULL OR user_id = $user))`
}

async function attach(
  instance: DuckDBInstance,
  path: string,
  runSteps: RunSteps,
  name = `store${++attachedCount}`,
): Promise<{ readonly session: SqlSession; readonly name: string }> {
  const session = new SqlSession(await instance.connect(), runSteps)
  try {
    await session.run(`ATTACH ${literal(path)} AS "${name}"`)
    await session.run(`USE "${name}"`)
    return { session, name }
  } catch (error) {
    session.connection.closeSync()
    throw unusable(error)
  }
}

function unusable(error: unknown): UnusableReportsError {
  return new UnusableReportsError(error instanceof Error ? error.message : String(error), {
    cause: error,
  })
}
