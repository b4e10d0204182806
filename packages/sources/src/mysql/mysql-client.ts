import type { Readable } from 'node:stream'
import type { MysqlConnection } from '@aisle/contract'
import { createConnection, type Connection, type FieldPacket } from 'mysql2'
import { CONNECT_MS_MAX, guardedSocket, statementMsMax, tlsOf } from '../database/connect.ts'
import type { ReaderOptions } from '../source-reader.ts'

/** Seconds that the server waits for a reader that is slow because it writes. */
const SLOW_READER_SECONDS = 3_600

/** A connection of a source: in UTC, and without statements that write. */
export async function connectMysql(
  connection: MysqlConnection,
  { secrets, networks }: ReaderOptions,
): Promise<Connection> {
  const { host, port = 3_306, database, user } = connection
  const tls = tlsOf(connection)
  const client = createConnection({
    host,
    port,
    database,
    user,
    password: secrets['password'] ?? '',
    stream: () => guardedSocket(host, port, networks),
    connectTimeout: CONNECT_MS_MAX,
    charset: 'utf8mb4_bin',
    // The server must not ask for files of this machine.
    flags: ['-LOCAL_FILES'],
    rowsAsArray: true,
    typeCast: (field) => field.buffer(),
    ...(tls === undefined
      ? {}
      : {
          ssl: {
            rejectUnauthorized: tls.rejectUnauthorized === true,
            verifyIdentity: tls.rejectUnauthorized === true,
            ...(tls.ca === undefined ? {} : { ca: tls.ca as string }),
          },
        }),
  })
  // Without a listener an error of an idle connection would end the process: the next query fails.
  client.on('error', () => {})
  await new Promise<void>((resolve, reject) => {
    client.connect((error) => (error === null ? resolve() : reject(error)))
  })
  const version = (await mysqlRows(client, 'SELECT version()')).rows[0]![0]!.toString()
  const timeoutMs = statementMsMax(connection)
  const timeout = version.includes('MariaDB')
    ? `max_statement_time = ${timeoutMs / 1_000}`
    : `max_execution_time = ${timeoutMs}`
  const settings = `time_zone = '+00:00', net_write_timeout = ${SLOW_READER_SECONDS}, ${timeout}`
  await mysqlRows(client, `SET SESSION ${settings}`)
  await mysqlRows(client, 'SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
  return client
}

/** A value is the bytes of its text; null is null. */
export type MysqlRow = readonly (Buffer | null)[]

/** Runs a statement with few rows. */
export function mysqlRows(
  client: Connection,
  sql: string,
): Promise<{ readonly rows: readonly MysqlRow[]; readonly fields: readonly FieldPacket[] }> {
  return new Promise((resolve, reject) => {
    client.query(sql, (error, rows, fields) => {
      if (error === null) resolve({ rows: rows as unknown as MysqlRow[], fields })
      else reject(error)
    })
  })
}

/** The rows of a statement, as they are asked for. Ending early ends the connection. */
export async function* mysqlStream(
  client: Connection,
  sql: string,
  signal: AbortSignal,
): AsyncGenerator<MysqlRow> {
  signal.throwIfAborted()
  let isComplete = false
  let failure: Error | undefined
  const query = { stream: undefined as Readable | undefined }
  // A connection that is lost tells those that wait for a result, and not its streams.
  const fail = (error: Error | undefined): void => {
    failure ??= error ?? new Error('The connection was closed')
    query.stream?.destroy(failure)
  }
  const abort = (): void => fail(signal.reason as Error)
  client.on('error', fail)
  client.on('end', fail)
  signal.addEventListener('abort', abort)
  query.stream = client.query(sql).stream({ highWaterMark: 1_000 })
  try {
    if (failure !== undefined) throw failure
    yield* query.stream as AsyncIterable<MysqlRow>
    isComplete = true
  } finally {
    client.off('error', fail)
    client.off('end', fail)
    signal.removeEventListener('abort', abort)
    if (!isComplete) client.destroy()
  }
}

export function backticked(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}
