import {
  isObject,
  ApiError,
  CACHE_MAX_BYTES_DEFAULT,
  CACHE_TTL_DEFAULT_SECONDS,
  CARD_ROLES,
  EVENT_BYTES_PER_DAY_DEFAULT,
  EVENT_RETENTION_DEFAULT_DAYS,
  LEARNING_LIMIT_DEFAULT,
  GivenSettings,
  EXPERIMENT_DAYS_MAX,
  PERSONALIZE_LIMIT_DEFAULT,
  RANKING_PARAMETERS,
  TYPO_MAX,
  TYPO_MIN_LEN_1_DEFAULT_CHARS,
  TYPO_MIN_LEN_2_DEFAULT_CHARS,
  type SearchParameters,
} from '@aisle/contract'
import { parameterReader } from '@aisle/contract/check'
import { analysisName, characterList, type Analyzer, type Schema } from '@aisle/engine'
import { ordinalsNamed, requireField, requireNamed } from '../documents/field-lookup.ts'
import { requireGroupable, requireSearchable } from '../documents/field-lookup.ts'
import { hasReadablePrice, hasReadableValues } from '../documents/readable-field.ts'
import { checkFacetDisplay } from './facet-display.ts'
import { readNumeric } from './numeric-rank.ts'
import { checkPersonalize } from './personalize-setting.ts'
import { withSemanticDefaults } from './semantic-settings.ts'
import { parseInstant } from '../values/iso-instant.ts'
import { canonicalLanguage, DEFAULT_LANGUAGE } from '../values/language-tag.ts'
import { inBoth, readSymbols } from '../values/symbol-list.ts'
import { ANY_TIME } from '../values/date-literal.ts'
import { parseSort } from '../expressions/sort-language.ts'

const readSettings = parameterReader<GivenSettings>(GivenSettings)

/** RFC 7396, section 2. Objects are copied; `__proto__` is an ordinary key. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged = new Map(isObject(target) ? Object.entries(target) : [])
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key)
    else merged.set(key, mergePatch(merged.get(key), value))
  }
  return Object.fromEntries(merged)
}

/**
 * Checks settings as a whole, and the parts that name fields against the schema.
 *
 * @param settings unchecked
 * @param changed parts that a change touches. The others were valid when they were set, and a new
 *   schema must not prevent a change of the language
 * @returns the settings, with the canonical spelling of the language
 * @throws ApiError
 */
export function checkSettings(
  settings: unknown,
  changed: ReadonlySet<string>,
  schema: Schema,
  analyzer: Analyzer,
): GivenSettings {
  const given = readSettings(withoutEmpty(settings))
  for (const [i, origin] of (given.cors_origins ?? []).entries()) {
    checkOrigin(origin, `cors_origins[${i}]`)
  }
  if (changed.has('product_card')) checkCard(given, schema)
  if (changed.has('popularity_trial')) checkTrial(given)
  if (changed.has('ranking')) checkRanking(given, schema, analyzer)
  if (changed.has('omit_fields')) {
    for (const [i, name] of (given.omit_fields ?? []).entries()) {
      requireNamed(schema, name, `omit_fields[${i}]`)
    }
  }
  if (changed.has('facet_display') && given.facet_display !== undefined) {
    checkFacetDisplay(given.facet_display, schema)
  }
  if (changed.has('interpretation')) checkInterpretation(given, schema)
  if (changed.has('distinct') && given.distinct !== undefined) {
    requireGroupable(schema, given.distinct.field, 'distinct.field')
  }
  checkSymbols(given)
  return given.language === undefined
    ? given
    : { ...given, language: checkedLanguage(given.language) }
}

/** A patch that removes all members leaves an empty object, which means that the store has none. */
function withoutEmpty(settings: unknown): unknown {
  if (!isObject(settings)) return settings
  const isEmpty = (name: string, value: unknown) =>
    (name === 'distinct' || name === 'semantic' || name === 'facet_display') &&
    isObject(value) &&
    Object.keys(value).length === 0
  return Object.fromEntries(Object.entries(settings).filter((entry) => !isEmpty(...entry)))
}

/** @throws ApiError invalid_parameter */
function checkedLanguage(tag: string): string {
  const language = canonicalLanguage(tag)
  if (language !== undefined) return language
  throw new ApiError(
    'invalid_parameter',
    `Parameter \`language\` must be a BCP 47 tag such as \`en\` or \`pt-BR\`, received ${JSON.stringify(tag)}`,
    { param: 'language' },
  )
}

/** @throws ApiError invalid_parameter */
function checkSymbols({ symbols_to_index = [], token_separators = [] }: GivenSettings): void {
  const refused = (param: string, problem: string) =>
    new ApiError('invalid_parameter', `Parameter \`${param}\` ${problem}`, { param })
  const lists = { symbols_to_index, token_separators }
  const [symbols = ''] = Object.entries(lists).map(([name, list]) => {
    const read = readSymbols(list)
    if (typeof read === 'string') return read
    throw refused(`${name}[${read.at}]`, read.message)
  })
  const at = inBoth(symbols, token_separators)
  if (at >= 0) throw refused(`token_separators[${at}]`, 'is also in symbols_to_index')
}

/** Returns the name of the analysis that settings require. */
export function analysisOf(given: GivenSettings): string {
  const { language = DEFAULT_LANGUAGE, symbols_to_index, token_separators } = given
  const characters = (list: readonly string[] = []): string => {
    const read = readSymbols(list)
    return typeof read === 'string' ? characterList(read) : ''
  }
  const [symbols, separators] = [characters(symbols_to_index), characters(token_separators)]
  return analysisName({ language, symbols, separators })
}

function checkOrigin(origin: string, param: string): void {
  if (origin === '*') return
  const url = URL.canParse(origin) ? new URL(origin) : undefined
  if (url !== undefined && url.origin === origin && /^https?:$/.test(url.protocol)) return
  throw new ApiError(
    'invalid_parameter',
    `Parameter \`${param}\` must be an origin such as \`https://shop.example.com\` (scheme, host and port only), or \`*\``,
    { param },
  )
}

/** @throws ApiError invalid_parameter */
function checkTrial({ popularity_trial: trial }: GivenSettings): void {
  if (trial === undefined) return
  const [from, until] = (['from', 'until'] as const).map((name) => {
    const ms = parseInstant(trial[name])
    if (ms !== undefined) return ms
    throw new ApiError(
      'invalid_parameter',
      `Parameter \`popularity_trial.${name}\` must be an ISO 8601 time with an offset, such as \`2026-01-31T00:00:00Z\``,
      { param: `popularity_trial.${name}` },
    )
  }) as [number, number]
  if (until > from && until - from <= EXPERIMENT_DAYS_MAX * 86_400_000) return
  throw new ApiError(
    'invalid_parameter',
    `Parameter \`popularity_trial.until\` must be later than \`from\`, by at most ${EXPERIMENT_DAYS_MAX} days`,
    { param: 'popularity_trial.until' },
  )
}

function checkCard({ product_card: card = {} }: GivenSettings, schema: Schema): void {
  for (const role of CARD_ROLES) {
    const name = card[role]
    if (name !== undefined) requireField(schema, name, { param: `product_card.${role}` })
  }
  for (const [i, name] of (card.metadata ?? []).entries()) {
    requireField(schema, name, { param: `product_card.metadata[${i}]` })
  }
}

function checkInterpretation({ interpretation = {} }: GivenSettings, schema: Schema): void {
  const { price_field: price, fields = [] } = interpretation
  if (price !== undefined) {
    const param = 'interpretation.price_field'
    const { field } = requireField(schema, price, { param })
    if (!hasReadablePrice(field)) {
      throw new ApiError(
        'invalid_parameter',
        `\`${param}\` must be a single number that is a facet or sortable, \`${price}\` is ${field.type}.`,
        { param },
      )
    }
  }
  for (const [i, name] of fields.entries()) {
    const param = `interpretation.fields[${i}]`
    const { field } = requireField(schema, name, { param })
    if (hasReadableValues(field)) continue
    throw new ApiError(
      'invalid_parameter',
      `\`${param}\` must be a facet of type string or string[], \`${name}\` is not.`,
      { param },
    )
  }
}

function checkRanking({ ranking = {} }: GivenSettings, schema: Schema, analyzer: Analyzer): void {
  for (const name of Object.keys(ranking.field_weights ?? {})) {
    requireSearchable(schema, name, `ranking.field_weights.${name}`)
  }
  checkPersonalize(ranking.personalize, schema)
  if (ranking.numeric !== undefined) readNumeric(ranking.numeric, schema, ANY_TIME)
  try {
    parseSort(ranking.sort_by, schema, analyzer, { dates: ANY_TIME })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError(error.code, error.message, { param: 'ranking.sort_by', cause: error })
  }
}

type Ranking = Pick<SearchParameters, (typeof RANKING_PARAMETERS)[number]>

/**
 * The default ranking for a request. Parts that a later schema made invalid are ignored: a search
 * must not fail because of an old setting.
 */
export function rankingDefaults(
  { ranking = {} }: GivenSettings,
  request: Ranking & Pick<SearchParameters, 'search_fields'>,
  schema: Schema,
  analyzer: Analyzer,
): Ranking {
  const defaults: Ranking = {}
  if (request.field_weights === undefined && ranking.field_weights !== undefined) {
    const { search_fields: searched = [] } = request
    const ordinals = searched.flatMap((name) => ordinalsNamed(schema, name))
    const isSearched = searched.length === 0 ? undefined : new Set(ordinals)
    const weights = Object.entries(ranking.field_weights).filter(([name]) => {
      const meant = ordinalsNamed(schema, name).filter((i) => schema.fields[i]!.searchable)
      return meant.some((i) => isSearched === undefined || isSearched.has(i))
    })
    if (weights.length > 0) defaults.field_weights = Object.fromEntries(weights)
  }
  if (request.sort_by === undefined && ranking.sort_by !== undefined) {
    if (isSort(ranking.sort_by, schema, analyzer)) defaults.sort_by = ranking.sort_by
  }
  const plain = PLAIN_PARAMETERS.filter(
    (name) => request[name] === undefined && ranking[name] !== undefined,
  )
  return { ...defaults, ...Object.fromEntries(plain.map((name) => [name, ranking[name]])) }
}

/** The parts that no schema can make invalid. */
const PLAIN_PARAMETERS = RANKING_PARAMETERS.filter(
  (name) => name !== 'field_weights' && name !== 'sort_by',
)

function isSort(sortBy: Ranking['sort_by'], schema: Schema, analyzer: Analyzer): boolean {
  try {
    parseSort(sortBy, schema, analyzer, { dates: ANY_TIME })
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

/** Fills in every setting that has a default. */
export function withDefaults(given: GivenSettings) {
  const { language, cors_origins, identity, ranking, cache, events } = given
  return {
    language: language ?? DEFAULT_LANGUAGE,
    symbols_to_index: given.symbols_to_index ?? [],
    token_separators: given.token_separators ?? [],
    cors_origins: cors_origins ?? [],
    identity: identity ?? ('open' as const),
    ranking: {
      field_weights: ranking?.field_weights ?? null,
      sort_by: ranking?.sort_by ?? null,
      min_relevance: ranking?.min_relevance ?? 0,
      popularity_weight: ranking?.popularity_weight ?? 0,
      learning: ranking?.learning ?? ('off' as const),
      learning_limit: ranking?.learning_limit ?? LEARNING_LIMIT_DEFAULT,
      numeric: ranking?.numeric ?? null,
      personalize: ranking?.personalize
        ? {
            limit: ranking.personalize.limit ?? PERSONALIZE_LIMIT_DEFAULT,
            fields: ranking.personalize.fields ?? null,
          }
        : null,
      accessories: ranking?.accessories ?? ('off' as const),
      typo_max: ranking?.typo_max ?? TYPO_MAX,
      typo_min_len_1: ranking?.typo_min_len_1 ?? TYPO_MIN_LEN_1_DEFAULT_CHARS,
      typo_min_len_2: ranking?.typo_min_len_2 ?? TYPO_MIN_LEN_2_DEFAULT_CHARS,
      typo_numbers: ranking?.typo_numbers ?? false,
      prefix_mode: ranking?.prefix_mode ?? ('always' as const),
      infix_mode: ranking?.infix_mode ?? ('off' as const),
      require_all_terms: ranking?.require_all_terms ?? ('auto' as const),
      exact_match_boost: ranking?.exact_match_boost ?? null,
    },
    popularity_trial: given.popularity_trial ?? null,
    distinct: given.distinct ?? null,
    omit_fields: given.omit_fields ?? [],
    facet_display: given.facet_display ?? null,
    interpretation: {
      mode: given.interpretation?.mode ?? ('off' as const),
      price_field: given.interpretation?.price_field ?? null,
      fields: given.interpretation?.fields ?? null,
    },
    semantic: withSemanticDefaults(given.semantic),
    cache: {
      ttl_seconds: cache?.ttl_seconds ?? CACHE_TTL_DEFAULT_SECONDS,
      max_bytes: cache?.max_bytes ?? CACHE_MAX_BYTES_DEFAULT,
    },
    events: {
      retention_days: events?.retention_days ?? EVENT_RETENTION_DEFAULT_DAYS,
      max_bytes_per_day: events?.max_bytes_per_day ?? EVENT_BYTES_PER_DAY_DEFAULT,
    },
  }
}
