import { performance } from 'node:perf_hooks'
import { ApiError, parameterReader, SearchParameters, unknownParameters } from '@aisle/contract'
import type { Schema, SearchOutcome } from '@aisle/engine'
import { requireField } from '../domain/field-lookup.ts'
import { planSearch, type PlannedSearch } from '../domain/plan-search.ts'
import type { SearchView } from '../ports/search-backend.ts'
import type { Catalog } from './catalog.ts'
import { presentSearch } from './present-search.ts'
import { suggestQueries } from './suggest-queries.ts'

/** An answer as JSON text, and what the metrics want to know of it. */
export interface SearchAnswer {
  readonly json: string
  readonly found: number
  readonly tookMs: number
}

const readParameters = parameterReader<SearchParameters>(SearchParameters)
const NO_SCHEMA: Schema = { fields: [] }
const NOTHING: SearchOutcome = { found: 0, hits: [], facets: [], cutoff: false, expansions: [] }
const WARNINGS_MAX = 20

/**
 * One search: plan, execute, present.
 *
 * @param parameters as they were sent
 * @throws ApiError
 */
export async function search(
  catalog: Catalog,
  storeId: string,
  parameters: unknown,
): Promise<SearchAnswer> {
  const startMs = performance.now()
  const request = readParameters(parameters)
  const view = openView(catalog, storeId)
  const schema = view.schema ?? NO_SCHEMA
  refuseUnknownSets(request)
  for (const param of ['snippet_fields', 'full_snippet_fields'] as const) {
    for (const [i, name] of (request[param] ?? []).entries()) {
      requireField(schema, name, { param: `${param}[${i}]` })
    }
  }
  const planned = planSearch(request, { schema, analyzer: view.analyzer, nowMs: startMs })
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
  const json = presentSearch({
    catalog,
    storeId,
    schema,
    analyzer: view.analyzer,
    request,
    planned,
    outcome,
    suggested,
    warnings,
    startMs,
  })
  return { json, found: outcome.found, tookMs: performance.now() - startMs }
}

/** @throws ApiError store_not_found, unavailable */
export function openView({ backend }: Catalog, storeId: string): SearchView {
  const view = backend.view(storeId)
  if (view === undefined) throw new ApiError('store_not_found', 'There is no store of that id')
  return view
}

/** Before any schema nothing can be found, and there is nothing to ask. */
export function execute(
  view: SearchView,
  planned: PlannedSearch,
): SearchOutcome | Promise<SearchOutcome> {
  return view.schema === undefined ? NOTHING : view.search(planned.plan)
}

/** Presets and sets are looked up by name; a store without them knows none. */
export function refuseUnknownSets(
  request: Pick<SearchParameters, 'preset_name' | 'synonym_sets' | 'stopword_sets'>,
): void {
  if (request.preset_name !== undefined) {
    throw new ApiError('unknown_preset', `There is no preset \`${request.preset_name}\``, {
      param: 'preset_name',
    })
  }
  for (const param of ['synonym_sets', 'stopword_sets'] as const) {
    const name = request[param]?.[0]
    if (name === undefined) continue
    const kind = param === 'synonym_sets' ? 'synonym' : 'stopword'
    throw new ApiError('unknown_set', `There is no ${kind} set \`${name}\``, {
      param: `${param}[0]`,
    })
  }
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
  if (request.infix_mode !== undefined && request.infix_mode !== 'off') names.push('infix_mode')
  if (request.cache_results === true) names.push('cache_results')
  if (request.exact_match_boost === true) names.push('exact_match_boost')
  return names.map((name) => `Parameter \`${name}\` has no effect in this version`)
}
