/** Documents that are sorted in one turn, a millisecond or two. */
const RUN = 4_096
/** Documents that are merged in one turn. */
const MERGED_PER_TURN = 32_768

/**
 * Sorts documents by when they were inserted, in turns that other work is not held up by. Memory:
 * 32 bytes per document while it sorts, 8 afterwards.
 */
export class InsertionOrder {
  /** Pairs of `inserted` and docKey. */
  #pairs = new Float64Array(2 * RUN)
  #count = 0

  add(inserted: number, docKey: number): void {
    if (2 * this.#count === this.#pairs.length) {
      const longer = new Float64Array(2 * this.#pairs.length)
      longer.set(this.#pairs)
      this.#pairs = longer
    }
    this.#pairs[2 * this.#count] = inserted
    this.#pairs[2 * this.#count + 1] = docKey
    this.#count++
  }

  /** @returns the docKeys, by ascending `inserted` */
  async docKeys(giveWay: () => Promise<void>): Promise<Float64Array> {
    let from = this.#pairs
    if (!isSorted(from, this.#count)) {
      for (let start = 0; start < this.#count; start += RUN) {
        sortRun(from, start, Math.min(start + RUN, this.#count))
        await giveWay()
      }
      let to = new Float64Array(from.length)
      for (let run = RUN; run < this.#count; run *= 2) {
        await mergeRuns(from, to, this.#count, run, giveWay)
        ;[from, to] = [to, from]
      }
    }
    const docKeys = new Float64Array(this.#count)
    for (let at = 0; at < this.#count; at++) docKeys[at] = from[2 * at + 1]!
    return docKeys
  }
}

function isSorted(pairs: Float64Array, count: number): boolean {
  for (let at = 1; at < count; at++) if (pairs[2 * at]! < pairs[2 * at - 2]!) return false
  return true
}

function sortRun(pairs: Float64Array, start: number, end: number): void {
  const copy = pairs.slice(2 * start, 2 * end)
  const places = Array.from({ length: end - start }, (_, at) => at)
  places.sort((a, b) => copy[2 * a]! - copy[2 * b]! || a - b)
  for (const [at, place] of places.entries()) {
    pairs[2 * (start + at)] = copy[2 * place]!
    pairs[2 * (start + at) + 1] = copy[2 * place + 1]!
  }
}

/** Merges neighbouring runs of this length. */
async function mergeRuns(
  from: Float64Array,
  to: Float64Array,
  count: number,
  run: number,
  giveWay: () => Promise<void>,
): Promise<void> {
  for (let start = 0; start < count; start += 2 * run) {
    const middle = Math.min(start + run, count)
    const end = Math.min(start + 2 * run, count)
    let left = start
    let right = middle
    for (let at = start; at < end; at++) {
      const isLeft = right === end || (left < middle && from[2 * left]! <= from[2 * right]!)
      const place = isLeft ? left++ : right++
      to[2 * at] = from[2 * place]!
      to[2 * at + 1] = from[2 * place + 1]!
      if (at % MERGED_PER_TURN === 0) await giveWay()
    }
  }
}
