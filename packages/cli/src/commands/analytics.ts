import type { ReportName, ReportParameters } from '@aisle/client'
import type { Context } from '../context.ts'
import { count, counted, size, table } from '../terminal/table.ts'
import { addCommand, addGroup, wholeNumber, type Command, type CommonOptions } from './command.ts'

interface ReportOptions extends CommonOptions {
  readonly from?: string
  readonly to?: string
  readonly tags?: string
  readonly query?: string
  readonly allTags?: boolean
  readonly compare?: string
  readonly interval?: string
  readonly orderBy?: string
  readonly limit?: number
  readonly csv?: boolean
}

interface VisitorOptions extends CommonOptions {
  readonly user?: string
  readonly anonymous?: string
  readonly session?: string
}

type Figures = Readonly<Record<string, unknown>>

/** Reports on visitor events, and commands that erase or rebuild them. */
export function addCommands(program: Command, context: Context): void {
  addReportCommand(program, context)
  const events = addGroup(program, 'events', 'the events of a store as a whole')
  addCommand(events, {
    name: 'rebuild',
    summary: 'rebuild reports and suggestions from the event log; the figures stay the same',
    talksTo: 'store',
  }).runs(async (run) => {
    const rebuilt = await (await run.store('write')).rebuildReports()
    const { events: read, took_ms: ms } = rebuilt
    run.print(
      rebuilt,
      `Read ${count(read)} log ${read === 1 ? 'entry' : 'entries'} in ${count(ms)} ms.\n`,
    )
  })
  addCommand(events, {
    name: 'erase',
    summary: 'erase the events of a visitor for good, from the log and everything derived from it',
    talksTo: 'store',
    examples: ['aisle events erase --user customer-17'],
  })
    .option('--user <id>', 'user id, with the ids that were only ever this user')
    .option('--anonymous <id>', 'anonymous id')
    .option('--session <id>', 'session id')
    .runs(async (run, options: VisitorOptions) => {
      const { user: userId, anonymous: anonymousId, session: sessionId } = options
      const erased = await (
        await run.store('write')
      ).eraseVisitor({ userId, anonymousId, sessionId })
      run.print(erased, `${counted(erased.events_erased, 'event')} erased.\n`)
    })
  addCommand(events, {
    name: 'drop',
    summary: 'delete the events that arrived before a time, in whole days',
    talksTo: 'store',
    examples: ['aisle events drop --before 2026-01-01'],
  })
    .requiredOption('--before <time>', 'ISO 8601, UTC')
    .runs(async (run, options: { before: string }) => {
      const dropped = await (await run.store('write')).dropEvents(options.before)
      const oldest = dropped.oldest_event_at ?? 'none'
      run.print(dropped, `Freed ${size(dropped.bytes_freed)}. Oldest event: ${oldest}\n`)
    })
}

function addReportCommand(program: Command, context: Context): void {
  addCommand(program, {
    name: 'analytics <report>',
    summary:
      'a report: overview, top-queries, no-results, no-clicks, clicks, conversions, revenue, funnel, top-documents, events, filters, rules, presets, latency, judgments, reformulations, missed-searches, experiments, popularity-trial',
    talksTo: 'store',
    examples: [
      'aisle analytics overview --interval week --compare previous',
      'aisle analytics no-results --from 2026-01-01 --to 2026-02-01 --csv > no-results.csv',
    ],
  })
    .option('--from <time>', 'start of the period, ISO 8601, UTC (30 days before --to)')
    .option('--to <time>', 'end of the period, exclusive (now)')
    .option('--tags <tags>', 'analytics tags, separated by commas')
    .option('--all-tags', 'require all tags instead of any')
    .option('--query <query>', 'only searches for this query, with their clicks and conversions')
    .option('--compare <period>', 'previous, or year')
    .option('--interval <length>', 'hour, day or week')
    .option(
      '--order-by <figure>',
      'sort top-documents by clicks, conversions, revenue or impressions',
    )
    .option('--limit <n>', 'rows', wholeNumber)
    .option('--csv', 'print the rows as CSV')
    .runs(async (run, report: string, options: ReportOptions) => {
      const store = await run.store('write')
      // The service reports unknown names and values.
      const name = report as ReportName
      const parameters = parametersOf(options)
      if (options.csv === true) {
        context.out.write(await store.reportCsv(name, parameters))
        return
      }
      const answer = await store.report(name, parameters)
      const { comparison, from, to } = answer
      const parts = [periodText(from, to, answer)]
      if (comparison !== undefined) {
        parts.push(`Before, ${periodText(comparison.from, comparison.to, comparison)}`)
      }
      run.print(answer, parts.join('\n'))
    })
}

function parametersOf(options: ReportOptions): ReportParameters {
  const { from, to, tags, allTags, query, compare, interval, orderBy, limit } = options
  const given = {
    from,
    to,
    tags: tags?.split(','),
    tags_match_mode: allTags === true ? 'all' : undefined,
    query,
    compare,
    interval,
    order_by: orderBy,
    limit,
  }
  const set = Object.entries(given).filter(([, value]) => value !== undefined)
  return Object.fromEntries(set) as ReportParameters
}

function periodText(
  from: string,
  to: string,
  { totals, rows }: { readonly totals: object; readonly rows: readonly object[] },
): string {
  const figures = Object.entries(totals).map(([name, value]) => [name, shown(value)])
  const [first] = rows as readonly Figures[]
  const columns = Object.keys(first ?? {})
  const cells = (rows as readonly Figures[]).map((row) =>
    columns.map((column) => shown(row[column])),
  )
  return [
    `from ${from} to ${to}\n`,
    table(['total', ''], figures),
    ...(first === undefined ? [] : [table(columns, cells)]),
  ].join('\n')
}

/** Sums of money as `12.50 EUR`, rates with four digits, `-` for unknown values. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (Array.isArray(value)) {
    const sums = value as { currency: string | null; amount: number }[]
    if (sums.length === 0) return '-'
    return sums.map(({ currency, amount }) => `${amount} ${currency ?? ''}`.trim()).join('; ')
  }
  if (typeof value === 'number') return String(Math.round(value * 10_000) / 10_000)
  return typeof value === 'string' ? value : JSON.stringify(value)
}
