export type StreamKind = 'tail' | 'export'

/** How many streams a store may have at once, over all threads. */
export interface StreamSlots {
  /** @returns how to give it back, once; undefined when the store has as many as it may */
  take(kind: StreamKind, storeId: string): (() => void) | undefined
}
