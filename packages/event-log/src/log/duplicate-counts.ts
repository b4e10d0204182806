import type { TallyCount } from '../model/visitor-event.ts'
import { decodeRecord } from './record.ts'

/** Counts a duplicate under the name of a record. Erased records have none. */
export function countDuplicate(record: Buffer, tally: Map<string, TallyCount>): void {
  const entry = decodeRecord(record)
  if (entry === undefined || entry.kind === 'tally') return
  const name = entry.kind === 'event' ? entry.name : 'identify'
  const key = `duplicate ${name}`
  const count = (tally.get(key)?.count ?? 0) + 1
  tally.set(key, { name, verdict: 'duplicate', count })
}
