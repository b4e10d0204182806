import { performance } from 'node:perf_hooks'
import { FiltersRequest } from '@aisle/contract'
import { parameterReader, unknownParameters } from '@aisle/contract/check'
import { planRules } from '../../domain/plan/plan-rules.ts'
import { planFilters } from '../../domain/plan/plan-search.ts'
import { AnalysedQuery } from '../../domain/query/analysed-query.ts'
import type { ServicePorts } from '../service-ports.ts'
import { searchWork } from '../../domain/turns/search-work.ts'
import { withPreset } from '../store/presets.ts'
import { markFacets, presentFacetDisplay, presentFacetMap } from './present-facets.ts'
import { ownMeaning } from './read-search.ts'
import { soloPace } from './request-pace.ts'
import { compiledFirst } from './compiled-first.ts'
import { planContext, withRanking } from './plan-context.ts'
import { openView } from '../open-view.ts'
import { countSearch } from './search-quota.ts'
import { execute, type Answer } from './search.ts'
import { unknownParameterWarnings } from '../parameter-warnings.ts'
import { interpretationWarnings, interpretedRequest, searchedText } from './interpreted-request.ts'
import { semanticWish, withMeaning } from './semantic-search.ts'
import { withVectorOf } from './vector-like.ts'

const readParameters = parameterReader<FiltersRequest>(FiltersRequest)

/**
 * Returns the facets of the documents that a query finds: all facets of the store, unless some are
 * named.
 *
 * @param parameters as sent
 * @throws ApiError
 */
export async function listFilters(
  ports: Pick<
    ServicePorts,
    'backend' | 'clock' | 'usage' | 'reader' | 'embedders' | 'queryVectors'
  >,
  storeId: string,
  parameters: unknown,
  pace = soloPace(),
): Promise<Answer> {
  const startMs = performance.now()
  const view = openView(ports, storeId, pace)
  const given = readParameters(withPreset(view.resources, parameters, FiltersRequest))
  const asked = await withVectorOf(ports, storeId, view, given, pace)
  const schema = view.schema ?? { fields: [] }
  const query = new AnalysedQuery(asked.q ?? '*', view.analyzer)
  const compiling = compiledFirst(view, asked, pace)
  if (compiling !== undefined) await compiling
  const nowMs = ports.clock.now()
  const { request: filtered, ...meant } = await interpretedRequest(
    ports,
    view,
    asked,
    query,
    pace,
    { nowMs },
  )
  const { rules, interpretation } = meant
  const request = { ...filtered, q: searchedText(rules?.q ?? query.text, interpretation) }
  const context = planContext(view, request, pace, nowMs)
  const sought = query.with(request.q)
  const unruled = planFilters(withRanking(view, request), context, sought)
  const byWords = rules === undefined ? unruled : planRules(unruled, rules, true)
  const own = ownMeaning(parameters as Partial<FiltersRequest>)
  const wish = semanticWish(view, request, rules, own)
  countSearch(ports, storeId, view)
  pace.begin(searchWork(storeId, request, (name) => Object.hasOwn(FiltersRequest.properties, name)))
  const { planned } =
    wish === undefined
      ? { planned: byWords }
      : await withMeaning(ports, { storeId, view, pace }, byWords, wish)
  const outcome = await execute(view, planned)
  const warnings = [
    ...unknownParameterWarnings(unknownParameters(FiltersRequest, request)),
    ...planned.warnings,
    ...interpretationWarnings(interpretation),
  ]
  const marked = await markFacets(planned.plan, schema, outcome.facets, view.analyzer, true, pace)
  let json = `{"facets":${await presentFacetMap(schema, marked.facets, pace)}`
  json += presentFacetDisplay(view.resources, rules, schema, outcome.facets)
  const cutoff = outcome.cutoff || marked.cutoff
  if (cutoff) json += ',"search_cutoff":true'
  if (warnings.length > 0) json += `,"warnings":${JSON.stringify(warnings)}`
  const { found } = outcome
  const tookMs = performance.now() - startMs
  return { json: json + '}', found, tookMs, cached: false, cutoff }
}
