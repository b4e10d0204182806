import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { PostgresConnection } from '@aisle/contract'
import type { Client } from 'pg'
import { SourceError } from '../source-error.ts'
import { readLsn } from './lsn.ts'
import { literal, quoted } from './postgres-client.ts'

/** For a reader that ended, or that lost its lease, to leave its slot. */
const RELEASE_MS_MAX = 30_000
const RELEASE_CHECK_MS = 100
/** Error codes of PostgreSQL. */
const OBJECT_IN_USE = '55006'
const UNDEFINED_OBJECT = '42704'

/** What the database keeps for a source: a slot, and a publication of its table. */
export interface SlotNames {
  readonly slot: string
  readonly publication: string
  /** Whether the publication is of the source, and goes with it. */
  readonly ownsPublication: boolean
}

/** @param owner unique to the source */
export function slotNames({ follow }: PostgresConnection, owner: string): SlotNames {
  const hash = createHash('sha256').update(owner).digest('hex').slice(0, 20)
  const chosen = follow?.by === 'replication' ? follow : undefined
  const slot = chosen?.slot ?? `aisle_${hash}`
  const publication = chosen?.publication
  return { slot, publication: publication ?? slot, ownsPublication: publication === undefined }
}

/**
 * Makes sure that changes of the table are published, and that each says which document it is
 * about.
 *
 * A table without a replica identity is refused before it is published: PostgreSQL would refuse all
 * its updates and deletes from then on.
 */
export async function preparePublication(
  client: Client,
  table: string,
  idColumn: string,
  { publication, ownsPublication }: SlotNames,
): Promise<void> {
  await requireIdentity(client, table, idColumn)
  const found = await client.query<{ readonly has_table: string | null }>({
    text: `SELECT (SELECT 't' FROM pg_publication_tables AS t
             JOIN pg_namespace AS n ON n.nspname = t.schemaname
             JOIN pg_class AS c ON c.relnamespace = n.oid AND c.relname = t.tablename
             WHERE t.pubname = p.pubname AND c.oid = $2::regclass) AS has_table
           FROM pg_publication AS p WHERE p.pubname = $1`,
    values: [publication, table],
  })
  const [row] = found.rows
  if (row !== undefined && row.has_table !== null) return
  if (row !== undefined) {
    throw new SourceError(
      'unreadable',
      `Publication "${publication}" does not have the table: run ALTER PUBLICATION ${quoted(publication)} ADD TABLE ${table}`,
    )
  }
  const statement = `CREATE PUBLICATION ${quoted(publication)} FOR TABLE ${table} WITH (publish_via_partition_root = true)`
  if (!ownsPublication) throw noPublication(publication, statement)
  try {
    await client.query('BEGIN READ WRITE')
    await client.query(statement)
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    if ((error as { code?: string }).code !== '42501') throw error
    throw noPublication(publication, statement)
  }
}

function noPublication(publication: string, statement: string): SourceError {
  return new SourceError(
    'unauthorized',
    `There is no publication "${publication}", and the user of the source cannot create it. Run as the owner of the table: ${statement}`,
  )
}

async function requireIdentity(client: Client, table: string, id: string): Promise<void> {
  const { rows } = await client.query<{ readonly identity: string; readonly columns: string }>({
    text: `SELECT c.relreplident AS identity, array_to_json(array(
             SELECT a.attname FROM pg_index AS i
             JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
             WHERE i.indrelid = c.oid
               AND CASE c.relreplident WHEN 'i' THEN i.indisreplident ELSE i.indisprimary END
           )) AS columns FROM pg_class AS c WHERE c.oid = $1::regclass`,
    values: [table],
  })
  const { identity, columns } = rows[0]!
  const names = JSON.parse(columns) as string[]
  if (identity === 'f' || (identity !== 'n' && names.includes(id))) return
  throw new SourceError(
    'unreadable',
    `Deletions in the table would not say which "${id}" was deleted, because the column is not in its primary key: use a column of the primary key as \`id_column\`, or run ALTER TABLE … REPLICA IDENTITY FULL`,
  )
}

/**
 * Creates the slot on a connection of replication, in place of an earlier one.
 *
 * @returns where its changes begin, and the snapshot that has everything before. The snapshot can
 *   be used until the connection does something else
 */
export async function createSlot(
  client: Client,
  replication: Client,
  slot: string,
  signal: AbortSignal,
): Promise<{ readonly lsn: bigint; readonly snapshot: string }> {
  await dropSlot(client, slot, signal)
  const { rows } = await replication.query<{
    readonly consistent_point: string
    readonly snapshot_name: string
  }>(`CREATE_REPLICATION_SLOT ${quoted(slot)} LOGICAL pgoutput EXPORT_SNAPSHOT`)
  const { consistent_point: lsn, snapshot_name: snapshot } = rows[0]!
  return { lsn: readLsn(lsn), snapshot }
}

/** Whether the slot still has all changes after a position. @throws SourceError position_lost */
export async function requireSlot(
  client: Client,
  slot: string,
  lsn: bigint,
  signal: AbortSignal,
): Promise<void> {
  const state = await releasedSlot(client, slot, signal)
  if (state === undefined) {
    throw new SourceError('position_lost', `The replication slot "${slot}" no longer exists`)
  }
  if (state.wal_status === 'lost') {
    throw new SourceError(
      'position_lost',
      `The replication slot "${slot}" was invalidated, because the database keeps no more log for it (max_slot_wal_keep_size)`,
    )
  }
  if (readLsn(state.confirmed ?? '0/0') > lsn) {
    throw new SourceError(
      'position_lost',
      `The replication slot "${slot}" is ahead of the documents: they were restored from a backup, or another reader used the slot`,
    )
  }
}

/** Drops the slot if it exists, though a reader may take it again meanwhile. */
export async function dropSlot(client: Client, slot: string, signal: AbortSignal): Promise<void> {
  while ((await releasedSlot(client, slot, signal)) !== undefined) {
    try {
      await client.query({ text: 'SELECT pg_drop_replication_slot($1)', values: [slot] })
      return
    } catch (error) {
      const { code } = error as { code?: string }
      if (code !== OBJECT_IN_USE && code !== UNDEFINED_OBJECT) throw error
    }
  }
}

export async function dropPublication(client: Client, publication: string): Promise<void> {
  await client.query('BEGIN READ WRITE')
  await client.query(`DROP PUBLICATION IF EXISTS ${quoted(publication)}`)
  await client.query('COMMIT')
}

interface SlotState {
  readonly active_pid: string | null
  readonly confirmed: string | null
  readonly wal_status: string | null
}

/**
 * The state of a slot that no other connection uses. One source has one reader: an earlier
 * connection is of a reader that was killed, and is ended.
 */
async function releasedSlot(
  client: Client,
  slot: string,
  signal: AbortSignal,
): Promise<SlotState | undefined> {
  const untilMs = performance.now() + RELEASE_MS_MAX
  for (;;) {
    signal.throwIfAborted()
    const { rows } = await client.query<SlotState & { readonly ended: string | null }>(
      `SELECT active_pid, confirmed_flush_lsn AS confirmed, wal_status,
         CASE WHEN active_pid IS NOT NULL THEN pg_terminate_backend(active_pid) END AS ended
       FROM pg_replication_slots WHERE slot_name = ${literal(slot)}`,
    )
    const [state] = rows
    if (state === undefined || state.active_pid === null) return state
    if (performance.now() > untilMs) {
      throw new SourceError('unreachable', `The replication slot "${slot}" is in use`)
    }
    await delay(RELEASE_CHECK_MS)
  }
}
