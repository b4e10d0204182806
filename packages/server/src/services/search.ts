import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { parameterReader, SearchParameters, unknownParameters } from '@aisle/contract'
import type { Schema, SearchOutcome } from '@aisle/engine'
import { planRules } from '../domain/plan-rules.ts'
import type { PlannedSearch } from '../domain/plan-search.ts'
import type { SearchView } from '../ports/search-backend.ts'
import type { Catalog } from './catalog.ts'
import { NO_SCHEMA, openView, planRequest } from './plan-context.ts'
import { withPreset } from './presets.ts'
import { presentSearch } from './present-search.ts'
import { rulesOf, type RuleTrial } from './search-rules.ts'
import { suggestQueries } from './suggest-queries.ts'

/** An answer as JSON text, and what the metrics want to know of it. */
export interface Answer {
  readonly json: string
  readonly found: number
  readonly tookMs: number
}

export interface SearchAnswer extends Answer {
  readonly searchId: string
  /** As the visitor asked. */
  readonly request: SearchParameters
  /** Ids of the rules that applied. */
  readonly appliedRules: readonly string[]
}

const readParameters = parameterReader<SearchParameters>(SearchParameters)
const NOTHING: SearchOutcome = { found: 0, hits: [], facets: [], cutoff: false, expansions: [] }
const WARNINGS_MAX = 20

/**
 * One search: plan, execute, present.
 *
 * @param parameters as they were sent
 * @param trial rules to go by instead of those of the store
 * @throws ApiError
 */
export async function search(
  catalog: Catalog,
  storeId: string,
  parameters: unknown,
  trial?: RuleTrial,
): Promise<SearchAnswer> {
  const startMs = performance.now()
  const asked = readParameters(withPreset(catalog, storeId, parameters, SearchParameters))
  const view = openView(catalog, storeId)
  const schema = view.schema ?? NO_SCHEMA
  const rules = rulesOf(catalog, storeId, view, asked, trial)
  const request = rules === undefined ? asked : { ...asked, q: rules.q }
  const unruled = planRequest(catalog, storeId, view, request, startMs)
  const planned = rules === undefined ? unruled : planRules(unruled, rules, namesOrder(parameters))
  const outcome = await execute(view, planned)
  const suggested =
    request.include_suggestions === true
      ? await suggestQueries(view, request.q, planned, outcome)
      : undefined
  const warnings = [
    ...unknownParameterWarnings(unknownParameters(SearchParameters, request)),
    ...unknownFieldWarnings(schema, request),
    ...laterParameterWarnings(request),
    ...planned.warnings,
  ]
  const searchId = randomUUID()
  const json = presentSearch({
    catalog,
    storeId,
    schema,
    analyzer: view.analyzer,
    request,
    planned,
    rules,
    isRewritten: request.q !== asked.q,
    outcome,
    suggested,
    warnings,
    searchId,
    startMs,
  })
  const tookMs = performance.now() - startMs
  const appliedRules = rules?.applied ?? []
  return { json, found: outcome.found, tookMs, searchId, request: asked, appliedRules }
}

/** The order that a request itself asks for stands above that of a rule; that of a preset does not. */
function namesOrder(parameters: unknown): boolean {
  return (parameters as Partial<SearchParameters>).sort_by !== undefined
}

/** Before any schema nothing can be found, and there is nothing to ask. */
export function execute(
  view: SearchView,
  planned: PlannedSearch,
): SearchOutcome | Promise<SearchOutcome> {
  return view.schema === undefined ? NOTHING : view.search(planned.plan)
}

export function unknownParameterWarnings(names: readonly string[]): string[] {
  return names
    .slice(0, WARNINGS_MAX)
    .map((name) => `Unknown parameter \`${name.slice(0, 100).toWellFormed()}\` is ignored`)
}

function unknownFieldWarnings(schema: Schema, request: SearchParameters): string[] {
  const warnings: string[] = []
  for (const param of ['return_fields', 'omit_fields'] as const) {
    for (const name of request[param] ?? []) {
      if (name === 'id' || schema.fields.some((field) => field.name === name)) continue
      if (warnings.length >= WARNINGS_MAX) return warnings
      warnings.push(`Unknown field \`${name}\` in \`${param}\` is ignored`)
    }
  }
  return warnings
}

/** Parameters that are understood and checked, and have no effect in this version. */
function laterParameterWarnings(request: SearchParameters): string[] {
  const names: string[] = []
  if (request.cache_results === true) names.push('cache_results')
  return names.map((name) => `Parameter \`${name}\` has no effect in this version`)
}
