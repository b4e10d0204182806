/**
 * A small document that controls something: a user, a store, a set. Its content is one JSON text
 * that the cluster does not parse, so every byte and every digit is preserved; its search terms are
 * separate fields.
 */
export interface ControlDocument {
  /** Unique in the index, at most 512 bytes. */
  readonly id: string
  /** Its kind, for example `user`. */
  readonly kind: string
  readonly json: string
  /** Words for queries, for example `login=ada`. */
  readonly keys?: readonly string[]
  /** Its place among those of its kind. */
  readonly number?: number
  /** Milliseconds since 1970. */
  readonly atMs?: number
}

/** Names one state of one document: every change makes another. */
export interface ControlVersion {
  readonly seqNo: number
  readonly primaryTerm: number
}

export interface StoredControl extends ControlDocument {
  readonly version: ControlVersion
}

/** What must be there for a write to be done: nothing, that very version, or whatever it is. */
export type Expected = 'absent' | 'any' | ControlVersion

export type ControlWrite =
  | { readonly put: ControlDocument; readonly expected: Expected }
  | { readonly remove: string }

/** All conditions must hold. */
export interface ControlQuery {
  readonly kind: string
  readonly keys?: readonly string[]
  /** Numbers from here on. */
  readonly fromNumber?: number | undefined
  /** Numbers below. */
  readonly beforeNumber?: number | undefined
  readonly fromMs?: number | undefined
  /** Exclusive. */
  readonly toMs?: number | undefined
  /** Of the numbers. */
  readonly order: 'ascending' | 'descending'
  /** At most 10,000. */
  readonly limit: number
}

/** One mapping for every kind there will be. */
export const CONTROL_MAPPING = {
  dynamic: 'strict',
  properties: {
    kind: { type: 'keyword' },
    keys: { type: 'keyword' },
    number: { type: 'long' },
    atMs: { type: 'long' },
    json: { type: 'keyword', index: false, doc_values: false },
    // Tells a write that is sent again from another one.
    operation: { type: 'keyword', index: false, doc_values: false },
  },
} as const
