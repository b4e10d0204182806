import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { SearchParameters } from '@aisle/contract'
import { unknownParameters } from '@aisle/contract/check'
import type { Schema, SearchOutcome } from '@aisle/engine'
import type { ExperimentArm, Visitor } from '@aisle/event-log'
import { wholeObject } from '../../domain/documents/nested-fields.ts'
import type { Team } from '../../domain/plan/team-draft.ts'
import type { PlannedSearch } from '../../domain/plan/plan-search.ts'
import { searchWork } from '../../domain/turns/search-work.ts'
import type { Question } from '../../ports/search/answer-cache.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import { questionOf } from './cached-answers.ts'
import {
  askedSearch,
  meantSearch,
  planAsked,
  type AskedSearch,
  type SearchPorts,
} from './asked-search.ts'
import type { ExecutedSearch } from './executed-search.ts'
import type { ServicePorts } from '../service-ports.ts'
import { movingDatesIn, movingDatesOf } from './plan-context.ts'
import { NO_SCHEMA, openView } from '../open-view.ts'
import { unknownParameterWarnings, WARNINGS_MAX } from '../parameter-warnings.ts'
import { AnswerWriter, GIVEN_BYTES_MAX } from './answer-writer.ts'
import { interpretationWarnings } from './interpreted-request.ts'
import { presentSearch } from './present-search.ts'
import {
  assignedArm,
  planInterleaved,
  type AssignedArm,
  type PlannedInterleaving,
} from './experiment-search.ts'
import { executeInterleaved } from './interleave.ts'
import { popularityVersion } from './plan-popularity.ts'
import { omittedFields } from '../store/omitted-fields.ts'
import { readSearch } from './read-search.ts'
import { countSearch } from './search-quota.ts'
import { soloPace } from './request-pace.ts'
import type { RuleTrial } from './search-rules.ts'
import type { VisitorTaste } from './visitor-taste.ts'
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
  /** The arm of an experiment, and the hits that only one order placed where they are. */
  readonly experiment?:
    | ({ readonly id: string; readonly arm: ExperimentArm } & Partial<
        Readonly<Record<Team, readonly string[]>>
      >)
    | undefined
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
  const live = openView(ports, storeId, pace)
  const given = readSearch(live, parameters)
  const nowMs = trial?.nowMs ?? ports.clock.now()
  const assigned = assignedArm(live, given.request, visitor, nowMs)
  const view = assigned?.arm === 'draft' ? assigned.drafted : live
  const asking = { ports, storeId, parameters, pace, trial: trial ?? { nowMs }, visitor }
  const asked = await askedSearch(asking, view, view === live ? given : undefined)
  const { read, rules, interpretation, taste } = asked
  const appliedRules = rules?.applied ?? []
  const isInterleaved = assigned?.arm === 'interleaved'
  // What is personal is never shared.
  const isShared = taste === undefined && !isInterleaved
  const question =
    trial === undefined && isShared
      ? await questionFor(ports, storeId, view, asked, assigned)
      : undefined
  const isAsked = read.request.cache_results === true
  const searchId = randomUUID()
  let plannedMs = 0
  let executedMs = 0
  const give = (
    answer: AnswerWriter,
    tail: Uint8Array | string,
    { found, cached, cutoff, corrected, isSemanticSkipped, experiment }: GivenAnswer,
  ): SearchAnswer => {
    const endMs = performance.now()
    const tookMs = endMs - startMs
    answer.given({ cached: cached && isAsked, searchId, tookMs })
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
      isSemanticSkipped,
      experiment,
    }
  }
  const kept = question === undefined ? undefined : ports.answers.get(question)
  if (kept !== undefined) {
    const { head, tail, found, corrected } = kept
    const answer = new AnswerWriter(pace.hold, head.length + tail.length + GIVEN_BYTES_MAX)
    answer.bytes(head)
    const experiment = armOf(assigned)
    // Without `cache_results` it is a search like any other.
    if (!isAsked) countSearch(ports, storeId, view)
    return give(answer, tail, { found, cached: true, cutoff: false, corrected, experiment })
  }
  const { request, planned: byWords } = planAsked(ports, storeId, view, asked, pace)
  if (trial === undefined) countSearch(ports, storeId, view)
  pace.begin(searchWork(storeId, request, isParameter))
  const meant = await meantSearch(asking, view, asked, byWords)
  const { planned, isSkipped } = meant
  plannedMs = performance.now()
  const tried = isInterleaved ? await planInterleaved(asking, assigned, meant) : undefined
  const executed = await executeAll(view, request, planned, tried)
  executedMs = performance.now()
  const schema = view.schema ?? NO_SCHEMA
  const isRewritten = rules !== undefined && rules.q !== read.request.q
  const answer = new AnswerWriter(pace.hold)
  const { outcome, teams, drafted, suggested, meant: respelt } = executed
  // An order that could not be interleaved is what is live, and no part of the experiment.
  const experiment = isInterleaved && teams === undefined ? undefined : armOf(assigned)
  const shown: ExecutedSearch = {
    ports,
    storeId,
    content: view.content,
    schema,
    resources: view.resources,
    analyzer: view.analyzer,
    request,
    planned,
    rules,
    isRewritten,
    interpretation,
    isSemanticSkipped: isSkipped,
    taste: shownTaste(planned, taste) ?? tried?.taste,
    outcome,
    teams,
    experiment,
    suggested,
    meant: respelt,
    warnings: [
      ...unknownParameterWarnings(unknownParameters(SearchParameters, request)),
      ...unknownFieldWarnings(schema, request, omittedFields(view.resources)),
      ...planned.warnings,
      ...interpretationWarnings(interpretation),
    ],
    pace,
  }
  const presented = await presentSearch(
    drafted === undefined ? shown : { ...shown, drafted: { ...shown, ...drafted } },
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
  const sides =
    teams === undefined || teams.size === 0
      ? undefined
      : await teamsOf(ports, storeId, view.content, teams)
  const placed = experiment && { ...experiment, ...sides }
  return give(answer, tail, {
    found,
    cached: false,
    cutoff,
    corrected,
    isSemanticSkipped: isSkipped,
    experiment: placed,
  })
}

/** What the response says of a taste: an order without points has none. */
function shownTaste(
  { plan }: PlannedSearch,
  taste: VisitorTaste | undefined,
): VisitorTaste | undefined {
  return taste === 'late' || plan.personal !== undefined ? taste : undefined
}

function armOf(assigned: AssignedArm | undefined): SearchAnswer['experiment'] {
  return assigned && { id: assigned.id, arm: assigned.arm }
}

type GivenAnswer = Pick<
  SearchAnswer,
  'found' | 'cached' | 'cutoff' | 'corrected' | 'isSemanticSkipped' | 'experiment'
>

/** Ids of documents by the order that placed them; see recordSearch. */
async function teamsOf(
  { reader }: Pick<ServicePorts, 'reader'>,
  storeId: string,
  content: string,
  teams: NonNullable<ExecutedSearch['teams']>,
): Promise<Readonly<Record<Team, readonly string[]>>> {
  const ids: Record<Team, string[]> = { live: [], draft: [] }
  const documentOf = await reader.fetch(storeId, [...teams.keys()], content)
  for (const [docKey, team] of teams) {
    const document = documentOf(docKey)
    if (document !== undefined) ids[team].push(document.id)
  }
  return ids
}

/** The question under which the response may be cached; undefined: it must not come from there. */
async function questionFor(
  ports: Pick<ServicePorts, 'registry' | 'clock' | 'suggestions'>,
  storeId: string,
  view: SearchView,
  { read: { request, ownOrder, ownExact, ownMeaning }, rules, nowMs }: AskedSearch,
  assigned: AssignedArm | undefined,
): Promise<Question | undefined> {
  const isAsked = request.cache_results === true
  // Suggestions change with what others search, without a write.
  if (!isAsked && (view.repeatVersion === undefined || request.include_suggestions === true)) {
    return undefined
  }
  const question = questionOf(ports, storeId, view, {
    request,
    own: [ownOrder, ownExact, ownMeaning.mode, ownMeaning.weight],
    appliedRules: rules?.applied ?? [],
    movingDates: [
      ...movingDatesIn(view, request, nowMs),
      ...movingDatesOf(view, nowMs),
      ...(rules?.movingDates ?? []),
    ],
    arm: assigned === undefined ? '' : `${assigned.id} ${assigned.arm}`,
    popularity: popularityVersion(ports, storeId, view, [request.sort_by, rules?.sort]),
  })
  if (question === undefined || view.askVersion === undefined) return question
  const version = isAsked ? await view.askVersion() : await view.repeatVersion!(question.key)
  return version === undefined ? undefined : { ...question, version }
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

/** Runs the plan, then the searches for other queries that the response may offer. */
async function executeAll(
  view: SearchView,
  request: SearchParameters,
  planned: PlannedSearch,
  both: PlannedInterleaving | undefined,
): Promise<
  Pick<ExecutedSearch, 'outcome' | 'teams' | 'suggested' | 'meant'> & {
    /** What differs for hits that the draft placed. */
    readonly drafted: Pick<ExecutedSearch, 'request' | 'planned' | 'rules' | 'outcome'> | undefined
  }
> {
  const tried = both && (await executeInterleaved(view, both, planned.plan))
  const outcome = tried?.outcome ?? (await execute(view, planned))
  const suggested =
    request.include_suggestions === true
      ? await findAlternativeQueries(view, planned, outcome)
      : undefined
  return {
    outcome,
    teams: tried?.teams,
    drafted: tried && both && { ...draftedAs(both, request), outcome: tried.drafted },
    suggested,
    meant: await didYouMean(view, planned, outcome),
  }
}

/** All hits of a response have one format, whatever a preset of the draft says. */
function draftedAs(
  { drafted }: PlannedInterleaving,
  { hit_format: format = 'wrapped' }: SearchParameters,
): PlannedInterleaving['drafted'] {
  return { ...drafted, request: { ...drafted.request, hit_format: format } }
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
