import type { Context } from '../context.ts'
import { valueText } from '../folder/value-file.ts'
import { addCommand, addGroup, readPair, readValue, Run } from './command.ts'
import type { Command, CommonOptions } from './command.ts'

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
    summary: 'change settings; a value is JSON, else it is text',
    talksTo: 'store',
    examples: [
      'aisle settings set language=de --store shop',
      `aisle settings set 'cors_origins=["https://shop.example"]'`,
    ],
  }).action(async (pairs: readonly string[], options: CommonOptions) => {
    const run = new Run(context, options)
    const changes = pairs.map(readPair).map(([name, value]) => [name, readValue(value)])
    const value = await (await run.store('write')).changeSettings(Object.fromEntries(changes))
    run.print(value, valueText(value, 'yaml'))
  })
}
