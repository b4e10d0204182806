import {
  ApiError,
  DOCUMENT_ID_MAX_BYTES,
  RULE_METADATA_MAX_BYTES,
  RULE_URL_MAX_CHARS,
  type ErrorCode,
  type ErrorDetail,
  type PutRuleRequest,
  type RuleCondition,
} from '@aisle/contract'
import type { Analyzer, Schema } from '@aisle/engine'
import { ANY_TIME } from '../values/date-literal.ts'
import type { Collections } from '../expressions/collections.ts'
import { parseFilter, type FilterOptions } from '../expressions/filter-parser.ts'
import { exactJson } from '../json/json-exact.ts'
import { parseSort } from '../expressions/sort-language.ts'
import { checkFacetDisplay } from '../store/facet-display.ts'
import { scheduleProblems } from './schedule-check.ts'
import type { Strategies } from './strategies.ts'

/** Members that a search response fills in itself. */
const METADATA_RESERVED = ['banner', 'banners', 'redirect'] as const
const DETAILS_MAX = 20

/** What a rule is checked against. */
export interface RuleContext {
  readonly schema: Schema
  readonly analyzer: Analyzer
  readonly strategies: Strategies
  readonly collections: Collections
}

/**
 * Checks a rule beyond the schema of the contract.
 *
 * @throws ApiError that lists everything that is wrong, each with its place
 */
export function checkRule(
  rule: PutRuleRequest,
  { schema, analyzer, strategies, collections }: RuleContext,
): void {
  const check = new RuleCheck(schema, analyzer, collections)
  rule.when?.forEach((condition, i) => check.condition(condition, `when[${i}]`))
  check.strategy(rule, strategies)
  check.schedule(rule)
  check.documents(rule)
  rule.boost?.forEach((boost, i) => check.filter(boost.filter_by, `boost[${i}].filter_by`))
  check.filter(rule.filter_by, 'filter_by')
  check.sort(rule.sort_by)
  check.query(rule)
  check.answer(rule)
  check.facets(rule)
  const details = check.details.slice(0, DETAILS_MAX)
  const [first] = details
  if (first === undefined) return
  throw new ApiError(first.code, first.message, { param: first.param, details })
}

class RuleCheck {
  readonly details: ErrorDetail[] = []
  readonly #schema: Schema
  readonly #analyzer: Analyzer
  readonly #collections: Collections

  constructor(schema: Schema, analyzer: Analyzer, collections: Collections) {
    this.#schema = schema
    this.#analyzer = analyzer
    this.#collections = collections
  }

  condition({ query, match, filter_by }: RuleCondition, param: string): void {
    const comparesWords = match === undefined ? query !== undefined : !isWordless(match)
    if (comparesWords && query === undefined) {
      this.#complain(
        `${param}.query`,
        `is required: \`match\` is \`${match}\``,
        'missing_parameter',
      )
    } else if (comparesWords && !this.#hasWords(query!)) {
      this.#complain(`${param}.query`, 'must contain a word')
    } else if (!comparesWords && query !== undefined && !isBlankQuery(query)) {
      this.#complain(`${param}.query`, `must be left out: \`match\` is \`${match}\``)
    }
    this.filter(filter_by, `${param}.filter_by`)
  }

  strategy({ strategy }: PutRuleRequest, strategies: Strategies): void {
    if (strategy === undefined || strategies.has(strategy)) return
    this.#complain('strategy', 'must name a strategy of this store: create it first')
  }

  schedule({ schedule }: PutRuleRequest): void {
    this.details.push(...scheduleProblems(schedule))
  }

  documents({ pin = [], hide = [] }: PutRuleRequest): void {
    const pinned = new Map<string, number>()
    const positions = new Map<number, number>()
    for (const [i, { id, position }] of pin.entries()) {
      this.#documentId(id, `pin[${i}].id`)
      if (pinned.has(id)) this.#complain(`pin[${i}].id`, `is also pinned by pin[${pinned.get(id)}]`)
      else pinned.set(id, i)
      const other = positions.get(position)
      if (other !== undefined)
        this.#complain(`pin[${i}].position`, `is already used by pin[${other}]`)
      else positions.set(position, i)
    }
    for (const [i, id] of hide.entries()) {
      this.#documentId(id, `hide[${i}]`)
      if (pinned.has(id)) this.#complain(`hide[${i}]`, `is pinned by pin[${pinned.get(id)}]`)
    }
  }

  filter(text: string | undefined, param: string): void {
    if (text === undefined) return
    this.#try(param, () =>
      parseFilter(text, this.#schema, this.#analyzer, { param, ...this.#options }),
    )
  }

  sort(sortBy: PutRuleRequest['sort_by']): void {
    if (sortBy !== undefined) {
      this.#try('sort_by', () => parseSort(sortBy, this.#schema, this.#analyzer, this.#options))
    }
  }

  facets({ facet_display: display }: PutRuleRequest): void {
    if (display === undefined) return
    this.#try('facet_display', () => checkFacetDisplay(display, this.#schema))
  }

  query({ replace_query: replaced, remove_words: removed }: PutRuleRequest): void {
    if (replaced !== undefined && !isBlankQuery(replaced) && !this.#hasWords(replaced)) {
      this.#complain('replace_query', 'must contain a word, or be `*`')
    }
    if (replaced !== undefined && removed !== undefined && removed.length > 0) {
      this.#complain('remove_words', 'must be left out: `replace_query` replaces the whole query')
    }
    removed?.forEach((text, i) => {
      if (!this.#hasWords(text)) this.#complain(`remove_words[${i}]`, 'must contain a word')
    })
  }

  answer({ banner, redirect, metadata }: PutRuleRequest): void {
    if (redirect !== undefined) {
      const [url, param] =
        typeof redirect === 'string' ? [redirect, 'redirect'] : [redirect['url'], 'redirect.url']
      if (!isSafeTarget(url)) {
        this.#complain(
          param,
          `must be an http or https address with a host, or a path that starts with one \`/\`, of at most ${RULE_URL_MAX_CHARS} characters`,
        )
      }
    }
    for (const name of METADATA_RESERVED) {
      if (metadata !== undefined && Object.hasOwn(metadata, name)) {
        this.#complain(
          `metadata.${name}`,
          'must be left out: the response already has a member with this name',
        )
      }
    }
    const bytes = Buffer.byteLength(exactJson({ banner, redirect, metadata }))
    if (bytes > RULE_METADATA_MAX_BYTES) {
      const param =
        metadata === undefined ? (banner === undefined ? 'redirect' : 'banner') : 'metadata'
      this.#complain(
        param,
        `is too large: \`banner\`, \`redirect\` and \`metadata\` may total ${RULE_METADATA_MAX_BYTES} bytes, but these have ${bytes}`,
      )
    }
  }

  get #options(): FilterOptions {
    return { dates: ANY_TIME, collections: this.#collections }
  }

  #documentId(id: string, param: string): void {
    if (Buffer.byteLength(id) > DOCUMENT_ID_MAX_BYTES) {
      this.#complain(param, `must be a document id of at most ${DOCUMENT_ID_MAX_BYTES} bytes`)
    }
  }

  #hasWords(text: string): boolean {
    return this.#analyzer.analyze(text).length > 0
  }

  #try(param: string, parse: () => unknown): void {
    try {
      parse()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      this.details.push({ param: error.param ?? param, code: error.code, message: error.message })
    }
  }

  #complain(param: string, problem: string, code: ErrorCode = 'invalid_parameter'): void {
    this.details.push({ param, code, message: `Parameter \`${param}\` ${problem}` })
  }
}

/** `*` and blank texts ask for every document. */
export function isBlankQuery(q: string): boolean {
  const text = q.trim()
  return text === '' || text === '*'
}

function isWordless(match: RuleCondition['match']): boolean {
  return match === 'any' || match === 'empty'
}

/**
 * A page sends its visitors there: to another site only by an address that says so, else to a path
 * of its origin. Browsers ignore control characters and read a backslash as `/`, so neither is
 * taken.
 */
function isSafeTarget(url: unknown): boolean {
  if (typeof url !== 'string' || url.length > RULE_URL_MAX_CHARS) return false
  if (/[\p{Cc}\s\\]/u.test(url)) return false
  if (!url.startsWith('/')) return isWebAddress(url)
  return URL.canParse(url, ANY_ORIGIN) && new URL(url, ANY_ORIGIN).origin === ANY_ORIGIN
}

const ANY_ORIGIN = 'https://shop.invalid'

/** `https:shop` parses too, but a page of the same scheme resolves it as a path. */
function isWebAddress(url: string): boolean {
  if (!/^https?:\/\/[^/?#]/i.test(url) || !URL.canParse(url)) return false
  const { username, password, hostname } = new URL(url)
  return hostname !== '' && username === '' && password === ''
}
