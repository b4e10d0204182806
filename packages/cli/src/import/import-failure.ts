import type { ImportError } from '@aisle/import'
import { CommandError } from '../exit-codes.ts'

const EXITS = { unreadable: 'usage', row: 'incomplete', stopped: 'unreachable' } as const
const OPTIONS = {
  encoding: () => '--encoding <name>',
  format: () => '--format ndjson',
  map: (column: string) => `--map "${column}=<field>", or --map "${column}=" to skip it`,
} as const

/** The error that ends the command, with the option that helps. */
export function importFailure(error: ImportError): CommandError {
  const { kind, choice, column, message } = error
  const advice = choice === undefined ? '' : ` Use ${OPTIONS[choice](column ?? 'column')}`
  const stop = advice === '' || message.endsWith('?') ? '' : '.'
  return new CommandError(EXITS[kind], message + stop + advice, { cause: error })
}
