import type { Clock } from '../../ports/host/clock.ts'
import type { DocumentStore } from '../../ports/catalog/document-store.ts'
import type { IndexHost } from './engine-port.ts'
import type { Publisher } from './publisher.ts'
import type { StartProgress } from './start-progress.ts'

/** What the writer and its parts work with. */
export interface WriterOptions {
  readonly documents: DocumentStore
  readonly indexes: IndexHost
  readonly publisher: Publisher
  readonly clock: Clock
  /** Told how far `open` has come; absent in tests. */
  readonly progress?: StartProgress
  /** One line for the log. */
  readonly log: (level: 'info' | 'warn' | 'error', message: string, detail?: object) => void
  /** Memory for the indexes of small stores; absent: they all stay open. */
  readonly smallStoresBytes?: number
  /** Documents of one step of a change of language; the default is good, tests take few. */
  readonly reanalysisDocuments?: number
  /** The writer cannot go on (a bug): end the process. */
  readonly onCrash: (error: unknown) => void
}
