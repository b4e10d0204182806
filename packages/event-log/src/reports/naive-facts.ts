import type { LogEntry, TallyCount, Visitor } from '../model/visitor-event.ts'
import { activityOf, shownQuery } from './activity.ts'
import { isAction, naiveSearches, type Placed, type Search } from './naive-searches.ts'
import type { ReportQuery } from './report-counts.ts'

/** An action, with the final search that it belongs to, if any. */
export interface Act extends Placed {
  readonly search: Search | undefined
  /** The query of the search, else the one in the event. */
  readonly ofQuery: string | undefined
}

/** The facts that reports count, for a whole log. */
export interface Facts {
  readonly activities: readonly Placed[]
  readonly tallies: readonly (TallyCount & { readonly receivedMs: number })[]
  /** Final searches only. */
  readonly searches: readonly Search[]
  readonly acts: readonly Act[]
  /** The final search that an event belongs to, by its search id or because it is that search. */
  readonly searchOf: (activity: Placed) => Search | undefined
  /** The visitor; the same for all ids of a user. */
  readonly personOf: (visitor: Visitor) => string | undefined
}

export interface LogPlace {
  readonly position: number
  readonly entry: LogEntry
}

/** Reads a log for reports. Slow: an oracle for tests, and easy to read. */
export function naiveFacts(log: readonly LogPlace[]): Facts {
  const activities = log.flatMap(({ position, entry }) =>
    entry.kind === 'tally' ? [] : [{ position, ...activityOf(entry) }],
  )
  const tallies = log.flatMap(({ entry }) =>
    entry.kind === 'tally'
      ? entry.counts.map((count) => ({ ...count, receivedMs: entry.receivedMs }))
      : [],
  )
  const { searches, touches } = naiveSearches(activities)
  const byKey = new Map(searches.map((search) => [search.key, search]))
  const finalById = new Map<string, number>()
  for (const { searchId, final } of searches) {
    if (searchId === undefined) continue
    finalById.set(searchId, Math.min(final, finalById.get(searchId) ?? Infinity))
  }
  const searchOf = ({ position, searchId, kind }: Placed): Search | undefined => {
    const byId = searchId === undefined ? undefined : finalById.get(searchId)
    const bySelf = kind === 'search' ? byKey.get(position)?.final : touches.get(position)
    const final = byId ?? bySelf
    return final === undefined ? undefined : byKey.get(final)
  }
  const counted = countedSales(activities)
  const acts = activities
    .filter(({ kind, position }) => isAction(kind) && counted(position))
    .map((action): Act => {
      const search = searchOf(action)
      return { ...action, search, ofQuery: search?.query ?? action.query }
    })
  return {
    activities,
    tallies,
    searches: searches.filter(({ key, final }) => key === final),
    acts,
    searchOf,
    personOf: personReader(activities),
  }
}

/**
 * An order counts once: the first Order Completed of an order id. Conversions with that id are part
 * of it; without an Order Completed, each of its documents counts once.
 */
function countedSales(activities: readonly Placed[]): (position: number) => boolean {
  const sales = activities.filter(
    ({ kind, orderId }) => (kind === 'order' || kind === 'purchase') && orderId !== undefined,
  )
  const repeated = new Set(sales.map(({ position }) => position))
  for (const ofOrder of Map.groupBy(sales, ({ orderId }) => orderId).values()) {
    const inTime = ofOrder.toSorted((a, b) => a.atMs - b.atMs || a.position - b.position)
    const order = inTime.find(({ kind }) => kind === 'order')
    if (order !== undefined) {
      repeated.delete(order.position)
      continue
    }
    for (const [first] of Map.groupBy(inTime, ({ documentId }) => documentId).values()) {
      repeated.delete(first!.position)
    }
  }
  return (position) => !repeated.has(position)
}

/** An anonymous id belongs to the user that it was last seen with. */
function personReader(activities: readonly Placed[]): Facts['personOf'] {
  const users = new Map<string, string>()
  const inTime = activities.toSorted((a, b) => a.atMs - b.atMs || a.position - b.position)
  for (const { visitor } of inTime) {
    const { userId, anonymousId } = visitor
    if (userId !== undefined && anonymousId !== undefined) users.set(anonymousId, userId)
  }
  return ({ userId, anonymousId, sessionId, client }) => {
    const user = userId ?? (anonymousId === undefined ? undefined : users.get(anonymousId))
    if (user !== undefined) return `u${user}`
    if (anonymousId !== undefined) return `a${anonymousId}`
    if (sessionId !== undefined) return `s${sessionId}`
    return client === undefined ? undefined : `c${client}`
  }
}

/** Keys of searches with actions. */
export function keysOf(acts: readonly Act[]): Set<number> {
  return new Set(acts.flatMap(({ search }) => search?.key ?? []))
}

export function hasTags(
  { tags, needsAllTags }: Pick<ReportQuery, 'tags' | 'needsAllTags'>,
  own: readonly string[],
): boolean {
  if (tags.length === 0) return true
  return needsAllTags
    ? tags.every((tag) => own.includes(tag))
    : tags.some((tag) => own.includes(tag))
}

/** Whether a typed query is the requested one. */
export function isAbout(
  { onlyQuery }: Pick<ReportQuery, 'onlyQuery'>,
  typed: string | undefined,
): boolean {
  return onlyQuery === undefined || (typed !== undefined && shownQuery(typed) === onlyQuery)
}

/** Compares by code point, which is the order of UTF-8. */
export function compareText(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
