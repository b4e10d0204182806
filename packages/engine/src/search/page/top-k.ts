/** Rows in order, best first. */
export interface SortedRows {
  readonly count: number
  readonly docOrds: Uint32Array
  readonly scores: Float64Array
  /** `count` times `keyCount` sort keys, smaller is better. */
  readonly keys: Float64Array
}

/**
 * Initial capacity in rows: a search that requests a million and finds three should not pay for a
 * million.
 */
const CAPACITY_INITIAL = 1024

/**
 * The k best rows of one segment: a binary heap with the worst row on top. A row is `keyCount`
 * numbers (smaller is better), a docOrd (larger, that is newer, wins a tie) and a score as payload.
 *
 * Rows may come in any order, each docOrd once. With many equal rows, descending docOrds are
 * cheapest, because each later one is rejected at once.
 */
export class TopK {
  readonly #k: number
  readonly #keyCount: number
  #keys: Float64Array
  #docOrds: Uint32Array
  #scores: Float64Array
  /** Row numbers, as a heap once there are k. */
  #heap: Int32Array
  #size = 0
  /** First key of the worst row; Infinity below capacity. Rows with a larger key are rejected. */
  worst: number

  constructor(k: number, keyCount: number) {
    this.#k = k
    this.#keyCount = keyCount
    const capacity = Math.min(k, CAPACITY_INITIAL)
    this.#keys = new Float64Array(capacity * keyCount)
    this.#docOrds = new Uint32Array(capacity)
    this.#scores = new Float64Array(capacity)
    this.#heap = new Int32Array(capacity)
    this.worst = k === 0 ? -Infinity : Infinity
  }

  get size(): number {
    return this.#size
  }

  /** For rows of one key. */
  offer1(key: number, docOrd: number, score: number): void {
    if (this.#size < this.#k) {
      const row = this.#newRow(docOrd, score)
      this.#keys[row] = key
      this.#completeRow()
      return
    }
    if (this.#k === 0 || key > this.worst) return
    const row = this.#heap[0]!
    if (key === this.worst && docOrd < this.#docOrds[row]!) return
    this.#keys[row] = key
    this.#docOrds[row] = docOrd
    this.#scores[row] = score
    this.#siftDown1(0)
    this.worst = this.#keys[this.#heap[0]!]!
  }

  /** @param keys the keys of the row; copied */
  offer(keys: Float64Array, docOrd: number, score: number): void {
    const keyCount = this.#keyCount
    if (this.#size < this.#k) {
      const row = this.#newRow(docOrd, score)
      for (let i = 0; i < keyCount; i++) this.#keys[row * keyCount + i] = keys[i]!
      this.#completeRow()
      return
    }
    if (this.#k === 0) return
    const row = this.#heap[0]!
    const start = row * keyCount
    let i = 0
    while (i < keyCount && keys[i] === this.#keys[start + i]) i++
    if (i === keyCount ? docOrd < this.#docOrds[row]! : keys[i]! > this.#keys[start + i]!) return
    for (; i < keyCount; i++) this.#keys[start + i] = keys[i]!
    this.#docOrds[row] = docOrd
    this.#scores[row] = score
    this.#siftDown(0, this.#size)
    this.worst = this.#keys[this.#heap[0]! * keyCount]!
  }

  /** Removes the rows, best first. Accepts no offers afterwards. */
  sorted(): SortedRows {
    const count = this.#size
    const keyCount = this.#keyCount
    if (count < this.#k) this.#heapify()
    const docOrds = new Uint32Array(count)
    const scores = new Float64Array(count)
    const keys = new Float64Array(count * keyCount)
    for (let at = count - 1; at >= 0; at--) {
      const row = this.#heap[0]!
      docOrds[at] = this.#docOrds[row]!
      scores[at] = this.#scores[row]!
      for (let i = 0; i < keyCount; i++) keys[at * keyCount + i] = this.#keys[row * keyCount + i]!
      this.#heap[0] = this.#heap[at]!
      this.#siftDown(0, at)
    }
    return { count, docOrds, scores, keys }
  }

  #newRow(docOrd: number, score: number): number {
    const row = this.#size
    if (row === this.#docOrds.length) this.#grow()
    this.#docOrds[row] = docOrd
    this.#scores[row] = score
    this.#heap[row] = row
    return row
  }

  #completeRow(): void {
    this.#size++
    if (this.#size < this.#k) return
    this.#heapify()
    this.worst = this.#keys[this.#heap[0]! * this.#keyCount]!
  }

  #grow(): void {
    const capacity = Math.min(this.#k, this.#docOrds.length * 2)
    const keys = new Float64Array(capacity * this.#keyCount)
    keys.set(this.#keys)
    this.#keys = keys
    const docOrds = new Uint32Array(capacity)
    docOrds.set(this.#docOrds)
    this.#docOrds = docOrds
    const scores = new Float64Array(capacity)
    scores.set(this.#scores)
    this.#scores = scores
    const heap = new Int32Array(capacity)
    heap.set(this.#heap)
    this.#heap = heap
  }

  #heapify(): void {
    for (let i = (this.#size >> 1) - 1; i >= 0; i--) this.#siftDown(i, this.#size)
  }

  #siftDown(start: number, size: number): void {
    if (size === 0) return
    const heap = this.#heap
    const moving = heap[start]!
    let at = start
    for (;;) {
      let child = at * 2 + 1
      if (child >= size) break
      if (child + 1 < size && this.#isWorse(heap[child + 1]!, heap[child]!)) child++
      if (!this.#isWorse(heap[child]!, moving)) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = moving
  }

  #isWorse(a: number, b: number): boolean {
    const keys = this.#keys
    const keyCount = this.#keyCount
    for (let i = 0; i < keyCount; i++) {
      const difference = keys[a * keyCount + i]! - keys[b * keyCount + i]!
      if (difference > 0) return true
      if (difference < 0) return false
      // Equal, or NaN because both are the same infinity.
    }
    return this.#docOrds[a]! < this.#docOrds[b]!
  }

  /** Like `siftDown`, for one key and a full heap. */
  #siftDown1(start: number): void {
    const heap = this.#heap
    const keys = this.#keys
    const docOrds = this.#docOrds
    const size = this.#size
    const moving = heap[start]!
    const key = keys[moving]!
    const docOrd = docOrds[moving]!
    let at = start
    for (;;) {
      let child = at * 2 + 1
      if (child >= size) break
      let row = heap[child]!
      if (child + 1 < size) {
        const right = heap[child + 1]!
        const isWorse =
          keys[right]! > keys[row]! ||
          (keys[right] === keys[row] && docOrds[right]! < docOrds[row]!)
        if (isWorse) {
          child++
          row = right
        }
      }
      if (keys[row]! < key || (keys[row] === key && docOrds[row]! > docOrd)) break
      heap[at] = row
      at = child
    }
    heap[at] = moving
  }
}
