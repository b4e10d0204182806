import type { Embedder } from '../../ports/search/embedder.ts'
import type { EmbedderConfig } from '../../ports/search/embedder-config.ts'
import type { CircuitBreaker, CircuitBreakerOptions } from './circuit-breaker.ts'
import { EndpointEmbedder } from './endpoint-embedder.ts'
import { FolderEmbedder } from './folder-embedder.ts'
import { TableEmbedder } from './table-embedder.ts'

/** How many calls of an embedder pay off at the same time, and how many queries in one. */
export interface EmbedderPace {
  readonly lanes: number
  readonly batchMax: number
}

const PACE: Readonly<Record<EmbedderConfig['kind'], EmbedderPace>> = {
  // It waits for a network.
  endpoint: { lanes: 4, batchMax: 8 },
  // One processor computes; a batch must not take much longer than a query.
  folder: { lanes: 1, batchMax: 4 },
  table: { lanes: 1, batchMax: 32 },
}

export interface OpenEmbedder {
  readonly embedder: Embedder & AsyncDisposable
  readonly pace: EmbedderPace
  /** Absent: it cannot fail. */
  readonly breaker?: CircuitBreaker
  /**
   * Loads the model before the first call; absent: there is nothing to load.
   *
   * @throws EmbedderUnavailable if it cannot be used
   */
  readonly ready?: () => Promise<void>
}

export function openEmbedder(config: EmbedderConfig, options: CircuitBreakerOptions): OpenEmbedder {
  const pace = PACE[config.kind]
  if (config.kind === 'endpoint') {
    const embedder = new EndpointEmbedder(config, options)
    return { embedder, pace, breaker: embedder.breaker }
  }
  if (config.kind === 'folder') {
    const embedder = new FolderEmbedder(config, options)
    return { embedder, pace, breaker: embedder.breaker, ready: () => embedder.ready() }
  }
  const embedder = new TableEmbedder(config)
  return { embedder, pace, ready: () => embedder.ready() }
}
