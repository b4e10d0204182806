import type {
  ProductOutcome,
  ProductRequests,
  StoredProduct,
} from '../opensearch/product-requests.ts'
import type { StorePlace } from '../stores/store-places.ts'
import type { DocumentChain } from './document-chain.ts'
import type { Fillings } from './fillings.ts'
import type { StoreWork } from './store-work.ts'

/** A document to change, as it was read. */
export interface Read {
  readonly work: StoreWork
  readonly chain: DocumentChain
  /** May be a tombstone. */
  readonly base: StoredProduct | undefined
  readonly live: StoredProduct | undefined
}

export function placeOf({ state }: StoreWork): StorePlace {
  return state.documents.place!
}

/** Reads the documents of all pending chains but those that are probably new. */
export async function readPending(
  { requests, fillings }: { readonly requests: ProductRequests; readonly fillings: Fillings },
  works: readonly StoreWork[],
  mayGuess: boolean,
): Promise<{ readonly read: readonly Read[]; readonly guessed: ReadonlySet<DocumentChain> }> {
  const pending = works.flatMap((work) => work.pending.map((chain) => ({ work, chain })))
  const guesses = pending.filter(
    ({ work, chain }) => mayGuess && chain.mayBeNew && fillings.has(work.state.content.life),
  )
  const guessed = new Set(guesses.map(({ chain }) => chain))
  const asked = pending.filter(({ chain }) => !guessed.has(chain))
  const bases = await requests.read(
    asked.map(({ work, chain }) => ({
      place: placeOf(work),
      id: chain.id,
      withJson: chain.needsJson,
    })),
  )
  const known = new Map(asked.map(({ chain }, at) => [chain, bases[at]]))
  if (mayGuess) {
    for (const [work, ofStore] of Map.groupBy(asked, (one) => one.work)) {
      const existing = ofStore.filter(({ chain }) => known.get(chain) !== undefined)
      fillings.learn(work.state.content.life, ofStore.length, existing.length)
    }
  }
  return {
    read: pending.map(({ work, chain }): Read => {
      const base = known.get(chain)
      return { work, chain, base, live: base?.isGone === true ? undefined : base }
    }),
    guessed,
  }
}

/** Notes documents that existed although they were probably new. */
export function learnGuesses(
  fillings: Fillings,
  changes: readonly Pick<Read, 'work' | 'chain'>[],
  guessed: ReadonlySet<DocumentChain>,
  outcomes: readonly ProductOutcome[],
): void {
  for (const [at, { work, chain }] of changes.entries()) {
    if (!guessed.has(chain) || outcomes[at] !== 'conflict') continue
    fillings.learn(work.state.content.life, 1, 1)
  }
}
