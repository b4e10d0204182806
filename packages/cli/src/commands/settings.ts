import { valueText } from '@aisle/configuration'
import { addCommand, addGroup, type Command } from './command.ts'
import { patchOf, readNamedValues } from './named-values.ts'

/** Commands for the settings of a store. */
export function addCommands(program: Command): void {
  const settings = addGroup(program, 'settings', 'settings of a store')
  addCommand(settings, { name: 'get', summary: 'show the settings', talksTo: 'store' }).runs(
    async (run) => {
      const value = await (await run.store('write')).settings()
      run.print(value, valueText(value, 'yaml'))
    },
  )
  addCommand(settings, {
    name: 'put <name=value...>',
    alias: 'set',
    summary: 'change settings; values are JSON or plain text; null restores the default',
    talksTo: 'store',
    examples: [
      'aisle settings put language=de --store shop',
      'aisle settings put ranking.popularity_weight 0.2',
      `aisle settings put 'cors_origins=["https://shop.example"]'`,
    ],
  }).runs(async (run, words: readonly string[]) => {
    const patch = patchOf(readNamedValues(words))
    const value = await (await run.store('write')).changeSettings(patch)
    run.print(value, valueText(value, 'yaml'))
  })
}
