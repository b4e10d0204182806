import type { Identification, LogEntry, Visitor, VisitorEvent } from '../model/visitor-event.ts'
import { activityOf, shownQuery, type ActivityKind } from './activity.ts'
import { naiveFacts, type LogPlace } from './naive-facts.ts'

/** Ids of the visitor; at least one. */
export interface VisitorIds {
  readonly userId?: string | undefined
  readonly anonymousId?: string | undefined
  readonly sessionId?: string | undefined
}

/** A page of what a visitor did, with `fromMs <= time < toMs`. */
export interface JourneyQuery {
  readonly visitor: VisitorIds
  readonly fromMs: number
  readonly toMs: number
  /** The end of the previous page; absent: the first page. */
  readonly after?: JourneyPlace
  readonly limit: number
}

/** Distinguishes events of the same time by their position in the log. */
export interface JourneyPlace {
  readonly atMs: number
  readonly position: number
}

export interface JourneyStep {
  readonly position: number
  readonly entry: VisitorEvent | Identification
  readonly kind: ActivityKind
  /** The query of its search, as reports show it. */
  readonly query: string | undefined
  /** A search that reports count: not a step of a typing burst, nor a second report of a search. */
  readonly isCounted: boolean
}

export interface Journey {
  /** Newest first. */
  readonly steps: readonly JourneyStep[]
  /** More steps follow this one. */
  readonly next?: JourneyPlace
}

/**
 * Lists a visitor's events in the plainest code: exactly those that erasing this visitor would
 * remove.
 */
export function naiveJourney(log: readonly LogPlace[], query: JourneyQuery): Journey {
  const { visitor, fromMs, toMs, after, limit } = query
  const isTheirs = visitorTest(
    log.map(({ entry }) => entry),
    visitor,
  )
  const { activities, searchOf } = naiveFacts(log)
  const byPosition = new Map(activities.map((one) => [one.position, one]))
  const all = log
    .flatMap(({ position, entry }) =>
      entry.kind !== 'tally' && isTheirs(entry) ? [{ position, entry }] : [],
    )
    .filter(({ entry: { atMs } }) => atMs >= fromMs && atMs < toMs)
    .filter(
      ({ position, entry: { atMs } }) =>
        after === undefined ||
        atMs < after.atMs ||
        (atMs === after.atMs && position < after.position),
    )
    .toSorted((a, b) => b.entry.atMs - a.entry.atMs || b.position - a.position)
  const steps = all.slice(0, limit).map(({ position, entry }): JourneyStep => {
    const search = searchOf(byPosition.get(position)!)
    return {
      position,
      entry,
      kind: activityOf(entry).kind,
      query: search === undefined ? undefined : shownQuery(search.query),
      isCounted: search?.key === position,
    }
  })
  const last = steps.at(-1)
  if (all.length <= limit || last === undefined) return { steps }
  return { steps, next: { atMs: last.entry.atMs, position: last.position } }
}

/**
 * Selects the entries of a visitor: those with a given id, and for a user those with anonymous and
 * session ids that only this user had, if they name no user.
 */
function visitorTest(
  entries: readonly LogEntry[],
  { userId, anonymousId, sessionId }: VisitorIds,
): (entry: LogEntry) => boolean {
  const visitors = entries.flatMap((entry) => (entry.kind === 'tally' ? [] : [entry.visitor]))
  /** Whether the id of a visitor was seen with this user, and with no other. */
  const isOwned = (key: 'anonymousId' | 'sessionId', visitor: Visitor): boolean => {
    const same = visitors.filter((one) => visitor[key] !== undefined && one[key] === visitor[key])
    const users = new Set(same.flatMap((one) => one.userId ?? []))
    return users.size === 1 && users.has(userId!)
  }
  return (entry) => {
    if (entry.kind === 'tally') return false
    const { visitor } = entry
    if (anonymousId !== undefined && visitor.anonymousId === anonymousId) return true
    if (sessionId !== undefined && visitor.sessionId === sessionId) return true
    if (userId === undefined) return false
    if (visitor.userId !== undefined) return visitor.userId === userId
    return isOwned('anonymousId', visitor) || isOwned('sessionId', visitor)
  }
}
