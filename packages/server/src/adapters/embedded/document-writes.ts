import { ApiError } from '@aisle/contract'
import type {
  DocumentVersion,
  DocumentWrite,
  VersionChange,
  VersionOutcome,
  WriteOutcome,
} from '../../ports/catalog/catalog-writer.ts'
import { Gradual, madeInTurns } from '../../domain/turns/gradual.ts'
import type { IndexBatch } from './engine-port.ts'
import type { LoopTurns } from './loop-turns.ts'
import type { DocumentOperation, Operation } from './operation.ts'
import { contentOf, publishedIndexOf, statisticsOf, type StoreState } from './store-state.ts'
import { WriteGroup } from './write-group.ts'
import { WriteLoop, type DecidedGroup, type OpenGroup } from './write-loop.ts'
import type { WriterOptions } from './writer-options.ts'

/** The operations of stores that document writes need. */
export interface WrittenStores {
  /** Throws `store_not_found`, or `unavailable` while the store is being loaded. */
  writable(storeId: string): StoreState
  /** The index of the store has received another batch. */
  applied(state: StoreState, batch: IndexBatch, turns: LoopTurns): Promise<void>
  /** The index of the store failed on a batch and must be rebuilt. */
  failed(state: StoreState): void
}

/**
 * Writes documents, many in a group, and runs all other work that takes its turn on the writer's
 * loop.
 */
export class DocumentWrites {
  readonly #options: WriterOptions
  readonly #stores: WrittenStores
  readonly #loop: WriteLoop
  #groupCount = 0

  constructor(options: WriterOptions, stores: WrittenStores) {
    this.#options = options
    this.#stores = stores
    this.#loop = new WriteLoop(() => this.#begin(), options.onCrash)
  }

  /** Number of waiting operations. */
  get waitingCount(): number {
    return this.#loop.length
  }

  /** Resolves when every operation has been answered. */
  drained(): Promise<void> {
    return this.#loop.drained()
  }

  write(storeId: string, writes: readonly DocumentWrite[]): Promise<WriteOutcome[]> {
    return this.#add(storeId, (settle) => ({ kind: 'write', storeId, writes, settle }))
  }

  delete(storeId: string, id: string, ifMatch?: string): Promise<boolean> {
    return this.#add(storeId, (settle) => ({ kind: 'delete', storeId, id, ifMatch, settle }))
  }

  change(
    storeId: string,
    versions: readonly DocumentVersion[],
    change: VersionChange,
    content?: string,
  ): Promise<VersionOutcome[]> {
    const asked = { kind: 'change', storeId, versions, change, content } as const
    return this.#add(storeId, (settle) => ({ ...asked, settle }))
  }

  /**
   * Runs a task while nothing else is in flight.
   * @param storeId the store whose turn it takes
   */
  alone<T>(storeId: string, run: () => Promise<T>): Promise<T> {
    return this.#add(storeId, (settle) => ({ kind: 'exclusive', run, settle }))
  }

  /** Publishes the figures of a store, and with `index` the index too: does it answer as before? */
  publish(state: StoreState, parts: { readonly index?: 'changed' | 'as before' } = {}): void {
    if (parts.index !== undefined) this.#announce(state, parts.index === 'as before')
    else {
      const { storeId } = state.row
      this.#options.publisher.add({ kind: 'store', storeId, statistics: statisticsOf(state) })
    }
    this.#options.publisher.advance()
  }

  #add<T>(storeId: string, operation: (settle: Operation['settle']) => Operation): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#loop.add(
        storeId,
        operation({
          resolve: (value) => resolve(value as T),
          reject: (error) => reject(error as Error),
        }),
      )
    })
  }

  #begin(): OpenGroup {
    const { documents, clock } = this.#options
    const group = new WriteGroup(++this.#groupCount, documents, clock.now())
    const answers: Answer[] = []
    let failed: DecidedGroup | undefined
    return {
      decide: (operations) => {
        for (const operation of operations) {
          if (failed !== undefined) {
            answers.push({ operation, value: undefined })
            continue
          }
          try {
            const state = this.#stores.writable(operation.storeId)
            answers.push({ operation, value: perform(group, state, operation) })
          } catch (error) {
            operation.settle.reject(error)
            if (error instanceof ApiError) continue
            // A bug halfway through an operation: nothing of this group may be kept.
            group.abandon()
            failed = failedGroup(answers, error)
          }
        }
        return failed === undefined
      },
      close: () => failed ?? this.#close(group, answers),
    }
  }

  #close(group: WriteGroup, answers: readonly Answer[]): DecidedGroup {
    const { documents } = this.#options
    const changes = group.changes()
    return {
      commit: () => (changes === undefined ? Promise.resolve() : documents.commit(changes)),
      finish: (turns) => {
        group.settle()
        return this.#finish(group, answers, turns)
      },
      abandon: (error) => {
        group.abandon()
        for (const { operation } of answers) operation.settle.reject(error)
      },
    }
  }

  async #finish(group: WriteGroup, answers: readonly Answer[], turns: LoopTurns): Promise<void> {
    const byStore = Map.groupBy(answers, ({ operation }) => operation.storeId)
    const answer = (storeId: string): void => {
      for (const { operation, value } of byStore.get(storeId) ?? []) operation.settle.resolve(value)
      byStore.delete(storeId)
    }
    // Small batches first: a store that wrote little does not wait until the writes of others are
    // indexed.
    for (const [i, { state, batch }] of group.batches().toSorted(bySize).entries()) {
      if (i > 0) await turns.rest()
      await this.apply(state, batch, turns)
      answer(state.row.storeId)
    }
    for (const storeId of byStore.keys()) answer(storeId)
  }

  /** Applies a committed batch to the indexes of a store, and publishes it. */
  async apply(state: StoreState, batch: IndexBatch, turns: LoopTurns): Promise<void> {
    const { index } = state
    try {
      if (index !== undefined) {
        await madeInTurns([new Gradual(() => index.applySteps(batch))], turns)
      }
    } catch (error) {
      // The documents are safe; the index is rebuilt from them.
      this.#options.log('error', 'Indexing failed; rebuilding the index', {
        storeId: state.row.storeId,
        error: error instanceof Error ? error.stack : String(error),
      })
      this.#stores.failed(state)
    }
    await this.#stores.applied(state, batch, turns)
    this.#announce(state)
    this.#options.publisher.advance()
  }

  #announce(state: StoreState, answersAsBefore = false): void {
    this.#options.publisher.add({
      kind: 'store',
      storeId: state.row.storeId,
      statistics: statisticsOf(state),
      index: publishedIndexOf(state),
      content: contentOf(state.row),
      ...(answersAsBefore ? { answersAsBefore } : {}),
    })
  }
}

interface Answer {
  readonly operation: DocumentOperation
  readonly value: unknown
}

type Batch = ReturnType<WriteGroup['batches']>[number]

function bySize({ batch: a }: Batch, { batch: b }: Batch): number {
  return a.added.length + a.removed.length - b.added.length - b.removed.length
}

function perform(group: WriteGroup, state: StoreState, operation: DocumentOperation): unknown {
  switch (operation.kind) {
    case 'write':
      return group.write(state, operation.writes)
    case 'delete':
      return group.delete(state, operation.id, operation.ifMatch)
    case 'change':
      return group.change(state, operation.versions, operation.change, operation.content)
  }
}

function failedGroup(
  answers: readonly { operation: DocumentOperation }[],
  cause: unknown,
): DecidedGroup {
  const error = new ApiError('internal', 'Cannot write', { cause })
  return {
    commit: () => Promise.reject(error),
    finish: () => undefined,
    abandon: (reason) => {
      for (const { operation } of answers) operation.settle.reject(reason)
    },
  }
}
