import type { Mend, MendPreview, MissedSearch, MissedSearchParameters } from '@aisle/client'
import { CommandError } from '../exit-codes.ts'
import { table } from '../terminal/table.ts'
import { addCommand, addGroup, wholeNumber, type Command, type CommonOptions } from './command.ts'

interface ListOptions extends CommonOptions {
  readonly state?: string
  readonly days?: number
  readonly limit?: number
}

interface FixOptions extends CommonOptions {
  readonly mend?: number
}

/** Searches that lose visitors, and what mends them. */
export function addCommands(program: Command): void {
  const group = addGroup(program, 'missed-searches', 'searches that lose visitors')
  addCommand(group, {
    name: 'list',
    summary: 'list searches without results or clicks, by visitors lost',
    talksTo: 'store',
    examples: ['aisle missed-searches list', 'aisle missed-searches list --state fixed'],
  })
    .option('--state <state>', 'open, fixed or dismissed (open)')
    .option('--days <n>', 'days of searches to consider (30)', wholeNumber)
    .option('--limit <n>', 'rows (20)', wholeNumber)
    .runs(async (run, options: ListOptions) => {
      const { state, days, limit } = options
      const given = Object.entries({ state, days, limit }).filter(([, one]) => one !== undefined)
      // The service reports unknown states.
      const parameters = Object.fromEntries(given) as MissedSearchParameters
      const answer = await (await run.store('write')).missedSearches(parameters)
      const columns = ['query', 'why', 'visitors lost', 'finds now', 'typed next']
      run.print(answer, table(columns, answer.searches.map(cells)))
    })

  addCommand(group, {
    name: 'mends <query>',
    summary: 'list what would fix a missed search, with what it would find',
    talksTo: 'store',
    examples: ['aisle missed-searches mends couch'],
  }).runs(async (run, query: string) => {
    const answer = await (await run.store('write')).mends(query)
    const rows = answer.mends.map((one, i) => [i + 1, mendText(one.mend), one.finds, why(one)])
    run.print(
      answer,
      table(['', `finds ${answer.now.found} now`, 'would find', 'because of'], rows),
    )
  })

  addCommand(group, {
    name: 'fix <query>',
    summary: 'apply one of its mends, or mark it as fixed',
    talksTo: 'store',
    examples: ['aisle missed-searches fix couch --mend 1'],
  })
    .option('--mend <n>', 'number of the mend, as `mends` lists it', wholeNumber)
    .runs(async (run, query: string, { mend: number }: FixOptions) => {
      const store = await run.store('write')
      const chosen = number === undefined ? undefined : (await store.mends(query)).mends[number - 1]
      if (number !== undefined && chosen === undefined) {
        throw new CommandError(
          'usage',
          `There is no mend ${number}: \`aisle missed-searches mends\` lists them`,
        )
      }
      const mend = chosen === undefined ? {} : { mend: chosen.mend }
      const done = await store.decideMissedSearch('fix', { query, ...mend })
      run.print(done, `Fixed: "${done.query}" finds ${done.finds ?? 'an unknown number'} now.\n`)
    })

  for (const [name, summary, past] of [
    ['dismiss', 'take a missed search off the list', 'Dismissed'],
    ['reopen', 'undo a fix or a dismissal', 'Reopened'],
  ] as const) {
    addCommand(group, { name: `${name} <query>`, summary, talksTo: 'store' }).runs(
      async (run, query: string) => {
        const done = await (await run.store('write')).decideMissedSearch(name, { query })
        const kept = done.kept_rule === undefined ? '' : ` The edited rule ${done.kept_rule} stays.`
        run.print(done, `${past}: "${done.query}".${kept}\n`)
      },
    )
  }
}

function cells(one: MissedSearch): (string | number)[] {
  const { query, reason, visitors_lost: lost, finds, typed_next: next } = one
  const why = reason === 'no_results' ? 'no results' : 'no clicks'
  return [query, why, lost, finds ?? '-', next.map((typed) => typed.query).join(', ')]
}

function why({ source, visitors, similarity }: MendPreview): string {
  if (source === 'meaning') return `meaning, ${(similarity ?? 0).toFixed(2)}`
  return visitors === undefined ? (source ?? '') : `${visitors} visitors`
}

function mendText({ kind, from, to, field, value, url, documents = [] }: Mend): string {
  if (kind === 'synonym') return `synonym: ${from} also finds ${to}`
  if (kind === 'replace_query') return `search for ${to} instead`
  if (kind === 'category') return `show ${field} ${value}`
  if (kind === 'redirect') return `redirect to ${url}`
  return `pin ${documents.join(', ')}`
}
