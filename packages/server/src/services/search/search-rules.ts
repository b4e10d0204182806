import type { SearchParameters } from '@aisle/contract'
import type { Analyzer, FilterNode } from '@aisle/engine'
import { ByAnalyzer } from '../../domain/store/by-analyzer.ts'
import { storeCollections } from '../store-collections.ts'
import { datesOf } from './plan-context.ts'
import { planRequestFilter } from '../../domain/plan/plan-search.ts'
import type { AnalysedQuery } from '../../domain/query/analysed-query.ts'
import { Gradual, type Steps } from '../../domain/turns/gradual.ts'
import { resourceMemo } from '../../domain/store/resource-memo.ts'
import { combineRules, type RuleEffects } from '../../domain/rules/rule-effects.ts'
import { CompiledRule, RuleSet } from '../../domain/rules/rule-set.ts'
import { strategiesOf } from '../../domain/rules/strategies.ts'
import type { Resource } from '../../ports/catalog/resource-reader.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import type { ServicePorts } from '../service-ports.ts'
import { NO_SCHEMA } from '../open-view.ts'

/** The parameters of a request that rules read. */
export type RuledRequest = Pick<
  SearchParameters,
  'filter_by' | 'filters' | 'time_zone' | 'apply_rules' | 'rule_contexts'
>

/** A search for a preview: the time to assume, and the rules to use instead of the store's. */
export interface RuleTrial {
  readonly rules?: RuleSet
  readonly nowMs: number
}

/**
 * @returns the search as the rules rewrite it; undefined if none applies and there is no warning
 */
export function rulesOf(
  { clock }: Pick<ServicePorts, 'clock'>,
  { schema = NO_SCHEMA, analyzer, resources }: SearchView,
  request: RuledRequest,
  query: AnalysedQuery,
  trial?: RuleTrial,
): RuleEffects | undefined {
  if (request.apply_rules === false) return undefined
  const saved = resources.list('rule')
  if (trial?.rules === undefined && saved.length === 0) return undefined
  const rules = trial?.rules ?? ruleSet(saved).for(analyzer).value
  const steady = rules.steadySchema(schema)
  const nowMs = trial?.nowMs ?? clock.now()
  const dates = { nowMs, timeZone: 'UTC' }
  const collections = storeCollections(resources)
  const matching = rules.matching({
    query,
    contexts: request.rule_contexts ?? [],
    filter: (): FilterNode | undefined =>
      planRequestFilter(request, {
        schema,
        analyzer,
        dates: datesOf(request, nowMs),
        collections,
      }),
    schema: steady,
    dates,
    strategies: strategiesOf(resources.list('strategy')),
    collections,
  })
  if (matching.rules.length === 0 && matching.warnings.length === 0) return undefined
  return combineRules(matching, query, { schema: steady, dates, collections })
}

/**
 * A request after the rules have rewritten it, before it is planned.
 *
 * @param ownExact whether the request itself, not its preset, sets `exact_match_boost`
 */
export function ruledRequest<T extends SearchParameters>(
  request: T,
  rules: RuleEffects | undefined,
  ownExact: boolean,
): T {
  if (rules === undefined) return request
  const { q, exactMatchBoost } = rules
  return exactMatchBoost === undefined || ownExact
    ? { ...request, q }
    : { ...request, q, exact_match_boost: exactMatchBoost }
}

/** What `rulesOf` has to compile first. */
export function uncompiledRules(
  { resources, analyzer }: Pick<SearchView, 'resources' | 'analyzer'>,
  { apply_rules: isApplied }: Pick<SearchParameters, 'apply_rules'>,
): readonly Gradual<unknown>[] {
  const saved = resources.list('rule')
  if (isApplied === false || saved.length === 0) return NOTHING
  const rules = ruleSet(saved).for(analyzer)
  return rules.isMade ? NOTHING : [rules]
}

const NOTHING: readonly Gradual<unknown>[] = []

/** Returns the rules of a store with one added or replaced. */
export function trialRules(
  saved: readonly Resource[],
  unsaved: Resource,
  analyzer: Analyzer,
): Gradual<RuleSet> {
  const others = saved.filter(({ name }) => name !== unsaved.name)
  return new Gradual(function* (): Steps<RuleSet> {
    const rules = yield* compileRules(others, analyzer)
    rules.add(new CompiledRule(unsaved, analyzer))
    return rules
  })
}

/** Returns a set with one rule, to see which searches it applies to. */
export function soloRule(rule: Resource, analyzer: Analyzer): RuleSet {
  return new RuleSet([new CompiledRule(rule, analyzer)])
}

/**
 * Compiled rules by list of all rules. A list stays the same array until one of the rules changes.
 */
const ruleSets = new WeakMap<readonly Resource[], ByAnalyzer<Gradual<RuleSet>>>()

function ruleSet(all: readonly Resource[]): ByAnalyzer<Gradual<RuleSet>> {
  let set = ruleSets.get(all)
  if (set === undefined) {
    set = new ByAnalyzer((analyzer) => new Gradual(() => compileRules(all, analyzer)))
    ruleSets.set(all, set)
  }
  return set
}

function* compileRules(all: readonly Resource[], analyzer: Analyzer): Steps<RuleSet> {
  const rules = new RuleSet([])
  for (const rule of all) {
    rules.add(compiledRule(rule).for(analyzer))
    yield
  }
  return rules
}

/** A rule, compiled once per thread and change. */
export const compiledRule = resourceMemo(
  (resource) => new ByAnalyzer((analyzer) => new CompiledRule(resource, analyzer)),
)
