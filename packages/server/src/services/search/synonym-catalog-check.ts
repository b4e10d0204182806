import { SYNONYM_PAIRS_CHECKED_MAX } from '@aisle/contract'
import { elementType, isArrayType } from '@aisle/engine'
import { productCard } from '../../domain/store/product-card.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import { NO_SCHEMA } from '../open-view.ts'
import { currentSettings } from '../store/store-settings.ts'
import { planRequest } from './plan-context.ts'
import { partOf, type RequestPace } from './request-pace.ts'

/** Maximum number of fields, besides the brand, whose values are compared with the phrases. */
const VALUE_FIELDS_MAX = 5

/**
 * Checks the evidence of the catalog against a pair of synonyms: section 2 of
 * docs/synonym-suggestions.md, points 6 and 7. Looks up a bounded number of pairs, and yields to
 * other requests between them.
 */
export class SynonymCatalogCheck {
  readonly #view: SearchView
  readonly #pace: RequestPace
  readonly #titleField: string | undefined
  readonly #valueFields: readonly string[]
  #pairsLeft = SYNONYM_PAIRS_CHECKED_MAX

  constructor(view: SearchView, pace: RequestPace) {
    this.#view = view
    this.#pace = pace
    const { schema = NO_SCHEMA, resources } = view
    const { card } = productCard(schema, currentSettings(resources).settings.product_card)
    const title = schema.fields.find((field) => field.name === card.title && field.searchable)
    this.#titleField = title?.name
    const brand = schema.fields.filter(({ name }) => name === card.brand)
    const values = schema.fields.filter(
      (field) => !isArrayType(field.type) && field.name !== card.brand && field !== title,
    )
    this.#valueFields = [...brand, ...values.slice(0, VALUE_FIELDS_MAX)]
      .filter(({ type, facet, sort }) => elementType(type) === 'string' && (facet || sort))
      .map(({ name }) => name)
  }

  /** @returns undefined if too many pairs were looked up already */
  async allows(from: string, to: string): Promise<boolean | undefined> {
    if (this.#pairsLeft-- <= 0) return undefined
    if (this.#pace.isDue()) await this.#pace.rest()
    for (const field of this.#valueFields) {
      if ((await this.#isValue(field, from)) && (await this.#isValue(field, to))) return false
    }
    const isTogether =
      (await this.#isInTitle(`${from} ${to}`)) || (await this.#isInTitle(`${to} ${from}`))
    return !isTogether
  }

  async #isValue(field: string, phrase: string): Promise<boolean> {
    return this.#findsAny({ q: '*', filters: { [field]: phrase } })
  }

  async #isInTitle(phrase: string): Promise<boolean> {
    if (this.#titleField === undefined) return false
    const q = `"${phrase.replaceAll('"', ' ')}"`
    return this.#findsAny({ q, search_fields: [this.#titleField] })
  }

  async #findsAny(request: {
    q: string
    filters?: Record<string, string>
    search_fields?: string[]
  }): Promise<boolean> {
    const plain = { ...request, per_page: 0, synonym_sets: [], stopword_sets: [] }
    const { plan } = planRequest(this.#view, plain, partOf(this.#pace), 0)
    return (await this.#view.search(plan)).found > 0
  }
}
