import { randomUUID } from 'node:crypto'
import { countDuplicate, RecordBatch, type BatchRecord, type TallyCount } from '@aisle/event-log'

const ID_BYTES = 16

/**
 * Counts duplicates among records.
 * @param places which records are duplicates
 */
export function duplicateCounts(
  records: readonly BatchRecord[],
  places: ReadonlySet<number>,
): TallyCount[] {
  const tally = new Map<string, TallyCount>()
  for (const place of places) countDuplicate(records[place]!.bytes, tally)
  return [...tally.values()]
}

/** Adds up counts with the same name and verdict. */
export function addedCounts(counts: readonly TallyCount[]): TallyCount[] {
  const added = new Map<string, TallyCount>()
  for (const one of counts) {
    const key = `${one.verdict} ${one.name}`
    added.set(key, { ...one, count: one.count + (added.get(key)?.count ?? 0) })
  }
  return [...added.values()]
}

/** Creates a record of counts with a unique id, by which all nodes recognize it. */
export function tallyRecord(
  counts: readonly TallyCount[],
  receivedMs: number,
): { readonly record: Uint8Array; readonly id: Buffer } {
  const id = Buffer.from(randomUUID().replaceAll('-', ''), 'hex').subarray(0, ID_BYTES)
  const batch = new RecordBatch(256)
  batch.add({ kind: 'tally', receivedMs, counts }, id)
  return { record: batch.take(), id }
}
