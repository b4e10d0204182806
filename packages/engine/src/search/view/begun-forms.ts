import type { TextRange } from '../../analysis/hangul.ts'

/** Forms that are not sorted yet; each look-up tests all of them. */
const UNSORTED_MAX = 256
/** Merging two runs of this length takes some milliseconds; longer ones stay apart. */
const RUN_LENGTH_MAX = 65_536

/**
 * Distinct forms by their beginnings, while new ones are added. Sorted runs that are merged
 * when they are equally long (Bentley and Saxe, "Decomposable searching problems I", 1980): adding
 * costs a few comparisons, a look-up one binary search per run.
 */
export class BegunForms {
  /** By number. */
  readonly forms: string[] = []
  /** Numbers of forms, in the order of the forms. */
  readonly #runs: Uint32Array[] = []
  #sortedCount = 0

  readonly #numbers = new Map<string, number>()

  /** @returns the number of a form that was added */
  numberOf(form: string): number | undefined {
    return this.#numbers.get(form)
  }

  /** @param form not added before. @returns its number */
  add(form: string): number {
    const number = this.forms.push(form) - 1
    this.#numbers.set(form, number)
    if (this.forms.length - this.#sortedCount === UNSORTED_MAX) this.#sort()
    return number
  }

  /** Calls back with the number of each form that begins with `prefix`. */
  forEachBegun(prefix: string, visit: (number: number) => void): void {
    const { forms } = this
    for (const run of this.#runs) {
      for (let i = firstFrom(run, forms, prefix); i < run.length; i++) {
        if (!forms[run[i]!]!.startsWith(prefix)) break
        visit(run[i]!)
      }
    }
    for (let number = this.#sortedCount; number < forms.length; number++) {
      if (forms[number]!.startsWith(prefix)) visit(number)
    }
  }

  /** Calls back with the number of each form that begins with a text of the range. */
  forEachIn({ first, last }: TextRange, visit: (number: number) => void): void {
    const { forms } = this
    const { length } = first
    for (const run of this.#runs) {
      for (let i = firstFrom(run, forms, first); i < run.length; i++) {
        const start = forms[run[i]!]!.slice(0, length)
        if (start > last) break
        if (start.length === length) visit(run[i]!)
      }
    }
    for (let number = this.#sortedCount; number < forms.length; number++) {
      const start = forms[number]!.slice(0, length)
      if (start.length === length && start >= first && start <= last) visit(number)
    }
  }

  /** Numbers of all forms, in the order of the forms within each run. Later ones do not appear. */
  sortedRuns(): { readonly runs: readonly Uint32Array[]; readonly unsorted: Uint32Array } {
    return { runs: [...this.#runs], unsorted: this.#inOrder() }
  }

  /** Numbers of the forms that are not in a run yet, in the order of the forms. */
  #inOrder(): Uint32Array<ArrayBuffer> {
    const { forms } = this
    const first = this.#sortedCount
    const run = Uint32Array.from({ length: forms.length - first }, (_, i) => first + i)
    return run.sort((a, b) => (forms[a]! < forms[b]! ? -1 : 1))
  }

  #sort(): void {
    const { forms } = this
    let run = this.#inOrder()
    this.#sortedCount = forms.length
    for (;;) {
      const before = this.#runs.at(-1)
      if (before === undefined || before.length > run.length) break
      if (before.length + run.length > RUN_LENGTH_MAX) break
      this.#runs.pop()
      run = merged(before, run, forms)
    }
    this.#runs.push(run)
  }
}

function merged(
  a: Uint32Array,
  b: Uint32Array,
  forms: readonly string[],
): Uint32Array<ArrayBuffer> {
  const all = new Uint32Array(a.length + b.length)
  let [i, k] = [0, 0]
  for (let at = 0; at < all.length; at++) {
    const isFirst = k === b.length || (i < a.length && forms[a[i]!]! < forms[b[k]!]!)
    all[at] = isFirst ? a[i++]! : b[k++]!
  }
  return all
}

/** The place of the first form that is not below a text. */
function firstFrom(run: Uint32Array, forms: readonly string[], text: string): number {
  let [low, high] = [0, run.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (forms[run[middle]!]! < text) low = middle + 1
    else high = middle
  }
  return low
}
