import type { SchemaFieldRequest, StoreClient } from '@aisle/client'
import { copyConfiguration, fetchConfiguration } from '@aisle/configuration'
import type { StoreConfiguration } from '@aisle/configuration'
import { CommandError } from '../exit-codes.ts'
import { printable } from '../terminal/style.ts'
import { counted } from '../terminal/table.ts'

/** Changes to the configuration of the store. */
export interface WantedChanges {
  /** Configuration from a folder, which replaces that of the store kind by kind. */
  readonly folder: StoreConfiguration | undefined
  /** Replaces the fields of the store or of the folder. */
  readonly fields: readonly SchemaFieldRequest[] | undefined
  /** A merge patch. */
  readonly settings: Readonly<Record<string, unknown>>
}

/**
 * Gives the second store the configuration of the first one, with the changes applied.
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
    throw new CommandError('usage', 'No schema: the store has none, and no file defines one')
  }
  const { conflict, failures } = await copyConfiguration(source, second, wanted)
  if (conflict !== undefined) {
    throw new CommandError(
      'usage',
      `Field "${printable(conflict)}" is declared differently in the second store: --restart starts over`,
    )
  }
  for (const { file, error } of failures) note(`${file}: ${error.message}`)
  if (failures.length > 0) {
    const files = counted(failures.length, 'file')
    throw new CommandError('incomplete', `The service refused ${files}; nothing was swapped`)
  }
  // A patch is checked as a whole, with what it changes.
  if (Object.keys(settings).length > 0) await second.changeSettings(settings)
}
