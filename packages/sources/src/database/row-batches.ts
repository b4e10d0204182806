import { charsOf, type SourceRow } from '@aisle/import'

/** Rows and characters of one batch. */
const BATCH_ROWS_MAX = 1_000
const BATCH_CHARS_MAX = 4_000_000

/** Collects the rows of a reading into batches. */
export async function* rowBatches(
  rows: AsyncIterable<SourceRow>,
): AsyncGenerator<{ readonly rows: SourceRow[]; readonly bytes: number }> {
  let batch: SourceRow[] = []
  let chars = 0
  for await (const row of rows) {
    batch.push(row)
    chars += charsOf(row)
    if (!isFull(batch.length, chars)) continue
    yield { rows: batch, bytes: chars }
    batch = []
    chars = 0
  }
  if (batch.length > 0) yield { rows: batch, bytes: chars }
}

export function isFull(count: number, chars: number): boolean {
  return count >= BATCH_ROWS_MAX || chars >= BATCH_CHARS_MAX
}
