import type { Snapshot } from '@aisle/client'
import type * as Server from '@aisle/server'
import { commandName, type Context } from '../context.ts'
import { CommandError } from '../exit-codes.ts'
import { count, counted, size, table } from '../terminal/table.ts'
import { addCommand, addGroup, type Command } from './command.ts'
import { addRestoreCommands } from './store-restores.ts'

/** Commands for snapshots, and for a data folder that no service uses. */
export function addCommands(program: Command, context: Context): void {
  const snapshot = addGroup(program, 'snapshot', 'copies of all data, made while the service runs')
  addCommand(snapshot, {
    name: 'create',
    summary: 'create a snapshot and verify it',
    talksTo: 'service',
  }).runs(async (run) => {
    const made = await (await run.admin()).createSnapshot()
    run.print(made, `${describe(made)}\nFolder: ${made.folder}\n`)
  })
  addCommand(snapshot, {
    name: 'list',
    summary: 'list snapshots, newest first',
    talksTo: 'service',
  }).runs(async (run) => {
    const { snapshots } = await (await run.admin()).snapshots()
    const rows = snapshots.map((one) => [
      one.name,
      count(one.stores),
      count(one.documents),
      size(one.bytes),
      one.folder,
    ])
    const text = table(['name', 'stores', 'documents', 'size', 'folder'], rows)
    run.print(snapshots, snapshots.length === 0 ? 'No snapshots.\n' : text)
  })
  addCommand(snapshot, {
    name: 'verify <snapshot>',
    summary: 'verify a snapshot: by its name through the service, or by its folder',
    talksTo: 'service',
    examples: ['aisle snapshot verify ./data/snapshots/snapshot-20260101T000000Z'],
  }).runs(async (run, nameOrFolder: string) => {
    const isFolder = nameOrFolder.includes('/')
    const verified = isFolder
      ? await offline(async ({ verifySnapshotFolder }) => verifySnapshotFolder(nameOrFolder))
      : await (await run.admin()).verifySnapshot(nameOrFolder)
    run.print(verified, `${describe(verified)}\n`)
  })
  addCommand(snapshot, {
    name: 'delete <name>',
    summary: 'delete a snapshot',
    talksTo: 'service',
  }).runs(async (run, name: string) => {
    run.print(await (await run.admin()).deleteSnapshot(name), `${name} deleted.\n`)
  })
  addRestoreCommands(snapshot, context)

  addCommand(program, {
    name: 'restore <snapshot>',
    summary: 'create a data folder from a snapshot (its folder), and verify it',
    talksTo: 'nobody',
    examples: ['aisle restore ./data/snapshots/snapshot-20260101T000000Z --data-dir ./restored'],
  })
    .requiredOption('--data-dir <folder>', 'a new or empty folder')
    .runs(async (run, folder: string, options: { dataDir: string }) => {
      const { dataDir } = options
      const restored = await offline(async ({ restoreSnapshot }) =>
        restoreSnapshot(folder, dataDir),
      )
      run.print(
        restored,
        `${describe(restored)}\nTo start the service: ${commandName(context)} server --data-dir ${dataDir}\n`,
      )
    })
  addCommand(program, {
    name: 'doctor',
    summary: 'check a data folder that no service uses, and report problems and how to fix them',
    talksTo: 'nobody',
  })
    .option(
      '--data-dir <folder>',
      'the folder (AISLE_DATA_DIR)',
      context.environment['AISLE_DATA_DIR'] ?? './data',
    )
    .runs(async (run, options: { dataDir: string }) => {
      const findings = await offline(async ({ examineDataFolder }) =>
        examineDataFolder(options.dataDir, context.now()),
      )
      const marks = { ok: 'ok      ', warning: 'warning ', error: 'ERROR   ' }
      const lines = findings.map(
        ({ verdict, text, advice }) =>
          `${marks[verdict]}${text}\n${advice === undefined ? '' : `        ${advice}\n`}`,
      )
      run.print({ findings }, lines.join(''))
      const errors = findings.filter(({ verdict }) => verdict === 'error').length
      if (errors > 0) {
        throw new CommandError('incomplete', `${errors} ${errors === 1 ? 'error' : 'errors'} found`)
      }
    })
}

/** A snapshot in one line. */
export function describe({
  name,
  stores,
  documents,
  bytes,
  event_bytes: events,
}: Snapshot): string {
  return `${name}: ${counted(documents, 'document')} of ${counted(stores, 'store')}, ${size(bytes)} (${size(events)} of events), verified.`
}

/** Loads the code of the service, which is heavy, only for the commands that need it. */
export async function offline<T>(use: (server: typeof Server) => Promise<T>): Promise<T> {
  const server = await import('@aisle/server')
  try {
    return await use(server)
  } catch (error) {
    if (!(error instanceof server.OfflineError)) throw error
    throw new CommandError('incomplete', error.message, { cause: error })
  }
}
