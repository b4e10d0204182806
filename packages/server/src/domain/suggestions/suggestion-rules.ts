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
import type { Steps } from '../turns/gradual.ts'

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

/** Rejects texts that can never take effect, in steps. @throws ApiError invalid_parameter */
export function* checkSuggestionsConfig(
  given: GivenSuggestionsConfig,
  analyzer: Analyzer,
): Steps<void> {
  for (const list of ['blocklist', 'allowlist'] as const) {
    for (const [i, text] of (given[list] ?? []).entries()) {
      yield
      if (stemsOf(text, analyzer).length > 0) continue
      throw refused(`${list}[${i}]`, 'must contain a word')
    }
  }
  for (const [i, { query }] of (given.pinned ?? []).entries()) {
    yield
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
  /** Blocked stems side by side, joined by blanks, and the number of the longest. */
  readonly #blocked: ReadonlySet<string>
  readonly #blockedLength: number

  private constructor(
    config: StoreSuggestionsConfig,
    pinned: readonly PinnedQuery[],
    allowed: ReadonlySet<string> | undefined,
    blocked: readonly (readonly string[])[],
  ) {
    this.config = config
    this.pinned = pinned
    this.allowed = allowed
    this.#blocked = new Set(blocked.map((stems) => stems.join(' ')))
    this.#blockedLength = blocked.reduce((longest, { length }) => Math.max(longest, length), 0)
  }

  /** In steps: the largest configuration takes 50 ms and more. */
  static *compile(
    config: StoreSuggestionsConfig,
    analyzer: Analyzer,
  ): Generator<void, SuggestionRules> {
    const pinned = new Map<string, PinnedQuery>()
    for (const { query, popularity } of config.pinned) {
      yield
      const text = readQuery(query, analyzer)
      if (text === undefined || pinned.has(text.key)) continue
      pinned.set(text.key, { ...text, ...readSuggested(text.shown, analyzer), popularity })
    }
    const allowed = new Set<string>()
    for (const text of config.allowlist) {
      yield
      allowed.add(stemsOf(text, analyzer).join(' '))
    }
    const blocked: string[][] = []
    for (const text of config.blocklist) {
      yield
      const stems = stemsOf(text, analyzer)
      if (stems.length > 0) blocked.push(stems)
    }
    const onlyAllowed = allowed.size === 0 ? undefined : allowed
    return new SuggestionRules(config, [...pinned.values()], onlyAllowed, blocked)
  }

  /** @param stems of the words of a suggestion, in order */
  blocks(stems: readonly string[]): boolean {
    if (this.#blocked.size === 0) return false
    for (let from = 0; from < stems.length; from++) {
      const toMax = Math.min(stems.length, from + this.#blockedLength)
      let phrase = ''
      for (let to = from; to < toMax; to++) {
        phrase = to === from ? stems[to]! : `${phrase} ${stems[to]}`
        if (this.#blocked.has(phrase)) return true
      }
    }
    return false
  }
}

export function stemsOf(text: string, analyzer: Analyzer): string[] {
  return analyzer
    .analyze(text)
    .flatMap(({ kind, form }) => (kind === 'joined' ? [] : [analyzer.stem(form)]))
}
