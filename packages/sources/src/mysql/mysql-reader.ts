import type { MysqlConnection } from '@aisle/contract'
import type { SourceRow } from '@aisle/import'
import type { Connection } from 'mysql2'
import { rowBatches } from '../database/row-batches.ts'
import { followUpdates, type UpdatesPosition } from '../database/updates.ts'
import type { ReaderOptions, SourceBatch, SourceChanges, SourceReader } from '../source-reader.ts'
import { connectMysql, mysqlRows, mysqlStream } from './mysql-client.ts'
import { mysqlFault } from './mysql-faults.ts'
import { MysqlRowWriter, mysqlShape } from './mysql-rows.ts'
import { mysqlPosition, mysqlUpdates } from './mysql-updates.ts'

/**
 * A table or query of MySQL or MariaDB: read in one snapshot, then followed by a column with the
 * time of the last change.
 */
export class MysqlReader implements SourceReader {
  readonly #connection: MysqlConnection
  readonly #options: ReaderOptions
  #client: Connection | undefined

  constructor(connection: MysqlConnection, options: ReaderOptions) {
    this.#connection = connection
    this.#options = options
  }

  async *readAll(signal: AbortSignal): AsyncGenerator<SourceBatch> {
    yield* this.#guarded(signal, this.#readAll(signal))
  }

  async *follow(position: string, signal: AbortSignal): AsyncGenerator<SourceChanges> {
    yield* this.#guarded(signal, this.#follow(position, signal))
  }

  async close(): Promise<void> {
    this.#client?.destroy()
    this.#client = undefined
  }

  async *#readAll(signal: AbortSignal): AsyncGenerator<SourceBatch> {
    const { follow } = this.#connection
    const client = await this.#connect()
    await mysqlRows(client, 'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY')
    const shape = await mysqlShape(client, this.#connection, this.#options.idColumn)
    const position = follow === undefined ? undefined : await mysqlPosition(client, shape, follow)
    const writer = new MysqlRowWriter(shape)
    const rows = async function* (): AsyncGenerator<SourceRow> {
      for await (const values of mysqlStream(client, shape.sql, signal)) yield writer.write(values)
    }
    for await (const batch of rowBatches(rows())) yield { kind: 'rows', ...batch }
    await mysqlRows(client, 'COMMIT')
    yield { kind: 'end', position: position === undefined ? undefined : JSON.stringify(position) }
  }

  async *#follow(position: string, signal: AbortSignal): AsyncGenerator<SourceChanges> {
    const { follow } = this.#connection
    if (follow === undefined) return
    const client = await this.#connect()
    const shape = await mysqlShape(client, this.#connection, this.#options.idColumn)
    const queries = mysqlUpdates(client, shape, follow)
    yield* followUpdates(queries, follow, JSON.parse(position) as UpdatesPosition, signal)
  }

  async #connect(): Promise<Connection> {
    this.#client = await connectMysql(this.#connection, this.#options)
    return this.#client
  }

  /** Ends the connection with the reading, and says what went wrong in words for its reader. */
  async *#guarded<Part>(signal: AbortSignal, parts: AsyncGenerator<Part>): AsyncGenerator<Part> {
    await this.close()
    // A connection that waits for the database ends at once.
    const abort = (): void => void this.close()
    signal.addEventListener('abort', abort)
    try {
      yield* parts
    } catch (error) {
      signal.throwIfAborted()
      throw mysqlFault(error, this.#connection, this.#options.secrets)
    } finally {
      signal.removeEventListener('abort', abort)
      await this.close()
    }
  }
}
