import type { StoreClient, StoreSchema } from '@aisle/client'
import { importDocuments, type ImportOutcome, type TableOptions } from '@aisle/import'

export interface CopyOptions {
  /** Field of the source -> field of the second store; an empty one leaves it out. */
  readonly mapping: ReadonlyMap<string, string>
  readonly signal: AbortSignal
  /** @param share of the documents, 0..1 */
  readonly onProgress: (share: number, documents: number) => void
}

export interface Copied {
  readonly outcome: ImportOutcome
  /** Documents that the source had, in total. */
  readonly ids: ReadonlySet<string>
}

/** Copies all documents of a store in the order of their insertion, replacing existing ones. */
export async function copyDocuments(
  source: StoreClient,
  second: StoreClient,
  schema: StoreSchema,
  { mapping, signal, onProgress }: CopyOptions,
): Promise<Copied> {
  const { docCount, lines } = await source.exportDocuments(undefined, signal, 'inserted')
  const ids = new Set<string>()
  const rows = async function* () {
    for await (const text of lines) {
      ids.add(idOf(text))
      yield { kind: 'json', text } as const
    }
  }
  const table: TableOptions = { mapping, idColumn: 'id', generateIds: false, listSeparator: '|' }
  const outcome = await importDocuments(second, rows(), schema, {
    ...table,
    action: 'upsert',
    skip: 0,
    keepGoing: false,
    signal,
    // The outcome has the reasons.
    onFailed: () => undefined,
    onSettled: (row) => onProgress(row / Math.max(1, docCount), row),
  })
  return { outcome, ids }
}

/** Ids of the documents of a store. */
export async function idsOf(store: StoreClient, signal: AbortSignal): Promise<Set<string>> {
  const { lines } = await store.exportDocuments(undefined, signal)
  const ids = new Set<string>()
  for await (const line of lines) ids.add(idOf(line))
  return ids
}

const ID = '{"id":'
const DATA = ',"data":'

/**
 * Returns the id of a line `{"id":"…","data":{…}}`. In the JSON of an id, a quote never follows a
 * comma.
 */
export function idOf(line: string): string {
  return JSON.parse(line.slice(ID.length, line.indexOf(DATA))) as string
}
