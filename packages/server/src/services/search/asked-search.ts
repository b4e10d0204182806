import { planRules } from '../../domain/plan/plan-rules.ts'
import type { PlannedSearch } from '../../domain/plan/plan-search.ts'
import type { Visitor } from '@aisle/event-log'
import type { SearchView } from '../../ports/search/search-backend.ts'
import type { ServicePorts } from '../service-ports.ts'
import { compiledFirst } from './compiled-first.ts'
import type { ExecutedSearch } from './executed-search.ts'
import { interpretedRequest, searchedText, type Interpreted } from './interpreted-request.ts'
import { planRequest } from './plan-context.ts'
import { withLearning } from './plan-learning.ts'
import { withPopularity } from './plan-popularity.ts'
import { readSearch, type ReadSearch } from './read-search.ts'
import type { RequestPace } from './request-pace.ts'
import { ruledRequest, type RuleTrial } from './search-rules.ts'
import {
  semanticWish,
  withMeaning,
  type MeantSearch,
  type SemanticWish,
} from './semantic-search.ts'
import { withLikeness } from './vector-like.ts'
import { visitorTaste, withTaste, type VisitorTaste } from './visitor-taste.ts'

export type SearchPorts = Pick<
  ServicePorts,
  | 'registry'
  | 'reader'
  | 'backend'
  | 'clock'
  | 'answers'
  | 'usage'
  | 'suggestions'
  | 'embedders'
  | 'queryVectors'
>

/** A search before it is planned: the request, checked, and the rules that apply to it. */
export interface AskedSearch extends Interpreted {
  readonly wish: SemanticWish | undefined
  /** With the filters of the interpretation, if they are applied; `q` is as sent. */
  readonly read: ReadSearch
  /** The time of the search: milliseconds since 1970. */
  readonly nowMs: number
  /** What the visitor prefers; undefined: nothing is personal. */
  readonly taste: VisitorTaste | undefined
}

/** What the steps of a search before its plan need. */
export interface Asking {
  readonly ports: SearchPorts
  readonly storeId: string
  readonly parameters: unknown
  readonly pace: RequestPace
  readonly trial: RuleTrial
  /** Who searches, if it is a visitor whose choices count. */
  readonly visitor: Visitor | undefined
}

/** Reads and interprets a request in a view. @param given if it is read already */
export async function askedSearch(
  { ports, storeId, parameters, pace, trial, visitor }: Asking,
  view: SearchView,
  given = readSearch(view, parameters),
): Promise<AskedSearch> {
  const like = given.request.vector?.like
  const read = like === undefined ? given : await withLikeness(ports, storeId, view, given, pace)
  const compiling = compiledFirst(view, read.request, pace)
  if (compiling !== undefined) await compiling
  const { request: filtered, ...meant } = await interpretedRequest(
    ports,
    view,
    read.request,
    read.query,
    pace,
    trial,
  )
  const isFiltered = filtered !== read.request
  const { nowMs } = trial
  // Most searches are not personal, and wait for nothing.
  const reading = visitorTaste(
    { ports, storeId, view, visitor, nowMs, budgetMs: pace.timeoutDefaultMs },
    read.request,
  )
  const taste = reading === undefined ? undefined : await reading
  return {
    ...meant,
    read: isFiltered ? { ...read, request: filtered } : read,
    wish: semanticWish(view, read.request, meant.rules, read.ownMeaning),
    nowMs,
    taste,
  }
}

/** A plan with the meaning of its query, if the search ranks by it. */
export async function meantSearch(
  { ports, storeId, pace }: Asking,
  view: SearchView,
  { wish }: AskedSearch,
  planned: PlannedSearch,
): Promise<MeantSearch> {
  if (wish === undefined) return { planned, isSkipped: false }
  return withMeaning(ports, { storeId, view, pace }, planned, wish)
}

/** @returns the plan, and the request as rules rewrote it */
export function planAsked(
  ports: Pick<ServicePorts, 'registry' | 'suggestions'>,
  storeId: string,
  view: SearchView,
  {
    read: { request: asked, query, ownOrder, ownExact },
    rules,
    interpretation,
    nowMs,
    taste,
  }: AskedSearch,
  pace: RequestPace,
): Pick<ExecutedSearch, 'request' | 'planned'> {
  const ruled = ruledRequest(asked, rules, ownExact)
  const q = searchedText(ruled.q, interpretation)
  const request = q === ruled.q ? ruled : { ...ruled, q }
  const unruled = planRequest(view, request, pace, nowMs, query.with(request.q))
  const planned = rules === undefined ? unruled : planRules(unruled, rules, ownOrder)
  const popular = withPopularity(ports, storeId, view, planned.plan, asked.q)
  const learned = withLearning(ports, storeId, view, popular, asked.q)
  const plan = withTaste(learned, taste)
  return { request, planned: plan === planned.plan ? planned : { ...planned, plan } }
}
