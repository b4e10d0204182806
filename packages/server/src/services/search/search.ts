import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { SearchParameters } from '@aisle/contract'
import { unknownParameters } from '@aisle/contract/check'
import type { Schema, SearchOutcome } from '@aisle/engine'
import type { Visitor } from '@aisle/event-log'
import { wholeObject } from '../../domain/documents/nested-fields.ts'
import type { Team } from '../../domain/plan/team-draft.ts'
import { planRules } from '../../domain/plan/plan-rules.ts'
import type { PlannedSearch } from '../../domain/plan/plan-search.ts'
import { searchWork } from '../../domain/turns/search-work.ts'
import type { Question } from '../../ports/search/answer-cache.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import { questionOf } from './cached-answers.ts'
import { compiledFirst } from './compiled-first.ts'
import type { ExecutedSearch } from './executed-search.ts'
import type { ServicePorts } from '../service-ports.ts'
import { movingDatesIn, movingDatesOf, planRequest } from './plan-context.ts'
import { NO_SCHEMA, openView } from '../open-view.ts'
import { unknownParameterWarnings, WARNINGS_MAX } from '../parameter-warnings.ts'
import { AnswerWriter, GIVEN_BYTES_MAX } from './answer-writer.ts'
import {
  interpretationWarnings,
  interpretedRequest,
  searchedText,
  type Interpreted,
} from './interpreted-request.ts'
import { presentSearch } from './present-search.ts'
import { executeTrial, planTrial, runningTrial, type PlannedTrial } from './popularity-trial.ts'
import { popularityVersion, withPopularity } from './plan-popularity.ts'
import { omittedFields } from '../store/omitted-fields.ts'
import { readSearch, type ReadSearch } from './read-search.ts'
import { countSearch } from './search-quota.ts'
import { soloPace, type RequestPace } from './request-pace.ts'
import { withLikeness } from './vector-like.ts'
import { ruledRequest, type RuleTrial } from './search-rules.ts'
import { semanticWish, withMeaning } from './semantic-search.ts'
import { findAlternativeQueries } from './alternative-queries.ts'
import { didYouMean } from './did-you-mean.ts'

/** A response as JSON, with facts for the metrics. */
export interface Answer {
  /** Text, or UTF-8 if available. */
  readonly json: string | Buffer
  readonly found: number
  readonly tookMs: number
  /** Whether it came from the cache. */
  readonly cached: boolean
  /** Whether time ran out before the search was complete. */
  readonly cutoff: boolean
}

export interface SearchAnswer extends Answer {
  readonly searchId: string
  /** As the visitor sent it. */
  readonly request: SearchParameters
  /** Ids of the rules that applied. */
  readonly appliedRules: readonly string[]
  /** Ids of the hits of each order during a popularity trial. */
  readonly trial?: TrialTeams | undefined
  /** The corrected query, if the search used one. */
  readonly corrected?: string | undefined
  /** Whether it ranks by words alone, because the vector of its query was not ready in time. */
  readonly isSemanticSkipped?: boolean | undefined
  readonly times: StageTimes
}

/** When its stages began and ended, by `performance.now()`. */
export interface StageTimes {
  readonly startMs: number
  readonly plannedMs: number
  readonly executedMs: number
  readonly endMs: number
}

const NOTHING: SearchOutcome = {
  found: 0,
  hits: [],
  facets: [],
  cutoff: false,
  matchedTerms: 'all',
  expansions: [],
}
const isParameter = (name: string): boolean => Object.hasOwn(SearchParameters.properties, name)

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

/**
 * Runs one search: plan, execute, present.
 *
 * @param parameters as sent
 * @param pace of the request that the search is part of
 * @param trial for previews: the search is not counted and does not use the cache
 * @param visitor who searches, if it is a visitor whose choices count
 * @throws ApiError
 */
export async function search(
  ports: SearchPorts,
  storeId: string,
  parameters: unknown,
  pace = soloPace(),
  trial?: RuleTrial,
  visitor?: Visitor,
): Promise<SearchAnswer> {
  const startMs = performance.now()
  const view = openView(ports, storeId, pace)
  const given = readSearch(view, parameters)
  const like = given.request.vector?.like
  const read = like === undefined ? given : await withLikeness(ports, storeId, view, given, pace)
  const compiling = compiledFirst(view, read.request, pace)
  if (compiling !== undefined) await compiling
  const nowMs = trial?.nowMs ?? ports.clock.now()
  const { request: filtered, ...meant } = await interpretedRequest(
    ports,
    view,
    read.request,
    read.query,
    pace,
    trial ?? { nowMs },
  )
  const { rules, interpretation } = meant
  const isFiltered = filtered !== read.request
  const asked: AskedSearch = {
    ...meant,
    read: isFiltered ? { ...read, request: filtered } : read,
    nowMs,
  }
  const appliedRules = rules?.applied ?? []
  const wish = semanticWish(view, read.request, rules, read.ownMeaning)
  const chooser = read.request.analytics === false ? undefined : visitorKey(visitor)
  const isShared =
    chooser === undefined || runningTrial(view.resources, ports.clock.now()) === undefined
  const unversioned =
    trial === undefined && isShared ? questionFor(ports, storeId, view, asked) : undefined
  const question = view.askVersion === undefined ? unversioned : await asOfNow(view, unversioned)
  const searchId = randomUUID()
  let plannedMs = 0
  let executedMs = 0
  const give = (
    answer: AnswerWriter,
    tail: Uint8Array | string,
    { found, cached, cutoff, corrected, trial, isSemanticSkipped }: GivenAnswer,
  ): SearchAnswer => {
    const endMs = performance.now()
    const tookMs = endMs - startMs
    answer.given({ cached, searchId, tookMs })
    if (typeof tail === 'string') answer.text(tail)
    else answer.bytes(tail)
    const json = answer.written()
    const times = { startMs, plannedMs, executedMs, endMs }
    // Lists each member, because V8 needs an extra call for a member after a spread.
    return {
      json,
      found,
      tookMs,
      searchId,
      request: asked.read.request,
      appliedRules,
      times,
      cached,
      cutoff,
      corrected,
      trial,
      isSemanticSkipped,
    }
  }
  const kept = question === undefined ? undefined : ports.answers.get(question)
  if (kept !== undefined) {
    const { head, tail, found, corrected } = kept
    const answer = new AnswerWriter(pace.hold, head.length + tail.length + GIVEN_BYTES_MAX)
    answer.bytes(head)
    return give(answer, tail, { found, cached: true, cutoff: false, corrected })
  }
  const { request, planned: byWords } = planAsked(ports, storeId, view, asked, pace)
  if (trial === undefined) countSearch(ports, storeId, view)
  pace.begin(searchWork(storeId, request, isParameter))
  const { planned, isSkipped } =
    wish === undefined
      ? { planned: byWords, isSkipped: false }
      : await withMeaning(ports, { storeId, view, pace }, byWords, wish)
  plannedMs = performance.now()
  const tried = planTrial(ports, storeId, view, planned.plan, {
    visitor: chooser,
    q: read.request.q,
  })
  const executed = await executeAll(view, request, planned, tried)
  executedMs = performance.now()
  const schema = view.schema ?? NO_SCHEMA
  const isRewritten = rules !== undefined && rules.q !== read.request.q
  const answer = new AnswerWriter(pace.hold)
  const { outcome, teams, suggested, meant: respelt } = executed
  const presented = await presentSearch(
    {
      ports,
      storeId,
      content: view.content,
      schema,
      analyzer: view.analyzer,
      request,
      planned,
      rules,
      isRewritten,
      interpretation,
      isSemanticSkipped: isSkipped,
      outcome,
      teams,
      suggested,
      meant: respelt,
      warnings: [
        ...unknownParameterWarnings(unknownParameters(SearchParameters, request)),
        ...unknownFieldWarnings(schema, request, omittedFields(view.resources)),
        ...planned.warnings,
        ...interpretationWarnings(interpretation),
      ],
      pace,
    },
    answer,
  )
  const { tail, cutoff } = presented
  const { found } = outcome
  const isPart = isRewritten || interpretation?.isApplied === true
  const corrected = isPart ? undefined : presented.corrected
  const isFinal = !cutoff && !isSkipped && interpretation?.isCut !== true
  if (question !== undefined && isFinal && (await isStill(ports, storeId, view, question))) {
    const parts = { head: answer.written(), tail: Buffer.from(tail) }
    ports.answers.put(question, { ...parts, found, corrected })
  }
  const trialTeams =
    teams === undefined || teams.size === 0
      ? undefined
      : await teamsOf(ports, storeId, view.content, teams)
  const facts = { found, cached: false, cutoff, corrected, trial: trialTeams }
  return give(answer, tail, { ...facts, isSemanticSkipped: isSkipped })
}

type GivenAnswer = Pick<
  SearchAnswer,
  'found' | 'cached' | 'cutoff' | 'corrected' | 'trial' | 'isSemanticSkipped'
>

/** Returns documents by the order that contributed them; see recordSearch. */
export interface TrialTeams {
  readonly with: readonly string[]
  readonly without: readonly string[]
}

async function teamsOf(
  { reader }: Pick<ServicePorts, 'reader'>,
  storeId: string,
  content: string,
  teams: NonNullable<ExecutedSearch['teams']>,
): Promise<TrialTeams> {
  const ids: Record<Team, string[]> = { popular: [], plain: [] }
  const documentOf = await reader.fetch(storeId, [...teams.keys()], content)
  for (const [docKey, team] of teams) {
    const document = documentOf(docKey)
    if (document !== undefined) ids[team].push(document.id)
  }
  return { with: ids.popular, without: ids.plain }
}

/**
 * Returns the visitor whose coins a trial uses: one person over sessions, if an id identifies them.
 */
function visitorKey(visitor: Visitor | undefined): string | undefined {
  return visitor?.userId ?? visitor?.anonymousId ?? visitor?.sessionId ?? visitor?.client
}

/** A search before it is planned: the request, checked, and the rules that apply to it. */
interface AskedSearch extends Interpreted {
  /** With the filters of the interpretation, if they are applied; `q` is as sent. */
  readonly read: ReadSearch
  /** The time of the search: milliseconds since 1970. */
  readonly nowMs: number
}

/** The key of the response in the cache; undefined if it must not come from there. */
function questionFor(
  ports: Pick<ServicePorts, 'registry' | 'clock' | 'suggestions'>,
  storeId: string,
  view: SearchView,
  { read: { request, ownOrder, ownExact, ownMeaning }, rules, nowMs }: AskedSearch,
): Question | undefined {
  if (request.cache_results !== true) return undefined
  return questionOf(ports, storeId, view, {
    request,
    own: [ownOrder, ownExact, ownMeaning.mode, ownMeaning.weight],
    appliedRules: rules?.applied ?? [],
    movingDates: [
      ...movingDatesIn(request, nowMs),
      ...movingDatesOf(view, nowMs),
      ...(rules?.movingDates ?? []),
    ],
    popularity: popularityVersion(ports, storeId, view, [request.sort_by, rules?.sort]),
  })
}

async function asOfNow(
  view: SearchView,
  question: Question | undefined,
): Promise<Question | undefined> {
  if (question === undefined || view.askVersion === undefined) return question
  return { ...question, version: await view.askVersion() }
}

/** Whether nothing was written since: the documents of the hits were read after the search. */
async function isStill(
  { backend }: Pick<ServicePorts, 'backend'>,
  storeId: string,
  view: SearchView,
  { version }: Question,
): Promise<boolean> {
  if (view.askVersion !== undefined) return (await view.askVersion()) === version
  return backend.view(storeId)?.version === version
}

/** @returns the plan, and the request as rules rewrote it */
function planAsked(
  ports: Pick<ServicePorts, 'registry' | 'suggestions'>,
  storeId: string,
  view: SearchView,
  {
    read: { request: asked, query, ownOrder, ownExact },
    rules,
    interpretation,
    nowMs,
  }: AskedSearch,
  pace: RequestPace,
): Pick<ExecutedSearch, 'request' | 'planned'> {
  const ruled = ruledRequest(asked, rules, ownExact)
  const q = searchedText(ruled.q, interpretation)
  const request = q === ruled.q ? ruled : { ...ruled, q }
  const unruled = planRequest(view, request, pace, nowMs, query.with(request.q))
  const planned = rules === undefined ? unruled : planRules(unruled, rules, ownOrder)
  const plan = withPopularity(ports, storeId, view, planned.plan, asked.q)
  return { request, planned: plan === planned.plan ? planned : { ...planned, plan } }
}

/** Runs the plan, then the searches for other queries that the response may offer. */
async function executeAll(
  view: SearchView,
  { include_suggestions: isSuggesting }: SearchParameters,
  planned: PlannedSearch,
  trial: PlannedTrial | undefined,
): Promise<Pick<ExecutedSearch, 'outcome' | 'teams' | 'suggested' | 'meant'>> {
  const tried = trial === undefined ? undefined : await executeTrial(view, trial, planned.plan)
  const outcome = tried?.outcome ?? (await execute(view, planned))
  const suggested =
    isSuggesting === true ? await findAlternativeQueries(view, planned, outcome) : undefined
  return {
    outcome,
    teams: tried?.teams,
    suggested,
    meant: await didYouMean(view, planned, outcome),
  }
}

/** Runs a plan. Without a schema there are no hits. */
export function execute(
  view: SearchView,
  planned: PlannedSearch,
): SearchOutcome | Promise<SearchOutcome> {
  return view.schema === undefined ? NOTHING : view.search(planned.plan)
}

/** @param omitted fields omitted by the store, which the request does not know */
function unknownFieldWarnings(
  schema: Schema,
  request: SearchParameters,
  omitted: readonly string[],
): string[] {
  const warnings: string[] = []
  for (const param of ['return_fields', 'omit_fields'] as const) {
    for (const name of request[param] ?? []) {
      if (
        name === 'id' ||
        omitted.includes(name) ||
        wholeObject(schema, name) !== undefined ||
        schema.fields.some((field) => field.name === name)
      )
        continue
      if (warnings.length >= WARNINGS_MAX) return warnings
      warnings.push(`Unknown field \`${name}\` in \`${param}\` is ignored`)
    }
  }
  return warnings
}
