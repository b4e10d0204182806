import { DuckDBPendingResultState } from '@duckdb/node-api'
import type {
  DuckDBConnection,
  DuckDBDataChunk,
  DuckDBPendingResult,
  DuckDBResult,
  DuckDBValue,
} from '@duckdb/node-api'

export type SqlParameters = Readonly<Record<string, string | number | boolean>>
export type SqlRow = Readonly<Record<string, string | number | boolean | null>>

/** Repeats a short step until it returns true; others may have the thread in between. */
export type RunSteps = (step: () => boolean) => Promise<void>

/** Runs steps for a thread that has nothing else to do. */
export async function runAtOnce(step: () => boolean): Promise<void> {
  while (!step());
}

/** Rows that are made objects at once. */
const ROWS_AT_ONCE = 256

/** The prefix of the bindings in messages of DuckDB. */
const STEP_FAILED = 'Failure running pending result task: '

/**
 * One connection, one statement at a time. Whole numbers come as numbers: all of ours are below
 * 2^53.
 *
 * Statements run on the calling thread, step by step, so that many sessions share it, and only it:
 * a step takes some 50 ms where millions of rows are grouped, mostly a few. (On libuv's pool they
 * would run to their end, and block commits and event logs.)
 */
export class SqlSession {
  readonly connection: DuckDBConnection
  /** Runs the steps of a statement, and other work of the owner of the session. */
  readonly runSteps: RunSteps
  #isInterrupted = false

  constructor(connection: DuckDBConnection, runSteps: RunSteps) {
    this.connection = connection
    this.runSteps = runSteps
  }

  async run(sql: string, parameters: SqlParameters = {}): Promise<void> {
    await this.#perform(sql, parameters)
  }

  /** @returns rows whose members are the columns, which the statement names like those of `Row` */
  async rows<Row = SqlRow>(sql: string, parameters: SqlParameters = {}): Promise<Row[]> {
    const result = await this.#perform(sql, parameters)
    const names = result.columnNames()
    const rows: SqlRow[] = []
    for (;;) {
      const chunk = await result.fetchChunk()
      if (chunk === null || chunk.rowCount === 0) return rows as Row[]
      const { rowCount } = chunk
      let next = 0
      const read = (): boolean => {
        const end = Math.min(next + ROWS_AT_ONCE, rowCount)
        for (; next < end; next++) rows.push(rowOf(chunk, names, next))
        return next === rowCount
      }
      // A few rows are not worth a turn.
      if (rowCount > ROWS_AT_ONCE) await this.runSteps(read)
      else read()
    }
  }

  /** Runs a statement in libuv's pool, because it mostly waits for the disk: a commit, a copy. */
  async runElsewhere(sql: string): Promise<void> {
    this.#refuseInterrupted()
    await this.connection.run(sql)
  }

  /**
   * Makes the running statement and all later ones fail with `InterruptedError`, until `resume`.
   */
  interrupt(): void {
    this.#isInterrupted = true
  }

  resume(): void {
    this.#isInterrupted = false
  }

  async #perform(sql: string, parameters: SqlParameters): Promise<DuckDBResult> {
    this.#refuseInterrupted()
    const pending = await this.#start(sql, parameters)
    await this.runSteps(() => {
      this.#refuseInterrupted()
      return isReady(pending)
    })
    return await pending.getResult()
  }

  /** Prepares the statement on another thread. */
  async #start(sql: string, parameters: SqlParameters): Promise<DuckDBPendingResult> {
    const prepared = await this.connection.prepare(sql)
    try {
      prepared.bind(bound(sql, parameters))
      return prepared.start()
    } finally {
      prepared.destroySync()
    }
  }

  #refuseInterrupted(): void {
    if (this.#isInterrupted) throw new InterruptedError('The statement was interrupted')
  }

  async row<Row = SqlRow>(sql: string, parameters: SqlParameters = {}): Promise<Row> {
    const result = await this.#perform(sql, parameters)
    const chunk = await result.fetchChunk()
    if (chunk === null || chunk.rowCount === 0) return {} as Row
    return rowOf(chunk, result.columnNames(), 0) as Row
  }

  /**
   * Runs everything in a transaction that changes nothing: its temporary tables are gone with it,
   * which would take memory from all other sessions of the instance.
   */
  async scratch<T>(work: () => Promise<T>): Promise<T> {
    await this.runElsewhere('BEGIN')
    try {
      return await work()
    } finally {
      await this.#rollBack()
    }
  }

  /** Runs everything in one transaction. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    await this.runElsewhere('BEGIN')
    try {
      const result = await work()
      await this.runElsewhere('COMMIT')
      return result
    } catch (error) {
      await this.#rollBack()
      throw error
    }
  }

  async #rollBack(): Promise<void> {
    // A failed statement may have ended the transaction already.
    await this.connection.run('ROLLBACK').catch(() => undefined)
  }
}

export class InterruptedError extends Error {
  override readonly name = 'InterruptedError'
}

/** Runs a task of a statement. @returns whether it was the last one */
function isReady(pending: DuckDBPendingResult): boolean {
  try {
    return pending.runTask() === DuckDBPendingResultState.RESULT_READY
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith(STEP_FAILED)) throw error
    throw new Error(error.message.slice(STEP_FAILED.length), { cause: error })
  }
}

function rowOf(chunk: DuckDBDataChunk, names: readonly string[], i: number): SqlRow {
  const row: Record<string, SqlRow[string]> = {}
  for (const [column, name] of names.entries()) {
    row[name] = plain(chunk.getColumnVector(column).getItem(i))
  }
  return row
}

/** Selects the parameters that a statement names, because DuckDB accepts no others. */
function bound(sql: string, parameters: SqlParameters): Record<string, DuckDBValue> {
  const named = new Set(Array.from(sql.matchAll(/\$(\w+)/g), ([, name = '']) => name))
  return Object.fromEntries(
    Object.entries(parameters)
      .filter(([name]) => named.has(name))
      .map(([name, value]) => [name, typeof value === 'number' ? BigInt(value) : value]),
  )
}

function plain(value: DuckDBValue): string | number | boolean | null {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value
  }
  if (value === null || value === undefined) return null
  throw new TypeError('A column has a type that reports do not use')
}

/** Quotes a text as an SQL literal; for names and paths, which cannot be parameters. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
