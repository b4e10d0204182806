/**
 * The memory of large responses, from their assembly until their readers have taken them: one limit
 * for all threads, and a share of it for each store.
 */
export interface AnswerMemory {
  /** @returns false if it would exceed the limit, or the share of the store: nothing is taken */
  take(storeId: string, bytes: number): boolean
  /** Returns what was taken for a store. */
  give(storeId: string, bytes: number): void
}
