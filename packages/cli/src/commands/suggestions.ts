import type { StoreSuggestionsConfig, SuggestionParameters } from '@aisle/client'
import { valueText } from '@aisle/configuration'
import { table } from '../terminal/table.ts'
import { addCommand, addGroup, collect, wholeNumber } from './command.ts'
import type { Command, CommonOptions } from './command.ts'
import { readNamedValues } from './named-values.ts'

interface TopOptions extends CommonOptions {
  readonly typed?: string
  readonly range?: string
  readonly limit?: number
  readonly tag?: readonly string[]
}

/** The suggestions of a store and their configuration. */
export function addCommands(program: Command): void {
  const suggestions = addGroup(program, 'suggestions', 'queries that a store suggests')
  addCommand(suggestions, {
    name: 'top',
    summary: 'list the most popular suggestions, or those for typed text',
    talksTo: 'store',
    examples: ['aisle suggestions top --range 7d', 'aisle suggestions top --typed ten'],
  })
    .option('--typed <text>', 'the typed text')
    .option('--range <range>', '7d, 30d or 90d')
    .option('--limit <n>', 'number of suggestions', wholeNumber)
    .option('--tag <tag>', 'only searches with this analytics tag (repeatable)', collect)
    .runs(async (run, options: TopOptions) => {
      const answer = await (await run.store('read')).suggest(parametersOf(options))
      const rows = (answer.suggestions ?? []).map(({ query, popularity }) => [query, popularity])
      run.print(answer, table(['query', 'popularity'], rows))
    })

  addCommand(suggestions, {
    name: 'get',
    summary: 'show the configuration of suggestions',
    talksTo: 'store',
  }).runs(async (run) => {
    const value = await (await run.store('write')).suggestionsConfig()
    run.print(value, valueText(value, 'yaml'))
  })

  addCommand(suggestions, {
    name: 'put <name=value...>',
    alias: 'set',
    summary: 'change the configuration of suggestions; values are JSON or plain text',
    talksTo: 'store',
    examples: [
      'aisle suggestions put min_sessions=3',
      `aisle suggestions put 'blocklist=["knife"]' 'pinned=[{"query":"gift card","popularity":500}]'`,
    ],
  }).runs(async (run, words: readonly string[]) => {
    const store = await run.store('write')
    const changes = readNamedValues(words)
    // PUT replaces the whole configuration.
    const config = { ...(await store.suggestionsConfig()), ...Object.fromEntries(changes) }
    const value = await store.putSuggestionsConfig(config as StoreSuggestionsConfig)
    run.print(value, valueText(value, 'yaml'))
  })
}

function parametersOf({ typed, range, limit, tag }: TopOptions): SuggestionParameters {
  const parameters = {
    q: typed ?? '',
    include_empty_query_recommendations: true,
    include_dropdown_product_list: false,
    ...(range === undefined ? {} : { time_range: range }),
    ...(limit === undefined ? {} : { hitsPerPage: limit }),
    ...(tag === undefined ? {} : { analytics_tags: [...tag] }),
  }
  // The service refuses unknown ranges and names the valid ones.
  return parameters as SuggestionParameters
}
