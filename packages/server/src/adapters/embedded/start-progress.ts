/**
 * Progress of a start, in shared memory: the thread that answers reads it while the main thread is
 * busy.
 */
export type StartProgressMemory = Int32Array<SharedArrayBuffer>

/** What is searchable of what there is. All 0 until the stores are known. */
export interface ProgressCounts {
  readonly stores: { readonly done: number; readonly total: number }
  readonly documents: { readonly done: number; readonly total: number }
}

const STORES_DONE = 0
const STORES_TOTAL = 1
const DOCUMENTS_DONE = 2
const DOCUMENTS_TOTAL = 3
const WORDS = 4

export function createStartProgress(): StartProgressMemory {
  return new Int32Array(new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT))
}

/** Any thread. */
export function readStartProgress(memory: StartProgressMemory): ProgressCounts {
  const read = (word: number): number => Atomics.load(memory, word)
  return {
    stores: { done: read(STORES_DONE), total: read(STORES_TOTAL) },
    documents: { done: read(DOCUMENTS_DONE), total: read(DOCUMENTS_TOTAL) },
  }
}

/** The side of the main thread, which makes one store after the other searchable. */
export class StartProgress {
  readonly #memory: StartProgressMemory
  /** Of the stores that are done. */
  #documents = 0

  constructor(memory: StartProgressMemory) {
    this.#memory = memory
  }

  /** The work to do. */
  begin(storeCount: number, docCount: number): void {
    Atomics.store(this.#memory, STORES_TOTAL, storeCount)
    Atomics.store(this.#memory, DOCUMENTS_TOTAL, docCount)
  }

  /** So many documents of the store under way are in its index. */
  indexed(docCount: number): void {
    Atomics.store(this.#memory, DOCUMENTS_DONE, this.#documents + docCount)
  }

  /** The store under way, of so many documents, is searchable. */
  finishStore(docCount: number): void {
    this.#documents += docCount
    Atomics.store(this.#memory, DOCUMENTS_DONE, this.#documents)
    Atomics.add(this.#memory, STORES_DONE, 1)
  }
}
