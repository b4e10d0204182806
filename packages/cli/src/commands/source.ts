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
  type Command,
  type CommonOptions,
  type Run,
} from './command.ts'
import { addConnectionOptions } from './source-connection.ts'
import { readRequest, SECRET, type AddOptions } from './source-request.ts'

interface RunOptions extends CommonOptions {
  readonly full?: boolean
  readonly allowRemoval?: boolean
  readonly wait: boolean
}

const POLL_MS = 500

/** Feeds and other places that the service reads documents from. */
export function addCommands(program: Command, context: Context): void {
  const group = addGroup(program, 'source', 'feeds that the service reads documents from')
  const add = addCommand(group, {
    name: 'add <name> [url]',
    summary: 'create or replace a source: a feed, an API, a database or a shop, at a URL',
    talksTo: 'store',
    examples: [
      'aisle source add feed https://shop.example/feed.xml --guess-schema --schedule "0 5 * * *"',
      'aisle source add stock https://shop.example/products.csv --id-column sku --remove-missing',
      'aisle source add api https://shop.example/api/products --kind json_api --items data --pages page --page-parameter page',
      'aisle source add pages https://shop.example/sitemap.xml --kind sitemap --path-prefix /products/',
      'aisle source add db postgres://aisle@db.example/shop --table products --follow replication --secret-file password=/run/secrets/db',
      'aisle source add db mysql://aisle@db.example/shop --table products --follow updated_at --updated-at changed_at',
      'aisle source add shop https://example.myshopify.com --kind shopify --client-id 1234',
      'pass shop/woo | aisle source add shop https://shop.example --kind woocommerce --secret-file consumer_secret=-',
    ],
  })
  addConnectionOptions(add)
    .option(
      '--secret-file <name=file>',
      `file with a secret; - reads standard input (otherwise ${SECRET}PASSWORD, ${SECRET}TOKEN, …)`,
      collect,
    )
    .option('--map <column=field>', 'read a column as this field; column= skips it', collect)
    .option('--id-column <column>', 'column that holds the document id')
    .option('--schedule <cron>', 'minute, hour, day, month, weekday (default: only when asked to)')
    .option('--time-zone <zone>', 'of the schedule (default: UTC)')
    .option('--remove-missing', 'delete documents that the source no longer has')
    .option('--max-removed <percent>', 'more than this share is not removed (default: 20)')
    .option('--stop-on-error', 'end a run at the first refused row')
    .option('--webhook <url>', 'is told about failures')
    .option('--email <address>', 'is told about failures; repeatable', collect)
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
    alias: 'logs',
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
