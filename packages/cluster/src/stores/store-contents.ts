import type { DocumentKind } from '../control/known-documents.ts'
import type { ClusterStore } from './store-documents.ts'

/**
 * Names what a store has: its documents, schema and resources. Control documents of both are stored
 * under `name`, and are those of the content while they have its `life`.
 */
export interface StoreContent {
  readonly name: string
  /** That of the store for which the content was made; no other content has it. */
  readonly life: string
}

/**
 * Which stores have the content of another one. It is one control document for all of them: a swap
 * changes it once, by compare-and-set, so every node has either both stores before the swap or both
 * after it, and no crash can leave one half.
 */
export interface SwappedContents {
  /**
   * Grows with everything that a swap must not overlook: stores that are deleted, and ids that are
   * taken again.
   */
  readonly changes: number
  /** By the id of the store. Of a store of another life it is left over. */
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

/** What a store has. */
export function contentIn(
  { contents }: SwappedContents,
  storeId: string,
  store: Pick<ClusterStore, 'life' | 'content'>,
): StoreContent {
  const swapped = Object.hasOwn(contents, storeId) ? contents[storeId]! : undefined
  return swapped?.life === store.life ? swapped.of : firstContent(storeId, store)
}

/** What a store had when it was created. */
function firstContent(
  storeId: string,
  { life, content }: Pick<ClusterStore, 'life' | 'content'>,
): StoreContent {
  return { name: content ?? storeId, life }
}

/** Whether some store, which may be gone by now, has a content of this name from another one. */
export function isTaken({ contents }: SwappedContents, name: string): boolean {
  return Object.values(contents).some(({ of }) => of.name === name)
}

/** Two stores exchange what they have. */
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

/** A swap that was decided before must be decided again. */
export function touched(swaps: SwappedContents = NO_SWAPS, without?: string): SwappedContents {
  const { changes, contents } = swaps
  const kept = Object.entries(contents).filter(([storeId]) => storeId !== without)
  return { changes: changes + 1, contents: Object.fromEntries(kept) }
}
