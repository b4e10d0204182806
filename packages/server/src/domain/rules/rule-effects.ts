import {
  ApiError,
  RULE_BOOSTS_MAX,
  RULE_HIDDEN_MAX,
  RULE_PINS_MAX,
  RULES_PER_SEARCH_MAX,
  type FacetDisplay,
  type SearchParameters,
} from '@aisle/contract'
import type { Analyzer, FilterNode, PlannedBoost, PlannedPin, SortKey } from '@aisle/engine'
import type { AnalysedQuery } from '../query/analysed-query.ts'
import { parseFilter } from '../expressions/filter-parser.ts'
import { movingDatesWith } from '../expressions/collections.ts'
import { misfit, type CompiledRule, type MatchingRules, type RulePlace } from './rule-set.ts'
import { parseSort } from '../expressions/sort-language.ts'
import { endsOf, queryLattice, wordLattice, type WordLattice } from './word-lattice.ts'

/** The combined effect of the rules that apply to a search. */
export interface RuleEffects {
  /** Ids of the rules, in the order in which they apply. */
  readonly applied: readonly string[]
  /** The query to search. */
  readonly q: string
  /** Pins by position, each with its rule. */
  readonly pins: readonly (PlannedPin & { readonly rule: string })[]
  readonly hidden: readonly string[]
  readonly boosts: readonly (PlannedBoost & { readonly source: BoostSource })[]
  readonly filters: readonly FilterNode[]
  /** Undefined if no rule sets it. */
  readonly sort: readonly SortKey[] | undefined
  /** Undefined if no rule sets it. */
  readonly exactMatchBoost: boolean | undefined
  /** Undefined if no rule sets them. */
  readonly semantic: SearchParameters['semantic']
  readonly semanticWeight: number | undefined
  /** How facets are shown, by each rule that says so; the first one wins. */
  readonly facetDisplays: readonly FacetDisplay[]
  /** Undefined if there is no metadata for the page. */
  readonly metadata: Readonly<Record<string, unknown>> | undefined
  readonly warnings: readonly string[]
  /** The moments that `now` means in their expressions. */
  readonly movingDates: readonly string[]
}

/** The origin of a boost, for people. */
export interface BoostSource {
  readonly rule: string
  readonly filterBy: string
}

/**
 * Combines the consequences of rules. Each rule sees the original search, not the changes of other
 * rules. If two disagree, the first one wins: whether a document is pinned or hidden, and where;
 * the replacement of the query; the order; whether exact matches come first; how much meaning
 * counts. Filters, boosts,
 * hidden documents, removed words and banners add up.
 */
export function combineRules(
  { rules, warnings }: MatchingRules,
  query: AnalysedQuery,
  place: RulePlace,
): RuleEffects {
  const sum = new RuleSum(place, query.analyzer, warnings)
  for (const rule of rules) sum.add(rule)
  return sum.result(query)
}

class RuleSum {
  readonly #place: RulePlace
  readonly #analyzer: Analyzer
  readonly #warnings: Set<string>
  readonly #applied: string[] = []
  readonly #pins = new Map<number, PlannedPin & { readonly rule: string }>()
  /** Documents that some rule has pinned or hidden. */
  readonly #decided = new Set<string>()
  readonly #hidden: string[] = []
  readonly #boosts: (PlannedBoost & { readonly source: BoostSource })[] = []
  readonly #filters: FilterNode[] = []
  readonly #movingDates: string[] = []
  #sort: readonly SortKey[] | undefined
  #exactMatchBoost: boolean | undefined
  #semantic: SearchParameters['semantic']
  #semanticWeight: number | undefined
  readonly #facetDisplays: FacetDisplay[] = []
  #replacement: string | undefined
  readonly #removed: string[] = []
  readonly #banners: unknown[] = []
  #redirect: object | undefined
  readonly #metadata = new Map<string, unknown>()

  constructor(place: RulePlace, analyzer: Analyzer, warnings: readonly string[]) {
    this.#place = place
    this.#analyzer = analyzer
    this.#warnings = new Set(warnings)
  }

  add(rule: CompiledRule): void {
    if (this.#applied.length === RULES_PER_SEARCH_MAX) {
      this.#warnings.add(`Only the first ${RULES_PER_SEARCH_MAX} rules of a search apply`)
      return
    }
    const expressions = this.#expressionsOf(rule)
    if (expressions === undefined) return
    this.#applied.push(rule.id)
    this.#filters.push(...expressions.filters)
    this.#movingDates.push(...expressions.movingDates)
    this.#sort ??= expressions.sort
    this.#exactMatchBoost ??= rule.kept.exact_match_boost
    this.#semantic ??= rule.kept.semantic
    this.#semanticWeight ??= rule.kept.semantic_weight
    for (const boost of expressions.boosts) {
      if (this.#hasRoom(this.#boosts.length, RULE_BOOSTS_MAX, 'boosts')) this.#boosts.push(boost)
    }
    this.#addDocuments(rule)
    const { replace_query, remove_words = [], banner, redirect, metadata = {} } = rule.kept
    const { facet_display: display } = rule.kept
    if (display !== undefined) this.#facetDisplays.push(display)
    this.#replacement ??= replace_query
    this.#removed.push(...remove_words)
    if (banner !== undefined) this.#banners.push(banner)
    if (redirect !== undefined) {
      this.#redirect ??= typeof redirect === 'string' ? { url: redirect } : redirect
    }
    for (const [name, value] of Object.entries(metadata)) {
      if (!this.#metadata.has(name)) this.#metadata.set(name, value)
    }
  }

  result(query: AnalysedQuery): RuleEffects {
    return {
      applied: this.#applied,
      q: this.#replacement ?? withoutTexts(query, this.#removed),
      pins: [...this.#pins.values()].toSorted((a, b) => a.position - b.position),
      hidden: this.#hidden,
      boosts: this.#boosts,
      filters: this.#filters,
      sort: this.#sort,
      exactMatchBoost: this.#exactMatchBoost,
      semantic: this.#semantic,
      semanticWeight: this.#semanticWeight,
      facetDisplays: this.#facetDisplays,
      metadata: this.#answer(),
      warnings: [...this.#warnings],
      movingDates: this.#movingDates,
    }
  }

  /** Undefined if the schema does not (or no longer) have the fields of the rule. */
  #expressionsOf(rule: CompiledRule): Expressions | undefined {
    try {
      return expressionsOf(rule, this.#place, this.#analyzer)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      this.#warnings.add(misfit(rule, error))
      return undefined
    }
  }

  #addDocuments({ id: rule, kept: { pin = [], hide = [] } }: CompiledRule): void {
    for (const { id, position } of pin) {
      if (this.#decided.has(id)) continue
      if (!this.#hasRoom(this.#pins.size, RULE_PINS_MAX, 'pinned documents')) break
      this.#decided.add(id)
      let free = position
      while (this.#pins.has(free)) free++
      this.#pins.set(free, { id, position: free, rule })
    }
    for (const id of hide) {
      if (this.#decided.has(id)) continue
      if (!this.#hasRoom(this.#hidden.length, RULE_HIDDEN_MAX, 'hidden documents')) break
      this.#decided.add(id)
      this.#hidden.push(id)
    }
  }

  #hasRoom(count: number, countMax: number, what: string): boolean {
    if (count < countMax) return true
    this.#warnings.add(`Only the first ${countMax} ${what} of the rules of a search count`)
    return false
  }

  #answer(): Record<string, unknown> | undefined {
    const answer = Object.fromEntries(this.#metadata)
    const [banner] = this.#banners
    if (banner !== undefined) Object.assign(answer, { banner, banners: this.#banners })
    if (this.#redirect !== undefined) answer['redirect'] = this.#redirect
    return Object.keys(answer).length === 0 ? undefined : answer
  }
}

interface Expressions {
  readonly filters: readonly FilterNode[]
  readonly sort: readonly SortKey[] | undefined
  readonly boosts: readonly (PlannedBoost & { readonly source: BoostSource })[]
  readonly movingDates: readonly string[]
}

/**
 * Parsed filters by rule, for the most recent schema and collections, and moment of `now` where
 * they name it. Rules are immutable, and a plan should reuse the same filter objects.
 */
const parsed = new WeakMap<
  CompiledRule,
  Pick<RulePlace, 'schema' | 'collections'> & { readonly value: Expressions }
>()

/** @throws ApiError */
function expressionsOf(
  rule: CompiledRule,
  { schema, dates, collections }: RulePlace,
  analyzer: Analyzer,
): Expressions {
  const known = parsed.get(rule)
  const { filter_by, sort_by, boost = [] } = rule.kept
  const texts = [filter_by, ...[sort_by].flat(), ...boost.map((one) => one.filter_by)]
  const moments = movingDatesWith(collections, texts, dates)
  const isCurrent = String(moments) === String(known?.value.movingDates)
  const isSame = known?.schema === schema && known.collections === collections
  if (isSame && isCurrent) return known.value
  const options = { dates, collections }
  const value = {
    filters: filter_by === undefined ? [] : [parseFilter(filter_by, schema, analyzer, options)],
    sort: sort_by === undefined ? undefined : parseSort(sort_by, schema, analyzer, options),
    boosts: boost.map(({ filter_by: filterBy, weight }) => ({
      filter: parseFilter(filterBy, schema, analyzer, options),
      factor: weight,
      source: { rule: rule.id, filterBy },
    })),
    movingDates: moments,
  }
  parsed.set(rule, { schema, collections, value })
  return value
}

/** Removes strings from a query, wherever they occur; returns `*` if the rest is empty. */
function withoutTexts(query: AnalysedQuery, texts: readonly string[]): string {
  const { text: q, analyzer } = query
  if (texts.length === 0) return q
  const lattice = queryLattice(query)
  const isRemoved = new Uint8Array(lattice.length)
  for (const text of texts) mark(wordLattice(text, analyzer), lattice, isRemoved)
  if (!isRemoved.includes(1)) return q
  let rest = ''
  let copiedTo = 0
  lattice.places.forEach(({ start, end }, i) => {
    if (isRemoved[i] === 0) return
    rest += q.slice(copiedTo, start)
    copiedTo = end
  })
  rest = (rest + q.slice(copiedTo)).replace(/\s+/gu, ' ').trim()
  return analyzer.analyze(rest).length === 0 ? '*' : rest
}

function mark(sought: WordLattice, query: WordLattice, isRemoved: Uint8Array): void {
  for (let node = 0; node < query.length; node++) {
    for (const end of endsOf(sought, query, node)) isRemoved.fill(1, node, end)
  }
}
