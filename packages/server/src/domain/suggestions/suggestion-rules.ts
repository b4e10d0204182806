import {
  ApiError,
  SUGGESTED_CATEGORIES_MAX,
  SUGGESTED_FACETS_MAX,
  SUGGESTION_TIME_RANGES,
  SUGGESTIONS_PER_PAGE_MAX,
  type GivenSuggestionsConfig,
  type StoreSuggestionsConfig,
} from '@aisle/contract'
import type { Analyzer } from '@aisle/engine'
import { readQuery, readSuggested, type QueryText, type SuggestedText } from '@aisle/suggestions'

const DEFAULTS: StoreSuggestionsConfig = {
  max_suggestions: SUGGESTIONS_PER_PAGE_MAX,
  max_categories: SUGGESTED_CATEGORIES_MAX,
  max_facets: SUGGESTED_FACETS_MAX,
  supported_time_ranges: [...SUGGESTION_TIME_RANGES],
  personalization_enabled: true,
  typo_tolerance_enabled: true,
  min_query_length: 1,
  blocklist: [],
  allowlist: [],
  pinned: [],
  min_sessions: 1,
  min_networks: 1,
}

/** The configuration in force. */
export function completeConfig(given: GivenSuggestionsConfig): StoreSuggestionsConfig {
  return { ...DEFAULTS, ...given }
}

/** Rejects texts that can never take effect. @throws ApiError invalid_parameter */
export function checkSuggestionsConfig(given: GivenSuggestionsConfig, analyzer: Analyzer): void {
  for (const list of ['blocklist', 'allowlist'] as const) {
    for (const [i, text] of (given[list] ?? []).entries()) {
      if (stemsOf(text, analyzer).length > 0) continue
      throw refused(`${list}[${i}]`, 'must have a word in it')
    }
  }
  for (const [i, { query }] of (given.pinned ?? []).entries()) {
    if (readQuery(query, analyzer) !== undefined) continue
    throw refused(
      `pinned[${i}].query`,
      'must be a query of up to 10 words that does not look like personal data (an address, a long number), markup or a link',
    )
  }
}

function refused(param: string, expected: string): ApiError {
  return new ApiError('invalid_parameter', `Parameter \`${param}\` ${expected}`, { param })
}

/** A manual entry, compiled for comparison with the typed text. */
export interface PinnedQuery extends QueryText, SuggestedText {
  readonly popularity: number
}

/** A configuration, compiled for the language of a store. */
export class SuggestionRules {
  readonly config: StoreSuggestionsConfig
  readonly pinned: readonly PinnedQuery[]
  /** Keys of the only queries that may be suggested; undefined: all. */
  readonly allowed: ReadonlySet<string> | undefined
  /** Blocked stems side by side, by the first of them. */
  readonly #blocked = new Map<string, (readonly string[])[]>()

  constructor(config: StoreSuggestionsConfig, analyzer: Analyzer) {
    this.config = config
    const pinned = new Map<string, PinnedQuery>()
    for (const { query, popularity } of config.pinned) {
      const text = readQuery(query, analyzer)
      if (text === undefined || pinned.has(text.key)) continue
      pinned.set(text.key, { ...text, ...readSuggested(text.shown, analyzer), popularity })
    }
    this.pinned = [...pinned.values()]
    const allowed = config.allowlist.map((text) => stemsOf(text, analyzer).join(' '))
    this.allowed = allowed.length === 0 ? undefined : new Set(allowed)
    for (const text of config.blocklist) {
      const stems = stemsOf(text, analyzer)
      const first = stems[0]
      if (first === undefined) continue
      this.#blocked.set(first, [...(this.#blocked.get(first) ?? []), stems])
    }
  }

  /** @param stems of the words of a suggestion, in order */
  blocks(stems: readonly string[]): boolean {
    if (this.#blocked.size === 0) return false
    return stems.some((stem, at) =>
      this.#blocked.get(stem)?.some((phrase) => phrase.every((part, i) => stems[at + i] === part)),
    )
  }
}

export function stemsOf(text: string, analyzer: Analyzer): string[] {
  return analyzer
    .analyze(text)
    .flatMap(({ kind, form }) => (kind === 'joined' ? [] : [analyzer.stem(form)]))
}
