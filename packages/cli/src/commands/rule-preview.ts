import type { PreviewRuleRequest, SearchParameters, SearchResponse } from '@aisle/client'
import type { Context } from '../context.ts'
import { CommandError } from '../exit-codes.ts'
import { readValueFile } from '../folder/value-file.ts'
import { count, table } from '../terminal/table.ts'
import { addCommand, collect, Run } from './command.ts'
import type { Command, CommonOptions } from './command.ts'

interface Options extends CommonOptions {
  readonly id?: string
  readonly filter?: string
  readonly context?: readonly string[]
  readonly at?: string
}

/** What a rule would do that is not saved yet. */
export function addRulePreviewCommand(parent: Command, context: Context): void {
  addCommand(parent, {
    name: 'preview <file> <query>',
    summary:
      'show a search beside what it would be with a rule; the file is JSON or YAML, - the standard input',
    talksTo: 'store',
    examples: [
      `aisle rules preview tents.yaml 'family tent'`,
      `aisle rules preview friday.yaml '*' --at 2026-11-27T08:00:00+01:00`,
    ],
  })
    .option('--id <id>', 'the saved rule that it stands in for')
    .option('--filter <filter>', 'filter_by')
    .option('--context <name>', 'one of rule_contexts', collect)
    .option('--at <time>', 'for schedules, ISO 8601 with an offset; now if left out')
    .action(async (file: string, query: string, options: Options) => {
      const run = new Run(context, options)
      const rule = await readValueFile(file, context.stdin)
      if (typeof rule !== 'object' || rule === null || Array.isArray(rule)) {
        throw new CommandError('usage', `"${file}" must hold an object`)
      }
      const { id, filter, context: contexts, at } = options
      const search: SearchParameters = {
        q: query,
        ...(filter === undefined ? {} : { filter_by: filter }),
        ...(contexts === undefined ? {} : { rule_contexts: [...contexts] }),
      }
      const request: PreviewRuleRequest = {
        rule: { ...rule, ...(id === undefined ? {} : { id }) },
        search,
        ...(at === undefined ? {} : { at }),
      }
      const answer = await (await run.store('write')).previewRule(request)
      const { applies, live, preview } = answer
      const [now, then] = [live, preview].map(idsOf) as [string[], string[]]
      const rows = Array.from({ length: Math.max(now.length, then.length) }, (_, i) => [
        i + 1,
        now[i] ?? '',
        then[i] ?? '',
      ])
      run.print(
        answer,
        `The rule ${applies ? 'applies' : 'does not apply'}: ${count(preview.found)} found instead of ${count(live.found)}.\n` +
          table(['', 'live', 'with the rule'], rows),
      )
    })
}

/** Ids of the hits, those that a rule has pinned with a star. */
function idsOf({ hits }: SearchResponse): string[] {
  return hits.map((hit) => ('curated' in hit && hit.curated === true ? `${hit.id} *` : hit.id))
}
