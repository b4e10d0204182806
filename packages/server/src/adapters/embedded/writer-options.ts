import type { Clock } from '../../ports/host/clock.ts'
import type { DocumentStore } from '../../ports/catalog/document-store.ts'
import type { Embedders } from '../../ports/search/embedder.ts'
import type { IndexHost } from './engine-port.ts'
import type { Publisher } from './publisher.ts'
import type { StartProgress } from './start-progress.ts'

/** The dependencies of the writer and its parts. */
export interface WriterOptions {
  readonly documents: DocumentStore
  readonly indexes: IndexHost
  readonly publisher: Publisher
  readonly clock: Clock
  /** Models that make vectors of documents; absent: none. */
  readonly embedders?: Embedders
  /** Receives the progress of `open`; absent in tests. */
  readonly progress?: StartProgress
  /** Writes one line to the log. */
  readonly log: (level: 'info' | 'warn' | 'error', message: string, detail?: object) => void
  /** Memory for the indexes of small stores; absent: they all stay open. */
  readonly smallStoresBytes?: number
  /** Documents per step of a change of language; tests use fewer than the default. */
  readonly reanalysisDocuments?: number
  /** Called when the writer cannot continue (a bug): end the process. */
  readonly onCrash: (error: unknown) => void
}
