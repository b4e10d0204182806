import type { SchemaFieldRequest, StoreClient } from '@aisle/client'
import { applyChanges, changesTo, fetchConfiguration } from '@aisle/configuration'
import type { StoreConfiguration } from '@aisle/configuration'
import { CommandError } from '../exit-codes.ts'
import { printable } from '../terminal/style.ts'
import { counted } from '../terminal/table.ts'

/** What is to be different from the store as it is. */
export interface WantedChanges {
  /** From a folder: what it speaks of takes the place of what the store has. */
  readonly folder: StoreConfiguration | undefined
  /** Instead of the fields of the store, or of the folder. */
  readonly fields: readonly SchemaFieldRequest[] | undefined
  /** A merge patch. */
  readonly settings: Readonly<Record<string, unknown>>
}

/**
 * Gives the second store the configuration of the first one, with what is to be different.
 *
 * @param note told what the service refused
 * @throws CommandError when something was refused, or the second store has another schema already
 */
export async function configure(
  source: StoreClient,
  second: StoreClient,
  { folder, fields, settings }: WantedChanges,
  note: (text: string) => void,
): Promise<void> {
  const today = await fetchConfiguration(source)
  const wanted: StoreConfiguration = {
    schema: fields ?? folder?.schema ?? today.schema,
    settings: folder?.settings ?? today.settings,
    resources: new Map([...today.resources, ...(folder?.resources ?? [])]),
  }
  if ((wanted.schema ?? []).length === 0) {
    throw new CommandError(
      'usage',
      'There is no schema: the store has none, and no file brings one',
    )
  }
  const changes = changesTo(await fetchConfiguration(second), wanted)
  const conflict = changes.find(({ verb }) => verb === 'conflict')
  if (conflict !== undefined) {
    throw new CommandError(
      'usage',
      `Field "${printable(conflict.name)}" is declared differently in the second store: --restart begins anew`,
    )
  }
  const failures = await applyChanges(second, changes)
  for (const { file, error } of failures) note(`${file}: ${error.message}`)
  if (failures.length > 0) {
    const files = counted(failures.length, 'file')
    throw new CommandError('incomplete', `The service refused ${files}; nothing was swapped`)
  }
  // A patch is checked as a whole, with what it changes.
  if (Object.keys(settings).length > 0) await second.changeSettings(settings)
  await second.putSuggestionsConfig(await source.suggestionsConfig())
  const { rejected } = await source.synonymSuggestions()
  for (const { from, to } of rejected) await second.rejectSynonym({ from, to })
}
