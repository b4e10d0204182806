import { ALL_TERMS_DOCS_MIN } from '../../scoring/formula.ts'
import { allowedDocuments, hasConditions } from '../filters/conditions.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { Steps } from '../view/steps.ts'
import type { WordDemand } from '../words/matching-words.ts'
import { Matches, type MatchRule } from './matches.ts'
import type { PinnedDocuments } from './pinned-documents.ts'
import type { WordSets } from './word-sets.ts'

export interface FoundMatches {
  readonly demand: WordDemand
  readonly rule: MatchRule
  readonly matches: Matches
}

/**
 * "Which words must match" in docs/ranking.md: the rule of a search, which is the strictest demand
 * that enough documents meet, and its matches.
 *
 * @param demands strictest first; none: nothing can match
 * @param keepsAll see `Matches`
 */
export function* findMatches(
  run: SearchRun,
  sets: WordSets,
  demands: readonly WordDemand[],
  pinned: PinnedDocuments,
  keepsAll: boolean,
): Steps<FoundMatches | undefined> {
  const { plan } = run
  const allowed = allowedBy(run, pinned)
  const isNarrowed = plan.filter !== undefined || hasConditions(plan) || pinned.all.length > 0
  for (const demand of demands) {
    const rule = { demand, allowed }
    const matches = new Matches(run, sets, rule, plan.filter, keepsAll)
    if (demand === demands.at(-1) || (yield* areEnough(run, matches)))
      return { demand, rule, matches }
    if (isNarrowed && (yield* areEnough(run, openMatches(run, sets, demand))))
      return { demand, rule, matches }
  }
  return undefined
}

/** The documents that meet everything but the filter and the words, without pinned ones. */
export function allowedBy(run: SearchRun, pinned: PinnedDocuments): MatchRule['allowed'] {
  return (segmentIndex) => {
    const segment = run.view.segments[segmentIndex]!
    const { docCount } = segment.reader
    return pinned.takenOut(segmentIndex, docCount, allowedDocuments(run, segment))
  }
}

/** The documents with the words that the searcher may see, before filters of the search. */
function openMatches(run: SearchRun, sets: WordSets, demand: WordDemand): Matches {
  const allowed = (segmentIndex: number) => run.view.segments[segmentIndex]!.live
  return new Matches(run, sets, { demand, allowed }, run.plan.scope, false)
}

function* areEnough({ view }: SearchRun, matches: Matches): Steps<boolean> {
  let count = 0
  for (let segmentIndex = 0; segmentIndex < view.segments.length; segmentIndex++) {
    const { found } = yield* matches.open(segmentIndex)
    count += found.count
    if (count >= ALL_TERMS_DOCS_MIN) return true
  }
  return false
}
