import type { ReaderOptions, SourceBatch, SourceChange, SourceReader } from '../source-reader.ts'
import { SourceNetworks } from '../networks.ts'
import type { Wait } from '../web/patience.ts'

/** The machine that the tests run on. */
export const LOCAL = new SourceNetworks(['127.0.0.0/8'])

type Row = Record<string, unknown>

export function optionsForTest(
  secrets: Readonly<Record<string, string>>,
  networks = LOCAL,
): ReaderOptions {
  return { secrets, networks, idColumn: 'id', owner: 'test' }
}

export interface ReadForTest {
  /** Documents by id. */
  readonly documents: Map<string, Row>
  readonly position: string | undefined
}

/** Reads all, to its end. */
export async function readAll(reader: SourceReader, signal = never()): Promise<ReadForTest> {
  const read = await readBatches(reader.readAll(signal))
  await reader.close()
  return read
}

export async function readBatches(batches: AsyncIterable<SourceBatch>): Promise<ReadForTest> {
  const documents = new Map<string, Row>()
  for await (const batch of batches) {
    if (batch.kind === 'unchanged') throw new Error('All was expected to be read')
    if (batch.kind === 'end') return { documents, position: batch.position }
    for (const row of batch.rows) {
      if (row.kind !== 'json') throw new Error('Expected documents')
      const { id, data } = JSON.parse(row.text) as { id: string; data: Row }
      if (documents.has(id)) throw new Error(`"${id}" was read twice`)
      documents.set(id, data)
    }
  }
  throw new Error('The reading did not say that it ended')
}

/** Ids that are removed, and documents by id. */
export function changesOf(changes: readonly SourceChange[]): Map<string, Row | 'removed'> {
  return new Map<string, Row | 'removed'>(
    changes.map((change) => {
      if (change.kind === 'delete') return [change.id, 'removed']
      const { id, data } = JSON.parse((change.row as { text: string }).text) as {
        id: string
        data: Row
      }
      return [id, data]
    }),
  )
}

export function never(): AbortSignal {
  return new AbortController().signal
}

/** Waits that take no time, and what was waited for. */
export function quickWaits(onWait: (ms: number) => void = () => undefined): {
  readonly waits: Wait
  readonly waited: number[]
} {
  const waited: number[] = []
  const waits: Wait = async (ms, signal) => {
    signal.throwIfAborted()
    waited.push(ms)
    onWait(ms)
  }
  return { waits, waited }
}
