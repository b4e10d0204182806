export type StreamKind = 'tail' | 'export'

/** Limits the concurrent streams of a store, over all threads. */
export interface StreamSlots {
  /**
   * @returns a function that releases the slot, to be called once; undefined if the limit is
   * reached
   */
  take(kind: StreamKind, storeId: string): (() => void) | undefined
}
