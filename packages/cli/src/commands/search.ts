import type { SearchParameters } from '@aisle/client'
import type { Context } from '../context.ts'
import { searchText } from '../terminal/search-text.ts'
import { styleOf } from '../terminal/style.ts'
import { addCommand, collect, readPair, wholeNumber } from './command.ts'
import type { Command, CommonOptions } from './command.ts'
import { readValue } from './named-values.ts'

interface Options extends CommonOptions {
  readonly filter?: string
  readonly sort?: string
  readonly facet?: string
  readonly fields?: string
  readonly perPage?: number
  readonly page?: number
  readonly explain?: boolean
  /** false for `--no-analytics` */
  readonly analytics: boolean
  readonly param?: readonly string[]
}

/** Searches a store from the terminal. */
export function addCommands(program: Command, context: Context): void {
  addCommand(program, {
    name: 'search <query>',
    summary: 'search a store; * finds everything',
    talksTo: 'store',
    examples: [
      `aisle search 'red shoe' --filter 'price:<100' --sort price:asc --facet brand`,
      'aisle search tent --param typo_max=0 --param preset_name=homepage',
    ],
  })
    .option('--filter <filter>', 'filter_by')
    .option('--sort <keys>', 'sort_by')
    .option('--facet <fields>', 'facet_by')
    .option('--fields <names>', 'fields to show, separated by commas, or * for all')
    .option('--per-page <n>', 'hits', wholeNumber)
    .option('--page <n>', 'page, from 1', wholeNumber)
    .option('--explain', 'explain the score of each hit')
    .option('--no-analytics', 'do not count the search in reports and suggestions')
    .option('--param <name=value>', 'any other parameter of a search', collect)
    .runs(async (run, query: string, options: Options) => {
      const answer = await (await run.store('read')).search(parametersOf(query, options))
      const style = styleOf(context.out.isTerminal, context.environment)
      run.print(answer, searchText(answer, { style, allFields: options.fields !== undefined }))
    })
}

function parametersOf(query: string, options: Options): SearchParameters {
  const { filter, sort, facet, fields, perPage, page, explain, analytics, param = [] } = options
  const given = {
    filter_by: filter,
    sort_by: sort,
    facet_by: facet,
    return_fields: fields === '*' ? undefined : fields?.split(',').map((name) => name.trim()),
    per_page: perPage,
    page,
    explain,
    analytics: analytics ? undefined : false,
  }
  return {
    q: query,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...Object.fromEntries(param.map(readPair).map(([name, value]) => [name, readValue(value)])),
  }
}
