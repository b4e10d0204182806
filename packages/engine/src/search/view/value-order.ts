import type { Column } from '../../columns/column-reader.ts'
import { insertedAt, type InsertionOrder } from '../../segment/insertion-order.ts'
import { finish, pause, type Pace, type Steps } from './steps.ts'

/** Documents between two looks at the clock: some milliseconds. */
const DOCUMENTS_PER_CHECK = 131_072
const UNTIMED: Pace = { checkDeadline: () => undefined }

/** The documents of a segment in the order of a field's values, ascending; 4 bytes per document. */
export interface ValueOrder {
  /** docOrds of those with a value; among equal values, in order of insertion. */
  readonly docOrds: Uint32Array
  /** docOrds of the others, in order of insertion. */
  readonly missing: Uint32Array
}

/** A counting sort by the ranks of the values: 2 ms for 300,000 documents. */
export function valueOrder(column: Column, insertions: InsertionOrder): ValueOrder {
  return finish(valueOrderInSteps(column, insertions, UNTIMED))
}

/** The same in steps, for segments of millions. */
export function* valueOrderInSteps(
  column: Column,
  insertions: InsertionOrder,
  pace: Pace,
): Steps<ValueOrder> {
  const { ordBits, ordCount } = column
  const docCount = insertions.keys.length
  const ords = ordBits === 8 ? column.ords8 : ordBits === 16 ? column.ords16 : column.ords32
  const next = new Uint32Array(ordCount + 1)
  for (let from = 0; from < docCount; from += DOCUMENTS_PER_CHECK) {
    if (from > 0) yield* pause(pace)
    countOrds(ords, from, Math.min(docCount, from + DOCUMENTS_PER_CHECK), next)
  }
  for (let ord = 1; ord < next.length; ord++) next[ord]! += next[ord - 1]!
  const all = new Uint32Array(docCount)
  const missingCount = next[1]!
  for (let from = 0; from < docCount; from += DOCUMENTS_PER_CHECK) {
    yield* pause(pace)
    const to = Math.min(docCount, from + DOCUMENTS_PER_CHECK)
    for (let place = from; place < to; place++) {
      const docOrd = insertedAt(insertions, place)
      all[next[ords[docOrd]!]!++] = docOrd
    }
  }
  return { docOrds: all.subarray(missingCount), missing: all.subarray(0, missingCount) }
}

function countOrds(
  ords: Uint8Array | Uint16Array | Uint32Array,
  from: number,
  to: number,
  next: Uint32Array,
): void {
  for (let i = from; i < to; i++) next[ords[i]! + 1]!++
}
