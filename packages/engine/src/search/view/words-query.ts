import type { WordList } from './value-index.ts'

/**
 * Tests the words of one value after the other against many lists of wanted words, in time that
 * does not depend on their number: looks up each word of the value instead of testing each list.
 */
export class WordsQuery {
  /** The lists by their first word: whole words, and beginnings. */
  readonly #whole = new Map<string, WordList[]>()
  readonly #begun = new Map<string, WordList[]>()
  /** Lengths of the beginnings. */
  readonly #lengths: readonly number[]
  readonly #matchesAll: boolean

  constructor(lists: readonly WordList[]) {
    const lengths = new Set<number>()
    for (const list of lists) {
      const [first] = list
      if (first === undefined) continue
      const lookup = first.isBegun ? this.#begun : this.#whole
      if (first.isBegun) lengths.add(first.form.length)
      const known = lookup.get(first.form)
      if (known === undefined) lookup.set(first.form, [list])
      else known.push(list)
    }
    this.#lengths = [...lengths]
    this.#matchesAll = lists.some(({ length }) => length === 0)
  }

  /** @param forms of a value. @returns whether they have all words of any list */
  matches(forms: readonly string[]): boolean {
    if (this.#matchesAll) return true
    for (const form of forms) {
      if (this.#whole.get(form)?.some((list) => hasRest(list, forms)) === true) return true
      for (const length of this.#lengths) {
        const lists = length > form.length ? undefined : this.#begun.get(form.slice(0, length))
        if (lists?.some((list) => hasRest(list, forms)) === true) return true
      }
    }
    return false
  }
}

function hasRest(list: WordList, forms: readonly string[]): boolean {
  for (let i = 1; i < list.length; i++) {
    const { form, isBegun } = list[i]!
    if (!forms.some((own) => (isBegun ? own.startsWith(form) : own === form))) return false
  }
  return true
}
