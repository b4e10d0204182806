import { newBitset, setBit } from '../../codec/bitset.ts'
import { PAIR_CANDIDATES_MAX } from '../../scoring/formula.ts'
import type { GroupsOutcome, PlannedGroups, SearchPlan } from '../../query/plan.ts'
import type { PageEntry } from '../collect/pinned-page.ts'
import type { MatchSink } from '../collect/match-sink.ts'
import { forEachMatch } from '../match-all.ts'
import type { Boosts } from '../ranking/boosts.ts'
import { ExactValues } from '../ranking/exact-values.ts'
import { PinnedDocuments } from '../ranking/pinned-documents.ts'
import type { Popularity } from '../ranking/popularity.ts'
import { rankAll, strategyByKey } from '../ranking/match-strategy.ts'
import { WordSets } from '../ranking/word-sets.ts'
import type { SearchRun } from '../view/search-run.ts'
import { searchWords } from '../word-search.ts'
import type { MatchingWords } from '../words/matching-words.ts'
import { GroupMatches } from './group-matches.ts'
import { GroupNumbers } from './group-numbers.ts'
import { GroupOrder } from './group-order.ts'

/**
 * The plan for the first documents of a plan with groups: everything within reach of a bonus, and
 * everything pinned. All others follow in the plain order of the sort keys.
 */
export function planFirst(plan: SearchPlan): SearchPlan {
  if (plan.groups === undefined) return plan
  const reached = PAIR_CANDIDATES_MAX + plan.pins.length
  const size = Math.max(reached, ...plan.pins.map(({ position }) => position))
  return { ...plan, from: 0, size }
}

export interface GroupedPage {
  readonly entries: readonly PageEntry[]
  readonly groups: GroupsOutcome
}

export interface RankedSearch {
  /** Undefined: no document matches by its words. */
  readonly words: MatchingWords | undefined
  readonly boosts: Boosts
  readonly popularity: Popularity | undefined
  /** The first documents in the final order: those of `planFirst`. */
  readonly first: readonly PageEntry[]
}

/**
 * "Groups" in docs/ranking.md. The groups of the first documents come first, in their order. If
 * they fill the page, all other matches are only counted, except those of groups that lack hits.
 * Otherwise every match is collected, with its score and its group.
 *
 * @param run of `planFirst`
 * @param plan the plan with groups
 */
export function searchGroups(
  run: SearchRun,
  plan: SearchPlan & { readonly groups: PlannedGroups },
  search: RankedSearch,
): GroupedPage {
  const { boosts, popularity, first } = search
  const { limit } = plan.groups
  const numbers = new GroupNumbers(run, plan.groups)
  const firstGroups = first.map(({ segmentIndex, docOrd }) => numbers.of(segmentIndex, docOrd))
  const inOrder = [...new Set(firstGroups)]
  const end = plan.size === 0 ? 0 : plan.from + plan.size
  const isFilled = inOrder.length >= end

  let page = inOrder.slice(plan.from, end)
  const shown = new Map<number, PageEntry[]>(page.map((group) => [group, []]))
  for (const [rank, entry] of first.entries()) {
    const entries = shown.get(firstGroups[rank]!)
    if (entries !== undefined && entries.length < limit) entries.push(entry)
  }
  const lacking = page.filter((group) => shown.get(group)!.length < limit)

  const except = bitsOf(run, first)
  const groups = isFilled ? setOf(lacking, numbers.end) : undefined
  const matches = new GroupMatches(run, numbers, { groups, except }, boosts)
  visitMatches(run, search, matches, isFilled)
  for (const [rank, { pinned }] of first.entries()) {
    if (pinned === true) matches.countOne(firstGroups[rank]!)
  }

  const order = new GroupOrder(run, popularity, matches.segments)
  if (!isFilled) {
    const others = order.bestOfGroups(setOf(inOrder, numbers.end), end - inOrder.length)
    page = [...inOrder, ...others.map(({ group }) => group)].slice(plan.from, end)
  }
  const entriesOf = (group: number): readonly PageEntry[] => shown.get(group) ?? []
  const wanted = page.map((group) => [group, limit - entriesOf(group).length] as const)
  const more = order.bestWithin(new Map(wanted))
  const entries = page.map((group) => [...entriesOf(group), ...more.get(group)!])
  return {
    entries: entries.flat(),
    groups: {
      found: matches.found,
      page: page.map((group, i) => {
        const { segmentIndex, docOrd } = entries[i]![0]!
        const key = numbers.keyOf(segmentIndex, docOrd)
        return { key, found: matches.counts[group]!, hitCount: entries[i]!.length }
      }),
    },
  }
}

/**
 * Passes all matches to a sink, except pinned ones.
 *
 * @param isPicked only few documents need scores
 */
export function visitMatches(
  run: SearchRun,
  { words, boosts }: Pick<RankedSearch, 'words' | 'boosts'>,
  matches: MatchSink,
  isPicked: boolean,
): void {
  const pinned = new PinnedDocuments(run)
  if (run.plan.slots.length === 0) return forEachMatch(run, pinned, boosts, matches)
  if (words === undefined) return
  const { known, pointsMin } = words
  const strategy = isPicked && pointsMin === 0 ? strategyByKey(run, words) : rankAll(known)
  searchWords(run, words, new WordSets(run), new ExactValues(run), pinned, strategy, matches)
}

/** By segment: a set of documents. */
function bitsOf({ view }: SearchRun, documents: readonly PageEntry[]): (Uint32Array | undefined)[] {
  const bits: (Uint32Array | undefined)[] = []
  for (const { segmentIndex, docOrd } of documents) {
    bits[segmentIndex] ??= newBitset(view.segments[segmentIndex]!.reader.docCount)
    setBit(bits[segmentIndex], docOrd)
  }
  return bits
}

/** By group: 1 if it is one of these. */
function setOf(groups: readonly number[], count: number): Uint8Array {
  const set = new Uint8Array(count)
  for (const group of groups) set[group] = 1
  return set
}
