/**
 * From the thread that makes the suggestions to those that serve them. Shared buffers: handles, not
 * bytes.
 */
export type FromSuggestionsThread =
  | {
      readonly kind: 'suggestions'
      /** Name of the log of the store that they were made of. */
      readonly log: string
      readonly index: SharedArrayBuffer
      readonly profiles: SharedArrayBuffer
    }
  | {
      readonly kind: 'popularity'
      readonly log: string
      readonly index: SharedArrayBuffer
      readonly version: number
    }
  /** The store is gone. */
  | { readonly kind: 'removed'; readonly log: string }
