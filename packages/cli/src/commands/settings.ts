import type { Context } from '../context.ts'
import { valueText } from '@aisle/configuration'
import { addCommand, addGroup, Run } from './command.ts'
import type { Command, CommonOptions } from './command.ts'
import { patchOf, readNamedValues } from './named-values.ts'

/** Settings of a store. */
export function addSettingsCommands(program: Command, context: Context): void {
  const settings = addGroup(program, 'settings', 'settings of a store')
  addCommand(settings, { name: 'get', summary: 'show the settings', talksTo: 'store' }).action(
    async (options: CommonOptions) => {
      const run = new Run(context, options)
      const value = await (await run.store('write')).settings()
      run.print(value, valueText(value, 'yaml'))
    },
  )
  addCommand(settings, {
    name: 'set <name=value...>',
    summary: 'change settings; a value is JSON, else it is text; null goes back to the default',
    talksTo: 'store',
    examples: [
      'aisle settings set language=de --store shop',
      'aisle settings set ranking.popularity_weight 0.2',
      `aisle settings set 'cors_origins=["https://shop.example"]'`,
    ],
  }).action(async (words: readonly string[], options: CommonOptions) => {
    const run = new Run(context, options)
    const patch = patchOf(readNamedValues(words))
    const value = await (await run.store('write')).changeSettings(patch)
    run.print(value, valueText(value, 'yaml'))
  })
}
