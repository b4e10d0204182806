import { SearchParameters } from '@aisle/contract'
import { parameterReader } from '@aisle/contract/check'
import type { Analyzer } from '@aisle/engine'
import { AnalysedQuery } from '../../domain/query/analysed-query.ts'
import type { StoreResources } from '../../ports/catalog/resource-reader.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import { withOmitted } from '../store/omitted-fields.ts'
import { withPreset } from '../store/presets.ts'

/** A search as determined by the request and the presets of its store. */
export interface ReadSearch {
  /** The request with the parameters of its preset. */
  readonly request: SearchParameters
  readonly query: AnalysedQuery
  /**
   * Whether the request itself sets the order, and whether exact matches come first: then rules do
   * not. Values from its preset do not override a rule.
   */
  readonly ownOrder: boolean
  readonly ownExact: boolean
  /** The same for whether, and how much, meaning counts. `auto` leaves it to rules. */
  readonly ownMeaning: OwnMeaning
}

export interface OwnMeaning {
  readonly mode: boolean
  readonly weight: boolean
}

const readParameters = parameterReader<SearchParameters>(SearchParameters)

/** The same parameters in the same state of the store are read once: see `RepeatedBodies`. */
const readBefore = new WeakMap<object, ReadSearch & ReadFrom>()

interface ReadFrom {
  readonly resources: StoreResources
  readonly analyzer: Analyzer
}

/** @throws ApiError missing_parameter, invalid_parameter, unknown_preset */
export function readSearch(
  { resources, analyzer }: Pick<SearchView, 'resources' | 'analyzer'>,
  parameters: unknown,
): ReadSearch {
  const isRepeated = typeof parameters === 'object' && Object.isFrozen(parameters)
  const before = isRepeated ? readBefore.get(parameters!) : undefined
  if (before?.resources === resources && before.analyzer === analyzer) return before
  const given = readParameters(withPreset(resources, parameters, SearchParameters))
  const request = withOmitted(resources, given)
  const own = parameters as Partial<SearchParameters>
  const read = {
    request,
    query: new AnalysedQuery(request.q, analyzer),
    ownOrder: isGiven(own.sort_by),
    ownExact: isGiven(own.exact_match_boost),
    ownMeaning: ownMeaning(own),
  }
  if (isRepeated) readBefore.set(parameters!, { ...read, resources, analyzer })
  return read
}

/** @param own as sent, without the preset */
export function ownMeaning({
  semantic,
  semantic_weight: weight,
}: Partial<Pick<SearchParameters, 'semantic' | 'semantic_weight'>>): OwnMeaning {
  return { mode: isGiven(semantic) && semantic !== 'auto', weight: isGiven(weight) }
}

/** `null` counts as absent. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}
