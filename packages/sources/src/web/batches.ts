import { charsOf, type SourceRow } from '@aisle/import'
import type { SourceBatch } from '../source-reader.ts'

const BATCH_ROWS = 500
const BATCH_CHARS = 2_000_000
/** First rows that a shop is asked for, at most. */
export const FIRST_MAX = 100

/**
 * Rows in batches.
 *
 * @param takeBytes bytes received since it was called last
 */
export async function* batchesOf(
  rows: AsyncIterable<SourceRow>,
  takeBytes: () => number = () => 0,
): AsyncGenerator<SourceBatch> {
  let batch: SourceRow[] = []
  let chars = 0
  for await (const row of rows) {
    batch.push(row)
    chars += charsOf(row)
    if (batch.length < BATCH_ROWS && chars < BATCH_CHARS) continue
    yield { kind: 'rows', rows: batch, bytes: takeBytes() }
    batch = []
    chars = 0
  }
  if (batch.length > 0) yield { kind: 'rows', rows: batch, bytes: takeBytes() }
}
