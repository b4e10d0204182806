import type { StoreClient, StoreSchema, StoreSummary } from '@aisle/client'
import { importDocuments, type FailedRow, type ImportOutcome } from './import-documents.ts'
import type { TableOptions } from './table-rows.ts'

/** Maximum of copies while the store keeps changing; after that, writes have to stop. */
const COPIES_MAX = 5

export interface CopyOnceRequest {
  readonly source: StoreClient
  readonly second: StoreClient
  /** Schema of the second store. */
  readonly schema: StoreSchema
  /** Field of the source -> field of the second store; an empty one leaves it out. */
  readonly mapping: ReadonlyMap<string, string>
  readonly signal: AbortSignal
  /** @param share of the documents, 0..1 */
  readonly onProgress: (share: number, documents: number) => void
  /** Called for each document that the second store refused. */
  readonly onFailed: (failure: FailedRow) => void
}

export interface CopyRequest extends CopyOnceRequest {
  /** The source as it is now. */
  readonly describe: () => Promise<StoreSummary>
  /** Ids of documents that the second store already has. */
  readonly present: ReadonlySet<string>
  /** Called after each copy. @param isLast whether the source did not change meanwhile */
  readonly onCopied: (documents: number, isLast: boolean) => void
}

export type DocumentsCopied =
  | {
      readonly state: 'copied'
      /** The source as it was copied. */
      readonly source: StoreSummary
      readonly ids: ReadonlySet<string>
    }
  | { readonly state: 'refused'; readonly outcome: ImportOutcome }
  /** The source changed during each of the copies. */
  | { readonly state: 'changing' }
  | { readonly state: 'interrupted' }

/**
 * Copies all documents of a store in the order of their insertion, again until the store did not
 * change during a copy. Deletes from the second store what the source no longer has.
 */
export async function copyDocuments(request: CopyRequest): Promise<DocumentsCopied> {
  const { second, describe, signal, onCopied } = request
  let present = request.present
  for (let copy = 1; copy <= COPIES_MAX; copy++) {
    const before = await describe()
    const { outcome, ids } = await copyDocumentsOnce(request)
    if (outcome.failed > 0) return { state: 'refused', outcome }
    if (signal.aborted) return { state: 'interrupted' }
    for (const id of present) if (!ids.has(id)) await deleteIfThere(second, id)
    present = ids
    const after = await describe()
    const isLast = after.last_write_at === before.last_write_at
    onCopied(outcome.imported, isLast)
    if (isLast) return { state: 'copied', source: after, ids }
  }
  return { state: 'changing' }
}

/** Copies all documents of a store in the order of their insertion, replacing existing ones. */
export async function copyDocumentsOnce({
  source,
  second,
  schema,
  mapping,
  signal,
  onProgress,
  onFailed,
}: CopyOnceRequest): Promise<{ outcome: ImportOutcome; ids: ReadonlySet<string> }> {
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
    onFailed,
    onSettled: (row) => onProgress(row / Math.max(1, docCount), row),
  })
  return { outcome, ids }
}

async function deleteIfThere(store: StoreClient, id: string): Promise<void> {
  await store.deleteDocument(id).catch((error: { code?: string }) => {
    if (error.code !== 'document_not_found') throw error
  })
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
