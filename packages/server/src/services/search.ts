import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { parameterReader, SearchParameters, unknownParameters } from '@aisle/contract'
import type { Schema, SearchOutcome } from '@aisle/engine'
import type { PlannedSearch } from '../domain/plan-search.ts'
import type { SearchView } from '../ports/search-backend.ts'
import type { Catalog } from './catalog.ts'
import { NO_SCHEMA, openView, planRequest } from './plan-context.ts'
import { withPreset } from './presets.ts'
import { presentSearch } from './present-search.ts'
import { suggestQueries } from './suggest-queries.ts'

/** An answer as JSON text, and what the metrics want to know of it. */
export interface Answer {
  readonly json: string
  readonly found: number
  readonly tookMs: number
}

export interface SearchAnswer extends Answer {
  readonly searchId: string
  readonly request: SearchParameters
}

const readParameters = parameterReader<SearchParameters>(SearchParameters)
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
  const request = readParameters(withPreset(catalog, storeId, parameters, SearchParameters))
  const view = openView(catalog, storeId)
  const schema = view.schema ?? NO_SCHEMA
  const planned = planRequest(catalog, storeId, view, request, startMs)
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
    outcome,
    suggested,
    warnings,
    searchId,
    startMs,
  })
  const tookMs = performance.now() - startMs
  return { json, found: outcome.found, tookMs, searchId, request }
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
