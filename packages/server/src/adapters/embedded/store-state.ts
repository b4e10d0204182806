import type { DocumentValue, Schema } from '@aisle/engine'
import type { ResourceTable } from '../../domain/store/resource.ts'
import { redefinedSchema } from '../../domain/documents/redefine-fields.ts'
import type { DeclaredField } from '../../domain/documents/schema-rules.ts'
import type { SchemaState } from '../../domain/documents/schema-state.ts'
import type {
  CatalogCounters,
  DocKeyRange,
  NewVersion,
  Reanalysed,
  StoreRow,
} from '../../ports/catalog/document-store.ts'
import type {
  EmbeddingStatus,
  ReanalysisProgress,
  StoreStatistics,
} from '../../ports/catalog/store-registry.ts'
import type { StoreIndex } from './engine-port.ts'
import type { PublishedIndex } from './publication.ts'

/** The writer's state of one store. Main thread only. */
export interface StoreState {
  /** State as of the newest commit. */
  row: StoreRow
  /** State as of the newest commit. */
  resources: ResourceTable
  /**
   * State as of the newest decided write, which is ahead of the disk while a commit is in flight.
   */
  counters: CatalogCounters
  /** Schema as of the newest decided write. Absent: that of `row`. */
  schema?: Schema | undefined
  /** State as of the newest applied commit, which may be shown. */
  shown: CatalogCounters
  /** Versions that are decided but not committed, by id; `undefined` = deleted. */
  readonly pending: Map<string, PendingVersion>
  /** Number of the newest group that is on disk. */
  settledGroup: number
  /** Absent before a schema, while it is being loaded, and while it is closed. */
  index: StoreIndex | undefined
  /** Present if the index is closed: it is only in its files, and is opened when it is used. */
  closed: ClosedIndex | undefined
  loading: boolean
  /** The index that `row.reanalysis` describes; absent before it is opened. */
  next: NextIndex | undefined
  /** Fields that are about to be redefined, while the documents are checked. */
  redefining?: readonly DeclaredField[] | undefined
  /** Absent before vectors are made of its documents in this process. */
  embedding?: EmbeddingRun | undefined
  /** Reanalysis failed and has to wait for the next start. */
  reanalysisFailed: boolean
}

export interface ClosedIndex {
  readonly fileBytes: number
  /** Present while the index is being opened: resolves when it is open. */
  opening?: Promise<void> | undefined
}

/** How far the vectors of the documents are made. */
export interface EmbeddingRun {
  readonly space: number
  readonly catalog: number
  /** All documents with lower docKeys were read. */
  from: number
  /** Why nothing is made at the moment. */
  problem?: string | undefined
  perSecond?: number | undefined
}

/** The second index of a store, of its next language and schema, and the documents it lacks. */
export interface NextIndex {
  readonly index: StoreIndex
  /** DocKeys still to be read, ascending; the last one is open to the end. */
  readonly pending: DocKeyRange[]
  /** Upper bound of the docKeys assigned so far, as of the last step. */
  nextDocKey: number
  /** When it was opened (`performance.now`), with how many documents. */
  readonly opened: { readonly atMs: number; readonly docCount: number }
}

export interface PendingVersion {
  /** Number of the group that decided it. */
  readonly group: number
  /** Absent: the document was deleted. */
  readonly version: DecidedVersion | undefined
}

export interface DecidedVersion extends NewVersion {
  readonly values: readonly (DocumentValue | undefined)[]
}

export function schemaStateOf({ schema, reanalysis }: StoreRow): SchemaState {
  return { schema, redefined: reanalysis?.fields }
}

/** The schema of the index that replaces the serving one; that of the store if none does. */
export function nextSchemaOf({ schema, reanalysis }: StoreRow): Schema | undefined {
  return schema && redefinedSchema(schema, reanalysis?.fields)
}

/**
 * Identifies the content of a store, with all versions of its documents: docKeys are unique in it.
 * The number of a row moves with the content when stores are swapped.
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
  const { language, reanalysis, previousFields } = state.row
  const embedding = embeddingOf(state)
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
    ...(reanalysis === undefined ? {} : { reanalysis: progressOf(state, reanalysis) }),
    ...(previousFields === undefined ? {} : { previousFields }),
    ...(embedding === undefined ? {} : { embedding }),
    ...(lastWriteMs === 0 ? {} : { lastWriteAt: new Date(lastWriteMs).toISOString() }),
  }
}

function progressOf(
  { next, shown, reanalysisFailed: failed }: StoreState,
  { language, fields }: Reanalysed,
): ReanalysisProgress {
  const documentsTotal = shown.docCount
  // Documents done may have died since, so the count is capped at the total.
  const documentsDone = Math.min(next?.index.docCount ?? 0, documentsTotal)
  const secondsLeft = next && secondsOf(next, documentsTotal - documentsDone)
  return {
    language,
    ...(fields === undefined ? {} : { fields }),
    documentsDone,
    documentsTotal,
    ...(secondsLeft === undefined ? {} : { secondsLeft }),
    failed,
  }
}

function embeddingOf({ row, index, shown, embedding }: StoreState): EmbeddingStatus | undefined {
  const spaces = row.schema?.spaces
  const space = spaces?.at(-1)
  if (spaces === undefined || space === undefined) return undefined
  const run = embedding?.space === space.number ? embedding : undefined
  const from = run?.from ?? row.embedding?.from[space.number] ?? 0
  const { problem, perSecond } = run ?? {}
  const isDone = from >= shown.nextDocKey || shown.docCount === 0
  return {
    embedder: space.embedder,
    fields: space.fields,
    state: isDone ? 'ready' : problem === undefined ? 'running' : 'waiting',
    // An index that is closed has nothing to do, or almost.
    documentsDone: index?.vectorCount(space.number) ?? shown.docCount,
    documentsTotal: shown.docCount,
    ...(isDone || perSecond === undefined ? {} : { perSecond }),
    ...(isDone || problem === undefined ? {} : { problem }),
    ...(spaces.length > 1 ? { replaces: spaces[0]!.embedder } : {}),
  }
}

/** An estimate by the speed so far, from this many documents. */
const ESTIMATED_FROM = 1_000

function secondsOf({ index, opened }: NextIndex, left: number): number | undefined {
  const done = index.docCount - opened.docCount
  if (done < ESTIMATED_FROM) return undefined
  return Math.ceil(((performance.now() - opened.atMs) / 1_000 / done) * left)
}

const NO_INDEX = { indexBytes: 0, segmentCount: 0 }
/** Bytes of a document in the file besides its JSON: id, keys, checksums, nodes of two tables. */
const ROW_OVERHEAD_BYTES = 80
