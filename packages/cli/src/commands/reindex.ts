import type { AisleClient, SchemaFieldRequest, StoreClient, StoreSummary } from '@aisle/client'
import { knownEverywhere } from '@aisle/configuration'
import {
  copyDocuments,
  ID_DEFAULT,
  idsOf,
  ImportError,
  importDocuments,
  openRows,
} from '@aisle/import'
import type { ImportOutcome } from '@aisle/import'
import { commandName, type Context } from '../context.ts'
import { CommandError } from '../exit-codes.ts'
import { readConfiguration } from '../folder/settings-folder.ts'
import { readValueFile } from '../folder/value-file.ts'
import { importFailure } from '../import/import-failure.ts'
import { openSource } from '../import/source.ts'
import { configure } from '../reindex/next-configuration.ts'
import { openSecondStore } from '../reindex/second-store.ts'
import { Progress } from '../terminal/progress.ts'
import { printable } from '../terminal/style.ts'
import { count, counted } from '../terminal/table.ts'
import {
  addCommand,
  collect,
  readPair,
  type Run,
  type Command,
  type CommonOptions,
} from './command.ts'
import { patchOf, readNamedValues } from './named-values.ts'

interface Options extends CommonOptions {
  readonly into?: string
  readonly config?: string
  readonly schema?: string
  readonly set?: readonly string[]
  readonly map?: readonly string[]
  readonly documents?: string
  readonly idColumn: string
  readonly swap: boolean
  readonly deleteOld?: boolean
  readonly resume?: boolean
  readonly restart?: boolean
}

const REASONS_SHOWN_MAX = 5

/** Applies a new schema or new settings without downtime: fills a second store, then swaps. */
export function addCommands(program: Command, context: Context): void {
  addCommand(program, {
    name: 'reindex',
    summary:
      'change the schema, settings or documents of a store: fill a second store, compare, swap',
    talksTo: 'store',
    examples: [
      'aisle reindex --store shop --schema schema.yaml',
      'aisle reindex --store shop --config settings/ --documents products.ndjson --delete-old',
      'aisle reindex --store shop --set language=de --map colour=color --no-swap',
    ],
  })
    .option('--into <id>', 'id of the second store (default <store>-next)')
    .option(
      '--config <folder>',
      'take the configuration from the files of a folder, as written by `pull`',
    )
    .option('--schema <file>', 'the complete new schema; JSON or YAML with `fields`')
    .option('--set <name=value>', 'change a setting, as in `settings put`', collect)
    .option('--map <field=name>', 'rename a field; field= removes it', collect)
    .option('--documents <file>', 'import the documents from a file instead of copying them')
    .option('--id-column <column>', 'column of the document id in that file', ID_DEFAULT)
    .option('--no-swap', 'stop before the swap; swap later with `store swap`')
    .option('--delete-old', 'delete the previous version after the swap')
    .option('--resume', 'continue an interrupted run')
    .option('--restart', 'delete the second store of an earlier run and start over')
    .runs(async (run, options: Options) => {
      const ending = new AbortController()
      const stopListening = context.onInterrupt(() => ending.abort())
      try {
        await reindex(run, options, ending.signal)
      } catch (error) {
        if (error instanceof ImportError) throw importFailure(error)
        if (!ending.signal.aborted || error instanceof CommandError) throw error
        throw interrupted()
      } finally {
        stopListening()
      }
    })
}

/** The store to reindex, and the second store that replaces it. */
interface Scene {
  readonly run: Run
  readonly admin: AisleClient
  readonly storeId: string
  readonly id: string
  readonly source: StoreClient
  readonly second: StoreClient
  readonly options: Options
  readonly signal: AbortSignal
}

async function reindex(run: Run, options: Options, signal: AbortSignal): Promise<void> {
  const wanted = await wantedChanges(run, options)
  const admin = await run.admin()
  const source = await run.store('write')
  const storeId = options.store ?? run.context.environment['AISLE_STORE'] ?? ''
  const before = await admin.describeStore(storeId)
  const id = options.into ?? `${storeId}-next`
  if (id === storeId) throw new CommandError('usage', '--into must name another store')
  const { store: second, isResumed } = await openSecondStore(run, admin, {
    source: before,
    id,
    earlier: earlierOf(options),
  })
  run.note(`${isResumed ? 'Continuing with' : 'Created'} store "${id}"`)
  await knownEverywhere(run.context)
  await configure(source, second, wanted, (text) => run.note(text))
  await knownEverywhere(run.context)
  const scene = { run, admin, storeId, id, source, second, options, signal }
  const seen =
    options.documents === undefined
      ? await copyAll(scene, isResumed)
      : await importFile(scene, options.documents, before)
  if (signal.aborted) throw interrupted()
  const figures = await verified(scene, seen)
  if (!options.swap) {
    const result = { store: storeId, second: id, ...figures, swapped: false, deleted: false }
    run.print(
      result,
      `Store "${id}" has ${counted(figures.documents, 'document')}. To swap: ${commandName(run.context)} store swap ${storeId} ${id}\n`,
    )
    return
  }
  await admin.swapStores(storeId, id)
  await knownEverywhere(run.context)
  const old = await admin.describeStore(id)
  const isLate = old.last_write_at !== seen.last_write_at
  if (options.deleteOld === true && !isLate) await admin.deleteStore(id)
  const isDeleted = options.deleteOld === true && !isLate
  run.print(
    { store: storeId, second: id, ...figures, swapped: true, deleted: isDeleted },
    `Swapped: store "${storeId}" now has ${counted(figures.documents, 'document')} (before: ${count(figures.documents_before)}).\n${
      isDeleted
        ? `Store "${id}" deleted.\n`
        : `The previous version is in store "${id}". To undo: ${commandName(run.context)} store swap ${storeId} ${id}\n`
    }`,
  )
  if (isLate) {
    throw new CommandError(
      'incomplete',
      `Store "${storeId}" changed between the last copy and the swap: those writes are in store "${id}" now. Send them again, or undo the swap and reindex with --restart while nothing writes to the store`,
    )
  }
}

/** @throws CommandError before anything is done when a file is wrong */
async function wantedChanges(run: Run, { config, schema, set = [] }: Options) {
  const folder = config === undefined ? undefined : readConfiguration(config)
  let fields: readonly SchemaFieldRequest[] | undefined
  if (schema !== undefined) {
    const content = await readValueFile(schema, run.context.stdin)
    const list = Array.isArray(content) ? content : (content as { fields?: unknown } | null)?.fields
    if (!Array.isArray(list)) {
      throw new CommandError('usage', `"${schema}" must have a list \`fields\``)
    }
    fields = list as SchemaFieldRequest[]
  }
  return { folder, fields, settings: patchOf(readNamedValues(set)) }
}

function earlierOf({ resume, restart }: Options): 'refuse' | 'resume' | 'restart' {
  if (resume === true && restart === true) {
    throw new CommandError('usage', 'Use either --resume or --restart')
  }
  if (resume === true) return 'resume'
  return restart === true ? 'restart' : 'refuse'
}

/**
 * Copies until the source did not change during a copy.
 *
 * @returns the source as it was copied
 */
async function copyAll(scene: Scene, isResumed: boolean): Promise<StoreSummary> {
  const { run, admin, storeId, source, second, options, signal } = scene
  const progress = new Progress(run.context.err, run.context.now, 'Copying')
  const copied = await copyDocuments({
    source,
    second,
    schema: await second.schema(),
    describe: () => admin.describeStore(storeId),
    present: isResumed ? await idsOf(second, signal) : new Set(),
    mapping: new Map((options.map ?? []).map(readPair)),
    signal,
    onProgress: (share, documents) => progress.show(share, documents),
    onFailed: () => undefined,
    onCopied: (documents, isLast) => {
      progress.clear()
      run.note(`${counted(documents, 'document')} copied`)
      if (!isLast) run.note(`Store "${storeId}" has changed: copying again`)
    },
  }).finally(() => progress.clear())
  switch (copied.state) {
    case 'copied':
      return copied.source
    case 'refused':
      throw refused(run, copied.outcome)
    case 'interrupted':
      throw interrupted()
    case 'changing':
      throw new CommandError(
        'incomplete',
        `Store "${storeId}" keeps changing; nothing was swapped. Stop the writes, then continue with --resume`,
      )
  }
}

/** @returns the source as it was when the import began */
async function importFile(
  { run, second, options, signal }: Scene,
  file: string,
  before: StoreSummary,
): Promise<StoreSummary> {
  let bytes = 0
  const opened = openSource(file, undefined, run.context.stdin)
  const rows = await openRows(opened, {
    encoding: undefined,
    delimiter: undefined,
    asRows: false,
    onBytes: (more) => (bytes += more),
    signal,
  })
  const progress = new Progress(run.context.err, run.context.now, 'Importing')
  const outcome = await importDocuments(second, rows.all, await second.schema(), {
    mapping: new Map((options.map ?? []).map(readPair)),
    idColumn: options.idColumn,
    generateIds: false,
    listSeparator: '|',
    action: 'upsert',
    skip: 0,
    keepGoing: false,
    signal,
    onFailed: () => undefined,
    onSettled: (row) => progress.show(bytes / opened.bytes, row),
  }).finally(() => progress.clear())
  if (outcome.failed > 0) throw refused(run, outcome)
  if (outcome.imported === 0) {
    throw new CommandError('incomplete', `"${file}" has no documents; nothing was swapped`)
  }
  run.note(`${counted(outcome.imported, 'document')} imported`)
  return before
}

/** Compares the document counts of the two stores. @throws CommandError */
async function verified({ admin, id, options }: Scene, seen: StoreSummary) {
  const { documents } = await admin.describeStore(id)
  if (options.documents === undefined && documents !== seen.documents) {
    throw new CommandError(
      'incomplete',
      `Store "${id}" has ${counted(documents, 'document')}, store "${seen.store_id}" ${count(seen.documents)}; nothing was swapped. --restart starts over`,
    )
  }
  return { documents, documents_before: seen.documents }
}

/** Shows why the second store refused documents. */
function refused(run: Run, { failed, reasons }: ImportOutcome): CommandError {
  for (const reason of reasons.slice(0, REASONS_SHOWN_MAX)) {
    run.note(`  ${counted(reason.count, 'document')}: ${printable(reason.example)}`)
  }
  return new CommandError(
    'incomplete',
    `The second store refused ${counted(failed, 'document')}; nothing was swapped. Change the schema, or remove fields with --map field=, and use --restart`,
  )
}

function interrupted(): CommandError {
  return new CommandError(
    'incomplete',
    'Interrupted; nothing was swapped. To continue, run the same command with --resume',
  )
}
