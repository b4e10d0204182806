import {
  ApiError,
  FIELD_WEIGHT_MAX,
  PAGE_MAX,
  PER_PAGE_DEFAULT,
  QUERY_WORDS_MAX,
  SEARCH_TIMEOUT_DEFAULT_MS,
  SYNONYMS_PER_WORD_MAX,
  TYPO_MAX,
  TYPO_MIN_LEN_1_DEFAULT_CHARS,
  TYPO_MIN_LEN_2_DEFAULT_CHARS,
} from '@aisle/contract'
import { createAnalyzer, fieldAnalyzer, heavyFields, isArrayType, isByScore } from '@aisle/engine'
import type {
  Analyzer,
  FilterNode,
  PlannedNumeric,
  QuerySlot,
  Schema,
  SearchPlan,
  Token,
} from '@aisle/engine'
import { parseFacets } from '../expressions/facet-language.ts'
import { requireSearchable } from '../documents/field-lookup.ts'
import { shownSchema } from '../documents/shown-schema.ts'
import { fieldSalience, type Salience } from '../documents/field-salience.ts'
import { allOf } from '../expressions/filter-nodes.ts'
import type { Collections } from '../expressions/collections.ts'
import { parseFilter, type Warn } from '../expressions/filter-parser.ts'
import { parseFiltersObject } from '../expressions/filters-object.ts'
import type { DateContext } from '../values/date-literal.ts'
import { accessoryMarks } from './accessory-marks.ts'
import { idPins } from './id-pins.ts'
import { planGroups, type Distinct, type GroupAnswer, type GroupsRequest } from './plan-groups.ts'
import { planConditions } from './plan-conditions.ts'
import { AnalysedQuery } from '../query/analysed-query.ts'
import { planSlots, type SlotOptions } from '../query/query-words.ts'
import { parseSort } from '../expressions/sort-language.ts'
import { orderByVector, planMeaning, planVector, type VectorRequest } from './plan-vector.ts'
import type { StopwordRules } from '../words/stopword-rules.ts'
import type { SynonymRules } from '../words/synonym-rules.ts'

/** The parameters of a search that affect hits, order and counts. */
export interface PlanRequest extends GroupsRequest {
  readonly q: string
  readonly per_page?: number | undefined
  readonly page?: number | undefined
  readonly search_fields?: readonly string[] | undefined
  readonly field_weights?: Readonly<Record<string, number>> | undefined
  readonly filter_by?: string | undefined
  readonly filters?: unknown
  readonly facet_by?: string | readonly string[] | undefined
  readonly facet_query?: string | undefined
  readonly facet_mode?: 'conjunctive' | 'disjunctive' | undefined
  readonly max_values?: number | undefined
  readonly sort_by?: string | readonly string[] | undefined
  readonly vector?: VectorRequest | undefined
  readonly typo_max?: number | undefined
  readonly typo_min_len_1?: number | undefined
  readonly typo_min_len_2?: number | undefined
  readonly typo_numbers?: boolean | undefined
  readonly prefix_mode?: 'always' | 'fallback' | 'off' | undefined
  readonly infix_mode?: 'always' | 'fallback' | 'off' | undefined
  readonly require_all_terms?: boolean | 'auto' | undefined
  readonly stopwords?: boolean | undefined
  readonly min_relevance?: number | undefined
  readonly exact_match_boost?: boolean | undefined
  readonly explain?: boolean | undefined
  readonly search_timeout_ms?: number | undefined
  readonly widget_mode?: boolean | undefined
}

/** `/v1/filters`: a search only for its facets, by default for all documents and all facets. */
export type FiltersPlanRequest = Omit<PlanRequest, 'q'> & { readonly q?: string | undefined }

export interface PlanContext {
  readonly schema: Schema
  /** The analyzer of the store's documents. */
  readonly analyzer: Analyzer
  /** `performance.now()` when the request arrived; the search's time limit runs from here. */
  readonly nowMs: number
  /** The reference for dates in expressions. If absent, there is no `now`, and dates are in UTC. */
  readonly dates?: DateContext | undefined
  /** The collections that its filters may name. */
  readonly collections?: Collections | undefined
  /** Maximum milliseconds for the search, for any request. */
  readonly timeoutMaxMs?: number
  /** Milliseconds for a request that names no limit, whatever the maximum. */
  readonly timeoutDefaultMs?: number | undefined
  /** Words of a title before what the product is for count more. */
  readonly accessoriesDown?: boolean
  /** A number of the shop that multiplies points. */
  readonly numeric?: PlannedNumeric | undefined
  /** Default groups of searches that do not set them. */
  readonly distinct?: Distinct | undefined
  /** Fields whose values are never shown. */
  readonly omitted?: readonly string[] | undefined
  /** The sets that apply, compiled for this analyzer. */
  readonly synonyms?: readonly SynonymRules[]
  readonly stopwords?: readonly StopwordRules[]
}

export interface PlannedSearch {
  readonly plan: SearchPlan
  readonly query: AnalysedQuery
  /** Absent: the plan has no groups. */
  readonly groupAnswer?: GroupAnswer
  /** The words of the query; none for `*` and other queries without words. */
  readonly words: readonly QuerySlot[]
  readonly warnings: readonly string[]
}

/**
 * The plan stage: turns a request with checked types and ranges into everything that a search
 * backend needs. Pure.
 *
 * @param query analysis of `request.q`, if it exists already
 * @throws ApiError 400 that names the parameter
 */
export function planSearch(
  request: PlanRequest,
  context: PlanContext,
  query = new AnalysedQuery(request.q, context.analyzer),
): PlannedSearch {
  const { schema, analyzer, nowMs, synonyms = [], stopwords = [] } = context
  const warnings: string[] = []
  const { syntax } = query
  const conditions = planConditions(request.q, syntax, analyzer, warnings)
  const isPlain = conditions.phrases.length === 0 && conditions.exclusions.length === 0
  const text = isPlain ? request.q : syntax.text
  const tokens = isPlain ? query.tokens : query.soughtTokens
  const typos = {
    typoMax: request.typo_max ?? TYPO_MAX,
    typoMinLen1: request.typo_min_len_1 ?? TYPO_MIN_LEN_1_DEFAULT_CHARS,
    typoMinLen2: request.typo_min_len_2 ?? TYPO_MIN_LEN_2_DEFAULT_CHARS,
    typoNumbers: request.typo_numbers ?? false,
  }
  const options: SlotOptions = {
    quoted: isPlain ? [] : syntax.phrases,
    typoMax: typos.typoMax,
    typoMinLen1: typos.typoMinLen1,
    typoMinLen2: typos.typoMinLen2,
    typoNumbers: typos.typoNumbers,
    prefixMode: request.widget_mode === true ? 'always' : (request.prefix_mode ?? 'always'),
    synonyms,
    stopwords,
    hasStopwords: request.stopwords !== false,
    // Every match has the measure, and a unit that is still being typed may be in no document.
    hasMeasureParts: request.require_all_terms !== true,
    onSynonymsCut: () =>
      warnings.push(`Only the first ${SYNONYMS_PER_WORD_MAX} synonyms of a word are searched`),
    infixMode: request.infix_mode ?? 'off',
    fieldLanguages: languagesOf(schema, analyzer),
    fieldAnalyzers: separatingAnalyzers(schema, analyzer),
  }
  const allWords = planSlots(text, analyzer, options, tokens)
  const words = allWords.slice(0, QUERY_WORDS_MAX)
  if (words.length < allWords.length) {
    warnings.push(`Only the first ${QUERY_WORDS_MAX} different words of the query are searched`)
  }
  const salience = fieldSalience(schema)
  const warn: Warn = (warning) => warnings.push(warning)
  const { dates, collections } = context
  const near = planVector(request.vector, schema)
  const asked = planRequestFilter(request, context, warn)
  // Without words, the nearest are searched for: documents without a vector are not.
  const filter =
    near === undefined || words.length > 0
      ? asked
      : allOf(asked === undefined ? [near.filter] : [asked, near.filter])
  const size = request.per_page ?? PER_PAGE_DEFAULT
  const page = Math.min(request.page ?? 1, PAGE_MAX)
  const fieldWeights = planWeights(request, schema, salience, warnings)
  const shown = shownSchema(schema, context.omitted)
  const isGrouping = request.group_by !== undefined
  const grouped = planGroups(request, isGrouping ? shown : schema, context.distinct)
  const marks = accessoryMarks(analyzer, tokens)
  // Lists each member, because V8 needs an extra call for a member after a spread.
  const plan: Draft<SearchPlan> = {
    slots: words,
    fieldWeights,
    lengthNorms: salience.lengthNorms,
    titleField: salience.titleField,
    requireAllTerms: request.require_all_terms ?? 'auto',
    phrases: conditions.phrases,
    exclusions: conditions.exclusions,
    exactValue: request.exact_match_boost === false ? [] : formsOf(tokens, allWords),
    exactValueFields: exactValueFields(request, schema, fieldWeights),
    pins: idPins(request.q),
    boosts: [],
    sort: orderByVector(
      parseSort(request.sort_by, schema, analyzer, { warn, dates, collections, near: near?.order }),
      near,
      words.length > 0,
    ),
    facets: parseFacets(
      request.facet_by,
      { facetQuery: request.facet_query, maxValues: request.max_values, typos, dates },
      shown,
      analyzer,
    ),
    disjunctiveFacets: request.facet_mode === 'disjunctive',
    from: (page - 1) * size,
    size,
    explain: request.explain ?? false,
    deadlineMs: nowMs + planTimeout(request, context, warnings),
  }
  if (marks !== undefined) plan.accessoryMarks = marks
  if (context.accessoriesDown === true) plan.accessoriesDown = true
  if (context.numeric !== undefined) plan.numeric = context.numeric
  if (request.min_relevance !== undefined) plan.minRelevance = request.min_relevance
  if (filter !== undefined) plan.filter = filter
  if (request.vector !== undefined && near !== undefined && words.length > 0) {
    if (isByScore(plan.sort[0])) {
      plan.meaning = planMeaning(request.q, plan, request.vector, near.order)
    } else {
      warnings.push(
        '`vector` has no effect on a query with words unless `_text_match` is the first sort key',
      )
    }
  }
  const planned: Draft<PlannedSearch> = { plan, query, words, warnings }
  if (grouped !== undefined) {
    plan.groups = grouped.groups
    planned.groupAnswer = grouped.answer
  }
  return planned
}

type Draft<T> = { -readonly [K in keyof T]: T[K] }

/** Milliseconds that a search may take. */
function planTimeout(
  { search_timeout_ms: given }: PlanRequest,
  { timeoutMaxMs = SEARCH_TIMEOUT_DEFAULT_MS, timeoutDefaultMs }: PlanContext,
  warnings: string[],
): number {
  if (given === undefined && timeoutDefaultMs !== undefined) return timeoutDefaultMs
  const asked = given ?? SEARCH_TIMEOUT_DEFAULT_MS
  if (asked <= timeoutMaxMs) return asked
  if (asked !== SEARCH_TIMEOUT_DEFAULT_MS) {
    warnings.push(`search_timeout_ms is reduced to ${timeoutMaxMs}, the maximum of this service`)
  }
  return timeoutMaxMs
}

/** The plan stage of `/v1/filters`: no hits, every facet unless some are named. */
export function planFilters(
  request: FiltersPlanRequest,
  context: PlanContext,
  query?: AnalysedQuery,
): PlannedSearch {
  return planSearch(
    {
      ...request,
      q: request.q ?? '*',
      facet_by: request.facet_by ?? '*',
      per_page: 0,
      page: 1,
      sort_by: undefined,
      group_by: [],
      exact_match_boost: false,
    },
    context,
    query,
  )
}

const NO_ANALYZERS: readonly Analyzer[] = []

/** Analyzers of the languages of fields, besides the store's. */
function languagesOf({ fields }: Schema, { language: own }: Analyzer): readonly Analyzer[] {
  if (fields.every(({ language }) => language === undefined)) return NO_ANALYZERS
  const analyzers = fields.flatMap(({ language }) =>
    language === undefined ? [] : [createAnalyzer(language)],
  )
  return [...new Set(analyzers)].filter(({ language }) => language !== own)
}

/**
 * Analyzers of fields with other separators than the store. Their words have no stems of other
 * languages, because the query has these already.
 */
function separatingAnalyzers({ fields }: Schema, analyzer: Analyzer): readonly Analyzer[] {
  if (fields.every(({ separators }) => separators === undefined)) return NO_ANALYZERS
  const own = fields.flatMap(({ separators }) =>
    separators === undefined || separators === (analyzer.separators ?? '') ? [] : [separators],
  )
  return [...new Set(own)].map((separators) => {
    const symbols = [...(analyzer.symbols ?? '')].filter((symbol) => !separators.includes(symbol))
    return fieldAnalyzer(analyzer, { symbols: symbols.join(''), separators })
  })
}

/** The forms of the whole query, as a value would have them; empty if it has no words (`*`). */
function formsOf(tokens: readonly Token[], words: readonly QuerySlot[]): readonly string[] {
  if (words.length === 0) return []
  return tokens.filter((token) => token.kind !== 'joined').map((token) => token.form)
}

/**
 * A request for exact matches covers every searched field except lists; by default only fields with
 * a high weight count.
 */
function exactValueFields(
  { exact_match_boost: asked }: PlanRequest,
  { fields }: Schema,
  fieldWeights: readonly number[],
): readonly boolean[] {
  const heavy = heavyFields(fieldWeights)
  if (asked !== true) return heavy
  return fields.map(({ type }, ordinal) => heavy[ordinal]! || !isArrayType(type))
}

/** The part of a plan's context that a filter depends on. */
export type FilterPlace = Pick<PlanContext, 'schema' | 'analyzer' | 'dates' | 'collections'>

/** `filter_by` and `filters`, both. */
export function planRequestFilter(
  request: Pick<PlanRequest, 'filter_by' | 'filters'>,
  { schema, analyzer, dates, collections }: FilterPlace,
  warn?: Warn,
): FilterNode | undefined {
  const nodes: FilterNode[] = []
  if (request.filter_by !== undefined && request.filter_by.trim() !== '') {
    nodes.push(parseFilter(request.filter_by, schema, analyzer, { warn, dates, collections }))
  }
  const fromObject = parseFiltersObject(request.filters, schema, analyzer, dates, warn)
  if (fromObject !== undefined) nodes.push(fromObject)
  return nodes.length === 0 ? undefined : allOf(nodes)
}

/**
 * Weights by field ordinal. Without `field_weights`, the salience of the fields; with them, fields
 * that are not named weigh 1. `search_fields` alone selects the searched fields.
 */
function planWeights(
  request: PlanRequest,
  schema: Schema,
  salience: Salience,
  warnings: string[],
): readonly number[] {
  const asked = request.search_fields ?? []
  const searched = asked.flatMap((name, index) =>
    requireSearchable(schema, name, `search_fields[${index}]`),
  )
  // Longer names are more specific: `specs.color` overrides `specs.*`.
  const named = Object.entries(request.field_weights ?? {}).sort(byNameLength)
  const given = named.flatMap(([name, weight]) => {
    const param = `field_weights.${name}`
    const ordinals = requireSearchable(schema, name, param)
    if (!(weight >= 0 && weight <= FIELD_WEIGHT_MAX)) {
      throw new ApiError(
        'invalid_parameter',
        `\`${param}\` must be a number from 0 to ${FIELD_WEIGHT_MAX}.`,
        { param },
      )
    }
    return ordinals.map((ordinal) => [ordinal, weight] as const)
  })
  if (asked.length === 0 && named.length === 0) return salience.weights
  const isSearched =
    asked.length === 0
      ? schema.fields.map((field) => field.searchable)
      : schema.fields.map((_, ordinal) => searched.includes(ordinal))
  const byOrdinal = new Map(given)
  for (const ordinal of byOrdinal.keys()) {
    if (isSearched[ordinal] === true) continue
    const { name } = schema.fields[ordinal]!
    warnings.push(`field_weights.${name} has no effect: the field is not among search_fields.`)
  }
  return schema.fields.map((_, ordinal) => {
    if (isSearched[ordinal] !== true) return 0
    return named.length === 0 ? salience.weights[ordinal]! : (byOrdinal.get(ordinal) ?? 1)
  })
}

function byNameLength([a]: readonly [string, number], [b]: readonly [string, number]): number {
  return a.length - b.length
}
