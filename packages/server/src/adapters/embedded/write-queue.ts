import type { DocumentOperation, ExclusiveOperation, Operation } from './operation.ts'
import { sizeOf, splitOperation, type OperationSize } from './split-operation.ts'

/**
 * Maximum of documents, and of bytes of JSON, per commit: some 100 ms of the writer for documents
 * with many fields, because the first write of another store waits that long. A single document may
 * exceed it.
 */
const GROUP_MAX: OperationSize = { writes: 1_000, bytes: 512 * 1024 }
/**
 * Share of a store in one commit while others write too, and the part of a larger commit that is
 * decided at once: some 10 ms of the writer for documents with many fields.
 */
const SHARE_MAX: OperationSize = { writes: 32, bytes: 32 * 1024 }
/** A store counts as sharing the writer for this time after its last write. */
const SHARED_FOR_MS = 10_000

interface Queued {
  readonly operation: Operation
  readonly addedMs: number
  /** A part of it was taken before. */
  readonly isBegun: boolean
}

/**
 * Queue of operations for the writer: those of a store in order of arrival, the stores in turn.
 * While several stores write, each gets a small share of every commit; a store that writes alone
 * can fill whole commits. Larger operations are split.
 */
export class WriteQueue {
  /**
   * Queues by store; the store whose turn is next comes first. A store with nothing waiting has no
   * entry.
   */
  readonly #queues = new Map<string, Queued[]>()
  /** Times of the newest document operation, and of the newest of any other store. */
  #last = { store: '', addedMs: -Infinity }
  #other = { addedMs: -Infinity }
  /** The group that was taken last: its stores, and how much more it may have. */
  #group = { stores: new Set<string>(), left: GROUP_MAX }
  #length = 0

  get length(): number {
    return this.#length
  }

  /** @param store the store whose turns it takes */
  add(store: string, operation: Operation, nowMs: number): void {
    if (operation.kind !== 'exclusive') {
      if (store !== this.#last.store) this.#other = this.#last
      this.#last = { store, addedMs: nowMs }
    }
    const queued = { operation, addedMs: nowMs, isBegun: false }
    const queue = this.#queues.get(store)
    if (queue === undefined) this.#queues.set(store, [queued])
    else queue.push(queued)
    this.#length++
  }

  /** Takes the exclusive operation, if it is next for the store whose turn it is. */
  takeExclusive(): ExclusiveOperation | undefined {
    const [first] = this.#queues
    if (first === undefined) return undefined
    const [store, [{ operation }]] = first as [string, [Queued]]
    if (operation.kind !== 'exclusive') return undefined
    this.#took(store, 1)
    return operation
  }

  /**
   * Takes document operations for one commit, part by part. Nothing if nothing waits, or if it is
   * the turn of an exclusive operation, which a steady flow of documents must not delay. The group
   * ends when it is full, or with a share of each store as soon as several write: operations may be
   * added between two parts.
   */
  *takeGroup(nowMs: () => number): Generator<DocumentOperation[], void> {
    const [first] = this.#queues.values()
    if (first === undefined || first[0]!.operation.kind === 'exclusive') return
    this.#group = { stores: new Set(), left: GROUP_MAX }
    do {
      const part = this.#takePart()
      if (part.length === 0) return
      yield part
    } while (isRoom(this.#group.left) && nowMs() - this.#other.addedMs > SHARED_FOR_MS)
  }

  /**
   * Takes a share of each store that the group taken last has nothing of, because it began to write
   * later; as much as another group, even if that one is full.
   */
  takeNewcomers(): DocumentOperation[] {
    const { stores } = this.#group
    this.#group.left = GROUP_MAX
    return this.#takePart((store) => !stores.has(store))
  }

  /** Takes a share of each store, or of some, whose next operation is not exclusive. */
  #takePart(isIncluded: (store: string) => boolean = () => true): DocumentOperation[] {
    const part: DocumentOperation[] = []
    const group = this.#group
    // A store moves behind the others after its turn, so the loop must not visit it again.
    const inTurn = [...this.#queues]
    for (const [store, queue] of inTurn) {
      if (queue[0]!.operation.kind === 'exclusive' || !isIncluded(store)) continue
      if (!isRoom(group.left)) break
      const taken = this.#takeShare(store, queue, smaller(SHARE_MAX, group.left))
      part.push(...taken)
      group.stores.add(store)
      group.left = taken.reduce((rest, one) => minus(rest, sizeOf(one)), group.left)
    }
    return part
  }

  /**
   * Takes operations added before a time and not begun. Exclusive operations, and those behind
   * them, are never refused.
   */
  takeLate(beforeMs: number): DocumentOperation[] {
    const late: DocumentOperation[] = []
    const stores = [...this.#queues]
    for (const [store, queue] of stores) {
      let count = 0
      while (count < queue.length) {
        const { operation, addedMs, isBegun } = queue[count]!
        if (operation.kind === 'exclusive' || isBegun || addedMs >= beforeMs) break
        late.push(operation)
        count++
      }
      if (count > 0) this.#took(store, count)
    }
    return late
  }

  /** Takes operations from the head of one store's queue: at least one, or a part of one. */
  #takeShare(store: string, queue: Queued[], share: OperationSize): DocumentOperation[] {
    const taken: DocumentOperation[] = []
    let left = share
    let count = 0
    for (const { operation } of queue) {
      if (operation.kind === 'exclusive') break
      const rest = minus(left, sizeOf(operation))
      if (rest.writes >= 0 && rest.bytes >= 0) {
        taken.push(operation)
        left = rest
        count++
        continue
      }
      const [part, others] = splitOperation(operation, left, taken.length === 0)
      if (part !== undefined) taken.push(part)
      if (part !== undefined && others !== undefined) {
        queue[count] = { ...queue[count]!, operation: others, isBegun: true }
      } else if (part !== undefined) count++
      break
    }
    this.#took(store, count)
    return taken
  }

  /** The turn of the store is over. */
  #took(store: string, count: number): void {
    const queue = this.#queues.get(store)!
    queue.splice(0, count)
    this.#length -= count
    this.#queues.delete(store)
    if (queue.length > 0) this.#queues.set(store, queue)
  }
}

function isRoom({ writes, bytes }: OperationSize): boolean {
  return writes > 0 && bytes > 0
}

function smaller(a: OperationSize, b: OperationSize): OperationSize {
  return { writes: Math.min(a.writes, b.writes), bytes: Math.min(a.bytes, b.bytes) }
}

function minus(a: OperationSize, b: OperationSize): OperationSize {
  return { writes: a.writes - b.writes, bytes: a.bytes - b.bytes }
}
