import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api'

export type SqlParameters = Readonly<Record<string, string | number | boolean>>
export type SqlRow = Readonly<Record<string, string | number | boolean | null>>

/** One connection, one statement at a time. Whole numbers come as numbers: all of ours are below 2^53. */
export class SqlSession {
  readonly connection: DuckDBConnection

  constructor(connection: DuckDBConnection) {
    this.connection = connection
  }

  async run(sql: string, parameters: SqlParameters = {}): Promise<void> {
    await this.connection.run(sql, bound(sql, parameters))
  }

  async rows(sql: string, parameters: SqlParameters = {}): Promise<SqlRow[]> {
    const reader = await this.connection.runAndReadAll(sql, bound(sql, parameters))
    return reader.getRowObjects().map((row) => {
      const entries = Object.entries(row).map(([name, value]) => [name, plain(value)] as const)
      return Object.fromEntries(entries)
    })
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
      await this.run('ROLLBACK').catch(() => undefined)
      throw error
    }
  }
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
