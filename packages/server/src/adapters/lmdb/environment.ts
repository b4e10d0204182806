import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { open, type Database, type RootDatabase } from 'lmdb'

/** The tables of the document file. */
export interface Environment {
  readonly root: RootDatabase<Buffer, Buffer>
  /** storeNumber -> store row. */
  readonly stores: Table
  /** storeNumber, kind, name -> JSON of a resource. */
  readonly resources: Table
  /** catalog -> counters. */
  readonly counters: Table
  /** catalog, docKey -> document row. */
  readonly documents: Table
  /** catalog, id -> docKey of the live version. */
  readonly ids: Table
  /** catalog, docKey -> 0: versions that are no longer live. */
  readonly tombstones: Table
  /**
   * catalog, space, id -> vector of a document. Absent in a file of an older version that is opened
   * read-only.
   */
  readonly vectors: Table | undefined
  /** name -> small facts about the folder itself. */
  readonly meta: Table
}

export type Table = Database<Buffer, Buffer>

/** Address space, not disk or memory. The file is mapped once and never moves under a reader. */
const MAP_BYTES = 2 ** 40
const READERS_MAX = 1_024
const TABLES_MAX = 32

/**
 * Opens the document file with its tables.
 *
 * `overlappingSync: false`: a commit resolves only after `fdatasync`, and one that fails leaves
 * nothing visible. It must never be changed for an existing file. Writes are issued inside `batch`,
 * which commits them together or not at all; no JavaScript runs inside a transaction, so a dying
 * thread cannot leave one open. (Event-turn batching would do the same, but a failed commit then
 * rejects a promise of lmdb's own that nobody can catch.)
 *
 * Threads: one writer in the process, in the main thread; any number of threads open it `readOnly`.
 */
export function openEnvironment(path: string, options: { readOnly: boolean }): Environment {
  const root = openRoot(path, options)
  const table = (name: string): Table => {
    const opened = openTable(root, name)
    if (opened !== undefined) return opened
    throw new Error(`Cannot open table "${name}" of ${path}: it is missing`)
  }
  return {
    root,
    stores: table('stores'),
    resources: table('resources'),
    counters: table('counters'),
    documents: table('documents'),
    ids: table('ids'),
    tombstones: table('tombstones'),
    vectors: openTable(root, 'vectors'),
    meta: table('meta'),
  }
}

/**
 * Opens only the file; see `openEnvironment` for the options.
 *
 * @throws Error if it cannot be read
 */
export function openRoot(path: string, options: { readOnly: boolean }): Environment['root'] {
  // LMDB would create the folder, even of a file that is only to be read.
  if (options.readOnly && !existsSync(join(path, 'data.mdb'))) {
    throw new Error(`Cannot read ${path}: it has no document file`)
  }
  const root = open<Buffer, Buffer>({
    path,
    readOnly: options.readOnly,
    overlappingSync: false,
    eventTurnBatching: false,
    encoding: 'binary',
    keyEncoding: 'binary',
    maxDbs: TABLES_MAX,
    maxReaders: READERS_MAX,
    mapSize: MAP_BYTES,
  })
  const close = root.close.bind(root)
  // A read leaves a timer that ends its transaction, and throws if the file is closed by then.
  root.close = () => {
    root.resetReadTxn()
    closing.add(root)
    return close()
  }
  refuseLateReads(root, root)
  return root
}

/** Files that are being closed, which takes a while if they are written. */
const closing = new WeakSet<Environment['root']>()

/** While a file is being closed, lmdb still begins reads, and their timers throw. */
function refuseLateReads(root: Environment['root'], store: object): void {
  // lmdb emits events, which its types do not have; its own `on` takes only some of them.
  const events = store as { emit: (name: string, ...rest: unknown[]) => unknown }
  const emit = events.emit.bind(store)
  events.emit = (name, ...rest) => {
    if (name !== 'begin-transaction' || !closing.has(root)) return emit(name, ...rest)
    try {
      // Ends the timer, and throws because there is no transaction.
      root.resetReadTxn()
    } catch {
      // The read is refused for the same reason.
    }
    throw new Error('Cannot read from a file that is being closed')
  }
}

/**
 * Creates the table if it is missing. Read-only, it returns `undefined` instead, as for a file of
 * an older version.
 */
export function openTable(root: Environment['root'], name: string): Table | undefined {
  const table = root.openDB<Buffer, Buffer>({
    name,
    encoding: 'binary',
    keyEncoding: 'binary',
  }) as Table | undefined
  if (table !== undefined) refuseLateReads(root, table)
  return table
}
