import type { PostgresConnection } from '@aisle/contract'
import type { SourceRow } from '@aisle/import'
import type { Client } from 'pg'
import { rowBatches } from '../database/row-batches.ts'
import { followUpdates, type UpdatesPosition } from '../database/updates.ts'
import { SourceError } from '../source-error.ts'
import type { ReaderOptions, SourceBatch, SourceChanges, SourceReader } from '../source-reader.ts'
import { copyRows } from './copy-rows.ts'
import { lsnText, readLsn } from './lsn.ts'
import { postgresFault } from './postgres-faults.ts'
import { connectPostgres, disconnect, literal } from './postgres-client.ts'
import { postgresUpdates, updatesPosition } from './postgres-updates.ts'
import { ReplicationStream, type ReplicationPosition } from './replication.ts'
import { RowWriter, shapeKey, shapeOf, tableName, typesOf } from './shape.ts'
import {
  createSlot,
  dropPublication,
  dropSlot,
  preparePublication,
  requireSlot,
  slotNames,
} from './slot.ts'

/** For dropping what the database keeps. */
const DROP_MS_MAX = 60_000

/** The position of a source whose `follow` was changed says nothing about the new way. */
type Position =
  | ({ readonly by: 'replication' } & ReplicationPosition)
  | ({ readonly by: 'updated_at' } & UpdatesPosition)

/**
 * A table or query of PostgreSQL: read by `COPY` in one snapshot, then followed by logical
 * replication from that snapshot on, or by a column with the time of the last change.
 */
export class PostgresReader implements SourceReader {
  readonly #connection: PostgresConnection
  readonly #options: ReaderOptions
  readonly #clients = new Set<Client>()
  #stream: ReplicationStream | undefined

  constructor(connection: PostgresConnection, options: ReaderOptions) {
    this.#connection = connection
    this.#options = options
  }

  async *readAll(signal: AbortSignal): AsyncGenerator<SourceBatch> {
    yield* this.#guarded(signal, this.#readAll(signal))
  }

  async *follow(position: string, signal: AbortSignal): AsyncGenerator<SourceChanges> {
    yield* this.#guarded(signal, this.#follow(position, signal))
  }

  async acknowledge(position: string): Promise<void> {
    this.#stream?.acknowledge(JSON.parse(position) as ReplicationPosition)
  }

  async close(): Promise<void> {
    for (const client of this.#clients) disconnect(client)
    this.#clients.clear()
  }

  async drop(): Promise<void> {
    await this.close()
    if (this.#connection.follow?.by !== 'replication') return
    const { slot, publication, ownsPublication } = this.#names
    try {
      const client = await this.#connect()
      await dropSlot(client, slot, AbortSignal.timeout(DROP_MS_MAX))
      if (ownsPublication) await dropPublication(client, publication)
    } catch (error) {
      throw postgresFault(error, this.#connection, this.#options.secrets)
    } finally {
      await this.close()
    }
  }

  get #names(): ReturnType<typeof slotNames> {
    return slotNames(this.#connection, this.#options.owner)
  }

  async *#readAll(signal: AbortSignal): AsyncGenerator<SourceBatch> {
    const connection = this.#connection
    const { idColumn, isTrial } = this.#options
    const follow = isTrial === true ? undefined : connection.follow
    const client = await this.#connect()
    let lsn: bigint | undefined
    let snapshot: string | undefined
    let replication: Client | undefined
    if (follow?.by === 'replication') {
      await preparePublication(client, tableName(connection.table ?? ''), idColumn, this.#names)
      replication = await this.#connect(true)
      ;({ lsn, snapshot } = await createSlot(client, replication, this.#names.slot, signal))
    }
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    if (snapshot !== undefined) {
      await client.query(`SET TRANSACTION SNAPSHOT ${literal(snapshot)}`)
      disconnect(replication)
    }
    const shape = await shapeOf(client, connection, idColumn)
    const types = await typesOf(client)
    let position: Position | undefined
    if (lsn !== undefined) {
      const table = await tableId(client, connection)
      position = { by: 'replication', lsn: lsnText(lsn), table, shape: shapeKey(shape) }
    } else if (follow?.by === 'updated_at') {
      position = { by: 'updated_at', ...(await updatesPosition(client, shape, types, follow)) }
    }
    const writer = new RowWriter(shape.columns, shape.idAt, types)
    const rows = async function* (): AsyncGenerator<SourceRow> {
      for await (const values of copyRows(client, shape.sql, signal)) yield writer.write(values)
    }
    for await (const batch of rowBatches(rows())) yield { kind: 'rows', ...batch }
    await client.query('COMMIT')
    yield {
      kind: 'end',
      position: position === undefined ? undefined : JSON.stringify(position),
    }
  }

  async *#follow(text: string, signal: AbortSignal): AsyncGenerator<SourceChanges> {
    const connection = this.#connection
    const { follow } = connection
    const { idColumn } = this.#options
    if (follow === undefined) return
    const position = JSON.parse(text) as Position
    const client = await this.#connect()
    if (follow.by === 'updated_at' && position.by === 'updated_at') {
      const shape = await shapeOf(client, connection, idColumn)
      const queries = postgresUpdates(client, shape, await typesOf(client), follow)
      yield* followUpdates(queries, follow, position, signal)
    } else if (follow.by === 'replication' && position.by === 'replication') {
      await requireSlot(client, this.#names.slot, readLsn(position.lsn), signal)
      const replication = await this.#connect(true)
      const clients = { client, replication }
      const names = this.#names
      this.#stream = new ReplicationStream(clients, connection, idColumn, names, position)
      yield* this.#stream.changes(signal)
    } else {
      throw new SourceError('position_lost', 'Changes are followed in another way than before')
    }
  }

  async #connect(isReplication = false): Promise<Client> {
    const client = await connectPostgres(this.#connection, this.#options, isReplication)
    this.#clients.add(client)
    return client
  }

  /** Ends the connections with the reading, and says what went wrong in words for its reader. */
  async *#guarded<Part>(signal: AbortSignal, parts: AsyncGenerator<Part>): AsyncGenerator<Part> {
    await this.close()
    // A connection that waits for the database ends at once.
    const abort = (): void => void this.close()
    signal.addEventListener('abort', abort)
    try {
      yield* parts
    } catch (error) {
      signal.throwIfAborted()
      throw postgresFault(error, this.#connection, this.#options.secrets)
    } finally {
      signal.removeEventListener('abort', abort)
      this.#stream = undefined
      await this.close()
    }
  }
}

async function tableId(client: Client, { table = '' }: PostgresConnection): Promise<number> {
  const { rows } = await client.query<{ readonly id: string }>({
    text: 'SELECT $1::regclass::oid AS id',
    values: [tableName(table)],
  })
  return Number(rows[0]!.id)
}
