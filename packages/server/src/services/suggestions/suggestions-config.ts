import {
  ApiError,
  GivenSuggestionsConfig,
  type StoreSuggestionsConfig,
  type SuggestionsConfig,
} from '@aisle/contract'
import { parameterReader } from '@aisle/contract/check'
import { ByAnalyzer } from '../../domain/store/by-analyzer.ts'
import { Gradual, madeInTurns, type YieldingWork } from '../../domain/turns/gradual.ts'
import { etagOf, requireMatch } from '../../domain/values/preconditions.ts'
import { resourceMemo } from '../../domain/store/resource-memo.ts'
import {
  checkSuggestionsConfig,
  completeConfig,
  SuggestionRules,
} from '../../domain/suggestions/suggestion-rules.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import type { ServicePorts } from '../service-ports.ts'
import { openView } from '../open-view.ts'

const readConfig = parameterReader<GivenSuggestionsConfig>(GivenSuggestionsConfig)
const NAME = 'config'

/** Returns the current suggestions configuration of a store. */
export function suggestionsConfig(
  { resources }: Pick<ServicePorts, 'resources'>,
  storeId: string,
): StoreSuggestionsConfig {
  const resource = resources.of(storeId).get('suggestionsConfig', NAME)
  return resource === undefined ? completeConfig({}) : configOf(resource)
}

/** Returns the part of it that is visible with the read secret. */
export function publicSuggestionsConfig(
  ports: Pick<ServicePorts, 'resources'>,
  storeId: string,
): SuggestionsConfig {
  const config = suggestionsConfig(ports, storeId)
  return {
    max_suggestions: config.max_suggestions,
    max_categories: config.max_categories,
    max_facets: config.max_facets,
    supported_time_ranges: config.supported_time_ranges,
    personalization_enabled: config.personalization_enabled,
    typo_tolerance_enabled: config.typo_tolerance_enabled,
    min_query_length: config.min_query_length,
  }
}

/**
 * Replaces the configuration; members missing in the request return to their defaults.
 *
 * @param ifMatch the header of that name; see `requireMatch`
 * @throws ApiError
 */
export async function putSuggestionsConfig(
  ports: Pick<ServicePorts, 'resources' | 'writer' | 'backend'>,
  storeId: string,
  request: unknown,
  work: YieldingWork,
  ifMatch?: string,
): Promise<StoreSuggestionsConfig> {
  const given = readConfig(request)
  const { analyzer } = openView(ports, storeId)
  await madeInTurns([new Gradual(() => checkSuggestionsConfig(given, analyzer))], work)
  const resource = { kind: 'suggestionsConfig', name: NAME, json: JSON.stringify(given) } as const
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const present = ports.resources.of(storeId).get('suggestionsConfig', NAME)
    const current = suggestionsConfig(ports, storeId)
    requireMatch(ifMatch, JSON.stringify(current), suggestionsConfigTag(current))
    const condition =
      ifMatch === undefined
        ? {}
        : present === undefined
          ? { insert: true }
          : { replaces: present.json }
    const puts = [{ ...resource, ...condition }]
    if (await ports.writer.changeResources(storeId, { puts, removes: [] })) {
      return completeConfig(given)
    }
  }
  const message = 'Other requests are changing the configuration: try again'
  throw new ApiError('unavailable', message, { retryAfterSeconds: 1 })
}

/** Attempts to write what must not have changed, while others write. */
const ATTEMPTS_MAX = 10

/** The `ETag` of the whole configuration. */
export function suggestionsConfigTag(config: StoreSuggestionsConfig): string {
  return etagOf(JSON.stringify(config))
}

/** The configuration, compiled. */
export function suggestionRules({
  resources,
  analyzer,
}: Pick<SearchView, 'resources' | 'analyzer'>): Gradual<SuggestionRules> {
  const resource = resources.get('suggestionsConfig', NAME)
  return (resource === undefined ? defaultRules : rulesOf(resource)).for(analyzer)
}

const configOf = resourceMemo(({ json }) =>
  completeConfig(JSON.parse(json) as GivenSuggestionsConfig),
)
const rulesOf = resourceMemo((resource) => rulesByAnalyzer(configOf(resource)))
const defaultRules = rulesByAnalyzer(completeConfig({}))

function rulesByAnalyzer(config: StoreSuggestionsConfig): ByAnalyzer<Gradual<SuggestionRules>> {
  return new ByAnalyzer((analyzer) => new Gradual(() => SuggestionRules.compile(config, analyzer)))
}
