import type { DictionaryHandles } from '../dictionary/shared-dictionary.ts'
import type { TermHandles } from '../dictionary/term-store.ts'
import type { Schema } from '../schema/schema.ts'

/** Counts over the live documents of an index. */
export interface DocumentCounts {
  readonly docCount: number
  /** By field ordinal: tokens, and documents with at least one. */
  readonly fieldTokens: readonly number[]
  readonly fieldDocs: readonly number[]
}

/**
 * What a searcher needs from an index at one generation: shared memory and numbers, ready to be
 * posted to another thread. Immutable, except for the two frequencies of each term.
 */
export interface IndexSnapshot extends DocumentCounts {
  readonly schema: Schema
  readonly language: string
  readonly terms: TermHandles
  /** Absent while there are few terms. */
  readonly trie: SharedArrayBuffer | undefined
  /** By field ordinal: values of a string field with a column. */
  readonly values: readonly (DictionaryHandles | undefined)[]
  /** Oldest first: docKeys ascend from segment to segment. */
  readonly segments: readonly SegmentHandle[]
}

/** A segment and its live documents. */
export interface SegmentHandle {
  /** Unique within the life of a process. */
  readonly id: number
  readonly buffer: SharedArrayBuffer
  /** Bitset of the live documents; absent: all are. Replaced, never modified. */
  readonly live: SharedArrayBuffer | undefined
  readonly liveCount: number
}
