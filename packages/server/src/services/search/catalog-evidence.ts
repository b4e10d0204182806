import { performance } from 'node:perf_hooks'
import { INTERPRETED_VALUES_MAX } from '@aisle/contract'
import type { FilterNode, Phrase, SearchOutcome, SearchPlan } from '@aisle/engine'
import type { FieldRole, InterpretedField } from '../../domain/interpretation/interpreted-fields.ts'
import { LOW_PRICE_SHARE, lowPriceOf, ROUND_PRICES } from '../../domain/interpretation/low-price.ts'
import type { FieldValues } from '../../domain/interpretation/value-runs.ts'
import { fieldOrdinal } from '../../domain/documents/field-lookup.ts'
import { rowOf } from '../../domain/plan/plan-conditions.ts'
import { planRequestFilter } from '../../domain/plan/plan-search.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import { NO_SCHEMA } from '../open-view.ts'
import { storeCollections } from '../store-collections.ts'
import { planRequest } from './plan-context.ts'
import type { RequestPace } from './request-pace.ts'

/** The time for an interpretation is used up. */
export class OutOfTime extends Error {}

/** Which words of the rest a title must have; `none`: no rest. */
const STRICTNESS = ['all', 'any', 'none'] as const
type Strictness = (typeof STRICTNESS)[number]

/** Share of the titles with the words of a value whose documents must have it. */
const VALUE_SHARE_MIN = 0.9

/** Share of the titles with a word that have its neighbour beside it, if the two are a name. */
const NAME_SHARE_MIN = 0.5

/** What the documents of a view say about the words of a query. */
export class CatalogEvidence {
  readonly #view: SearchView
  readonly #deadlineMs: number
  readonly #pace: Pick<RequestPace, 'isDue' | 'rest'>
  readonly #counts = new Map<string, number>()

  constructor(view: SearchView, deadlineMs: number, pace: Pick<RequestPace, 'isDue' | 'rest'>) {
    this.#view = view
    this.#deadlineMs = deadlineMs
    this.#pace = pace
  }

  /** The most frequent values of fields with a word that begins in one of some ways. */
  async valuesOf(
    fields: readonly InterpretedField[],
    beginningsOf: (role: FieldRole | undefined) => readonly string[],
  ): Promise<FieldValues[]> {
    const known: FieldValues[] = []
    for (const field of fields) {
      const prefixes = beginningsOf(field.role)
      if (prefixes.length === 0) continue
      const { ordinal } = field
      const nodes = prefixes.map((prefix): FilterNode => ({
        kind: 'wordPrefix',
        field: ordinal,
        prefix,
      }))
      const facet = { field: ordinal, order: 'count', limit: INTERPRETED_VALUES_MAX } as const
      const outcome = await this.#search({
        ...this.#plan('', 'none'),
        filter: { kind: 'or', nodes },
        facets: [{ ...facet, stats: false }],
      })
      const values = outcome.facets[0]!.counts.map(({ value }) => value)
      known.push({ field, values })
    }
    return known
  }

  /**
   * Whether titles use some words for a value. The titles that also have all other words of the
   * query decide; if there are none, those with any of them; else all titles with the words, but
   * not for a brand: it is part of a name that the catalog does not know.
   */
  async areValue(words: string, rest: string, filter: string, isBrand: boolean): Promise<boolean> {
    for (const strictness of STRICTNESS) {
      const count = await this.#titles(words, rest, strictness)
      if (count === 0) continue
      if (isBrand && strictness === 'none' && this.#significant(rest) !== '') return false
      const withValue = await this.#titles(words, rest, strictness, filter)
      return withValue >= VALUE_SHARE_MIN * count
    }
    return true
  }

  /** Whether most titles with a word have it in one of some rows, as a part of a name. */
  async isName(word: string, rows: readonly string[]): Promise<boolean> {
    const count = await this.#titles(word, '', 'none')
    if (count === 0) return false
    let named = 0
    for (const row of rows) named += await this.#titles(row, '', 'none')
    return named >= NAME_SHARE_MIN * count
  }

  /** Whether titles have some words, with any other word of the query. */
  async areWords(words: string, rest: string): Promise<boolean> {
    const isAlone = this.#significant(rest) === ''
    return (await this.#titles(words, rest, isAlone ? 'none' : 'any')) > 0
  }

  /** Whether a search for the rest finds something with a filter. */
  async holdsAny(rest: string, filter: string): Promise<boolean> {
    const plan = this.#plan(rest, 'search')
    return (await this.#search({ ...plan, ...this.#filtered(filter) })).found > 0
  }

  /**
   * The round price below which a quarter of what a search finds costs; undefined if that is
   * nothing or everything.
   */
  async lowPrice(name: string, rest: string, filter: string): Promise<number | undefined> {
    const { schema = NO_SCHEMA } = this.#view
    const field = fieldOrdinal(schema, name)
    if (field === undefined || !schema.fields[field]!.facet) return undefined
    const isWhole = schema.fields[field]!.type === 'int64'
    const prices = ROUND_PRICES.filter((price) => !isWhole || Number.isInteger(price))
    const ranges = prices.map((price, i) => ({
      name: String(i),
      high: isWhole ? BigInt(price) : price,
    }))
    const facet = { field, order: 'count', limit: ranges.length, ranges, stats: false } as const
    const plan = { ...this.#plan(rest, 'search'), ...this.#filtered(filter) }
    const { facets } = await this.#search({ ...plan, facets: [facet] })
    const below = new Map(facets[0]!.counts.map(({ value, count }) => [Number(value), count]))
    const priced = await this.#search({
      ...plan,
      filter: { kind: 'and', nodes: [...nodesOf(plan.filter), { kind: 'exists', field }] },
    })
    return lowPriceOf(
      prices.map((price, i) => ({ price, count: below.get(i) ?? 0 })),
      priced.found * LOW_PRICE_SHARE,
      priced.found,
    )
  }

  /** Number of documents whose title has some words in a row, and words of the rest. */
  async #titles(words: string, rest: string, strictness: Strictness, filter = ''): Promise<number> {
    const others = strictness === 'none' ? '' : this.#significant(rest)
    if (strictness !== 'none' && others === '') return 0
    const key = JSON.stringify([words, others, strictness, filter])
    const known = this.#counts.get(key)
    if (known !== undefined) return known
    const row = rowOf(words, this.#view.analyzer, true)
    const plan = this.#plan(others, strictness)
    const count =
      row === undefined
        ? 0
        : (await this.#search({ ...inTitle(plan, row), ...this.#filtered(filter) })).found
    this.#counts.set(key, count)
    return count
  }

  /** Without words that titles may leave out. */
  #significant(rest: string): string {
    const { analyzer } = this.#view
    const words = rest.split(' ').filter((word) => !analyzer.isStopword(analyzer.fold(word)))
    return words.join(' ')
  }

  #filtered(filter: string): Pick<SearchPlan, 'filter'> | Record<string, never> {
    const { schema = NO_SCHEMA, analyzer } = this.#view
    const collections = storeCollections(this.#view.resources)
    const node = planRequestFilter({ filter_by: filter }, { schema, analyzer, collections })
    return node === undefined ? {} : { filter: node }
  }

  /** @param strictness `search`: as the store searches */
  #plan(rest: string, strictness: Strictness | 'search'): SearchPlan {
    const isEmpty = rest === '' || strictness === 'none'
    const nowMs = performance.now()
    const limit = { startMs: nowMs, timeoutMaxMs: Math.max(0, this.#deadlineMs - nowMs) }
    const request = { q: isEmpty ? '*' : rest, per_page: 0, group_by: [] }
    const { plan } = planRequest(
      this.#view,
      strictness === 'search' ? request : { ...request, require_all_terms: strictness === 'all' },
      { ...limit, timeoutDefaultMs: limit.timeoutMaxMs },
      0,
    )
    return { ...plan, exactValue: [], pins: [], sort: [] }
  }

  /** Does work in steps, and lets others run between two of them. @throws OutOfTime */
  async inTurns<T>(steps: Generator<void, T>): Promise<T> {
    for (;;) {
      const step = steps.next()
      if (step.done === true) return step.value
      if (performance.now() > this.#deadlineMs) throw new OutOfTime()
      if (this.#pace.isDue()) await this.#pace.rest()
    }
  }

  async #search(plan: SearchPlan): Promise<SearchOutcome> {
    if (this.#pace.isDue()) await this.#pace.rest()
    const outcome = await this.#view.search(plan)
    if (outcome.cutoff) throw new OutOfTime()
    return outcome
  }
}

/** All words must be in the title, if there is one. */
function inTitle(plan: SearchPlan, row: Phrase): SearchPlan {
  const { titleField, fieldWeights } = plan
  const weights =
    titleField < 0 ? fieldWeights : fieldWeights.map((_, field) => (field === titleField ? 1 : 0))
  return { ...plan, fieldWeights: weights, phrases: [...plan.phrases, row] }
}

function nodesOf(filter: FilterNode | undefined): readonly FilterNode[] {
  return filter === undefined ? [] : [filter]
}
