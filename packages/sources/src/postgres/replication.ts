import type { PostgresConnection } from '@aisle/contract'
import { charsOf, type SourceRow } from '@aisle/import'
import type { Client } from 'pg'
import { isFull } from '../database/row-batches.ts'
import { SourceError } from '../source-error.ts'
import { ALIVE_MS, type SourceChange, type SourceChanges } from '../source-reader.ts'
import { CopyMessages } from './copy-messages.ts'
import { lsnText, readLsn } from './lsn.ts'
import { decodePgoutput, type PgoutputMessage, type Relation, type Tuple } from './pgoutput.ts'
import { quoted } from './postgres-client.ts'
import { RowWriter, rowsById, shapeKey, shapeOf, typesOf, type Shape } from './shape.ts'
import type { SlotNames } from './slot.ts'

/** Where to continue, and what the rows looked like then. */
export interface ReplicationPosition {
  readonly lsn: string
  /** Id of the table: it stays when the table is renamed. */
  readonly table: number
  readonly shape: string
}

/**
 * How often the database is told what is durable, and asked to answer. It ends a connection that
 * says nothing for `wal_sender_timeout`, 60 s by default.
 */
const STATUS_MS = ALIVE_MS
/**
 * How often a position without changes is passed on at most: the slot need not keep the log before
 * it. Less than the time between two answers.
 */
const IDLE_POSITION_MS = ALIVE_MS / 2

/** A message of the stream, or the end of the log so far. */
type StreamMessage = PgoutputMessage | { readonly kind: 'alive'; readonly end: bigint }

/** Changes of one table, in the order of their commits, as batches of documents. */
export class ReplicationStream {
  readonly #client: Client
  readonly #connection: PostgresConnection
  readonly #idColumn: string
  readonly #messages: CopyMessages<StreamMessage>
  readonly #timer: NodeJS.Timeout
  /** Everything before it is durable. */
  #acknowledged: bigint
  /** The end of the last complete transaction that was passed on. */
  #position: bigint
  readonly #start: ReplicationPosition
  #table: Table | undefined
  #changes: Change[] = []
  #chars = 0

  constructor(
    clients: { readonly client: Client; readonly replication: Client },
    connection: PostgresConnection,
    idColumn: string,
    { slot, publication }: SlotNames,
    start: ReplicationPosition,
  ) {
    this.#client = clients.client
    this.#connection = connection
    this.#idColumn = idColumn
    this.#acknowledged = this.#position = readLsn(start.lsn)
    this.#start = start
    const names = quoted(publication).replaceAll("'", "''")
    const options = `proto_version '1', publication_names '${names}'`
    this.#messages = new CopyMessages(
      `START_REPLICATION SLOT ${quoted(slot)} LOGICAL ${start.lsn} (${options})`,
      (bytes) => this.#received(bytes),
    )
    clients.replication.query(this.#messages)
    this.#timer = setInterval(() => this.#sendStatus(true), STATUS_MS)
  }

  async *changes(signal: AbortSignal): AsyncGenerator<SourceChanges> {
    const abort = (): void => this.#messages.fail(signal.reason as Error)
    signal.addEventListener('abort', abort)
    try {
      signal.throwIfAborted()
      yield* this.#batches()
    } finally {
      signal.removeEventListener('abort', abort)
      clearInterval(this.#timer)
    }
  }

  acknowledge(position: ReplicationPosition): void {
    const lsn = readLsn(position.lsn)
    if (lsn > this.#acknowledged) this.#acknowledged = lsn
    this.#sendStatus()
  }

  async *#batches(): AsyncGenerator<SourceChanges> {
    let isInTransaction = false
    // The first answer of the database is passed on at once.
    let passedOnMs = -Infinity
    for (;;) {
      const message = await this.#messages.next()
      if (message === undefined) {
        throw new SourceError('unreachable', 'The database ended the replication')
      }
      if (message.kind === 'begin') isInTransaction = true
      else if (message.kind === 'commit') {
        isInTransaction = false
        this.#position = message.end
      } else if (message.kind === 'alive') {
        const isAhead = !isInTransaction && message.end > this.#position
        if (isAhead) this.#position = message.end
      } else if (message.kind === 'truncate' || message.kind === 'relation') {
        // What was written before has the shape of before.
        yield* this.#flushed()
        await this.#look(message)
      } else this.#collect(message)

      const isComplete = !isInTransaction && this.#messages.isEmpty
      if (this.#changes.length > 0) {
        if (!isComplete && !isFull(this.#changes.length, this.#chars)) continue
        yield* this.#flushed()
        passedOnMs = performance.now()
      } else if (isComplete && performance.now() - passedOnMs > IDLE_POSITION_MS) {
        yield { changes: [], position: this.#place() }
        passedOnMs = performance.now()
      }
    }
  }

  /**
   * The collected changes. Within a long transaction its beginning is the position: after an
   * interruption it is read again from there.
   */
  async *#flushed(): AsyncGenerator<SourceChanges> {
    if (this.#changes.length === 0) return
    const changes = await this.#completed(this.#changes)
    this.#changes = []
    this.#chars = 0
    yield { changes, position: this.#place() }
  }

  /** Reads the rows that did not arrive complete, as they are now. */
  async #completed(changes: readonly Change[]): Promise<SourceChange[]> {
    const ids = new Set(changes.flatMap(({ kind, id }) => (kind === 'read' ? [id] : [])))
    if (ids.size === 0) return changes.flatMap((change) => (change.kind === 'read' ? [] : change))
    const { shape, fullWriter } = this.#table!
    const rows = await rowsById(this.#client, shape, fullWriter, [...ids])
    return changes.flatMap((change): SourceChange[] => {
      if (change.kind !== 'read') return [change]
      const row = rows.get(change.id)
      // Without a row it was deleted later, or the query leaves it out.
      return [row === undefined ? { kind: 'delete', id: change.id } : { kind: 'put', row }]
    })
  }

  async #look(message: PgoutputMessage & { kind: 'truncate' | 'relation' }): Promise<void> {
    if (message.kind === 'truncate') {
      if (!message.relationIds.includes(this.#start.table)) return
      throw new SourceError('position_lost', 'The table was truncated')
    }
    const { relation } = message
    if (relation.id !== this.#start.table) return
    const connection =
      this.#connection.query === undefined
        ? { ...this.#connection, table: `${relation.schema}.${relation.name}` }
        : this.#connection
    const shape = await shapeOf(this.#client, connection, this.#idColumn)
    if (shapeKey(shape) !== this.#start.shape) {
      throw new SourceError('position_lost', 'The columns of the table changed')
    }
    const types = await typesOf(this.#client)
    this.#table = tableOf(relation, shape, types, this.#connection.query !== undefined)
  }

  #collect(message: PgoutputMessage & { kind: 'insert' | 'update' | 'delete' }): void {
    // A publication may have further tables.
    if (message.relationId !== this.#start.table) return
    const table = this.#table!
    const oldId = message.kind === 'insert' ? undefined : idIn(message.old, table)
    if (message.kind === 'delete') {
      if (oldId !== undefined) this.#add({ kind: 'delete', id: oldId })
      return
    }
    const id = idIn(message.row, table)
    if (oldId !== undefined && oldId !== id) this.#add({ kind: 'delete', id: oldId })
    if (id === undefined) return
    const values = completedBy(message.row, message.kind === 'update' ? message.old : undefined)
    if (table.writer !== undefined && !values.includes(undefined)) {
      const row = table.writer.write(values)
      this.#add({ kind: 'put', id, row })
    } else {
      this.#add({ kind: 'read', id })
    }
  }

  #add(change: Change): void {
    this.#changes.push(change)
    this.#chars += change.kind === 'put' ? charsOf(change.row) : 100
  }

  #place(): string {
    const position: ReplicationPosition = { ...this.#start, lsn: lsnText(this.#position) }
    return JSON.stringify(position)
  }

  #received(bytes: Buffer): StreamMessage | undefined {
    if (bytes[0] === 0x77) return decodePgoutput(bytes.subarray(1 + 8 + 8 + 8))
    if (bytes[0] !== 0x6b) return undefined
    if (bytes[1 + 8 + 8] === 1) this.#sendStatus()
    return { kind: 'alive', end: bytes.readBigUInt64BE(1) }
  }

  /** "Standby status update": everything up to here is written, flushed and applied, at no time. */
  #sendStatus(wantsAnswer = false): void {
    const status = Buffer.alloc(1 + 4 * 8 + 1)
    status[0] = 0x72
    for (const at of [1, 9, 17]) status.writeBigUInt64BE(this.#acknowledged, at)
    if (wantsAnswer) status[status.length - 1] = 1
    this.#messages.send(status)
  }
}

/** A change that arrived complete, or a row to read. */
type Change =
  | { readonly kind: 'put'; readonly id: string; readonly row: SourceRow }
  | { readonly kind: 'delete'; readonly id: string }
  | { readonly kind: 'read'; readonly id: string }

interface Table {
  readonly shape: Shape
  /** Index of the id column in the published rows. */
  readonly idAt: number
  /** Of published rows; `undefined` if they lack columns, as generated ones, or are of a query. */
  readonly writer: RowWriter | undefined
  /** Of rows that are read. */
  readonly fullWriter: RowWriter
}

function tableOf(
  relation: Relation,
  shape: Shape,
  types: Awaited<ReturnType<typeof typesOf>>,
  isQuery: boolean,
): Table {
  const idName = shape.columns[shape.idAt]!.name
  const names = relation.columns.map(({ name }) => name)
  const idAt = names.indexOf(idName)
  const isWhole = !isQuery && shape.columns.every(({ name }) => names.includes(name))
  return {
    shape,
    idAt,
    writer: isWhole ? new RowWriter(relation.columns, idAt, types) : undefined,
    fullWriter: new RowWriter(shape.columns, shape.idAt, types),
  }
}

function idIn(tuple: Tuple | undefined, { idAt }: Table): string | undefined {
  return tuple?.[idAt] ?? undefined
}

/** Long values that did not change are in the old row, if the replica identity has all columns. */
function completedBy(row: Tuple, old: Tuple | undefined): Tuple {
  return old === undefined
    ? row
    : row.map((value, at) => value ?? (value === null ? null : old[at]))
}
