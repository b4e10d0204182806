import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type {
  ChangeSchemaRequest,
  PutSourceRequest,
  Source,
  SourceDiff,
  SourceRun,
  SourceRunDetail,
  StoreClient,
} from '@aisle/client'
import { IMPORT_FORMATS } from '@aisle/import'
import type { Context } from '../context.ts'
import { CommandError } from '../exit-codes.ts'
import { distinctOf } from '../import/preview.ts'
import { Progress } from '../terminal/progress.ts'
import { printable } from '../terminal/style.ts'
import { count, counted, table } from '../terminal/table.ts'
import {
  addCommand,
  addGroup,
  collect,
  readPair,
  type Command,
  type CommonOptions,
  type Run,
} from './command.ts'

interface AddOptions extends CommonOptions {
  readonly connection?: string
  readonly kind?: string
  readonly clientId?: string
  readonly format?: string
  readonly encoding?: string
  readonly username?: string
  readonly map?: readonly string[]
  readonly idColumn?: string
  readonly schedule?: string
  readonly timeZone?: string
  readonly removeMissing?: boolean
  readonly maxRemoved?: string
  readonly stopOnError?: boolean
  readonly webhook?: string
  readonly guessSchema?: boolean
}

interface RunOptions extends CommonOptions {
  readonly full?: boolean
  readonly allowRemoval?: boolean
  readonly wait: boolean
}

/** Variables with the secrets of a source: the command line shows them to every user. */
const SECRET = 'AISLE_SOURCE_'
const PASSWORD = `${SECRET}PASSWORD`
const SECRETS = [
  'password',
  'token',
  'access_token',
  'client_secret',
  'consumer_key',
  'consumer_secret',
  'webhook_secret',
] as const
const URL_KINDS = ['feed', 'shopify', 'woocommerce'] as const
const POLL_MS = 500

/** Feeds and other places that the service reads documents from. */
export function addCommands(program: Command, context: Context): void {
  const group = addGroup(program, 'source', 'feeds that the service reads documents from')
  addCommand(group, {
    name: 'add <name> [url]',
    summary: 'create or replace a source: a product feed, or a file of documents, at a URL',
    talksTo: 'store',
    examples: [
      'aisle source add feed https://shop.example/feed.xml --guess-schema --schedule "0 5 * * *"',
      'aisle source add shop https://example.myshopify.com --kind shopify --client-id 1234',
      'aisle source add stock https://shop.example/products.csv --id-column sku --remove-missing',
    ],
  })
    .option('--connection <file>', 'JSON file with the connection, instead of a URL')
    .option('--kind <kind>', `of a URL: ${URL_KINDS.join(', ')} (default: feed)`)
    .option('--client-id <id>', `of a Shopify app; ${SECRET}CLIENT_SECRET has its secret`)
    .option('--format <format>', `${IMPORT_FORMATS.join(', ')} (default: by the URL)`)
    .option('--encoding <name>', 'encoding of the file (default: detected)')
    .option('--username <name>', `for HTTP basic authentication; ${PASSWORD} has the password`)
    .option('--map <column=field>', 'read a column as this field; column= skips it', collect)
    .option('--id-column <column>', 'column that holds the document id')
    .option('--schedule <cron>', 'minute, hour, day, month, weekday (default: only when asked to)')
    .option('--time-zone <zone>', 'of the schedule (default: UTC)')
    .option('--remove-missing', 'delete documents that the source no longer has')
    .option('--max-removed <percent>', 'more than this share is not removed (default: 20)')
    .option('--stop-on-error', 'end a run at the first refused row')
    .option('--webhook <url>', 'is told about failures')
    .option('--guess-schema', 'if the store has no schema, define the one that the source suggests')
    .runs(async (run, name: string, url: string | undefined, options: AddOptions) => {
      const store = await run.store('write')
      const request = await readRequest(url, options, context)
      if (options.guessSchema === true) await defineSchema(run, store, request)
      const source = await store.putSource(name, request)
      run.print(source, `Saved source "${printable(source.name)}"${nextText(source)}.\n`)
    })

  addCommand(group, {
    name: 'list',
    summary: 'list the sources of a store',
    talksTo: 'store',
  }).runs(async (run) => {
    const answer = await (await run.store('write')).sources()
    const rows = answer.sources.map((one) => [
      one.name,
      one.connection.kind,
      stateText(one),
      one.documents,
      one.last_run?.ended_at ?? '',
      one.next_run_at ?? '',
    ])
    const head = ['name', 'kind', 'state', 'documents', 'last run', 'next run']
    run.print(answer, table(head, rows))
  })

  addCommand(group, {
    name: 'show <name>',
    summary: 'show a source, its state and its last run',
    talksTo: 'store',
  }).runs(async (run, name: string) => {
    const source = await (await run.store('write')).source(name)
    run.print(source, sourceText(source))
  })

  for (const [name, isDry, summary] of [
    ['run', false, 'read a source now, and write what has changed'],
    ['dry-run', true, 'read a source now, and show what a run would change'],
  ] as const) {
    addCommand(group, { name: `${name} <name>`, summary, talksTo: 'store' })
      .option('--full', 'also documents that have not changed')
      .option('--allow-removal', 'remove missing documents, whatever their share')
      .option('--no-wait', 'do not wait for the end')
      .runs(async (run, source: string, options: RunOptions) => {
        const { full = false, allowRemoval = false, wait } = options
        const store = await run.store('write')
        const how = { dry_run: isDry, full, allow_removal: allowRemoval }
        const begun = await store.runSource(source, how)
        if (!wait) {
          run.print(begun, `Run ${begun.id} has begun.\n`)
          return
        }
        const detail = await endOf(run, store, source, begun.id)
        run.print(detail, runText(detail))
        conclude(detail.run)
      })
  }

  for (const [name, summary, done] of [
    ['pause', 'stop the schedule of a source', 'Paused'],
    ['resume', 'continue the schedule of a source', 'Resumed'],
  ] as const) {
    addCommand(group, { name: `${name} <name>`, summary, talksTo: 'store' }).runs(
      async (run, source: string) => {
        const store = await run.store('write')
        const changed = await (name === 'pause'
          ? store.pauseSource(source)
          : store.resumeSource(source))
        run.print(changed, `${done} "${printable(source)}"${nextText(changed)}.\n`)
      },
    )
  }

  addCommand(group, {
    name: 'runs <name> [run]',
    summary: 'list the runs of a source, or show what one changed',
    talksTo: 'store',
  }).runs(async (run, name: string, id: string | undefined) => {
    const store = await run.store('write')
    if (id !== undefined) {
      const detail = await store.sourceRun(name, id)
      run.print(detail, runText(detail))
      return
    }
    const answer = await store.sourceRuns(name)
    const rows = answer.runs.map((one) => [
      one.id,
      one.created_at,
      one.kind.replace('_', ' '),
      one.state,
      one.added,
      one.changed,
      one.removed,
      one.refused,
      one.error ?? '',
    ])
    const head = ['run', 'began', 'kind', 'state', 'added', 'changed', 'removed', 'refused', '']
    run.print(answer, table(head, rows))
  })

  addCommand(group, {
    name: 'cancel <name> <run>',
    summary: 'cancel a run; what it has written stays',
    talksTo: 'store',
  }).runs(async (run, name: string, id: string) => {
    const cancelled = await (await run.store('write')).cancelSourceRun(name, id)
    run.print(cancelled, `Run ${cancelled.id}: ${cancelled.state}.\n`)
  })

  addCommand(group, {
    name: 'rm <name>',
    summary: 'delete a source with its runs; its documents stay',
    talksTo: 'store',
  }).runs(async (run, name: string) => {
    const deleted = await (await run.store('write')).deleteSource(name)
    run.print(deleted, `Deleted source "${printable(name)}".\n`)
  })
}

async function readRequest(
  url: string | undefined,
  options: AddOptions,
  { environment }: Context,
): Promise<PutSourceRequest> {
  const { format: named, encoding, username, map, idColumn, schedule, timeZone } = options
  const format = IMPORT_FORMATS.find((one) => one === named)
  if (named !== undefined && format === undefined) {
    throw new CommandError('usage', `--format must be one of ${IMPORT_FORMATS.join(', ')}`)
  }
  if ((url === undefined) === (options.connection === undefined)) {
    throw new CommandError('usage', 'Name a URL, or a file with --connection')
  }
  const kind = URL_KINDS.find((one) => one === (options.kind ?? 'feed'))
  if (kind === undefined) {
    throw new CommandError('usage', `--kind must be one of ${URL_KINDS.join(', ')}`)
  }
  if (kind !== 'feed' && (format ?? encoding ?? username) !== undefined) {
    throw new CommandError('usage', '--format, --encoding and --username are of a feed')
  }
  const secrets = SECRETS.flatMap((name) => {
    const value = environment[SECRET + name.toUpperCase()] ?? ''
    return value === '' ? [] : [[name, value]]
  })
  const percent = options.maxRemoved === undefined ? undefined : Number(options.maxRemoved)
  if (percent !== undefined && !(percent >= 0 && percent <= 100)) {
    throw new CommandError('usage', '--max-removed must be from 0 to 100')
  }
  return {
    connection:
      url === undefined
        ? await readConnection(options.connection!)
        : {
            kind,
            url,
            ...(options.clientId === undefined ? {} : { client_id: options.clientId }),
            ...(format === undefined ? {} : { format }),
            ...(encoding === undefined ? {} : { encoding }),
            ...(username === undefined ? {} : { username }),
          },
    ...(secrets.length === 0 ? {} : { secrets: Object.fromEntries(secrets) }),
    mapping: Object.fromEntries((map ?? []).map(readPair)),
    ...(idColumn === undefined ? {} : { id_column: idColumn }),
    ...(schedule === undefined
      ? {}
      : {
          schedule: { cron: schedule, ...(timeZone === undefined ? {} : { time_zone: timeZone }) },
        }),
    deletions: options.removeMissing === true ? 'remove_missing' : 'keep',
    ...(percent === undefined ? {} : { max_removed_share: percent / 100 }),
    on_error: options.stopOnError === true ? 'stop' : 'skip',
    ...(options.webhook === undefined ? {} : { alerts: { webhook: options.webhook } }),
  }
}

async function readConnection(file: string): Promise<PutSourceRequest['connection']> {
  try {
    // The service checks its members.
    return JSON.parse(await readFile(file, 'utf8')) as PutSourceRequest['connection']
  } catch (error) {
    throw new CommandError('usage', `Cannot read ${file}: ${(error as Error).message}`)
  }
}

/** Defines the schema that the source suggests, if there is none, and how variants are grouped. */
async function defineSchema(
  run: Run,
  store: StoreClient,
  { connection, secrets, mapping, id_column: idColumn }: PutSourceRequest,
): Promise<void> {
  const preview = await store.previewSource({
    connection,
    ...(secrets === undefined ? {} : { secrets }),
    ...(mapping === undefined ? {} : { mapping }),
    ...(idColumn === undefined ? {} : { id_column: idColumn }),
  })
  if (preview.schema_defined) return
  const { proposed_fields: fields, distinct } = preview
  await store.changeSchema({ fields } as unknown as ChangeSchemaRequest)
  if (distinct !== undefined) await store.changeSettings({ distinct: distinctOf(distinct) })
  run.note(`Defined a schema of ${counted(fields.length, 'field')}.`)
}

async function endOf(
  run: Run,
  store: StoreClient,
  name: string,
  id: string,
): Promise<SourceRunDetail> {
  const progress = new Progress(run.context.err, run.context.now, 'Reading', 'row')
  try {
    for (;;) {
      const detail = await store.sourceRun(name, id)
      if (detail.run.state !== 'running') return detail
      progress.show(Number.NaN, detail.run.rows)
      await pause(POLL_MS)
    }
  } finally {
    progress.clear()
  }
}

/** @throws CommandError unless the run is complete */
function conclude({ state, error, removal_refused: isRefused, missing, refused }: SourceRun): void {
  if (state === 'failed') throw new CommandError('incomplete', `The run failed: ${error ?? ''}`)
  if (state === 'cancelled') throw new CommandError('incomplete', 'The run was cancelled')
  if (isRefused === true) {
    throw new CommandError(
      'incomplete',
      `${counted(missing, 'document')} missing in the source: not removed, because that is a large share. Add --allow-removal if that is right`,
    )
  }
  if (refused > 0) throw new CommandError('incomplete', `${counted(refused, 'row')} refused`)
}

function stateText({ running, paused, health }: Source): string {
  if (running !== undefined) return 'running'
  return paused ? `${health}, paused` : health
}

function nextText({ next_run_at: at }: Source): string {
  return at === undefined ? '' : `, next run ${at}`
}

function placeOf(connection: Source['connection']): string {
  if ('url' in connection) return connection.url
  const { host, database, table } = connection
  return `${host} ${database} ${table ?? 'query'}`
}

function sourceText(source: Source): string {
  const { connection, schedule, last_run: last } = source
  const rows: [string, string][] = [
    ['kind', connection.kind],
    ['from', placeOf(connection)],
    ['state', stateText(source)],
    ['documents', count(source.documents)],
    [
      'schedule',
      schedule === undefined ? 'none' : `${schedule.cron} (${schedule.time_zone ?? 'UTC'})`,
    ],
    ['next run', source.next_run_at ?? 'none'],
    ['deletions', source.deletions],
    [
      'last run',
      last === undefined ? 'none' : `${last.state} ${last.ended_at ?? ''} ${last.error ?? ''}`,
    ],
  ]
  return rows.map(([name, value]) => `${name.padEnd(11)}${printable(value.trimEnd())}\n`).join('')
}

function runText({ run, diff }: SourceRunDetail): string {
  const { rows, added, changed, unchanged, removed, refused } = run
  const tense = run.kind === 'dry_run' ? 'Would write' : 'Wrote'
  const unchangedText =
    run.unchanged_since_last === true ? 'The source has not changed since the last run.\n' : ''
  const figures = `${tense}: ${count(added)} added, ${count(changed)} changed, ${count(removed)} removed; ${count(unchanged)} unchanged, ${count(refused)} refused of ${counted(rows, 'row')}\n`
  return unchangedText + figures + diffText(diff)
}

function diffText({ added, changed, removed, refused }: SourceDiff): string {
  const lines = [
    ...added.map(({ id, document }) => `+ ${id}  ${document}`),
    ...changed.map(
      ({ id, fields }) =>
        `~ ${id}  ${fields.map(({ field, before = '–', after = '–' }) => `${field}: ${before} -> ${after}`).join(', ')}`,
    ),
    ...removed.map((id) => `- ${id}`),
    ...refused.map(({ row, error }) => `! row ${row}: ${error}`),
  ]
  return lines.map((line) => `  ${printable(line)}\n`).join('')
}
