import {
  ApiError,
  type PutStopwordSetRequest,
  type PutSynonymSetRequest,
  type SearchParameters,
} from '@aisle/contract'
import { ByAnalyzer } from '../../domain/store/by-analyzer.ts'
import { Gradual } from '../../domain/turns/gradual.ts'
import { resourceMemo } from '../../domain/store/resource-memo.ts'
import { compileStopwords, type StopwordRules } from '../../domain/words/stopword-rules.ts'
import { compileSynonyms, type SynonymRules } from '../../domain/words/synonym-rules.ts'
import type { Resource, StoreResources } from '../../ports/catalog/resource-reader.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import { STOPWORD_SET, SYNONYM_SET } from '../store/resources.ts'

/** The sets that apply to a search, ready for the plan stage. */
export interface QuerySets {
  readonly synonyms: readonly SynonymRules[]
  readonly stopwords: readonly StopwordRules[]
}

/**
 * The sets that a request names, otherwise those that apply by default. (An empty list names none,
 * so none apply.)
 *
 * @throws ApiError unknown_set
 */
export function querySets(
  { resources, analyzer }: Pick<SearchView, 'resources' | 'analyzer'>,
  request: Pick<SearchParameters, 'synonym_sets' | 'stopword_sets' | 'stopwords'>,
): QuerySets {
  const stopwordSets = chosen(resources, 'stopword_sets', request.stopword_sets)
  return {
    synonyms: chosen(resources, 'synonym_sets', request.synonym_sets).map(
      (resource) => synonymRules(resource).for(analyzer).value,
    ),
    stopwords:
      request.stopwords === false
        ? []
        : stopwordSets.map((resource) => stopwordRules(resource).for(analyzer).value),
  }
}

/** What `querySets` has to compile first. @throws ApiError unknown_set */
export function uncompiledSets(
  { resources, analyzer }: Pick<SearchView, 'resources' | 'analyzer'>,
  request: Pick<SearchParameters, 'synonym_sets' | 'stopword_sets'>,
): readonly Gradual<unknown>[] {
  return [
    ...chosen(resources, 'synonym_sets', request.synonym_sets).map(synonymRules),
    ...chosen(resources, 'stopword_sets', request.stopword_sets).map(stopwordRules),
  ].flatMap((byAnalyzer) => {
    const rules: Gradual<unknown> = byAnalyzer.for(analyzer)
    return rules.isMade ? [] : rules
  })
}

const KINDS = { synonym_sets: SYNONYM_SET, stopword_sets: STOPWORD_SET } as const

function chosen(
  resources: StoreResources,
  param: keyof typeof KINDS,
  names: readonly string[] | undefined,
): readonly Resource[] {
  const { kind, noun } = KINDS[param]
  if (names === undefined) return defaultSets(resources.list(kind))
  return [...new Set(names)].map((name) => {
    const resource = resources.get(kind, name)
    if (resource !== undefined) return resource
    throw new ApiError('unknown_set', `There is no ${noun} \`${name}\``, {
      param: `${param}[${names.indexOf(name)}]`,
    })
  })
}

/** Defaults by list of all sets. A list stays the same array until one of the sets changes. */
const defaultsOfList = new WeakMap<readonly Resource[], readonly Resource[]>()

function defaultSets(all: readonly Resource[]): readonly Resource[] {
  let defaults = defaultsOfList.get(all)
  if (defaults === undefined) {
    defaults = all.filter(isDefaultSet)
    defaultsOfList.set(all, defaults)
  }
  return defaults
}

const isDefaultSet = resourceMemo(({ json }) => (JSON.parse(json) as { default: boolean }).default)

const synonymRules = resourceMemo(({ json }) => {
  const { items } = JSON.parse(json) as PutSynonymSetRequest
  return new ByAnalyzer((analyzer) => new Gradual(() => compileSynonyms(items, analyzer)))
})

const stopwordRules = resourceMemo(({ json }) => {
  const { stopwords } = JSON.parse(json) as PutStopwordSetRequest
  return new ByAnalyzer((analyzer) => new Gradual(() => compileStopwords(stopwords, analyzer)))
})
