import type { Awaitable } from '../awaitable.ts'
import type { DeclaredField } from '../../domain/documents/schema-rules.ts'
import type { StoreKeySet } from '../../domain/access/store-keys.ts'

/** A store as every thread knows it. */
export interface StoreRecord {
  readonly storeId: string
  readonly name: string
  readonly createdAt: string
  /**
   * Read secret and events key are public by design and may be shown again; the write secret is
   * only a digest.
   */
  readonly keys: StoreKeySet
  readonly readSecret: string
  readonly eventsWriteKey: string
}

/** The stores, as of the newest acknowledged change: each thread, or node, holds a copy. */
export interface StoreRegistry {
  find(storeId: string): StoreRecord | undefined
  list(): readonly StoreRecord[]
  /** Live documents and bytes on disk and in memory of a store. */
  statistics(storeId: string): Awaitable<StoreStatistics>
}

export interface StoreStatistics {
  readonly docCount: number
  /** Bytes of the index in memory. */
  readonly indexBytes: number
  /**
   * Approximate bytes on disk: documents with their keys, and the files of the index, without rows
   * that wait to be reaped.
   */
  readonly diskBytes: number
  /** Approximate bytes of the stored documents. */
  readonly documentBytes: number
  readonly segmentCount: number
  /** The language of its analyzer. */
  readonly language: string
  /** A re-analysis in progress; until it is complete, the former language and schema serve. */
  readonly reanalysis?: ReanalysisProgress | undefined
  /** The fields that the last change of the schema redefined, as they were. */
  readonly previousFields?: readonly DeclaredField[]
  /** The vectors of its documents; absent if it has none (`semantic` in its settings). */
  readonly embedding?: EmbeddingStatus
  /** ISO 8601, absent before the first write. */
  readonly lastWriteAt?: string
}

/** Vectors that are made of the documents of a store. */
export interface EmbeddingStatus {
  readonly embedder: string
  readonly fields: readonly string[]
  /** `waiting`: the embedder does not answer; it is tried again. */
  readonly state: 'running' | 'waiting' | 'ready'
  readonly documentsDone: number
  readonly documentsTotal: number
  /** Documents per second, while it runs. */
  readonly perSecond?: number
  readonly problem?: string
  /** The embedder whose vectors serve until these are complete. */
  readonly replaces?: string
}

export interface ReanalysisProgress {
  readonly language: string
  /** The fields that are being redefined; absent: only the language or symbols change. */
  readonly fields?: readonly DeclaredField[]
  readonly documentsDone: number
  readonly documentsTotal: number
  /** Estimate; absent until there is one. */
  readonly secondsLeft?: number
  /** Whether it failed several times; it is retried at the next start. */
  readonly failed: boolean
}
