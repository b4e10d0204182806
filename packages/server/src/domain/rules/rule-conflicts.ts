import { ApiError, type RuleConflict } from '@aisle/contract'
import type { Schema } from '@aisle/engine'
import type { Collections } from '../expressions/collections.ts'
import type { Steps } from '../turns/gradual.ts'
import type { DateContext } from '../values/date-literal.ts'
import { ConditionIndex } from './condition-index.ts'
import { claimsOf, contradictions, type RuleClaim, type RuleClaims } from './rule-claims.ts'
import { inOrder, type CompiledCondition, type CompiledRule } from './rule-set.ts'
import type { Strategies, TimeWindow } from './strategies.ts'
import type { WordLattice } from './word-lattice.ts'

/** What the rules of a store are compared in. */
export interface ConflictContext {
  readonly schema: Schema
  readonly dates: DateContext
  readonly strategies: Strategies
  readonly collections: Collections
}

export interface ConflictLimits {
  readonly conflictsMax: number
  readonly comparisonsMax: number
}

export interface FoundConflicts {
  readonly conflicts: readonly RuleConflict[]
  readonly isComplete: boolean
}

/**
 * Where rules contradict each other in the same search. Two rules can meet if the search that one
 * of them describes, by a condition, fits the other one too: its words, or those of the other; its
 * filter, or that of the other; a context of both. (Words that only happen to be in one query, and
 * filters that only happen to be combined, do not count.) And their dates overlap from now on.
 *
 * @param rules those that are not disabled
 */
export function* ruleConflicts(
  rules: readonly CompiledRule[],
  context: ConflictContext,
  limits: ConflictLimits,
): Steps<FoundConflicts> {
  const look = new ConflictLook(context)
  const sorted = rules.toSorted(inOrder)
  const places = new Map(sorted.map((rule, i) => [rule, i]))
  const index = new ConditionIndex((condition) => look.clausesOf(condition))
  for (const rule of sorted) {
    for (const condition of rule.conditions) index.add(condition)
    yield
  }
  const found: (RuleConflict & { readonly places: readonly [number, number] })[] = []
  const seen = new Set<number>()
  let comparisons = 0
  for (const [i, rule] of sorted.entries()) {
    for (const condition of rule.conditions) {
      for (const other of index.metBy(condition)) {
        if (++comparisons % COMPARISONS_PER_STEP === 0) yield
        const isFull = found.length >= limits.conflictsMax
        if (isFull || comparisons > limits.comparisonsMax) {
          return { conflicts: inPlace(found, limits.conflictsMax), isComplete: false }
        }
        const j = places.get(other.rule)!
        if (i === j) continue
        const [first, second] = i < j ? [i, j] : [j, i]
        const pair = first * sorted.length + second
        if (seen.has(pair)) continue
        const search = look.meeting(condition, other)
        if (search === undefined) continue
        seen.add(pair)
        const both = [sorted[first]!, sorted[second]!] as const
        for (const one of look.conflicts(both, search)) {
          found.push({ ...one, places: [first, second] })
        }
      }
    }
    yield
  }
  const isComplete = found.length <= limits.conflictsMax
  return { conflicts: inPlace(found, limits.conflictsMax), isComplete }
}

const COMPARISONS_PER_STEP = 100

function inPlace(
  found: readonly (RuleConflict & { readonly places: readonly [number, number] })[],
  countMax: number,
): RuleConflict[] {
  return found
    .toSorted((a, b) => a.places[0] - b.places[0] || a.places[1] - b.places[1])
    .slice(0, countMax)
    .map(({ places: _, ...conflict }) => conflict)
}

/** The conflicts of one rule with others. @param others may contain it */
export function* conflictsOfRule(
  rule: CompiledRule,
  others: readonly CompiledRule[],
  context: ConflictContext,
  { conflictsMax }: ConflictLimits,
): Steps<FoundConflicts> {
  const look = new ConflictLook(context)
  const conflicts: RuleConflict[] = []
  for (const other of others.toSorted(inOrder)) {
    yield
    if (other.id === rule.id) continue
    const both = inOrder(rule, other) < 0 ? ([rule, other] as const) : ([other, rule] as const)
    if (!look.contradict(both)) continue
    const search = look.meetingOf(both)
    if (search !== undefined) conflicts.push(...look.conflicts(both, search))
    if (conflicts.length > conflictsMax) {
      return { conflicts: conflicts.slice(0, conflictsMax), isComplete: false }
    }
  }
  return { conflicts, isComplete: true }
}

type MeetingSearch = RuleConflict['search']
type Both = readonly [first: CompiledRule, second: CompiledRule]

/** One comparison of the rules of a store. */
class ConflictLook {
  readonly #context: ConflictContext
  readonly #claims = new Map<CompiledRule, RuleClaims>()
  readonly #clauses = new Map<CompiledCondition, ReadonlySet<string> | undefined>()

  constructor(context: ConflictContext) {
    this.#context = context
  }

  /** Undefined if the filter does not fit the schema, so that the rule never applies. */
  clausesOf(condition: CompiledCondition): ReadonlySet<string> | undefined {
    if (condition.filterBy === undefined) return NO_CLAUSES
    if (!this.#clauses.has(condition)) this.#clauses.set(condition, this.#parsed(condition))
    return this.#clauses.get(condition)
  }

  #parsed(condition: CompiledCondition): ReadonlySet<string> | undefined {
    try {
      return condition.clausesFor(this.#context)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return undefined
    }
  }

  /** Whether they do, if they meet at all. */
  contradict([first, second]: Both): boolean {
    const claims = contradictions(this.#claimsOf(first), this.#claimsOf(second))
    return claims.length > 0 && this.#overlap(first, second)
  }

  conflicts([first, second]: Both, search: MeetingSearch): RuleConflict[] {
    const claims = contradictions(this.#claimsOf(first), this.#claimsOf(second))
    if (claims.length === 0 || !this.#overlap(first, second)) return []
    return claims.map(([own, other]) => ({
      subject: own.subject,
      ...(own.key === undefined ? {} : { key: own.key }),
      winner: claimant(first, own),
      loser: claimant(second, other),
      search,
    }))
  }

  meetingOf([first, second]: Both): MeetingSearch | undefined {
    for (const one of first.conditions) {
      for (const other of second.conditions) {
        const search = this.meeting(one, other)
        if (search !== undefined) return search
      }
    }
    return undefined
  }

  /** A search that meets both conditions. */
  meeting(one: CompiledCondition, other: CompiledCondition): MeetingSearch | undefined {
    const q = commonQuery(one, other)
    if (q === undefined) return undefined
    const contexts = commonContexts(one, other)
    if (contexts === undefined) return undefined
    const [clauses, others] = [this.clausesOf(one), this.clausesOf(other)]
    if (clauses === undefined || others === undefined) return undefined
    const holder = clauses.isSubsetOf(others) ? other : others.isSubsetOf(clauses) ? one : undefined
    if (holder === undefined) return undefined
    const { filterBy } = holder
    return {
      q,
      ...(filterBy === undefined ? {} : { filter_by: filterBy }),
      ...(contexts.length === 0 ? {} : { rule_contexts: [contexts[0]!] }),
    }
  }

  #claimsOf(rule: CompiledRule): RuleClaims {
    let claims = this.#claims.get(rule)
    if (claims === undefined) this.#claims.set(rule, (claims = claimsOf(rule.kept)))
    return claims
  }

  /** Whether there is a time from now on at which both are on. */
  #overlap(first: CompiledRule, second: CompiledRule): boolean {
    const now = [{ from: this.#context.dates.nowMs, until: Infinity }]
    const windows = [first, second].flatMap((rule) => [rule.windows, this.#strategyWindows(rule)])
    return windows.reduce(commonTime, now).length > 0
  }

  #strategyWindows({ kept: { strategy } }: CompiledRule): readonly TimeWindow[] {
    return strategy === undefined ? ALWAYS : this.#context.strategies.windows(strategy)
  }
}

const NO_CLAUSES: ReadonlySet<string> = new Set()
const ALWAYS: readonly TimeWindow[] = [{ from: -Infinity, until: Infinity }]

function commonTime(some: readonly TimeWindow[], others: readonly TimeWindow[]): TimeWindow[] {
  return some.flatMap((one) =>
    others
      .map(({ from, until }) => ({
        from: Math.max(one.from, from),
        until: Math.min(one.until, until),
      }))
      .filter(({ from, until }) => from < until),
  )
}

/** A query that has the words of both: that of one of them. */
function commonQuery(one: CompiledCondition, other: CompiledCondition): string | undefined {
  if (one.words === undefined && other.words === undefined) return '*'
  if (one.words === undefined) return one.match === 'any' ? other.query : undefined
  if (other.words === undefined) return other.match === 'any' ? one.query : undefined
  if (stands(other, one.words)) return one.query
  return stands(one, other.words) ? other.query : undefined
}

/** Whether the words of a condition hold for the words of another one. */
function stands(condition: CompiledCondition, query: WordLattice): boolean {
  for (let node = 0; node < query.length; node++) {
    if (condition.standsAt(query, node)) return true
  }
  return false
}

/** Contexts that meet both; empty if neither asks for one. */
function commonContexts(
  { contexts }: CompiledCondition,
  { contexts: others }: CompiledCondition,
): readonly string[] | undefined {
  if (contexts === undefined || others === undefined) return contexts ?? others ?? []
  const common = contexts.filter((one) => others.includes(one))
  return common.length === 0 ? undefined : common
}

function claimant({ id, kept }: CompiledRule, { action }: RuleClaim): RuleConflict['winner'] {
  return { id, title: kept.description ?? id, action }
}
