/** Where restores of stores are kept, which no content of a store is named. */
export const RESTORES = 'restores of stores'
/** Where sources of stores are kept, and, with the store and the name, the runs of each. */
export const SOURCES = 'sources of stores'
export const SOURCE_RUNS = 'runs of source '
/** Where it is kept how far sources are followed. */
export const FOLLOWED_SOURCES = 'followed sources'
/** Where it is kept what shops have said by webhooks. */
export const SOURCE_WEBHOOKS = 'webhooks of sources'

const OTHER_CONTENTS = new Set([RESTORES, SOURCES, FOLLOWED_SOURCES, SOURCE_WEBHOOKS])

/** Whether a content is that of a store, which edits belong to. */
export function isStoreContent(content: string): boolean {
  return !OTHER_CONTENTS.has(content) && !content.startsWith(SOURCE_RUNS)
}

/** The state of one edit of many documents, or of another job of the service, as JSON text. */
export interface EditRow {
  /** Unique; the order of ids is that of their creation. */
  readonly id: string
  /**
   * The content of a store (of its view), which moves with it when stores are swapped; restores
   * and sources have a name instead.
   */
  readonly content: string
  readonly json: string
  /** Work is left: the row is among the `open` ones. */
  readonly isOpen: boolean
}

export interface StoredEdit extends EditRow {
  /** Identifies this state; every change creates another one. */
  readonly revision: string
  /**
   * Among the `open` ones: who wrote this state is gone, with its process. Absent where the adapter
   * cannot know.
   */
  readonly isLeft?: boolean
}

/**
 * Keeps jobs of the service, mostly edits of many documents: how far they are, and numbered parts
 * with what they are to change and what was there before. Every promise resolves when the change
 * is durable.
 */
export interface EditJournal {
  /** Edits of a content, newest first. */
  list(content: string): Promise<readonly StoredEdit[]>
  get(content: string, id: string): Promise<StoredEdit | undefined>
  /** Edits with work left, of all contents. */
  open(): Promise<readonly StoredEdit[]>
  /** Contents that have edits. */
  contents(): Promise<readonly string[]>
  /**
   * @param replaces the revision that must still be stored; absent: there must be none
   * @returns the new revision; undefined if another state is stored, and nothing was changed
   */
  put(row: EditRow, replaces?: string): Promise<string | undefined>
  /** Removes an edit with its parts. */
  remove(content: string, id: string): Promise<void>
  /** @param number from 0 */
  putPart(id: string, number: number, bytes: Uint8Array): Promise<void>
  part(id: string, number: number): Promise<Uint8Array | undefined>
  /** Removes the parts below this number; absent: all. */
  removeParts(id: string, below?: number): Promise<void>
}
