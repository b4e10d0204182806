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
  /** Its position among documents of its kind. */
  readonly number?: number
  /** Milliseconds since 1970. */
  readonly atMs?: number
}

/** Identifies one state of one document; every change creates a new one. */
export interface ControlVersion {
  readonly seqNo: number
  readonly primaryTerm: number
}

export interface StoredControl extends ControlDocument {
  readonly version: ControlVersion
}

/** Condition for a write: the document is absent, has this version, or may be in any state. */
export type Expected = 'absent' | 'any' | ControlVersion

export type ControlWrite =
  | { readonly put: ControlDocument; readonly expected: Expected }
  /** With a version: unless the document has changed since. */
  | { readonly remove: string; readonly expected?: ControlVersion }

/** All conditions must hold. */
export interface ControlQuery {
  readonly kind: string
  readonly keys?: readonly string[]
  /** Least number, inclusive. */
  readonly fromNumber?: number | undefined
  /** Greatest number, exclusive. */
  readonly beforeNumber?: number | undefined
  readonly fromMs?: number | undefined
  /** Exclusive end. */
  readonly toMs?: number | undefined
  /** Order of the numbers. */
  readonly order: 'ascending' | 'descending'
  /** Maximum of results, at most 10,000. */
  readonly limit: number
}

/** One mapping for all kinds, including future ones. */
export const CONTROL_MAPPING = {
  dynamic: 'strict',
  properties: {
    kind: { type: 'keyword' },
    keys: { type: 'keyword' },
    number: { type: 'long' },
    atMs: { type: 'long' },
    json: { type: 'keyword', index: false, doc_values: false },
    // Distinguishes a repeated write from a new one.
    operation: { type: 'keyword', index: false, doc_values: false },
  },
} as const
