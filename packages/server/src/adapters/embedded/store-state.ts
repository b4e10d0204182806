import type { DocumentValue, Schema } from '@aisle/engine'
import type { ResourceTable } from '../../domain/store/resource.ts'
import type { CatalogCounters, DocKeyRange, StoreRow } from '../../ports/catalog/document-store.ts'
import type { StoreStatistics } from '../../ports/catalog/store-registry.ts'
import type { StoreIndex } from './engine-port.ts'
import type { PublishedIndex } from './publication.ts'

/** One store as the writer holds it. Main thread only. */
export interface StoreState {
  /** As of the newest commit. */
  row: StoreRow
  /** As of the newest commit. */
  resources: ResourceTable
  /** As of the newest decided write: ahead of the disk while a commit is in flight. */
  counters: CatalogCounters
  /** As of the newest decided write. Absent: that of `row`. */
  schema?: Schema | undefined
  /** As of the newest commit that was applied: what may be shown. */
  shown: CatalogCounters
  /** Versions that are decided but not committed, by id; `undefined` = deleted. */
  readonly pending: Map<string, PendingVersion>
  /** Number of the newest group that is on disk. */
  settledGroup: number
  /** Absent before a schema, while it is being loaded, and while it is closed. */
  index: StoreIndex | undefined
  /** Present: the index is in its files only, and is opened when somebody asks for it. */
  closed: ClosedIndex | undefined
  loading: boolean
  /** What is made of `row.reanalysis`; absent before it is opened. */
  next: NextIndex | undefined
  /** It was tried in vain and has to wait for the next start. */
  reanalysisFailed: boolean
}

export interface ClosedIndex {
  readonly fileBytes: number
  /** While it is being opened: resolves when it is open. */
  opening?: Promise<void> | undefined
}

/** The second index of a store, in its next language, and what it does not hold yet. */
export interface NextIndex {
  readonly index: StoreIndex
  /** DocKeys still to be read, ascending; the last one is open to the end. */
  readonly pending: DocKeyRange[]
  /** Every docKey handed out so far is below; as of the last step. */
  nextDocKey: number
}

export interface PendingVersion {
  /** Number of the group that decided it. */
  readonly group: number
  /** Absent: the id names no document any more. */
  readonly version: DecidedVersion | undefined
}

export interface DecidedVersion {
  readonly docKey: number
  readonly id: string
  readonly json: Uint8Array
  readonly values: readonly (DocumentValue | undefined)[]
}

/**
 * Names the documents of a store with all that they have ever been: docKeys are unique in it. The
 * number of a row goes along with them when stores are swapped.
 */
export function contentOf({ storeNumber }: Pick<StoreRow, 'storeNumber'>): string {
  return String(storeNumber)
}

export function publishedIndexOf(state: StoreState): PublishedIndex {
  const { catalog, schema, index, language } = state.row
  if (state.loading) return { kind: 'loading', catalog }
  if (schema !== undefined && state.closed !== undefined) {
    return { kind: 'closed', catalog, index, language, schema }
  }
  if (schema === undefined || state.index === undefined) return { kind: 'empty', catalog, language }
  const snapshot = state.index.snapshot()
  return { kind: 'searchable', catalog, index, language, schema, snapshot }
}

export function statisticsOf(state: StoreState): StoreStatistics {
  const { docCount, documentBytes, lastWriteMs } = state.shown
  const { language, reanalysis } = state.row
  const { indexBytes, segmentCount, fileBytes } = state.index?.statistics() ?? {
    ...NO_INDEX,
    fileBytes: state.closed?.fileBytes ?? 0,
  }
  return {
    docCount,
    documentBytes,
    diskBytes: documentBytes + docCount * ROW_OVERHEAD_BYTES + fileBytes,
    indexBytes,
    segmentCount,
    language,
    ...(reanalysis === undefined ? {} : { reanalysis: progressOf(state, reanalysis.language) }),
    ...(lastWriteMs === 0 ? {} : { lastWriteAt: new Date(lastWriteMs).toISOString() }),
  }
}

function progressOf(
  { next, shown, reanalysisFailed }: StoreState,
  language: string,
): StoreStatistics['reanalysis'] {
  const documentsTotal = shown.docCount
  // What is done may have died since: never more than all.
  const documentsDone = Math.min(next?.index.docCount ?? 0, documentsTotal)
  return { language, documentsDone, documentsTotal, failed: reanalysisFailed }
}

const NO_INDEX = { indexBytes: 0, segmentCount: 0 }
/** What a document takes in the file besides its JSON: id, keys, checksums, nodes of two tables. */
const ROW_OVERHEAD_BYTES = 80
