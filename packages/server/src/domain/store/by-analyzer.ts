import type { Analyzer } from '@aisle/engine'

/** What an analyzer makes of a resource; another one when the store's language has changed. */
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
