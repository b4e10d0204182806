import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Snapshot } from '../../ports/catalog/snapshot-keeper.ts'
import { FORMAT_FILE, FORMAT_VERSION, syncFile, syncPath } from './data-folder.ts'
import { takeCensus } from './folder-census.ts'
import { digestsOf } from './file-digest.ts'
import { firstDamaged, sealEventLogs, type SealedFile } from './snapshot-events.ts'

/**
 * A snapshot is a folder that can serve as a data folder:
 *
 *     aisle.json      {"format": 2}
 *     snapshot.json   what it holds, and the SHA-256 of each file
 *     lmdb/data.mdb   the document file, copied inside one read transaction
 *     events/         the segments of the event logs, a moment later; none when there were none
 */
const SNAPSHOT_FILE = 'snapshot.json'
/** Folder of the event logs, in a snapshot as in a data folder. */
export const EVENTS = 'events'

interface SnapshotRow extends Omit<Snapshot, 'folder'> {
  /** SHA-256 of the document file. */
  readonly sha256: string
  readonly events: readonly SealedFile[]
}

/** Default for snapshots from before events were included. */
const NO_EVENTS = { event_bytes: 0, events: [] } as const

/** A snapshot differs from what was written. The message is one line for a person. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError'
}

/** @throws SnapshotError */
export function readSnapshot(folder: string): Snapshot & Pick<SnapshotRow, 'sha256' | 'events'> {
  const file = join(folder, SNAPSHOT_FILE)
  if (!existsSync(file))
    throw new SnapshotError(`"${folder}" is not a snapshot: no ${SNAPSHOT_FILE}`)
  let row: SnapshotRow
  try {
    row = JSON.parse(readFileSync(file, 'utf8')) as SnapshotRow
  } catch (error) {
    throw new SnapshotError(`Cannot read "${file}": ${(error as Error).message}`)
  }
  if (!Number.isInteger(row.format) || typeof row.sha256 !== 'string') {
    throw new SnapshotError(`Cannot use "${file}": it has no format or checksum`)
  }
  if (row.format > FORMAT_VERSION) {
    throw new SnapshotError(
      `Cannot use the snapshot "${folder}": it has format ${row.format}, but this version reads formats up to ${FORMAT_VERSION}`,
    )
  }
  return { ...NO_EVENTS, ...row, folder }
}

/** The public description, without checksums. */
export function describeSnapshot(folder: string): Snapshot {
  const { sha256: _, events: __, ...snapshot } = readSnapshot(folder)
  return snapshot
}

/**
 * Reads the copy in a folder row by row, and records the counts.
 *
 * @throws SnapshotError if anything is wrong with it
 */
export async function sealSnapshot(
  folder: string,
  about: Pick<Snapshot, 'name' | 'created_at' | 'version'>,
): Promise<void> {
  const counts = await countSnapshot(folder)
  const file = join(folder, 'lmdb', 'data.mdb')
  await syncFile(file)
  const events = await sealEventLogs(join(folder, EVENTS))
  const sha256 = await digestOf(file)
  const eventBytes = events.reduce((sum, { bytes }) => sum + bytes, 0)
  const row: SnapshotRow = {
    ...about,
    format: FORMAT_VERSION,
    ...counts,
    bytes: statSync(file).size + eventBytes,
    event_bytes: eventBytes,
    sha256,
    events,
  }
  for (const [name, value] of [
    [FORMAT_FILE, { format: FORMAT_VERSION }],
    [SNAPSHOT_FILE, row],
  ] as const) {
    writeFileSync(join(folder, name), `${JSON.stringify(value, null, 2)}\n`)
    syncPath(join(folder, name))
  }
  syncPath(folder)
}

/**
 * Reads everything again and compares it with the recorded counts and checksums.
 *
 * @throws SnapshotError with the reason
 */
export async function verifySnapshot(folder: string): Promise<Snapshot> {
  const expected = readSnapshot(folder)
  const file = join(folder, 'lmdb', 'data.mdb')
  if (!existsSync(file)) throw new SnapshotError(`The snapshot "${folder}" has no ${file}`)
  const { sha256, events, ...snapshot } = expected
  if ((await digestOf(file)) !== sha256) {
    throw new SnapshotError(
      `The snapshot "${folder}" is damaged: ${file} has changed since it was written`,
    )
  }
  const damaged = await firstDamaged(join(folder, EVENTS), events)
  if (damaged !== undefined) {
    throw new SnapshotError(
      `The snapshot "${folder}" is damaged: ${damaged} has changed since it was written`,
    )
  }
  const { stores, documents } = await countSnapshot(folder)
  if (stores !== snapshot.stores || documents !== snapshot.documents) {
    throw new SnapshotError(
      `The snapshot "${folder}" should have ${snapshot.documents} documents in ${snapshot.stores} stores, found ${documents} in ${stores}`,
    )
  }
  return snapshot
}

async function countSnapshot(folder: string): Promise<{ stores: number; documents: number }> {
  const lmdb = join(folder, 'lmdb')
  const { stores, problems } = await takeCensus(lmdb).catch((error: unknown) => {
    throw new SnapshotError(`The copy in "${folder}" is damaged: ${(error as Error).message}`)
  })
  // Opening the copy created LMDB's table of readers, which does not belong in a snapshot.
  rmSync(join(lmdb, 'lock.mdb'), { force: true })
  if (problems.length > 0) {
    throw new SnapshotError(`The copy in "${folder}" is damaged: ${problems.join('; ')}`)
  }
  const documents = stores.reduce((sum, store) => sum + store.documents, 0)
  return { stores: stores.length, documents }
}

async function digestOf(file: string): Promise<string> {
  const [digest = ''] = await digestsOf([file])
  return digest
}
