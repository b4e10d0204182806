import type { RuleConflictList } from '@aisle/client'
import type { Context } from '../context.ts'
import { CommandError } from '../exit-codes.ts'
import { printable } from '../terminal/style.ts'
import { table } from '../terminal/table.ts'
import { addCommand, type Command, type CommonOptions } from './command.ts'
import { addRuleFileCommands } from './rule-files.ts'
import { addRulePreviewCommand } from './rule-preview.ts'

interface MoveOptions extends CommonOptions {
  readonly before?: string
  readonly after?: string
}

/** What rules have and other resources of a store have not. */
export function addRuleCommands(parent: Command, context: Context): void {
  addRulePreviewCommand(parent, context)
  addRuleFileCommands(parent, context)
  addCommand(parent, {
    name: 'conflicts [id]',
    summary: 'list rules that contradict each other in the same search, and which one wins',
    talksTo: 'store',
  }).runs(async (run, id: string | undefined) => {
    const store = await run.store('write')
    const answer = await store.ruleConflicts(id === undefined ? {} : { rule_id: id })
    run.print(answer, conflictsText(answer))
  })
  addCommand(parent, {
    name: 'move <id>',
    summary: 'move a rule to the top, or to before or after another one',
    talksTo: 'store',
    examples: ['aisle rules move summer-tents', 'aisle rules move summer-tents --after season'],
  })
    .option('--before <id>', 'the rule that applies next')
    .option('--after <id>', 'the rule that applies before it')
    .runs(async (run, id: string, { before, after }: MoveOptions) => {
      if (before !== undefined && after !== undefined) {
        throw new CommandError('usage', 'Name --before or --after, not both')
      }
      const store = await run.store('write')
      const { value: rules, etag } = await store.taggedRules()
      const place = ({ priority = 0 }: (typeof rules)[number]): number => -priority
      const ids = rules
        .toSorted((a, b) => place(a) - place(b) || (a.id < b.id ? -1 : 1))
        .map((rule) => rule.id)
      const other = before ?? after
      for (const name of [id, ...(other === undefined ? [] : [other])]) {
        if (!ids.includes(name)) throw new CommandError('usage', `There is no rule "${name}"`)
      }
      const others = ids.filter((name) => name !== id)
      const at = other === undefined ? 0 : others.indexOf(other) + (before === undefined ? 1 : 0)
      const answer = await store.orderRules({ order: others.toSpliced(at, 0, id) }, etag)
      run.print(answer, `Moved rule "${id}" to place ${at + 1} of ${ids.length}.\n`)
    })
}

function conflictsText({ conflicts, warnings = [] }: RuleConflictList): string {
  if (conflicts.length === 0) return 'No conflicts.\n'
  const rows = conflicts.map(({ subject, key, winner, loser, search }) => [
    printable([subject.replaceAll('_', ' '), key].filter((part) => part !== undefined).join(' ')),
    printable(`"${winner.title}" ${winner.action}`),
    printable(`"${loser.title}" ${loser.action}`),
    printable(JSON.stringify(search.q)),
  ])
  const rest = warnings.map((one) => `${one}.\n`).join('')
  return table(['about', 'wins', 'loses', 'for example'], rows) + rest
}
