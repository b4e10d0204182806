import { newBitset, setBit } from '../../codec/bitset.ts'
import { PAIR_CANDIDATES_MAX } from '../../scoring/formula.ts'
import { MEANING_CANDIDATES } from '../../scoring/meaning.ts'
import type { GroupsOutcome, PlannedGroups, SearchPlan } from '../../query/plan.ts'
import { Matches, type MatchRule } from '../match/matches.ts'
import type { PinnedDocuments } from '../match/pinned-documents.ts'
import type { SimilarDocument, SimilarDocuments } from '../match/similar-documents.ts'
import type { WordSets } from '../match/word-sets.ts'
import type { Boosts } from '../model/boosts.ts'
import type { Popularity } from '../model/popularity.ts'
import type { PageEntry } from '../page/pinned-page.ts'
import type { Scorer } from '../score/document-scorer.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { Steps } from '../view/steps.ts'
import { GroupMatches } from './group-matches.ts'
import { GroupNumbers } from './group-numbers.ts'
import { GroupOrder } from './group-order.ts'

/**
 * The plan for the first documents of a plan with groups: everything within reach of a bonus or of
 * meaning, and everything pinned. All others follow in the plain order of the sort keys, and behind
 * them those that only their meaning found, most similar first.
 */
export function planFirst(plan: SearchPlan): SearchPlan {
  if (plan.groups === undefined) return plan
  const similar = plan.meaning?.least === undefined ? 0 : MEANING_CANDIDATES
  const reached = PAIR_CANDIDATES_MAX + similar + plan.pins.length
  const size = Math.max(reached, ...plan.pins.map(({ position }) => position))
  return { ...plan, from: 0, size }
}

export interface GroupedPage {
  readonly entries: readonly PageEntry[]
  readonly outcome: GroupsOutcome
}

/** A search whose first documents are ranked. */
export interface GroupedSearch {
  /** Of `planFirst`. */
  readonly run: SearchRun
  /** The plan with groups. */
  readonly plan: SearchPlan & { readonly groups: PlannedGroups }
  readonly sets: WordSets
  /** Undefined: no document matches by its words. */
  readonly rule: MatchRule | undefined
  readonly scorer: Scorer | undefined
  /** The documents that only their meaning found; undefined: none. */
  readonly similar: SimilarDocuments | undefined
  readonly pinned: PinnedDocuments
  readonly boosts: Boosts
  readonly popularity: Popularity | undefined
  /** The first documents in the final order: those of `planFirst`. */
  readonly first: readonly PageEntry[]
}

/**
 * "Groups" in docs/ranking.md. The groups of the first documents come first, in their order. If
 * they fill the page, all other matches are only counted, except those of groups that lack hits.
 * Otherwise every match is collected, with its score and its group.
 */
export function* searchGroups(search: GroupedSearch): Steps<GroupedPage> {
  const { run, plan, sets, rule, scorer, similar, boosts, popularity, first } = search
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
  const matches = new GroupMatches(numbers, { groups, except }, boosts)
  if (rule !== undefined && scorer !== undefined) {
    const found = new Matches(run, sets, rule, run.plan.filter, false)
    yield* matches.collect(run, found, scorer)
  }
  if (similar !== undefined && plan.meaning !== undefined) {
    yield* matches.collectSimilar(run, plan.meaning, similar.found)
  }
  for (const [rank, { pinned }] of first.entries()) {
    if (pinned === true) matches.countOne(firstGroups[rank]!)
  }

  const order = new GroupOrder(run, popularity, matches.segments, run.plan.sort)
  const bySimilarity = new GroupOrder(run, popularity, matches.similar, BY_SIMILARITY)
  if (!isFilled) {
    for (const one of [order, bySimilarity]) {
      const others = yield* one.bestOfGroups(setOf(inOrder, numbers.end), end - inOrder.length)
      inOrder.push(...others.map(({ group }) => group))
    }
    page = inOrder.slice(plan.from, end)
  }
  const lackOf = (group: number, found: readonly PageEntry[] = []): [number, number] => [
    group,
    limit - found.length,
  ]
  const more = yield* order.bestWithin(new Map(page.map((one) => lackOf(one, shown.get(one)))))
  const byWords = page.map((group) => [...(shown.get(group) ?? []), ...more.get(group)!])
  const least = yield* bySimilarity.bestWithin(
    new Map(page.map((group, i) => lackOf(group, byWords[i]))),
  )
  const entries = page.map((group, i) => [...byWords[i]!, ...least.get(group)!.map(asSimilar)])
  return {
    entries: entries.flat(),
    outcome: {
      found: matches.found,
      page: page.map((group, i) => {
        const { segmentIndex, docOrd } = entries[i]![0]!
        const key = numbers.keyOf(segmentIndex, docOrd)
        return { key, found: matches.counts[group]!, hitCount: entries[i]!.length }
      }),
    },
  }
}

/** Documents that were collected by meaning have similarities for scores. */
const BY_SIMILARITY = [{ kind: 'textMatch', descending: true }] as const

function asSimilar({ score, ...document }: PageEntry): SimilarDocument {
  return { ...document, score: 0, similarity: score }
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
