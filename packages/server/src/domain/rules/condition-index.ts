import type { CompiledCondition } from './rule-set.ts'
import { stemsFrom } from './word-lattice.ts'

/**
 * Finds the conditions that may hold for the search that another one describes, so that not every
 * pair of rules is compared. It finds some that do not.
 */
export class ConditionIndex {
  /** Conditions by the stem of their first word. */
  readonly #byWord = new Map<string, CompiledCondition[]>()
  readonly #any = new FilteredConditions()
  readonly #empty = new FilteredConditions()
  readonly #clausesOf: (condition: CompiledCondition) => ReadonlySet<string> | undefined

  /** @param clausesOf the filter of a condition; undefined if it never holds */
  constructor(clausesOf: (condition: CompiledCondition) => ReadonlySet<string> | undefined) {
    this.#clausesOf = clausesOf
  }

  add(condition: CompiledCondition): void {
    const { words, match } = condition
    if (words === undefined) {
      const clauses = this.#clausesOf(condition)
      if (clauses === undefined) return
      const wordless = match === 'any' ? this.#any : this.#empty
      wordless.add(condition, clauses)
      return
    }
    for (const stem of new Set(stemsFrom(words, 0))) {
      const known = this.#byWord.get(stem)
      if (known === undefined) this.#byWord.set(stem, [condition])
      else known.push(condition)
    }
  }

  /** The conditions whose words hold for those of this one. */
  *metBy(condition: CompiledCondition): Generator<CompiledCondition> {
    const clauses = this.#clausesOf(condition)
    if (clauses === undefined) return
    yield* this.#any.metBy(clauses)
    const { words } = condition
    if (words === undefined) {
      yield* this.#empty.metBy(clauses)
      return
    }
    for (let node = 0; node < words.length; node++) {
      for (const stem of new Set(stemsFrom(words, node))) {
        yield* this.#byWord.get(stem) ?? []
      }
    }
  }
}

/** Conditions by a clause of their filter. */
class FilteredConditions {
  readonly #all: CompiledCondition[] = []
  readonly #unfiltered: CompiledCondition[] = []
  readonly #byClause = new Map<string, CompiledCondition[]>()

  add(condition: CompiledCondition, clauses: ReadonlySet<string>): void {
    this.#all.push(condition)
    if (clauses.size === 0) this.#unfiltered.push(condition)
    for (const clause of clauses) {
      const known = this.#byClause.get(clause)
      if (known === undefined) this.#byClause.set(clause, [condition])
      else known.push(condition)
    }
  }

  /** Of two filters that can meet, one has all clauses of the other. */
  *metBy(clauses: ReadonlySet<string>): Generator<CompiledCondition> {
    if (clauses.size === 0) {
      yield* this.#all
      return
    }
    yield* this.#unfiltered
    for (const clause of clauses) yield* this.#byClause.get(clause) ?? []
  }
}
