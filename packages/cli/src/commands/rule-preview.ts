import { isDeepStrictEqual } from 'node:util'
import type {
  PreviewRuleRequest,
  RulePreview,
  SearchHit,
  SearchParameters,
  StoreClient,
} from '@aisle/client'
import type { Context } from '../context.ts'
import { CommandError } from '../exit-codes.ts'
import { readValueFile } from '../folder/value-file.ts'
import { printable } from '../terminal/style.ts'
import { count, table } from '../terminal/table.ts'
import { addCommand, collect, type Command, type CommonOptions } from './command.ts'
import { titlesOf } from './document-titles.ts'
import { pinWarnings, type RuleValue } from './rule-text.ts'

interface Options extends CommonOptions {
  readonly id?: string
  readonly filter?: string
  readonly context?: readonly string[]
  readonly at?: string
}

/** Previews the effect of an unsaved rule. */
export function addRulePreviewCommand(parent: Command, context: Context): void {
  addCommand(parent, {
    name: 'preview <file> <query>',
    summary:
      'compare a search with and without a rule; the file is JSON or YAML, - reads standard input',
    talksTo: 'store',
    examples: [
      `aisle rules preview tents.yaml 'family tent'`,
      `aisle rules preview friday.yaml '*' --at 2026-11-27T08:00:00+01:00`,
    ],
  })
    .option('--id <id>', 'id of the saved rule that it would replace')
    .option('--filter <filter>', 'filter_by')
    .option('--context <name>', 'a rule context of the search (repeatable)', collect)
    .option(
      '--at <time>',
      'time of the search, for schedules: ISO 8601 with an offset (default: now)',
    )
    .runs(async (run, file: string, query: string, options: Options) => {
      const rule = await readValueFile(file, context.stdin)
      if (typeof rule !== 'object' || rule === null || Array.isArray(rule)) {
        throw new CommandError('usage', `"${file}" must contain an object`)
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
      const store = await run.store('write')
      const answer = await store.previewRule(request)
      const { applies, live, preview } = answer
      const found =
        preview.found === live.found
          ? `${count(live.found)} found, unchanged`
          : `${count(preview.found)} found instead of ${count(live.found)}`
      run.print(
        answer,
        `The rule ${applies ? 'applies' : 'does not apply'}: ${found}.\n${await sideBySide(store, answer)}`,
      )
      for (const warning of await pinWarnings(store, rule as RuleValue)) {
        run.note(`Warning: ${warning}.`)
      }
    })
}

/** Both first pages side by side, with the move of each hit. */
async function sideBySide(store: StoreClient, { live, preview }: RulePreview): Promise<string> {
  const [now, then] = [live, preview].map(({ hits }) => hits as readonly SearchHit[]) as [
    readonly SearchHit[],
    readonly SearchHit[],
  ]
  const places = new Map(now.map(({ id }, i) => [id, i]))
  const kept = new Set(then.map(({ id }) => id))
  const titles = await titlesOf(store, [...places.keys(), ...kept])
  const text = (hit: SearchHit | undefined): string =>
    hit === undefined
      ? ''
      : `${hit.id}${hit.curated === true ? ' *' : ''}  ${titles.get(hit.id) ?? ''}`.trim()
  const change = (hit: SearchHit | undefined, i: number): string => {
    if (hit === undefined) return ''
    const before = places.get(hit.id)
    if (before === undefined) return 'new'
    return before === i ? '' : before > i ? `up ${before - i}` : `down ${i - before}`
  }
  const rows = Array.from({ length: Math.max(now.length, then.length) }, (_, i) => [
    i + 1,
    text(now[i]),
    text(then[i]),
    change(then[i], i),
  ])
  const gone = now.filter(({ id }) => !kept.has(id)).map(text)
  const [banner, bannerBefore] = [preview, live].map(({ metadata }) => metadata)
  const page =
    isDeepStrictEqual(banner, bannerBefore) || banner === undefined
      ? ''
      : `For the page: ${printable(JSON.stringify(banner))}\n`
  return (
    table(['', 'live', 'with the rule', 'change'], rows) +
    (gone.length === 0 ? '' : `No longer on this page: ${gone.map(printable).join(', ')}\n`) +
    page
  )
}
