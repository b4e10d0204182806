import {
  documentWriter,
  ENGINES,
  migrate,
  openLive,
  partsOf,
  reportOf,
  SourceError,
} from '@aisle/migration'
import type { Engine, Migration } from '@aisle/migration'
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { commandName, type Context } from '../context.ts'
import { CommandError } from '../exit-codes.ts'
import { writeConfiguration } from '../folder/settings-folder.ts'
import { exportedCatalog, liveCatalog, type Catalog } from '../migrate/catalog.ts'
import { printable } from '../terminal/style.ts'
import { counted } from '../terminal/table.ts'
import { addCommand, type Run, type Command, type CommonOptions } from './command.ts'

interface Options extends CommonOptions {
  readonly from: string
  readonly files?: string
  readonly sourceUrl?: string
  readonly index?: string
  readonly application?: string
}

const KEY_VARIABLE = 'AISLE_SOURCE_KEY'
const DOCUMENTS_FILE = 'documents.ndjson'
const REPORT_FILE = 'report.md'
/** Maximum of notes that are printed; the report has all of them. */
const NOTES_SHOWN_MAX = 20

/** Converts catalogs of other engines to files for `apply` and `import`. */
export function addCommands(program: Command, context: Context): void {
  addCommand(program, {
    name: 'migrate <folder>',
    summary:
      'convert a catalog of Typesense, Meilisearch, Algolia or OpenSearch to files for apply and import',
    talksTo: 'nobody',
    examples: [
      'AISLE_SOURCE_KEY=xyz aisle migrate shop --from typesense --source-url http://localhost:8108 --index products',
      'aisle migrate shop --from algolia --files ./export',
      'aisle apply shop && aisle import shop/documents.ndjson',
    ],
  })
    .requiredOption('--from <engine>', ENGINES.join(', '))
    .option(
      '--files <folder>',
      `an export instead of a running service: documents.ndjson or .json, and ${ENGINES.map((engine) => `${partsOf(engine).join('.json, ')}.json (${engine})`).join('; ')}`,
    )
    .option(
      '--source-url <address>',
      `address of the other service; its key is read from ${KEY_VARIABLE}`,
    )
    .option('--index <name>', 'collection or index to read')
    .option('--application <id>', 'Algolia application id')
    .runs(async (run, folder: string, options: Options) => {
      const engine = ENGINES.find((one) => one === options.from)
      if (engine === undefined) {
        throw new CommandError('usage', `--from must be one of ${ENGINES.join(', ')}`)
      }
      const ending = new AbortController()
      const stopListening = context.onInterrupt(() => ending.abort())
      try {
        const catalog = await openCatalog(engine, options, context, ending.signal)
        await writeMigration(run, engine, catalog, folder)
      } catch (error) {
        if (ending.signal.aborted) throw new CommandError('incomplete', 'Interrupted')
        if (!(error instanceof SourceError)) throw error
        throw new CommandError('incomplete', error.message, { cause: error })
      } finally {
        stopListening()
      }
    })
}

async function openCatalog(
  engine: Engine,
  { files, sourceUrl, index, application }: Options,
  { environment, stdin }: Context,
  signal: AbortSignal,
): Promise<Catalog> {
  if (files !== undefined) return exportedCatalog(files, partsOf(engine), stdin, signal)
  const url = sourceUrl ?? (engine === 'algolia' ? algoliaUrl(application) : undefined)
  if (url === undefined || index === undefined) {
    throw new CommandError('usage', 'Use --files, or --source-url and --index')
  }
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    throw new CommandError('usage', `"${url}" is not an address: expected http://host:port`)
  }
  const key = environment[KEY_VARIABLE]
  return liveCatalog(openLive(engine, { url, name: index, key, application, signal }))
}

function algoliaUrl(application: string | undefined): string | undefined {
  return application === undefined ? undefined : `https://${application}-dsn.algolia.net`
}

async function writeMigration(
  run: Run,
  engine: Engine,
  catalog: Catalog,
  folder: string,
): Promise<void> {
  const migration = migrate(engine, catalog)
  mkdirSync(folder, { recursive: true })
  const files = writeConfiguration(folder, migration.configuration, 'yaml')
  const { write, leftOut } = documentWriter(migration)
  let written = 0
  const lines = async function* (): AsyncGenerator<string> {
    for await (const text of catalog.documents) {
      const line = write(text)
      written++
      yield `${line}\n`
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(join(folder, DOCUMENTS_FILE)))
  const title = `From ${engine}`
  writeFileSync(join(folder, REPORT_FILE), reportOf(title, migration, { written, leftOut }))
  run.print(
    {
      folder,
      documents: written,
      files,
      notes: migration.notes,
      left_out: Object.fromEntries(leftOut),
    },
    summary(run.context, folder, migration, { written, leftOut: leftOut.size }),
  )
}

function summary(
  context: Context,
  folder: string,
  { configuration, notes }: Migration,
  { written, leftOut }: { readonly written: number; readonly leftOut: number },
): string {
  const aisle = commandName(context)
  const parts = [
    counted(written, 'document'),
    counted(configuration.schema?.length ?? 0, 'field'),
    ...[...configuration.resources].map(([kind, named]) => `${kind}: ${named.size}`),
  ]
  const shown = notes.slice(0, NOTES_SHOWN_MAX)
  const more = notes.length - shown.length + leftOut
  const where = join(folder, REPORT_FILE)
  return [
    `Written to ${folder}: ${parts.join(', ')}\n`,
    ...shown.map(({ about, note }) => `  ${printable(about)}: ${printable(note)}\n`),
    ...(more > 0 ? [`  and ${counted(more, 'note')} in ${where}\n`] : []),
    `Review ${where}, then run: ${aisle} apply ${folder} && ${aisle} import ${join(folder, DOCUMENTS_FILE)}\n`,
  ].join('')
}
