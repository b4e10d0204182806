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
/** A bit for each part that is not ready yet. */
const PENDING = 4
const WORDS = 5

/** Parts of a start beside the documents, as `/health` names them. */
const PARTS = ['tokens', 'demo shop', 'events', 'suggestions', 'reports'] as const
export type StartPart = (typeof PARTS)[number]
/** What the start prints: `/health` is 503 until it is there. It only names the others. */
const PRINTED: readonly StartPart[] = ['tokens', 'demo shop']

export function createStartProgress(): StartProgressMemory {
  const memory = new Int32Array(new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT))
  memory[PENDING] = (1 << PARTS.length) - 1
  return memory
}

/** Parts that are not ready yet. Any thread. */
export function readPendingParts(memory: StartProgressMemory): {
  readonly printed: readonly StartPart[]
  readonly others: readonly StartPart[]
} {
  const bits = Atomics.load(memory, PENDING)
  const pending = PARTS.filter((_, part) => (bits & (1 << part)) !== 0)
  return {
    printed: pending.filter((part) => PRINTED.includes(part)),
    others: pending.filter((part) => !PRINTED.includes(part)),
  }
}

/** It is ready, or there is none of it. */
export function finishPart(memory: StartProgressMemory, part: StartPart): void {
  Atomics.and(memory, PENDING, ~(1 << PARTS.indexOf(part)))
}

/** Any thread. */
export function readStartProgress(memory: StartProgressMemory): ProgressCounts {
  const read = (word: number): number => Atomics.load(memory, word)
  return {
    stores: { done: read(STORES_DONE), total: read(STORES_TOTAL) },
    documents: { done: read(DOCUMENTS_DONE), total: read(DOCUMENTS_TOTAL) },
  }
}

export function finishWhenReady(
  memory: StartProgressMemory,
  parts: Partial<Record<StartPart, { readonly ready: Promise<void> }>>,
): void {
  for (const part of PARTS) void parts[part]?.ready.then(() => finishPart(memory, part))
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
