import type { StoredProduct } from '../opensearch/product-requests.ts'
import type { DocKeys } from './doc-keys.ts'
import type { DocumentChain } from './document-chain.ts'
import type { StoreWork } from './store-work.ts'

/** A document to change, and what is stored of it. */
interface KeyedChange {
  readonly work: StoreWork
  readonly chain: DocumentChain
  readonly base: StoredProduct | undefined
}

/**
 * Assigns docKeys so that later writes get greater ones, in the order of the requests. What is new
 * is also numbered by when it was inserted, because a later step may have changed it since.
 */
export async function giveKeys(docKeys: DocKeys, changes: readonly KeyedChange[]): Promise<void> {
  for (const [work, ofStore] of Map.groupBy(changes, (change) => change.work)) {
    const first = await docKeys.take(work.state.content.name, ofStore.length, {
      above: Math.max(0, ...ofStore.map(({ base }) => base?.docKey ?? 0)),
      nextBlock: work.state.nextDocKey,
    })
    const inOrder = ofStore.toSorted((a, b) => a.chain.order - b.chain.order)
    for (const [at, { chain }] of inOrder.entries()) chain.docKey = first + at
    const insertedBy = ({ chain }: KeyedChange): number => chain.insertedBy ?? chain.order
    const byInsertion = ofStore.toSorted((a, b) => insertedBy(a) - insertedBy(b))
    for (const [at, { chain, base }] of byInsertion.entries()) {
      chain.inserted = chain.insertedBy === undefined ? (base?.inserted ?? 0) : first + at
    }
  }
}
