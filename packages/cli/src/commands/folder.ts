import type { Context } from '../context.ts'
import { CommandError } from '../exit-codes.ts'
import { applyChanges, changesTo } from '../folder/changes.ts'
import type { Change } from '../folder/changes.ts'
import {
  fetchConfiguration,
  readConfiguration,
  writeConfiguration,
} from '../folder/settings-folder.ts'
import { printable } from '../terminal/style.ts'
import { addCommand, Run } from './command.ts'
import type { Command, CommonOptions } from './command.ts'

/** The configuration of a store as files that can be kept with the code of a shop. */
export function addFolderCommands(program: Command, context: Context): void {
  addCommand(program, {
    name: 'pull <folder>',
    summary: 'write schema, settings, presets, rules and sets of a store as files',
    talksTo: 'store',
  })
    .option('--format <format>', 'yaml or json', 'yaml')
    .action(async (folder: string, options: CommonOptions & { format: string }) => {
      const run = new Run(context, options)
      const { format } = options
      if (format !== 'yaml' && format !== 'json') {
        throw new CommandError('usage', '--format must be yaml or json')
      }
      const configuration = await fetchConfiguration(await run.store('write'))
      const files = writeConfiguration(folder, configuration, format)
      run.print({ folder, files }, `${files} files in ${folder}\n`)
    })
  addCommand(program, {
    name: 'diff <folder>',
    summary: 'show what apply would change; exit code 5 when there is something',
    talksTo: 'store',
  }).action(async (folder: string, options: CommonOptions) => {
    const run = new Run(context, options)
    const wanted = await readConfiguration(folder)
    const changes = changesTo(await fetchConfiguration(await run.store('write')), wanted)
    run.print({ changes }, changes.length === 0 ? 'No differences.\n' : changesText(changes))
    if (changes.length > 0) throw new CommandError('incomplete', `${changes.length} differences`)
  })
  addCommand(program, {
    name: 'apply <folder>',
    summary: 'make a store be what the files say',
    talksTo: 'store',
  })
    .option('--prune', 'also remove presets, rules and sets that the folder does not have')
    .action(async (folder: string, options: CommonOptions & { prune?: boolean }) => {
      const run = new Run(context, options)
      const wanted = await readConfiguration(folder)
      const store = await run.store('write')
      const changes = changesTo(await fetchConfiguration(store), wanted).filter(
        ({ verb }) => verb !== 'remove' || options.prune === true,
      )
      await applyChanges(store, changes)
      run.print({ changes }, changes.length === 0 ? 'Nothing to change.\n' : changesText(changes))
    })
}

const SIGNS = { add: '+', change: '~', remove: '-', conflict: '!' } as const

function changesText(changes: readonly Change[]): string {
  return changes
    .map((change) => {
      const head = `${SIGNS[change.verb]} ${change.kind}/${printable(change.name)}`
      if (change.verb !== 'change') return `${head}\n`
      const show = (value: unknown): string => printable(JSON.stringify(value) ?? 'nothing')
      return `${head}\n    before: ${show(change.before)}\n    after:  ${show(change.after)}\n`
    })
    .join('')
}
