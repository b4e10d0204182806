import { pause, type Pace, type Steps } from '../view/steps.ts'

/** Numbers that are sorted at once: a millisecond. */
const RUN_LENGTH = 16_384
/** Numbers merged between two looks at the clock. */
const MERGED_PER_CHECK = 65_536

/**
 * A set of very many numbers, which is sorted while they are added, in short steps: runs that are
 * merged when they are about equally long (Bentley and Saxe, "Decomposable searching problems I",
 * 1980).
 */
export class SortedPairs {
  #added = new Float64Array(RUN_LENGTH)
  #addedCount = 0
  /** Ascending, without repetitions. Once merged, each is more than twice as long as the next. */
  readonly #runs: Float64Array[] = []

  /** Call `merge` now and then. */
  add(pair: number): void {
    if (this.#addedCount === RUN_LENGTH) this.#endRun()
    this.#added[this.#addedCount++] = pair
  }

  /** Merges runs, so that they stay few. */
  *merge(pace: Pace): Steps {
    const runs = this.#runs
    while (runs.length > 1 && runs.at(-2)!.length <= 2 * runs.at(-1)!.length) {
      yield* this.#mergeLast(pace)
    }
  }

  /** All numbers, ascending, each once. */
  *all(pace: Pace): Steps<Float64Array> {
    this.#endRun()
    while (this.#runs.length > 1) yield* this.#mergeLast(pace)
    return this.#runs[0]!
  }

  #endRun(): void {
    const sorted = this.#added.slice(0, this.#addedCount).sort()
    this.#addedCount = 0
    let kept = 0
    for (let i = 0; i < sorted.length; i++) {
      if (kept === 0 || sorted[i] !== sorted[kept - 1]) sorted[kept++] = sorted[i]!
    }
    this.#runs.push(sorted.subarray(0, kept))
  }

  *#mergeLast(pace: Pace): Steps {
    const [a, b] = [this.#runs.at(-2)!, this.#runs.at(-1)!]
    const merging = new Merging(a, b)
    // At the deadline both runs are still there.
    while (!merging.advance(MERGED_PER_CHECK)) yield* pause(pace)
    this.#runs.splice(-2, 2, merging.merged)
  }
}

class Merging {
  readonly #a: Float64Array
  readonly #b: Float64Array
  readonly #all: Float64Array
  #readA = 0
  #readB = 0
  #count = 0

  constructor(a: Float64Array, b: Float64Array) {
    this.#a = a
    this.#b = b
    this.#all = new Float64Array(a.length + b.length)
  }

  /** @returns whether everything is merged */
  advance(steps: number): boolean {
    const [a, b, all] = [this.#a, this.#b, this.#all]
    let [i, k, count] = [this.#readA, this.#readB, this.#count]
    for (let left = steps; left > 0 && i < a.length && k < b.length; left--) {
      const [first, second] = [a[i]!, b[k]!]
      if (first <= second) i++
      if (second <= first) k++
      all[count++] = first < second ? first : second
    }
    this.#readA = i
    this.#readB = k
    this.#count = count
    return i === a.length || k === b.length
  }

  get merged(): Float64Array {
    const [restA, restB] = [this.#a.subarray(this.#readA), this.#b.subarray(this.#readB)]
    this.#all.set(restA, this.#count)
    this.#all.set(restB, this.#count + restA.length)
    return this.#all.subarray(0, this.#count + restA.length + restB.length)
  }
}
