import { ApiError, QUERY_VECTOR_BUDGET_DEFAULT_MS, type SearchParameters } from '@aisle/contract'
import { isByScore, queryVector, spaceField } from '@aisle/engine'
import type { PlannedSearch } from '../../domain/plan/plan-search.ts'
import { planMeaning } from '../../domain/plan/plan-vector.ts'
import type { RuleEffects } from '../../domain/rules/rule-effects.ts'
import { semanticSettings, type SemanticSettings } from '../../domain/store/semantic-settings.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import type { ServicePorts } from '../service-ports.ts'
import type { OwnMeaning } from './read-search.ts'
import type { RequestPace } from './request-pace.ts'

/** A search that ranks by meaning too, if its vector is there in time. */
export interface SemanticWish {
  readonly settings: SemanticSettings
  /** Whether it waits for the vector of a query that is still being typed. */
  readonly isPatient: boolean
}

type SemanticRequest = Pick<SearchParameters, 'semantic' | 'semantic_weight' | 'vector'>

/**
 * What the request itself says counts, then what a rule says, its preset, the setting.
 *
 * @param request with its preset
 * @param own what the request itself says
 * @returns undefined if the search ranks by words alone, or by the vector that it gives
 * @throws ApiError semantic_not_configured
 */
export function semanticWish(
  { resources }: Pick<SearchView, 'resources'>,
  request: SemanticRequest,
  rules: Pick<RuleEffects, 'semantic' | 'semanticWeight'> | undefined,
  own: OwnMeaning,
): SemanticWish | undefined {
  const mode = (own.mode ? undefined : rules?.semantic) ?? request.semantic ?? 'auto'
  if (mode === 'off') return undefined
  const { semantic: settings } = semanticSettings(resources)
  if (settings === undefined) {
    // A rule does not make a search fail.
    if (request.semantic !== 'on') return undefined
    throw new ApiError(
      'semantic_not_configured',
      '`semantic: "on"` needs the setting `semantic` of the store, which names an embedder.',
      { param: 'semantic' },
    )
  }
  if (request.vector !== undefined) return undefined
  const weight = (own.weight ? undefined : rules?.semanticWeight) ?? request.semantic_weight
  return {
    settings: weight === undefined ? settings : { ...settings, weight },
    isPatient: mode === 'on',
  }
}

/** A plan with the meaning of its query, or why it has none. */
export interface MeantSearch {
  readonly planned: PlannedSearch
  /** Whether the vector was not there in time, so that the answer is not the final one. */
  readonly isSkipped: boolean
}

type SemanticPorts = Pick<ServicePorts, 'embedders' | 'queryVectors'>

/**
 * Adds the meaning of a query to its plan. Nothing here fails a search: without a vector in time,
 * it ranks by words.
 */
export async function withMeaning(
  ports: SemanticPorts,
  { storeId, view, pace }: { storeId: string; view: SearchView; pace: RequestPace },
  planned: PlannedSearch,
  wish: SemanticWish,
): Promise<MeantSearch> {
  const { plan, words, query } = planned
  // Without words there is nothing to add to, and another order does not know what a query means.
  if (words.length === 0) return { planned, isSkipped: false }
  if (!isByScore(plan.sort[0])) {
    if (!wish.isPatient) return { planned, isSkipped: false }
    const warning = '`semantic` has no effect unless `_text_match` is the first sort key'
    return { planned: { ...planned, warnings: [...planned.warnings, warning] }, isSkipped: false }
  }
  const space = view.schema?.spaces?.[0]
  const embedder = space && ports.embedders.get(space.embedder)
  const isSame = embedder !== undefined && embedder.fingerprint === space?.fingerprint
  const text = isSame ? asEmbedded(query.syntax.text) : ''
  if (space === undefined || text === '') return { planned, isSkipped: true }
  const asked = { embedder: space.embedder, text, storeId }
  const vector =
    ports.queryVectors.cached(asked.embedder, text) ??
    (await vectorInTime(ports, asked, view, pace, planned, wish))
  if (vector?.length !== space.dimensions) return { planned, isSkipped: true }
  const { weight, questions = true, min_similarity } = wish.settings
  const order = { field: spaceField(space), vector: queryVector(vector, 'cosine') }
  const meaning = planMeaning(query.text, plan, { weight, min_similarity }, order)
  const isQuestion = questions && meaning.isQuestion
  return {
    planned: { ...planned, plan: { ...plan, meaning: { ...meaning, isQuestion } } },
    isSkipped: false,
  }
}

async function vectorInTime(
  { queryVectors }: SemanticPorts,
  asked: { readonly embedder: string; readonly text: string; readonly storeId: string },
  view: SearchView,
  pace: RequestPace,
  planned: PlannedSearch,
  { isPatient }: SemanticWish,
): Promise<Float32Array | undefined> {
  if (!isPatient && (await isBeingTyped(view, planned))) return undefined
  const leftMs = (planned.plan.deadlineMs ?? Infinity) - performance.now()
  const isShort = leftMs < QUERY_VECTOR_BUDGET_DEFAULT_MS
  const budget = isShort ? { budgetMs: Math.max(0, leftMs) } : {}
  const answer = await queryVectors.ask({ ...asked, ...budget })
  // The thread served others meanwhile.
  await pace.rest()
  return answer.kind === 'vector' ? answer.vector : undefined
}

/**
 * Whether the last word is only the beginning of words of the catalog, so that the next keystroke
 * is about to come. A word that begins nothing is complete: it may be a synonym of one.
 */
async function isBeingTyped(
  view: SearchView,
  { plan, words, query }: PlannedSearch,
): Promise<boolean> {
  const last = words.at(-1)!
  if (last.prefix === 'off' || /\s$/u.test(query.text)) return false
  const [isWord] = await view.holds([last.stem])
  if (isWord === true) return false
  const begun = await view.complete(plan, { words: [], prefix: last.form, limit: 1 })
  return begun.completions.length > 0
}

/** Visitors write the same query in several ways. */
export function asEmbedded(text: string): string {
  return text.toLowerCase().replace(/\s+/gu, ' ').trim()
}
