import type { Analyzer } from '@aisle/engine'

/**
 * A value derived from a resource with an analyzer; recomputed when the store's language changes.
 */
export class ByAnalyzer<T> {
  readonly #make: (analyzer: Analyzer) => T
  #made: { readonly analyzer: Analyzer; readonly value: T } | undefined

  constructor(make: (analyzer: Analyzer) => T) {
    this.#make = make
  }

  for(analyzer: Analyzer): T {
    if (this.#made?.analyzer !== analyzer) this.#made = { analyzer, value: this.#make(analyzer) }
    return this.#made.value
  }
}
