import { PER_PAGE_DEFAULT, type Personalized } from '@aisle/contract'
import { correctQuery } from '../../domain/query/correct-query.ts'
import { exactJson } from '../../domain/json/json-exact.ts'
import { presentTaste } from '../../domain/taste/lifts.ts'
import type { RuleEffects } from '../../domain/rules/rule-effects.ts'
import type { AnswerWriter } from './answer-writer.ts'
import type { ExecutedSearch } from './executed-search.ts'
import { presentInterpretation } from './interpreted-request.ts'
import { markFacets, presentFacetDisplay, presentFacets } from './present-facets.ts'
import { HitPresenter } from './present-hits.ts'

/** The part of a response that is not written yet, and facts about it. */
export interface PresentedSearch {
  /** JSON of its end, after the members that differ each time it is sent. */
  readonly tail: string
  /**
   * The query with misspelt words corrected, where no document contains the typed ones; undefined
   * if nothing was corrected.
   */
  readonly corrected: string | undefined
  /** Whether time ran out before the search was complete. */
  readonly cutoff: boolean
}

/**
 * The present stage: writes the response as JSON. Documents are copied as they are stored, so
 * nothing is parsed only to be printed again.
 */
export async function presentSearch(
  executed: ExecutedSearch,
  answer: AnswerWriter,
): Promise<PresentedSearch> {
  const { schema, request, planned, outcome, suggested, meant } = executed
  const page = request.page ?? 1
  const perPage = request.per_page ?? PER_PAGE_DEFAULT
  const shown = outcome.groups?.found ?? outcome.found
  const totalPages = perPage === 0 ? 0 : Math.ceil(shown / perPage)
  const { foundByMeaning } = outcome
  const ofMeaning = foundByMeaning === undefined ? '' : `,"found_semantic":${foundByMeaning}`
  answer.text(
    `{"found":${outcome.found}${ofMeaning},"page":${page},"per_page":${perPage},"total_pages":${totalPages},"matched_terms":"${outcome.matchedTerms}"`,
  )
  const hits = outcome.hits.length === 0 ? undefined : new HitPresenter(executed, answer)
  await presentPage(executed, answer, hits)
  const isEscaped = request.highlight_escape ?? true
  const marked = await markFacets(
    planned.plan,
    executed.schema,
    outcome.facets,
    executed.analyzer,
    isEscaped,
    executed.pace,
  )
  let rest = ''
  if (request.facet_by !== undefined || outcome.facets.length > 0) {
    rest += await presentFacets(schema, marked.facets, executed.pace)
    rest += presentFacetDisplay(executed.resources, executed.rules, schema, outcome.facets)
  }
  if (suggested !== undefined) rest += `,"suggestions":${JSON.stringify(suggested.suggestions)}`
  if (executed.isRewritten) rest += `,"rewritten_query":${JSON.stringify(request.q)}`
  // A query that is the id of a document is not misspelt.
  const isId = outcome.hits[0]?.byId === true
  const corrected = isId
    ? undefined
    : correctQuery(planned.query, planned.words, outcome.expansions)
  if (corrected !== undefined) rest += `,"corrected_query":${JSON.stringify(corrected)}`
  if (meant.text !== undefined && !isId) rest += `,"did_you_mean":${JSON.stringify(meant.text)}`
  const { interpretation } = executed
  if (interpretation !== undefined)
    rest += `,"interpretation":${presentInterpretation(interpretation)}`
  const isHitCut = hits?.cutoff === true
  const cutoff =
    outcome.cutoff || isHitCut || marked.cutoff || suggested?.cutoff === true || meant.cutoff
  if (cutoff) rest += ',"search_cutoff":true'
  rest += presentPersonalized(executed)
  if (executed.isSemanticSkipped) rest += ',"semantic":"skipped"'
  if (executed.experiment !== undefined) {
    rest += `,"experiment":${JSON.stringify(executed.experiment)}`
  }
  rest += presentRules(executed.rules)
  if (rest !== '') answer.text(rest)
  const warnings = [...executed.warnings, ...(hits?.warnings ?? [])]
  const tail = warnings.length > 0 ? `,"warnings":${JSON.stringify(warnings)}}` : '}'
  return { tail, corrected, cutoff }
}

function presentPersonalized({ taste, request }: ExecutedSearch): string {
  if (taste === undefined) return ''
  const personalized: Personalized =
    taste === 'late' ? { skipped: 'time' } : presentTaste(taste, request.explain === true)
  return `,"personalized":${JSON.stringify(personalized)}`
}

/** @param presenter undefined if there are no hits */
async function presentPage(
  { outcome, planned }: ExecutedSearch,
  answer: AnswerWriter,
  presenter: HitPresenter | undefined,
): Promise<void> {
  const { hits, groups } = outcome
  const isGrouped = groups !== undefined && planned.groupAnswer !== 'flat'
  answer.text(',"hits":[')
  if (!isGrouped) await presenter?.write(hits)
  answer.text(']')
  if (groups === undefined) return
  answer.text(`,"found_groups":${groups.found}`)
  if (!isGrouped) return
  answer.text(',"grouped_hits":[')
  let at = 0
  for (const [i, { key, found, hitCount }] of groups.page.entries()) {
    answer.text(`${i === 0 ? '' : ','}{"group_key":${exactJson(key)},"found":${found},"hits":[`)
    await presenter?.write(hits.slice(at, (at += hitCount)))
    answer.text(']}')
  }
  answer.text(']')
}

/** The rules that applied, and what they add to the page. */
function presentRules(rules: RuleEffects | undefined): string {
  if (rules === undefined || rules.applied.length === 0) return ''
  const applied = `,"applied_rules":${JSON.stringify(rules.applied)}`
  return rules.metadata === undefined
    ? applied
    : `${applied},"metadata":${exactJson(rules.metadata)}`
}
