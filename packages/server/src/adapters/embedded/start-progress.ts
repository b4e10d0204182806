/**
 * Progress of a start, in shared memory, so that the responding thread can read it while the main
 * thread is busy.
 */
export type StartProgressMemory = Int32Array<SharedArrayBuffer>

/** The searchable share of stores and documents. All 0 until the stores are known. */
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

/** Parts of a start besides the documents, as `/health` names them. */
const PARTS = ['tokens', 'demo shop', 'events', 'suggestions', 'reports'] as const
export type StartPart = (typeof PARTS)[number]
/** Parts that the start prints: `/health` is 503 until they are ready. It only names the others. */
const PRINTED: readonly StartPart[] = ['tokens', 'demo shop']

export function createStartProgress(): StartProgressMemory {
  const memory = new Int32Array(new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT))
  memory[PENDING] = (1 << PARTS.length) - 1
  return memory
}

/** Returns the parts that are not ready yet. Any thread. */
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

/** Marks a part as ready, or as absent. */
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

/** The main thread's side, which makes one store after the other searchable. */
export class StartProgress {
  readonly #memory: StartProgressMemory
  /** Documents of the stores that are done. */
  #documents = 0

  constructor(memory: StartProgressMemory) {
    this.#memory = memory
  }

  /** Sets the total of the work. */
  begin(storeCount: number, docCount: number): void {
    Atomics.store(this.#memory, STORES_TOTAL, storeCount)
    Atomics.store(this.#memory, DOCUMENTS_TOTAL, docCount)
  }

  /** Reports the number of indexed documents of the current store. */
  indexed(docCount: number): void {
    Atomics.store(this.#memory, DOCUMENTS_DONE, this.#documents + docCount)
  }

  /** Reports that the current store, with this number of documents, is searchable. */
  finishStore(docCount: number): void {
    this.#documents += docCount
    Atomics.store(this.#memory, DOCUMENTS_DONE, this.#documents)
    Atomics.add(this.#memory, STORES_DONE, 1)
  }
}
