import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { DuckDBPendingResultState } from '@duckdb/node-api'
import type { DuckDBConnection, DuckDBPendingResult, DuckDBValue } from '@duckdb/node-api'

export type SqlParameters = Readonly<Record<string, string | number | boolean>>
export type SqlRow = Readonly<Record<string, string | number | boolean | null>>

/** Does a step of a statement. */
export type During = <T>(step: () => T) => T

/** After so long a statement lets the statements of other sessions on. */
const STEP_MS = 10
/** For so long a statement that has used less of the thread goes first, whatever it waits for. */
const FIRST_FOR_MS = 1_000
/** What the bindings put before the words of DuckDB. */
const STEP_FAILED = 'Failure running pending result task: '

/** The beginning of our own statements that make something for this session alone. */
const TEMPORARY = /^CREATE OR REPLACE TEMP (TABLE \w+|VIEW \w+) /

interface Statement {
  readonly sinceMs: number
  /** Of the thread, so far. */
  usedMs: number
}

/** Of all sessions of this thread. */
const underWay = new Set<Statement>()

/**
 * Whoever has used least goes next: a report of short statements does not wait for a step of a long
 * one between any two of its own, of which each has several turns of the event loop.
 */
function isLighterUnderWay(statement: Statement): boolean {
  const nowMs = performance.now()
  return underWay
    .values()
    .some((other) => other.usedMs < statement.usedMs && nowMs - other.sinceMs < FIRST_FOR_MS)
}

/**
 * One connection, one statement at a time. Whole numbers come as numbers: all of ours are below
 * 2^53.
 *
 * Statements run on the calling thread, step by step, so that those of many sessions share it, and
 * it alone: a step takes some 50 ms where millions of rows are grouped, mostly a few. (On a thread
 * of libuv's pool they would run as long as they take, and keep commits and event logs from it.)
 */
export class SqlSession {
  readonly connection: DuckDBConnection
  readonly #during: During
  #isInterrupted = false
  /** What was made for a while and not removed: `TABLE name` or `VIEW name`. */
  readonly #temporary = new Set<string>()

  /** @param during does each step */
  constructor(connection: DuckDBConnection, during: During = (step) => step()) {
    this.connection = connection
    this.#during = during
  }

  async run(sql: string, parameters: SqlParameters = {}): Promise<void> {
    const [, made] = TEMPORARY.exec(sql) ?? []
    if (made !== undefined) this.#temporary.add(made)
    await this.#perform(sql, parameters, (pending) => pending.getResult())
  }

  async rows(sql: string, parameters: SqlParameters = {}): Promise<SqlRow[]> {
    const reader = await this.#perform(sql, parameters, (pending) => pending.readAll())
    return reader.getRowObjects().map((row) => {
      const entries = Object.entries(row).map(([name, value]) => [name, plain(value)] as const)
      return Object.fromEntries(entries)
    })
  }

  /**
   * Removes the temporary tables and views: as long as they are there, they take memory from all
   * other sessions of the instance.
   */
  async dropTemporary(): Promise<void> {
    for (const made of this.#temporary) {
      await this.run(`DROP ${made.replace(' ', ' IF EXISTS temp.')}`)
      this.#temporary.delete(made)
    }
  }

  /** The statement under way and all that follow fail with `InterruptedError`, until `resume`. */
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
    const statement: Statement = { sinceMs: performance.now(), usedMs: 0 }
    underWay.add(statement)
    try {
      const pending = await this.connection.start(sql, bound(sql, parameters))
      let startMs = performance.now()
      while (!this.#isReady(pending)) {
        const usedMs = performance.now() - startMs
        if (usedMs < STEP_MS) continue
        statement.usedMs += usedMs
        await nextTurn()
        while (isLighterUnderWay(statement)) await sleep(1)
        this.#refuseInterrupted()
        startMs = performance.now()
      }
      return await read(pending)
    } finally {
      underWay.delete(statement)
    }
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

  async row(sql: string, parameters: SqlParameters = {}): Promise<SqlRow> {
    return (await this.rows(sql, parameters))[0] ?? {}
  }

  /** All of it, or nothing. */
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

/** The parameters that a statement names: DuckDB takes no others. */
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

/** A text as a literal of SQL; for names and paths, which cannot be parameters. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
