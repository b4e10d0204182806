import { isDeepStrictEqual } from 'node:util'
import { type PutRuleRequest, type RuleCondition, ApiError } from '@aisle/contract'
import type { Analyzer, FilterNode, Schema } from '@aisle/engine'
import { movingDatesWith, type Collections } from '../expressions/collections.ts'
import { demandedClauses } from '../expressions/active-filters.ts'
import { parseFilter } from '../expressions/filter-parser.ts'
import type { DateContext } from '../values/date-literal.ts'
import { parseExact } from '../json/json-scan.ts'
import type { AnalysedQuery } from '../query/analysed-query.ts'
import type { Resource } from '../store/resource.ts'
import { isBlankQuery } from './rule-check.ts'
import { isWithin, timeWindows, type Strategies, type TimeWindow } from './strategies.ts'
import { endsOf, queryLattice, stemsFrom, wordLattice, type WordLattice } from './word-lattice.ts'

/** A rule as stored, without `id`. */
export type KeptRule = Omit<PutRuleRequest, 'id'>

/** The search that rules see: as requested, including the preset. */
export interface RuleOccasion {
  readonly query: AnalysedQuery
  readonly contexts: readonly string[]
  /** `filter_by` and `filters` together; computed only if a rule depends on it. */
  readonly filter: () => FilterNode | undefined
  readonly schema: Schema
  /** The time of the search, and what dates in rules are relative to. */
  readonly dates: DateContext
  readonly strategies: Strategies
  readonly collections: Collections
}

/** What the expressions of rules depend on. */
export type RulePlace = Pick<RuleOccasion, 'schema' | 'dates' | 'collections'>

export interface MatchingRules {
  /** Rules in the order in which they apply. */
  readonly rules: readonly CompiledRule[]
  readonly warnings: readonly string[]
}

const NO_RULES: MatchingRules = { rules: [], warnings: [] }

/**
 * The rules of a store, compiled to find those that apply to a search. Conditions with words are
 * indexed by their first word, so the cost for a query grows with the rules that begin with one of
 * its words, not with all rules.
 */
export class RuleSet {
  /** Conditions by the stem of their first word. */
  readonly #byWord = new Map<string, CompiledCondition[]>()
  readonly #withoutWords: CompiledCondition[] = []
  #schema: { readonly seen: Schema; readonly steady: Schema } | undefined

  /** @param rules compiled with the analyzer of the queries; disabled rules are skipped */
  constructor(rules: Iterable<CompiledRule>) {
    for (const rule of rules) this.add(rule)
  }

  /** Call it before the first search. */
  add(rule: CompiledRule): void {
    if (rule.kept.enabled === true) rule.conditions.forEach((condition) => this.#add(condition))
  }

  #add(condition: CompiledCondition): void {
    if (condition.words === undefined) {
      this.#withoutWords.push(condition)
      return
    }
    for (const stem of new Set(stemsFrom(condition.words, 0))) {
      const known = this.#byWord.get(stem)
      if (known === undefined) this.#byWord.set(stem, [condition])
      else known.push(condition)
    }
  }

  /**
   * Each write creates a new schema object, usually with the same fields. Expressions of rules are
   * parsed per object that this returns, so only when fields have changed.
   */
  steadySchema(schema: Schema): Schema {
    if (this.#schema?.seen === schema) return this.#schema.steady
    const before = this.#schema?.steady
    const isSame = before !== undefined && isDeepStrictEqual(before.fields, schema.fields)
    this.#schema = { seen: schema, steady: isSame ? before : schema }
    return this.#schema.steady
  }

  matching(occasion: RuleOccasion): MatchingRules {
    if (this.#withoutWords.length === 0 && this.#byWord.size === 0) return NO_RULES
    const look = new Look(occasion)
    for (const condition of this.#withoutWords) {
      if (condition.match === 'any' || look.isEmpty) look.at(condition)
    }
    if (!look.isEmpty && this.#byWord.size > 0) {
      const query = queryLattice(occasion.query)
      for (let node = 0; node < query.length; node++) {
        for (const stem of new Set(stemsFrom(query, node))) {
          for (const condition of this.#byWord.get(stem) ?? []) {
            if (condition.standsAt(query, node)) look.at(condition)
          }
        }
      }
    }
    return look.result()
  }
}

/** One evaluation of the rules for a search. */
class Look {
  readonly isEmpty: boolean
  readonly #occasion: RuleOccasion
  readonly #contexts: ReadonlySet<string>
  readonly #found = new Set<CompiledRule>()
  readonly #warnings = new Set<string>()
  #clauses: ReadonlySet<string> | undefined

  constructor(occasion: RuleOccasion) {
    this.#occasion = occasion
    const { text, tokens } = occasion.query
    this.isEmpty = isBlankQuery(text) || tokens.length === 0
    this.#contexts = new Set(occasion.contexts)
  }

  /** @param condition with matching words */
  at(condition: CompiledCondition): void {
    const { rule, contexts, filterBy } = condition
    const { dates, strategies } = this.#occasion
    if (this.#found.has(rule) || !rule.isOn(dates.nowMs, strategies)) return
    if (contexts !== undefined && !contexts.some((one) => this.#contexts.has(one))) return
    if (filterBy !== undefined && !this.#hasFilter(condition)) return
    this.#found.add(rule)
  }

  result(): MatchingRules {
    const rules = [...this.#found].toSorted(inOrder)
    return { rules, warnings: [...this.#warnings] }
  }

  #hasFilter(condition: CompiledCondition): boolean {
    this.#clauses ??= demandedClauses(this.#occasion.filter())
    if (this.#clauses.size === 0) return false
    try {
      return condition.clausesFor(this.#occasion).isSubsetOf(this.#clauses)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      this.#warnings.add(misfit(condition.rule, error))
      return false
    }
  }
}

/**
 * Handles rules that a later schema made invalid, or whose collection was deleted: a search must
 * not fail because of an old rule.
 */
export function misfit({ id }: CompiledRule, { code, message }: ApiError): string {
  const reason = code === 'unknown_collection' ? '' : ' because it does not fit the schema'
  return `Rule \`${id}\` is ignored${reason}: ${message}`
}

/** A rule compiled for an analyzer. Immutable, so sets may share it. */
export class CompiledRule {
  readonly id: string
  readonly kept: KeptRule
  readonly priority: number
  /** Conditions; at least one must match. */
  readonly conditions: readonly CompiledCondition[]
  readonly windows: readonly TimeWindow[]

  constructor({ name, json }: Resource, analyzer: Analyzer) {
    this.id = name
    this.kept = parseExact(json) as KeptRule
    this.priority = this.kept.priority ?? 0
    const { when = [{}], schedule } = this.kept
    this.conditions = when.map((condition) => new CompiledCondition(this, condition, analyzer))
    this.windows = timeWindows(schedule)
  }

  /** Whether its dates allow it, and its strategy. */
  isOn(nowMs: number, strategies: Strategies): boolean {
    const { strategy } = this.kept
    if (strategy !== undefined && !strategies.isOn(strategy, nowMs)) return false
    return isWithin(this.windows, nowMs)
  }
}

/** The order in which rules apply: by priority, highest first, then by id. */
export function inOrder(a: CompiledRule, b: CompiledRule): number {
  return b.priority - a.priority || (a.id < b.id ? -1 : 1)
}

interface ParsedCondition {
  readonly schema: Schema
  readonly collections: Collections
  /** The moment of `now` in it. */
  readonly moments: string
  readonly clauses: ReadonlySet<string>
}

export class CompiledCondition {
  readonly rule: CompiledRule
  readonly match: NonNullable<RuleCondition['match']>
  readonly query: string | undefined
  readonly contexts: readonly string[] | undefined
  readonly filterBy: string | undefined
  /** Undefined if the rule does not depend on the words of the query. */
  readonly words: WordLattice | undefined
  readonly #analyzer: Analyzer
  #parsed: ParsedCondition | undefined

  constructor(rule: CompiledRule, condition: RuleCondition, analyzer: Analyzer) {
    const { query, match, contexts, filter_by } = condition
    this.rule = rule
    this.query = query
    this.match = match ?? (query === undefined ? 'any' : 'exact')
    this.contexts = contexts
    this.filterBy = filter_by
    this.#analyzer = analyzer
    const isWordless = this.match === 'any' || this.match === 'empty'
    this.words = isWordless ? undefined : wordLattice(query!, analyzer)
  }

  /** Whether it holds for a query in which its words begin at this word. */
  standsAt(query: WordLattice, node: number): boolean {
    const isAtStart = node === 0
    if (!isAtStart && (this.match === 'exact' || this.match === 'starts_with')) return false
    const ends = endsOf(this.words!, query, node)
    const mustEnd = this.match === 'exact' || this.match === 'ends_with'
    return mustEnd ? ends.at(-1) === query.length : ends.length > 0
  }

  /**
   * The clauses that the request's filter must have.
   * @throws ApiError if the schema does not have (or no longer has) the field
   */
  clausesFor({ schema, dates, collections }: RulePlace): ReadonlySet<string> {
    const moments = String(movingDatesWith(collections, [this.filterBy], dates))
    const known = this.#parsed
    const isSame = known?.schema === schema && known.collections === collections
    if (isSame && known.moments === moments) return known.clauses
    const filter = parseFilter(this.filterBy!, schema, this.#analyzer, { dates, collections })
    const clauses = demandedClauses(filter)
    this.#parsed = { schema, collections, moments, clauses }
    return clauses
  }
}
