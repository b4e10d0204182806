import { finalQueries, factsOf, type LogEntry, type VisitorEvent } from '@aisle/event-log'
import type { Analyzer } from '@aisle/engine'
import { sessionOf, visitorOf } from '../history/actor.ts'
import { CLICK_WEIGHT, CONVERSION_WEIGHT } from '../history/day-cells.ts'
import { readQuery, type QueryText } from '../text/query-text.ts'
import { readSuggested, tierOf } from '../match/text-tier.ts'
import { UNTYPED_CHARS_MIN, UNTYPED_SESSIONS_MIN } from '../match/guarded-counts.ts'
import { TIER } from '../match/match-suggestions.ts'
import type { TypedText } from '../match/typed-text.ts'

const DAY_MS = 86_400_000
const JOURNEY_MS = 1_800_000

export interface NaiveRequest {
  readonly days: number
  readonly nowMs: number
  readonly tags: readonly string[]
  readonly allTags: boolean
  readonly minPopularity: number
  readonly minSessions: number
  readonly beginningOnly: boolean
  /** The correction of a query in its commonest spelling, if it has one. */
  readonly meantBy: (shown: string) => string | undefined
}

interface Use {
  readonly text: QueryText
  readonly day: number
  readonly session: string
  readonly visitor: string
  readonly tags: readonly string[]
  readonly kind: 'search' | 'click' | 'conversion'
}

/**
 * Suggestions, computed from all events for every request: the definition of counting and matching
 * in plain code, without flood guards, personalization and names of the catalog.
 */
export function naiveSuggestions(
  entries: readonly LogEntry[],
  typed: TypedText,
  request: NaiveRequest,
  analyzer: Analyzer,
): { query: string; popularity: number }[] {
  const uses = usesOf(entries, analyzer)
  const isUntyped = typed.words.length === 0
  const minSessions = isUntyped
    ? Math.max(request.minSessions, UNTYPED_SESSIONS_MIN)
    : request.minSessions
  const today = Math.floor(request.nowMs / DAY_MS)
  const recent = uses.filter(({ day }) => day >= today - request.days && day <= today + 1)
  const spellings = spellingsOf(uses, request, analyzer)
  const found = [...new Set(spellings.map(({ meant }) => meant.key))].flatMap((meantKey) => {
    const same = spellings.filter(({ meant }) => meant.key === meantKey)
    // Each spelling has its sessions; a visitor who used several counts once.
    const worth = same.map(({ key }) => recent.filter(({ text }) => text.key === key))
    const popularity = worth.reduce((sum, own) => sum + weigh(own, request).popularity, 0)
    const { visitors } = weigh(worth.flat(), request)
    if (popularity < Math.max(1, request.minPopularity) || visitors < minSessions) return []
    const query = (same.find(({ key }) => key === meantKey) ?? same[0]!).meant.shown
    const { folded } = readSuggested(query, analyzer)
    if (isUntyped && [...folded].length < UNTYPED_CHARS_MIN) return []
    const fit = tierOf(typed, readSuggested(query, analyzer))
    return fit === undefined ? [] : [{ query, folded, popularity, ...fit }]
  })
  return inTiers(found, request).map(({ query, popularity }) => ({ query, popularity }))
}

/** The typed queries, each with its correction. */
function spellingsOf(
  uses: readonly Use[],
  { meantBy }: NaiveRequest,
  analyzer: Analyzer,
): { readonly key: string; readonly meant: QueryText }[] {
  return [...new Set(uses.map(({ text }) => text.key))].flatMap((key) => {
    const shown = commonestSpelling(uses.filter(({ text }) => text.key === key))
    const other = meantBy(shown)
    const meant = other === undefined ? { shown, key } : readQuery(other, analyzer)
    return meant === undefined ? [] : [{ key, meant }]
  })
}

/** Exact suggestions; those with typos or parts of words only if there are few. */
function inTiers<T extends { tier: number; mistakes: number; popularity: number; folded: string }>(
  found: readonly T[],
  { beginningOnly }: NaiveRequest,
): T[] {
  const exact = found.filter(({ tier }) => tier <= TIER.words)
  const begun = exact.filter(({ tier }) => tier === TIER.beginning)
  const shown = beginningOnly || begun.length >= 100 ? begun : exact.length >= 3 ? exact : found
  return shown.toSorted(
    (a, b) =>
      a.tier - b.tier ||
      a.mistakes - b.mistakes ||
      b.popularity - a.popularity ||
      (a.folded < b.folded ? -1 : 1),
  )
}

function usesOf(entries: readonly LogEntry[], analyzer: Analyzer): Use[] {
  const events = entries.filter((entry): entry is VisitorEvent => entry.kind === 'event')
  const all = events.map((event) => ({ event, facts: factsOf(event) }))
  const final = new Set(
    finalQueries(
      all.map(({ event, facts }) => ({
        visitor: sessionOf(event.visitor)!,
        atMs: event.atMs,
        query: facts.action === 'search' ? facts.query : undefined,
      })),
    ),
  )
  const last = new Map<
    string,
    Use & { readonly atMs: number; readonly typedKey?: string | undefined }
  >()
  return all.flatMap(({ event, facts }, place): Use[] => {
    if (facts.action === 'search' && (!final.has(place) || facts.found === 0)) return []
    const kind = facts.action
    if (kind !== 'search' && kind !== 'click' && kind !== 'conversion') return []
    const session = sessionOf(event.visitor)!
    const recent = last.get(session)
    const before =
      recent !== undefined && event.atMs - recent.atMs <= JOURNEY_MS ? recent : undefined
    const typed = readQuery(facts.query ?? '', analyzer)
    const corrected = readQuery(facts.correctedQuery ?? '', analyzer)
    // A click that names the typed text belongs to the corrected query.
    const isOfBefore = kind !== 'search' && typed !== undefined && before?.typedKey === typed.key
    const text = isOfBefore ? before.text : (corrected ?? typed)
    if (text === undefined) return []
    const who = { session, visitor: visitorOf(event.visitor) }
    const use = { text, day: Math.floor(event.atMs / DAY_MS), ...who, tags: facts.tags, kind }
    if (kind === 'search') last.set(session, { ...use, typedKey: typed?.key, atMs: event.atMs })
    // A click without tags has those of its search.
    const follows = kind !== 'search' && before?.text.key === text.key
    return [use.tags.length === 0 && follows ? { ...use, tags: before.tags } : use]
  })
}

function weigh(
  uses: readonly Use[],
  { tags, allTags }: NaiveRequest,
): { popularity: number; visitors: number } {
  const tagged = uses.filter((use) =>
    tags.length === 0
      ? true
      : allTags
        ? tags.every((tag) => use.tags.includes(tag))
        : tags.some((tag) => use.tags.includes(tag)),
  )
  const distinct = (some: readonly Use[]): number =>
    new Set(
      some.map(({ day, session, tags: own }) =>
        JSON.stringify([day, session, tags.length === 0 ? '' : own.toSorted()]),
      ),
    ).size
  const sessions = distinct(tagged)
  const visitors = new Set(
    tagged.map(({ visitor, tags: own }) =>
      JSON.stringify([visitor, tags.length === 0 ? '' : own.toSorted()]),
    ),
  ).size
  const clicks = distinct(tagged.filter(({ kind }) => kind === 'click'))
  const conversions = distinct(tagged.filter(({ kind }) => kind === 'conversion'))
  return {
    visitors,
    popularity: sessions + CLICK_WEIGHT * clicks + CONVERSION_WEIGHT * conversions,
  }
}

/** Chooses by sessions and days; ties by code unit. */
function commonestSpelling(uses: readonly Use[]): string {
  const seen = new Set<string>()
  const counts = new Map<string, number>()
  for (const { text, day, session } of uses) {
    if (seen.has(`${day} ${session}`)) continue
    seen.add(`${day} ${session}`)
    counts.set(text.shown, (counts.get(text.shown) ?? 0) + 1)
  }
  return [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0]![0]
}
