import type { DocumentKind } from '../control/known-documents.ts'
import type { ClusterStore } from './store-documents.ts'

/**
 * Identifies the content of a store: its documents, schema and resources. Control documents of both
 * are stored under `name`, and belong to the content while they have its `life`.
 */
export interface StoreContent {
  readonly name: string
  /** The life of the store for which the content was created; no other content has it. */
  readonly life: string
}

/**
 * Which stores have the content of another one. It is one control document for all of them: a swap
 * changes it once, by compare-and-set, so every node has either both stores before the swap or both
 * after it, and no crash can leave one half.
 */
export interface SwappedContents {
  /**
   * Grows with every change that a swap must not miss: deletions of stores, and reuse of ids.
   */
  readonly changes: number
  /** Contents by store id. Obsolete if the store has another life. */
  readonly contents: Readonly<Record<string, { readonly life: string; readonly of: StoreContent }>>
}

export const NO_SWAPS: SwappedContents = { changes: 0, contents: {} }

export const SWAPS: DocumentKind<SwappedContents> = {
  kind: 'swaps',
  change: 'change the store',
  read: (json) => JSON.parse(json) as SwappedContents,
  write: (swaps) => JSON.stringify(swaps),
}

/** The name of the one document of its kind. */
export const ALL_SWAPS = 'all'
export const SWAPS_ID = `${SWAPS.kind}:${ALL_SWAPS}`

/** Returns the content of a store. */
export function contentIn(
  { contents }: SwappedContents,
  storeId: string,
  store: Pick<ClusterStore, 'life' | 'content'>,
): StoreContent {
  const swapped = Object.hasOwn(contents, storeId) ? contents[storeId]! : undefined
  return swapped?.life === store.life ? swapped.of : firstContent(storeId, store)
}

/** Returns the content that a store had when it was created. */
function firstContent(
  storeId: string,
  { life, content }: Pick<ClusterStore, 'life' | 'content'>,
): StoreContent {
  return { name: content ?? storeId, life }
}

/** Whether some store, which may have been deleted, has a content of this name from another one. */
export function isTaken({ contents }: SwappedContents, name: string): boolean {
  return Object.values(contents).some(({ of }) => of.name === name)
}

/** Swaps the contents of two stores. */
export function swapped(
  swaps: SwappedContents,
  stores: readonly [readonly [string, ClusterStore], readonly [string, ClusterStore]],
): SwappedContents {
  const [[a, storeA], [b, storeB]] = stores
  const contents = new Map(Object.entries(swaps.contents))
  const give = (storeId: string, store: ClusterStore, of: StoreContent): void => {
    const first = firstContent(storeId, store)
    const isFirst = first.name === of.name && first.life === of.life
    if (isFirst) contents.delete(storeId)
    else contents.set(storeId, { life: store.life, of })
  }
  give(a, storeA, contentIn(swaps, b, storeB))
  give(b, storeB, contentIn(swaps, a, storeA))
  return { changes: swaps.changes + 1, contents: Object.fromEntries(contents) }
}

/** A swap decided before must be decided again. */
export function touched(swaps: SwappedContents = NO_SWAPS, without?: string): SwappedContents {
  const { changes, contents } = swaps
  const kept = Object.entries(contents).filter(([storeId]) => storeId !== without)
  return { changes: changes + 1, contents: Object.fromEntries(kept) }
}
