import { createHash } from 'node:crypto'
import type { RankedHit, SearchOutcome, SearchPlan } from '@aisle/engine'
import { isUsualOrder } from '../../domain/expressions/sort-language.ts'
import { teamDraft, type Drafted, type Team } from '../../domain/plan/team-draft.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import type { VisitorTaste } from './visitor-taste.ts'

/** A search with two orders: their plans, and the coins of its visitor. */
export interface Interleaving {
  readonly live: SearchPlan
  readonly draft: SearchPlan
  readonly isLiveFirst: (round: number) => boolean
  /** What the visitor prefers by the draft. */
  readonly taste?: VisitorTaste | undefined
}

export interface InterleavedOutcome {
  readonly outcome: SearchOutcome
  /** All that the draft found: how its words matched. */
  readonly drafted: SearchOutcome
  /** Teams by docKey, without hits that both orders have in the same place. */
  readonly teams: ReadonlyMap<number, Team>
}

/** Whether the hits of a plan can be interleaved one by one: no groups, no other order. */
export function mayInterleave({ from, size, sort, groups }: SearchPlan, depth: number): boolean {
  return size > 0 && isUsualOrder(sort) && groups === undefined && from + size <= depth
}

/** Drafting k hits needs the first k of each order. */
export function fromTheFirst(plan: SearchPlan): SearchPlan {
  return { ...plan, from: 0, size: plan.from + plan.size }
}

/**
 * The coins of a visitor for a query: the same on every page.
 *
 * @param seed distinguishes one experiment from the next
 * @param q as the visitor typed it
 */
export function coinsOf(seed: string, visitor: string, q: string): (round: number) => boolean {
  const query = q.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  const coins = createHash('sha256')
    .update(JSON.stringify([seed, visitor, query]))
    .digest()
  return (round) => ((coins[(round >> 3) % coins.length]! >> (round & 7)) & 1) === 0
}

/**
 * Runs both plans and interleaves their hits. Hits that both pin to the same place keep it and
 * belong to no order. Number and facets are those of the order that finds more.
 *
 * @param page ranks from 0
 * @returns undefined if time ran out: an incomplete order would not be fair
 */
export async function executeInterleaved(
  view: SearchView,
  plans: Interleaving,
  page: Pick<SearchPlan, 'from' | 'size'>,
): Promise<InterleavedOutcome | undefined> {
  const live = await view.search(plans.live)
  const draft = await view.search(plans.draft)
  if (live.cutoff || draft.cutoff) return undefined
  const isFixed = (_: unknown, place: number): boolean => {
    const [one, other] = [live.hits[place], draft.hits[place]]
    return one?.pinned === true && other?.pinned === true && one.docKey === other.docKey
  }
  const fixed = new Set(live.hits.filter(isFixed).map(({ docKey }) => docKey))
  const isFree = ({ docKey }: RankedHit): boolean => !fixed.has(docKey)
  const length = Math.max(live.hits.length, draft.hits.length)
  const drafted = teamDraft(
    live.hits.filter(isFree),
    draft.hits.filter(isFree),
    ({ docKey }) => docKey,
    plans.isLiveFirst,
    length - fixed.size,
  ).values()
  const all = Array.from({ length }, (_, place): Drafted<RankedHit> =>
    isFixed(_, place) ? { item: live.hits[place]!, team: undefined } : drafted.next().value!,
  )
  const shown = all.slice(page.from, page.from + page.size)
  const teams = shown.flatMap(({ item, team }) =>
    team === undefined ? [] : [[item.docKey, team] as const],
  )
  const { found, facets } = draft.found > live.found ? draft : live
  return {
    outcome: { ...live, found, facets, hits: shown.map(({ item }) => item) },
    drafted: draft,
    teams: new Map(teams),
  }
}
