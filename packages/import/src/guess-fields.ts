import type { SchemaFieldRequest } from '@aisle/client'
import { FileProfile } from './profile/file-profile.ts'
import { propose } from './proposal/propose.ts'
import type { SourceRow } from './source-row.ts'

/** Proposes fields for documents that are stored unchanged: nothing converts their values. */
export function guessFields(rows: Iterable<SourceRow>): SchemaFieldRequest[] {
  const profile = new FileProfile({ columns: undefined, listSeparator: '', idColumn: '' })
  for (const row of rows) profile.add(row)
  const options = { mapping: new Map<string, string>(), idColumn: '', asIs: true }
  return [...propose(profile, options).fields]
}
