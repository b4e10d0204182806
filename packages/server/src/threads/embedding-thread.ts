import { workerData } from 'node:worker_threads'
import { EmbeddingServer, type EmbedderFigures } from '../adapters/embedders/embedding-server.ts'
import { ThreadVitals } from '../adapters/shared-memory/vitals.ts'
import type { EmbedderConfig } from '../ports/search/embedder-config.ts'
import { callHost, serveHost, type SharedThread, type SharedThreadData } from './shared-thread.ts'
import { lowerThreadPriority, PATIENT_NICENESS } from './thread-priority.ts'
import { monotonicSeconds } from './thread-watch.ts'

/** The start data of the thread of the embedders; it is the only one that knows their keys. */
export interface EmbeddingThreadData extends SharedThreadData {
  readonly embedders: readonly EmbedderConfig[]
}

/** Entry of the thread that reaches the embedders, for all stores. */
export interface EmbeddingThread extends SharedThread {
  figures(): Promise<readonly EmbedderFigures[]>
}

/** Messages to its host. */
export interface EmbeddingThreadHost {
  note(level: 'info' | 'warn', embedder: string, message: string): void
}

const BEAT_MS = 250

// Processes of models inherit the priority.
lowerThreadPriority(PATIENT_NICENESS)
const { embedders, vitals } = workerData as EmbeddingThreadData
const host = callHost<EmbeddingThreadHost>()
const beats = new ThreadVitals(vitals, 0, monotonicSeconds)
beats.beat()
setInterval(() => beats.beat(), BEAT_MS).unref()
const server = new EmbeddingServer({
  embedders,
  nowMs: () => performance.now(),
  log: (level, embedder, message) => host.tell('host', 'note', [level, embedder, message]),
})

serveHost<EmbeddingThread>({
  connect: (port) => server.serve(port),
  figures: () => Promise.resolve(server.figures()),
  close: () => server.close(),
})
