import { DuckDBPendingResultState } from '@duckdb/node-api'
import type { DuckDBConnection, DuckDBPendingResult, DuckDBValue } from '@duckdb/node-api'

import { FairSteps } from '../../domain/turns/fair-steps.ts'

export type SqlParameters = Readonly<Record<string, string | number | boolean>>
export type SqlRow = Readonly<Record<string, string | number | boolean | null>>

/** Runs a step of a statement. */
export type During = <T>(step: () => T) => T

/** The prefix of the bindings in messages of DuckDB. */
const STEP_FAILED = 'Failure running pending result task: '

/** The beginning of our statements that create something temporary. */
const TEMPORARY = /^CREATE OR REPLACE TEMP (TABLE \w+|VIEW \w+) /

/** The statements of all sessions of this thread. */
const statements = new FairSteps({
  defer: setImmediate,
  wait: (step) => setTimeout(step, 1),
  nowMs: () => performance.now(),
})

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
  readonly #owner: string
  readonly #during: During
  #isInterrupted = false
  /** Temporary objects not removed yet: `TABLE name` or `VIEW name`. */
  readonly #temporary = new Set<string>()

  /**
   * @param owner whose statements share the thread fairly with those of others
   * @param during runs each step
   */
  constructor(connection: DuckDBConnection, owner: string, during: During = (step) => step()) {
    this.connection = connection
    this.#owner = owner
    this.#during = during
  }

  async run(sql: string, parameters: SqlParameters = {}): Promise<void> {
    const [, made] = TEMPORARY.exec(sql) ?? []
    if (made !== undefined) this.#temporary.add(made)
    await this.#perform(sql, parameters, (pending) => pending.getResult())
  }

  /** @returns rows whose members are the columns, which the statement names like those of `Row` */
  async rows<Row = SqlRow>(sql: string, parameters: SqlParameters = {}): Promise<Row[]> {
    const reader = await this.#perform(sql, parameters, (pending) => pending.readAll())
    return reader.getRowObjects().map((row) => {
      const entries = Object.entries(row).map(([name, value]) => [name, plain(value)] as const)
      return Object.fromEntries(entries) as Row
    })
  }

  /**
   * Drops the temporary tables and views, which take memory from all other sessions of the
   * instance.
   */
  async dropTemporary(): Promise<void> {
    for (const made of this.#temporary) {
      await this.run(`DROP ${made.replace(' ', ' IF EXISTS temp.')}`)
      this.#temporary.delete(made)
    }
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

  async #perform<T>(
    sql: string,
    parameters: SqlParameters,
    read: (pending: DuckDBPendingResult) => Promise<T>,
  ): Promise<T> {
    this.#refuseInterrupted()
    using _ = statements.expect(this.#owner)
    const pending = await this.connection.start(sql, bound(sql, parameters))
    await statements.run(this.#owner, () => {
      this.#refuseInterrupted()
      return this.#isReady(pending)
    })
    return await read(pending)
  }

  #isReady(pending: DuckDBPendingResult): boolean {
    try {
      const state = this.#during(() => pending.runTask())
      return state === DuckDBPendingResultState.RESULT_READY
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith(STEP_FAILED)) throw error
      throw new Error(error.message.slice(STEP_FAILED.length), { cause: error })
    }
  }

  #refuseInterrupted(): void {
    if (this.#isInterrupted) throw new InterruptedError('The statement was interrupted')
  }

  async row<Row = SqlRow>(sql: string, parameters: SqlParameters = {}): Promise<Row> {
    return (await this.rows<Row>(sql, parameters))[0] ?? ({} as Row)
  }

  /** Runs everything in one transaction. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    await this.run('BEGIN')
    try {
      const result = await work()
      await this.run('COMMIT')
      return result
    } catch (error) {
      // A failed statement may have ended the transaction already.
      await this.connection.run('ROLLBACK').catch(() => undefined)
      throw error
    }
  }
}

export class InterruptedError extends Error {
  override readonly name = 'InterruptedError'
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
