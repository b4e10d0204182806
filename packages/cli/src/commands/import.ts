import type { StoreClient, StoreSchema } from '@aisle/client'
import {
  FAILURES_ALIKE_MAX,
  ID_DEFAULT,
  ImportError,
  importDocuments,
  likelyIds,
  profileSource,
  propose,
} from '@aisle/import'
import type { ImportOutcome, Rows, Source, TableOptions } from '@aisle/import'
import type { Context } from '../context.ts'
import { CommandError } from '../exit-codes.ts'
import { BulkImport } from '../import/bulk-import.ts'
import { Checkpoint } from '../import/checkpoint.ts'
import { FailedFile } from '../import/failed-file.ts'
import { importFailure } from '../import/import-failure.ts'
import { readColumnChoices, type ColumnChoices } from '../import/column-options.ts'
import { chooseIds, lacksIds } from '../import/missing-ids.ts'
import { showPreview } from '../import/preview.ts'
import { readDelimiter } from '../import/read-delimiter.ts'
import { openSource } from '../import/source.ts'
import { isUrl, openUrl } from '../import/url-source.ts'
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
import { planImport, UNKNOWN_CHOICES } from './import-schema.ts'

interface Options extends CommonOptions, ColumnChoices {
  readonly format?: string
  readonly encoding?: string
  readonly delimiter?: string
  readonly map?: readonly string[]
  readonly idColumn: string
  readonly generateIds?: boolean
  readonly listSeparator: string
  readonly action?: string
  readonly asRows?: boolean
  readonly preview?: boolean
  readonly guessSchema?: boolean
  readonly unknown?: string
  readonly failed?: string
  readonly resume?: boolean
  readonly keepGoing?: boolean
  readonly bulk?: boolean
  readonly restart?: boolean
  readonly deleteOld?: boolean
}

const ACTIONS = ['upsert', 'insert', 'update'] as const
/** Maximum of failure reasons that are shown, each with its count. */
const REASONS_SHOWN_MAX = 5

/** Imports documents from files. */
export function addCommands(program: Command, context: Context): void {
  addCommand(program, {
    name: 'import <file>',
    summary:
      'import documents from JSON, NDJSON, CSV, TSV or a product feed in XML, also compressed by gzip; - reads standard input',
    talksTo: 'store',
    examples: [
      'aisle import products.csv --preview',
      'aisle import products.csv --guess-schema --map "Product Name=title" --id-column sku',
      'aisle import https://shop.example/feed.xml --guess-schema',
      'aisle export | aisle import - --store copy',
    ],
  })
    .option('--format <format>', 'json, ndjson, csv, tsv or xml (default: by the file extension)')
    .option('--encoding <name>', 'utf-8, utf-16le, windows-1252 (Latin-1), … (default: detected)')
    .option('--delimiter <character>', 'delimiter of CSV files, or tab (default: detected)')
    .option(
      '--map <column=field>',
      'import a column (or JSON field) as this field; column= skips it',
      collect,
    )
    .option('--id-column <column>', 'column (or JSON field) that holds the document id', ID_DEFAULT)
    .option(
      '--generate-ids',
      'generate an id for each row without one; a second import generates new ones',
    )
    .option('--list-separator <text>', 'delimiter of lists within a cell', '|')
    .option('--action <action>', 'upsert, insert or update')
    .option(
      '--as-rows',
      'import the rows of an export of Shopify or WooCommerce, or of a product feed, as they are instead of reading them as products',
    )
    .option(
      '--number-format <format>',
      'how numbers are written: 1,234.56 or 1.234,56; column=format sets one column (default: detected)',
      collect,
    )
    .option(
      '--date-format <order>',
      'order of dates such as 03/04/2025: dmy or mdy; column=order sets one column (default: detected)',
      collect,
    )
    .option('--type <field=type>', 'set the type of a field instead of detecting it', collect)
    .option(
      '--keep-html',
      'keep HTML tags, which are stripped from columns in which most values contain HTML',
    )
    .option('--preview', 'show the detected columns and the proposed schema without importing')
    .option('--guess-schema', 'if the store has no schema, define the one that --preview shows')
    .option(
      '--unknown <choice>',
      'fields that are not in the schema: add them, ignore them, or refuse their rows (default: ask)',
    )
    .option(
      '--failed <file>',
      'file for refused rows (default <file>.failed.ndjson; none for standard input)',
    )
    .option('--resume', 'continue an interrupted import of this file')
    .option(
      '--bulk',
      'replace all documents of the store at once: load a second store, then swap; needs the admin token',
    )
    .option('--restart', 'with --bulk: delete what an earlier run has loaded, and start over')
    .option('--delete-old', 'with --bulk: delete the previous documents after the swap')
    .option(
      '--keep-going',
      `do not stop after ${count(FAILURES_ALIKE_MAX)} consecutive failures with the same reason`,
    )
    .runs(async (run, file: string, options: Options) => {
      const ending = new AbortController()
      const stopListening = context.onInterrupt(() => ending.abort())
      try {
        await importOrPreview(run, file, options, ending.signal)
      } catch (error) {
        if (error instanceof ImportError) throw importFailure(error)
        if (!ending.signal.aborted || error instanceof CommandError) throw error
        throw new CommandError('incomplete', 'Interrupted before anything was sent')
      } finally {
        stopListening()
      }
    })
}

async function importOrPreview(
  run: Run,
  file: string,
  options: Options,
  signal: AbortSignal,
): Promise<void> {
  const source = isUrl(file)
    ? await openUrl(file, options.format, signal)
    : openSource(file, options.format, run.context.stdin)
  const tableOptions: TableOptions = {
    mapping: new Map((options.map ?? []).map(readPair)),
    idColumn: options.idColumn,
    generateIds: options.generateIds === true,
    listSeparator: options.listSeparator,
  }
  const unknown = UNKNOWN_CHOICES.find((one) => one === options.unknown)
  if (options.unknown !== undefined && unknown === undefined) {
    throw new CommandError('usage', `--unknown must be one of ${UNKNOWN_CHOICES.join(', ')}`)
  }
  const choices = readColumnChoices(options)
  const { profile, rows, open } = await readAll(run, source, options, signal)
  noteReading(run, source, rows)
  const { mapping } = tableOptions
  if (options.preview === true) {
    const { idColumn, generateIds } = tableOptions
    const likely = lacksIds(profile, idColumn) && !generateIds ? likelyIds(profile) : undefined
    const proposal = propose(profile, {
      ...choices,
      mapping,
      idColumn: likely?.column ?? idColumn,
    })
    showPreview(run, source.name, profile, proposal, tableOptions)
    await (await open()).all.return(undefined)
    return
  }
  const ids = await chooseIds(run, source.name, profile, tableOptions)
  const bulk = await bulkImport(run, source, options)
  const store = bulk?.second ?? (await run.store('write'))
  const { schema, proposal } = await planImport(
    run,
    store,
    profile,
    { ...choices, mapping, idColumn: ids.idColumn },
    { mayGuess: options.guessSchema === true, unknown },
  )
  let bytes = 0
  const all = await open((more) => (bytes += more))
  const share = (): number => bytes / source.bytes
  const { readings, ignoresUnknown, dropsEmpty } = proposal
  const how = { ...tableOptions, ...ids, readings, ignoresUnknown, dropsEmpty }
  await importRows(run, store, source, all, schema, {
    ...options,
    ...how,
    mapping: proposal.mapping,
    signal,
    share,
    bulk,
  })
}

/** @returns undefined if the rows are added to the store as usual */
async function bulkImport(
  run: Run,
  source: Source,
  { bulk, resume, restart, deleteOld, action, ...options }: Options,
): Promise<BulkImport | undefined> {
  if (bulk !== true) {
    if (restart !== true && deleteOld !== true) return undefined
    throw new CommandError('usage', '--restart and --delete-old need --bulk')
  }
  if (resume === true && restart === true) {
    throw new CommandError('usage', 'Use either --resume or --restart')
  }
  if (action !== undefined && action !== 'upsert') {
    throw new CommandError('usage', `--bulk replaces all documents, so --action ${action} has none`)
  }
  const storeId = options.store ?? run.context.environment['AISLE_STORE'] ?? ''
  if (resume === true) new Checkpoint(source, BulkImport.secondId(storeId)).resumeAt()
  return await BulkImport.open(run, {
    storeId,
    bytes: source.bytes,
    earlier: resume === true ? 'resume' : restart === true ? 'restart' : 'refuse',
    deleteOld: deleteOld === true,
  })
}

/** Reads the whole file before proposing anything, with a progress bar. */
async function readAll(
  run: Run,
  source: Source,
  options: Options,
  signal: AbortSignal,
): ReturnType<typeof profileSource> {
  const progress = new Progress(run.context.err, run.context.now, 'Reading', 'row')
  let bytes = 0
  try {
    return await profileSource(source, {
      encoding: options.encoding,
      delimiter: options.delimiter === undefined ? undefined : readDelimiter(options.delimiter),
      asRows: options.asRows === true,
      listSeparator: options.listSeparator,
      idColumn: options.idColumn,
      onBytes: (more) => (bytes += more),
      onRows: (rowCount) => progress.show(bytes / source.bytes, rowCount),
      signal,
    })
  } finally {
    progress.clear()
  }
}

function noteReading(run: Run, { name }: Source, { system, encoding }: Omit<Rows, 'all'>): void {
  if (system !== undefined) {
    const isExport = system === 'Shopify' || system === 'WooCommerce'
    const read = isExport
      ? `is a ${system} export: its rows are combined into products`
      : `is a product feed (${system}): its attributes are read as prices, lists and objects`
    run.note(`"${name}" ${read}. If that is wrong, use --as-rows.`)
  }
  const { label, example } = encoding
  if (example !== undefined) {
    run.note(
      `"${name}" is not UTF-8: reading it as ${label} (Latin-1), e.g. "${printable(example)}". If that is wrong, use --encoding.`,
    )
  }
}

interface ImportOptions extends Omit<Options, 'bulk'>, TableOptions {
  readonly generateIds: boolean
  readonly bulk: BulkImport | undefined
  readonly signal: AbortSignal
  /** Share of the source read so far, 0..1; NaN if unknown. */
  readonly share: () => number
}

async function importRows(
  run: Run,
  store: StoreClient,
  source: Source,
  rows: Rows,
  schema: StoreSchema,
  options: ImportOptions,
): Promise<void> {
  const { context } = run
  const action = ACTIONS.find((one) => one === options.action)
  if (options.action !== undefined && action === undefined) {
    throw new CommandError('usage', `--action must be one of ${ACTIONS.join(', ')}`)
  }
  const isFile = !Number.isNaN(source.bytes)
  const { bulk } = options
  const storeName = bulk?.secondId ?? options.store ?? context.environment['AISLE_STORE'] ?? ''
  const checkpoint = new Checkpoint(source, storeName)
  const skip = options.resume === true ? checkpoint.resumeAt() : 0
  const failedName = options.failed ?? (isFile ? `${source.name}.failed.ndjson` : undefined)
  const failedFile = failedName === undefined ? undefined : new FailedFile(failedName, skip > 0)
  const progress = new Progress(context.err, context.now, 'Importing')
  const startMs = context.now()
  let settled = skip
  let failed = checkpoint.failedBefore
  try {
    const outcome = await importDocuments(store, rows.all, schema, {
      ...options,
      action,
      skip,
      keepGoing: options.keepGoing === true,
      onFailed: (failure) => {
        failed++
        failedFile?.add(failure)
      },
      onSettled: (row) => {
        settled = row
        checkpoint.save(row, failed)
        progress.show(options.share(), row)
      },
    })
    progress.clear()
    const isSwapped = bulk !== undefined && !outcome.interrupted && failed === 0
    if (isSwapped) await bulk.finish()
    // From the swap on, the second store has the previous documents.
    if (isSwapped || (bulk === undefined && !outcome.interrupted)) checkpoint.remove()
    const swapped = isSwapped ? await bulk.swap() : undefined
    const seconds = Math.max(0.001, (context.now() - startMs) / 1_000)
    const { stuck, interrupted, repeated, repeatedIds, ...rest } = outcome
    const figures = {
      ...rest,
      ...(repeated === 0 ? {} : { repeated, repeated_ids: repeatedIds }),
    }
    const ends = { ...(stuck ? { stopped: true } : {}), ...(interrupted ? { interrupted } : {}) }
    const failedWhere =
      outcome.failed === 0 || failedName === undefined ? {} : { failed_file: failedName }
    run.print(
      { ...figures, skipped: skip, ...ends, ...failedWhere, ...swapped?.result },
      `${summary(outcome, seconds, failedName)}${swapped?.text ?? ''}`,
    )
    if (bulk !== undefined && failed > 0 && !outcome.interrupted) {
      throw new CommandError('incomplete', notSwapped(bulk.secondId, failed))
    }
    conclude(outcome, { settled, isFile, file: source.name })
  } catch (error) {
    progress.clear()
    if (!(error instanceof CommandError && error.exit === 'incomplete') && settled > 0) {
      const next = isFile ? '; --resume continues from there' : ''
      run.note(`Interrupted after ${counted(settled, 'row')}. Imported rows are kept${next}.`)
    }
    throw error
  } finally {
    failedFile?.close()
  }
}

function summary(outcome: ImportOutcome, seconds: number, failedName: string | undefined): string {
  const imported = `${counted(outcome.imported, 'document')} imported in ${seconds.toFixed(1)} s${repeatedText(outcome)}`
  if (outcome.failed === 0) return `${imported}\n`
  const where =
    failedName === undefined ? ' (use --failed <file> to save them)' : `: see ${failedName}`
  const lines = outcome.reasons
    .slice(0, REASONS_SHOWN_MAX)
    .map(
      (reason) =>
        `  ${reason.count === 1 ? '' : `${counted(reason.count, 'row')}, first `}row ${count(reason.firstRow)}: ${printable(reason.example)}\n`,
    )
  const others = outcome.reasons.length - lines.length
  if (others > 0) lines.push(`  and ${counted(others, 'other reason')}\n`)
  return `${imported}, ${counted(outcome.failed, 'row')} refused${where}\n${lines.join('')}`
}

function notSwapped(secondId: string, failed: number): string {
  return `${counted(failed, 'row')} ${failed === 1 ? 'was' : 'were'} refused, so nothing was swapped. Store "${secondId}" has the others: delete it and correct the rows, or swap it all the same`
}

/** Rows that replaced an earlier row are not counted as documents. */
function repeatedText({ imported, repeated, repeatedIds }: ImportOutcome): string {
  if (repeated === 0) return ''
  const ids = repeatedIds.map((id) => `"${printable(id)}"`).join(', ')
  const more = repeated > repeatedIds.length ? ', …' : ''
  return ` from ${counted(imported + repeated, 'row')}; ${count(repeated)} replaced an earlier row with the same id: ${ids}${more}`
}

/** @throws CommandError unless all rows were imported */
function conclude(
  { failed, stuck, interrupted }: ImportOutcome,
  { settled, isFile, file }: { settled: number; isFile: boolean; file: string },
): void {
  if (interrupted) {
    const rows = settled === 1 ? 'row is' : `${counted(settled, 'row')} are`
    const kept = `Interrupted. The first ${rows} imported`
    throw new CommandError(
      'incomplete',
      isFile
        ? `${kept}; to continue: aisle import ${JSON.stringify(file)} --resume`
        : `${kept}; send the input again to import the rest: rows with the same id are replaced`,
    )
  }
  if (stuck !== undefined) {
    throw new CommandError(
      'incomplete',
      `Stopped because ${count(FAILURES_ALIKE_MAX)} consecutive rows failed for the same reason: ${stuck.example}. To continue anyway, use --keep-going`,
    )
  }
  if (failed > 0) {
    throw new CommandError(
      'incomplete',
      `${counted(failed, 'row')} ${failed === 1 ? 'was' : 'were'} refused`,
    )
  }
}
