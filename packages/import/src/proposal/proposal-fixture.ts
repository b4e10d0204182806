import { FileProfile } from '../profile/file-profile.ts'
import type { Proposal, ProposeOptions } from './proposal.ts'
import { propose } from './propose.ts'

/** The profile of a table. */
export function tableOf(
  rows: readonly Readonly<Record<string, string>>[],
  idColumn = '',
): FileProfile {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const profile = new FileProfile({ columns, listSeparator: '|', idColumn })
  for (const row of rows) {
    const cells = Object.fromEntries(columns.map((column) => [column, row[column] ?? '']))
    profile.add({ kind: 'table', cells })
  }
  return profile
}

/** The profile of JSON rows. */
export function jsonOf(rows: readonly unknown[], idColumn = ''): FileProfile {
  const profile = new FileProfile({ columns: undefined, listSeparator: '', idColumn })
  for (const row of rows) profile.add({ kind: 'json', text: JSON.stringify(row) })
  return profile
}

export function proposalOf(profile: FileProfile, options: Partial<ProposeOptions> = {}): Proposal {
  return propose(profile, { mapping: new Map(), idColumn: 'id', ...options })
}
