import { valueText } from '@aisle/configuration'
import type { NamedResource, ResourceKind, StoreClient } from '@aisle/client'
import type { Context } from '../context.ts'
import { CommandError } from '../exit-codes.ts'
import { readValueFile } from '../folder/value-file.ts'
import { table } from '../terminal/table.ts'
import { addCommand, addGroup, type Command } from './command.ts'
import { titlesOf } from './document-titles.ts'
import { addRuleCommands } from './rule-commands.ts'
import { documentsOf, pinWarnings, ruleRow, type RuleValue } from './rule-text.ts'

/** Command groups, by kind of resource. */
const KINDS: readonly {
  readonly group: string
  readonly kind: ResourceKind
  readonly noun: string
  /** Default: with an `s`. */
  readonly nouns?: string
}[] = [
  { group: 'collections', kind: 'collections', noun: 'collection' },
  { group: 'presets', kind: 'presets', noun: 'preset' },
  { group: 'rules', kind: 'rules', noun: 'rule' },
  { group: 'strategies', kind: 'strategies', noun: 'strategy', nouns: 'strategies' },
  { group: 'synonyms', kind: 'synonym-sets', noun: 'synonym set' },
  { group: 'stopwords', kind: 'stopword-sets', noun: 'stopword set' },
]

/** Commands for the named resources of a store. */
export function addCommands(program: Command, context: Context): void {
  for (const { group, kind, noun, nouns = `${noun}s` } of KINDS) {
    const parent = addGroup(program, group, `${nouns} of a store`)
    addCommand(parent, { name: 'list', summary: `list the ${nouns}`, talksTo: 'store' }).runs(
      async (run) => {
        const store = await run.store('write')
        const all = await store.resources(kind)
        const text =
          all.length === 0
            ? `No ${nouns}.\n`
            : kind === 'rules'
              ? await ruleTable(store, all)
              : table(
                  ['name', ''],
                  all.map(({ name, value }) => [name, JSON.stringify(value).slice(0, 100)]),
                )
        run.print(all, text)
      },
    )
    addCommand(parent, { name: 'get <name>', summary: `show a ${noun}`, talksTo: 'store' }).runs(
      async (run, name: string) => {
        const { value } = await (await run.store('write')).resource(kind, name)
        run.print(value, valueText(value, 'yaml'))
      },
    )
    addCommand(parent, {
      name: 'put <name> <file>',
      alias: 'set',
      summary: `create or replace a ${noun}; the file is JSON or YAML, - reads standard input`,
      talksTo: 'store',
    }).runs(async (run, name: string, file: string) => {
      const value = await readValueFile(file, context.stdin)
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        throw new CommandError('usage', `"${file}" must contain an object`)
      }
      const store = await run.store('write')
      await store.putResource(kind, name, value as Record<string, unknown>)
      const warnings = kind === 'rules' ? await pinWarnings(store, value as RuleValue) : []
      run.print(
        { name, status: 'put', ...(warnings.length === 0 ? {} : { warnings }) },
        `Saved ${noun} "${name}".\n`,
      )
      for (const warning of warnings) run.note(`Warning: ${warning}.`)
    })
    addCommand(parent, {
      name: 'delete <name>',
      summary: `delete a ${noun}`,
      talksTo: 'store',
    }).runs(async (run, name: string) => {
      await (await run.store('write')).deleteResource(kind, name)
      run.print({ name, status: 'deleted' }, `Deleted ${noun} "${name}".\n`)
    })
    if (kind === 'rules') addRuleCommands(parent, context)
  }
}

/** A table of rules: conditions, actions, and titles of the documents they name. */
async function ruleTable(store: StoreClient, all: readonly NamedResource[]): Promise<string> {
  const rules = all.map(({ name, value }) => ({ name, value: value as RuleValue }))
  const titles = await titlesOf(
    store,
    rules.flatMap(({ value }) => documentsOf(value)),
  )
  return table(
    ['name', 'on', 'priority', 'when', 'what'],
    rules.map(({ name, value }) => [name, ...ruleRow(value, titles)]),
  )
}
