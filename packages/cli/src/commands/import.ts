import { closeSync, openSync, writeSync } from 'node:fs'
import type { StoreClient, StoreSchema } from '@aisle/client'
import type { Context } from '../context.ts'
import { CommandError } from '../exit-codes.ts'
import { Checkpoint } from '../import/checkpoint.ts'
import { SchemaGuess } from '../import/guess-schema.ts'
import type { GuessedField } from '../import/guess-schema.ts'
import { importDocuments } from '../import/import-documents.ts'
import type { FailedRow } from '../import/import-documents.ts'
import { fieldsOfEntry, rowsOf } from '../import/rows.ts'
import { openSource } from '../import/source.ts'
import type { Source } from '../import/source.ts'
import { targetsOf } from '../import/table-rows.ts'
import type { TableOptions } from '../import/table-rows.ts'
import { Progress } from '../terminal/progress.ts'
import { count, table } from '../terminal/table.ts'
import { addCommand, collect, readPair, Run } from './command.ts'
import type { Command, CommonOptions } from './command.ts'

interface Options extends CommonOptions {
  readonly format?: string
  readonly map?: readonly string[]
  readonly idColumn: string
  readonly listSeparator: string
  readonly action?: string
  readonly preview?: boolean
  readonly guessSchema?: boolean
  readonly failed?: string
  readonly resume?: boolean
}

const SAMPLE_ROWS_MAX = 1_000
const ACTIONS = ['upsert', 'insert', 'update'] as const

/** Documents from files. */
export function addImportCommand(program: Command, context: Context): void {
  addCommand(program, {
    name: 'import <file>',
    summary: 'import documents from JSON, NDJSON, CSV or TSV; - is the standard input',
    talksTo: 'store',
    examples: [
      'aisle import products.csv --preview',
      'aisle import products.csv --guess-schema --map "Product Name=title" --id-column sku',
      'aisle export | aisle import - --store copy',
    ],
  })
    .option('--format <format>', 'json, ndjson, csv or tsv; by the ending of the file when omitted')
    .option(
      '--map <column=field>',
      'where a column of a table goes; column= leaves it out',
      collect,
    )
    .option('--id-column <column>', 'column of the document id', 'id')
    .option('--list-separator <text>', 'between the elements of a list in one cell', '|')
    .option('--action <action>', 'upsert, insert or update')
    .option('--preview', 'show the types and the schema that the first rows suggest, send nothing')
    .option('--guess-schema', 'when the store has no schema, define the one that --preview shows')
    .option('--failed <file>', 'where rows go that were refused (default <file>.failed.ndjson)')
    .option('--resume', 'go on where an import of this file was cut off')
    .action(async (file: string, options: Options) => {
      const run = new Run(context, options)
      const source = openSource(file, options.format, context.stdin)
      const tableOptions: TableOptions = {
        mapping: new Map((options.map ?? []).map(readPair)),
        idColumn: options.idColumn,
        listSeparator: options.listSeparator,
      }
      if (options.preview === true) {
        const guessed = await guess(source, tableOptions)
        run.print({ fields: guessed.map(({ field }) => field) }, preview(guessed))
        return
      }
      const store = await run.store('write')
      const schema = await schemaFor(run, store, source, tableOptions, options.guessSchema === true)
      await importFile(run, store, source, schema, { ...options, ...tableOptions })
    })
}

async function importFile(
  run: Run,
  store: StoreClient,
  source: Source,
  schema: StoreSchema,
  options: Options & TableOptions,
): Promise<void> {
  const { context } = run
  const action = ACTIONS.find((one) => one === options.action)
  if (options.action !== undefined && action === undefined) {
    throw new CommandError('usage', `--action must be one of ${ACTIONS.join(', ')}`)
  }
  const storeName = options.store ?? context.environment['AISLE_STORE'] ?? ''
  const checkpoint = new Checkpoint(source, storeName)
  const skip = options.resume === true ? checkpoint.resumeAt() : 0
  const failedFile = new FailedFile(options.failed ?? `${source.name}.failed.ndjson`, skip > 0)
  const progress = new Progress(context.err, context.now, 'Importing')
  let bytes = 0
  const startMs = context.now()
  try {
    const outcome = await importDocuments(store, source, schema, {
      ...options,
      action,
      skip,
      onFailed: (failure) => failedFile.add(failure),
      onSettled: (rows) => {
        checkpoint.save(rows)
        progress.show(bytes / source.bytes, rows)
      },
      onBytes: (more) => (bytes += more),
    })
    progress.clear()
    checkpoint.remove()
    const seconds = Math.max(0.001, (context.now() - startMs) / 1_000)
    const failedText =
      outcome.failed === 0 ? '' : `, ${count(outcome.failed)} refused: see ${failedFile.name}`
    run.print(
      {
        ...outcome,
        skipped: skip,
        ...(outcome.failed === 0 ? {} : { failed_file: failedFile.name }),
      },
      `${count(outcome.imported)} documents imported in ${seconds.toFixed(1)} s${failedText}\n`,
    )
    if (outcome.failed > 0)
      throw new CommandError('incomplete', `${outcome.failed} rows were refused`)
  } catch (error) {
    progress.clear()
    if (
      !(error instanceof CommandError && error.exit === 'incomplete') &&
      !Number.isNaN(source.bytes)
    ) {
      run.note('Cut off. What was answered is kept; --resume goes on from there.')
    }
    throw error
  } finally {
    failedFile.close()
  }
}

async function schemaFor(
  run: Run,
  store: StoreClient,
  source: Source,
  options: TableOptions,
  mayGuess: boolean,
): Promise<StoreSchema> {
  const schema = await store.schema()
  if (schema.fields.length > 0) return schema
  if (!mayGuess) {
    throw new CommandError(
      'usage',
      'The store has no schema: define one (aisle schema set), or let it be guessed (--guess-schema; --preview shows it)',
    )
  }
  if (Number.isNaN(source.bytes)) {
    throw new CommandError(
      'usage',
      'A schema can be guessed from a file only, not from the standard input',
    )
  }
  const guessed = await guess(source, options)
  if (guessed.length === 0)
    throw new CommandError('usage', 'There is nothing to guess a schema from')
  await store.changeSchema({ fields: guessed.map(({ field }) => field) })
  run.note(`Schema defined:\n${preview(guessed)}`)
  return store.schema()
}

async function guess(source: Source, options: TableOptions): Promise<GuessedField[]> {
  const schema = new SchemaGuess()
  let rows = 0
  let targets: ReadonlyMap<string, string> | undefined
  for await (const row of rowsOf(source)) {
    if (row.kind === 'json') {
      schema.add(fieldsOfEntry(row.text) ?? {}, { spelled: false })
    } else {
      targets ??= targetsOf(Object.keys(row.cells), options, undefined)
      const cells = [...targets].map(([column, name]) => [name, (row.cells[column] ?? '').trim()])
      schema.add(Object.fromEntries(cells) as Record<string, string>, { spelled: true })
    }
    if (++rows === SAMPLE_ROWS_MAX) break
  }
  return schema.fields()
}

function preview(guessed: readonly GuessedField[]): string {
  const roles = ({ field }: GuessedField): string =>
    (['searchable', 'facet', 'sort'] as const).filter((role) => field[role]).join(', ')
  return table(
    ['field', 'type', 'roles', 'values', 'for example'],
    guessed.map((one) => [one.field.name, one.field.type, roles(one), one.valueCount, one.example]),
  )
}

/** Made when the first row fails. */
class FailedFile {
  readonly name: string
  readonly #append: boolean
  #handle: number | undefined

  constructor(name: string, append: boolean) {
    this.name = name
    this.#append = append
  }

  add(failure: FailedRow): void {
    this.#handle ??= openSync(this.name, this.#append ? 'a' : 'w')
    writeSync(this.#handle, `${JSON.stringify(failure)}\n`)
  }

  close(): void {
    if (this.#handle !== undefined) closeSync(this.#handle)
  }
}
