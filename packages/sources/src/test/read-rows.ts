import type { SourceConnection } from '@aisle/contract'
import { openReader } from '../open-reader.ts'
import { LOCAL_NETWORKS } from './follower.ts'

/** All rows of a source, parsed. */
export async function readRows(
  connection: SourceConnection,
  secrets: Readonly<Record<string, string>> = {},
): Promise<unknown[]> {
  const options = { secrets, networks: LOCAL_NETWORKS, idColumn: 'id', owner: 'test' }
  const reader = await openReader(connection, options)
  const rows: unknown[] = []
  let isComplete = false
  for await (const batch of reader.readAll(new AbortController().signal)) {
    if (batch.kind === 'end') isComplete = true
    if (batch.kind !== 'rows') continue
    for (const row of batch.rows) rows.push(row.kind === 'json' ? JSON.parse(row.text) : row)
  }
  await reader.close()
  if (!isComplete) throw new Error('The reading did not end')
  return rows
}
