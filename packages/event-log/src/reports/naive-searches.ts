import { BURST_PAUSE_MS, isEdit } from '../bursts/typing-bursts.ts'
import type { Visitor } from '../model/visitor-event.ts'
import { shownQuery, type Activity, type ActivityKind } from './activity.ts'
import {
  ATTRIBUTION_MS,
  SEARCH_ID_WINDOW_MS,
  STRETCH_MARGIN_MS,
  STRETCH_MS,
  stretchOf,
} from './stretches.ts'

/** An activity with its position in the log. */
export interface Placed extends Activity {
  readonly position: number
}

/** One search, merged from the reports of the service and the client. */
export interface Search {
  /** Position of the event that represents it. */
  readonly key: number
  /** Key of the final search of its typing burst; its own key if it is final. */
  readonly final: number
  readonly searchId: string | undefined
  readonly atMs: number
  readonly query: string
  readonly found: number | undefined
  readonly tags: readonly string[]
  readonly visitor: Visitor
}

export interface Searches {
  readonly searches: readonly Search[]
  /**
   * Final search by position of an action: the newest of the same session, if it is not too old.
   */
  readonly touches: ReadonlyMap<number, number>
}

/** Deliberate actions of a visitor: they end a typing burst and may belong to a search. */
const ACTIONS: ReadonlySet<ActivityKind> = new Set([
  'click',
  'filter',
  'cart',
  'suggestion',
  'add',
  'conversion',
  'purchase',
  'order',
])

export function isAction(kind: ActivityKind): boolean {
  return ACTIONS.has(kind)
}

/**
 * Whose actions belong together: session id, else anonymous id, else user id, else the client of
 * the day.
 */
export function sessionOf({ sessionId, anonymousId, userId, client }: Visitor): string {
  if (sessionId !== undefined) return `s${sessionId}`
  if (anonymousId !== undefined) return `a${anonymousId}`
  return userId === undefined ? `c${client ?? ''}` : `u${userId}`
}

/**
 * All searches of a log, in the plainest code: `docs/analytics.md`, step by step. The fast reports
 * must give the same.
 */
export function naiveSearches(log: readonly Placed[]): Searches {
  const searches: Search[] = []
  const touches = new Map<number, number>()
  for (const stretch of new Set(log.map(({ receivedMs }) => stretchOf(receivedMs)))) {
    const fromMs = stretch * STRETCH_MS
    const inStretch = (one: Placed): boolean => stretchOf(one.receivedMs) === stretch
    const around = log.filter(
      ({ receivedMs }) =>
        receivedMs >= fromMs - STRETCH_MARGIN_MS &&
        receivedMs < fromMs + STRETCH_MS + STRETCH_MARGIN_MS,
    )
    const steps = [
      ...mergedSearches(around, knownBefore(log, fromMs)),
      ...around.filter(({ kind }) => isAction(kind)).map((action) => ({ main: action })),
    ].toSorted((a, b) => a.main.atMs - b.main.atMs || a.main.position - b.main.position)
    for (const ofSession of Map.groupBy(steps, (step) => sessionOf(visitorOf(step))).values()) {
      const finals = finalsOfBursts(ofSession)
      for (const [i, step] of ofSession.entries()) {
        if (!inStretch(step.main)) continue
        if ('search' in step) searches.push({ ...step.search, final: finals[i]! })
        else {
          const final = touched(step.main, ofSession.slice(0, i), finals)
          if (final !== undefined) touches.set(step.main.position, final)
        }
      }
    }
  }
  return { searches, touches }
}

interface SearchStep {
  readonly main: Placed
  readonly search: Omit<Search, 'final'>
}
type Step = SearchStep | { readonly main: Placed }

function visitorOf(step: Step): Visitor {
  return 'search' in step ? step.search.visitor : step.main.visitor
}

/** Search ids in the log before a stretch and its margin: counted there. */
function knownBefore(log: readonly Placed[], fromMs: number): Set<string | undefined> {
  const known = log.filter(
    ({ kind, receivedMs }) =>
      kind === 'search' &&
      receivedMs < fromMs - STRETCH_MARGIN_MS &&
      receivedMs >= fromMs - SEARCH_ID_WINDOW_MS,
  )
  return new Set(known.flatMap(({ searchId }) => searchId ?? []))
}

/** One search per search id; represented by the service's record, else by the earliest event. */
function mergedSearches(
  around: readonly Placed[],
  known: ReadonlySet<string | undefined>,
): SearchStep[] {
  const events = around.filter(({ kind }) => kind === 'search')
  const groups = Map.groupBy(events, ({ searchId, position }) => searchId ?? position)
  return [...groups].flatMap(([id, unordered]) => {
    if (typeof id === 'string' && known.has(id)) return []
    const group = unordered.toSorted(
      (a, b) =>
        Number(b.source === 'server') - Number(a.source === 'server') ||
        a.atMs - b.atMs ||
        a.position - b.position,
    )
    const main = group[0]!
    const first = <T>(read: (one: Placed) => T | undefined): T | undefined =>
      group.map(read).find((value) => value !== undefined)
    const visitor = Object.fromEntries(
      (['userId', 'anonymousId', 'sessionId', 'client'] as const).flatMap((key) => {
        const value = first((one) => one.visitor[key])
        return value === undefined ? [] : [[key, value]]
      }),
    )
    const search = {
      key: main.position,
      searchId: main.searchId,
      atMs: main.atMs,
      query: main.query ?? '',
      found: first((one) => one.found),
      tags: [...new Set(group.flatMap(({ tags }) => tags))],
      visitor,
    }
    return [{ main, search }]
  })
}

/**
 * Returns, for each step of a session in order, the key of the final search of its burst. Within a
 * burst, the first search of the last run of equal queries is final.
 */
function finalsOfBursts(steps: readonly Step[]): (number | undefined)[] {
  const finals: (number | undefined)[] = steps.map(() => undefined)
  let burst: number[] = []
  let runKey = 0
  const close = (): void => {
    for (const i of burst) finals[i] = runKey
    burst = []
  }
  for (const [i, step] of steps.entries()) {
    if (!('search' in step)) {
      close()
      continue
    }
    const before = burst.length === 0 ? undefined : (steps[burst.at(-1)!] as SearchStep).search
    const { key, atMs, query } = step.search
    const goesOn =
      before !== undefined && atMs - before.atMs < BURST_PAUSE_MS && isEdit(before.query, query)
    if (!goesOn) close()
    if (!goesOn || before.query !== query) runKey = key
    burst.push(i)
  }
  close()
  return finals
}

/** The newest search before an action, with the query that the action names, if any. */
function touched(
  action: Placed,
  before: readonly Step[],
  finals: readonly (number | undefined)[],
): number | undefined {
  if (action.isOutside) return undefined
  const i = before.findLastIndex(
    (step) =>
      'search' in step && (action.query === undefined || step.search.query === action.query),
  )
  if (i < 0 || action.atMs - before[i]!.main.atMs > ATTRIBUTION_MS) return undefined
  return finals[i]
}

/** A query as reports show it: `*` if blank. */
export function queryOf({ query }: Pick<Search, 'query'>): string {
  return shownQuery(query)
}
