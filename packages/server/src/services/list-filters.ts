import { performance } from 'node:perf_hooks'
import { FiltersRequest, parameterReader, unknownParameters } from '@aisle/contract'
import { planFilters } from '../domain/plan-search.ts'
import type { Catalog } from './catalog.ts'
import { withPreset } from './presets.ts'
import { presentFacetMap } from './present-facets.ts'
import { openView, planContext, withRanking } from './plan-context.ts'
import { execute, unknownParameterWarnings } from './search.ts'
import type { Answer } from './search.ts'

const readParameters = parameterReader<FiltersRequest>(FiltersRequest)

/**
 * The facets of what a query finds: every facet of the store, unless some are named.
 *
 * @param parameters as they were sent
 * @throws ApiError
 */
export async function listFilters(
  catalog: Catalog,
  storeId: string,
  parameters: unknown,
): Promise<Answer> {
  const startMs = performance.now()
  const request = readParameters(withPreset(catalog, storeId, parameters, FiltersRequest))
  const view = openView(catalog, storeId)
  const schema = view.schema ?? { fields: [] }
  const context = planContext(catalog, storeId, view, request, startMs)
  const planned = planFilters(withRanking(catalog, storeId, view, request), context)
  const outcome = await execute(view, planned)
  const warnings = [
    ...unknownParameterWarnings(unknownParameters(FiltersRequest, request)),
    ...planned.warnings,
  ]
  let json = `{"facets":${presentFacetMap(schema, outcome.facets)}`
  if (outcome.cutoff) json += ',"search_cutoff":true'
  if (warnings.length > 0) json += `,"warnings":${JSON.stringify(warnings)}`
  return { json: json + '}', found: outcome.found, tookMs: performance.now() - startMs }
}
