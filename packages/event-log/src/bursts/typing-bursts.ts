/** Queries of one visitor that follow one another faster than this may be one burst. */
export const BURST_PAUSE_MS = 3_000

/** The part of an event that matters for bursts, ordered by time within a visitor. */
export interface BurstEvent {
  /** Who typed: session, anonymous id or client. */
  readonly visitor: string
  readonly atMs: number
  /** A search; any other action of the visitor (a click) ends a burst. */
  readonly query: string | undefined
}

/**
 * Which searches are the final ones of their typing burst: the query that somebody meant, of "s",
 * "sh", "sho", "shoe". A burst is queries of one visitor, each an extension or a cut of the one
 * before, less than three seconds apart; it ends at a click, a pause, or another query.
 *
 * The same query again (a page further, the client's own report of a search that we recorded) goes
 * on with the burst, and the first event of the final query stands for it.
 *
 * @param events by `atMs`, visitors mixed
 * @returns the places of the final searches, ascending
 */
export function finalQueries(events: readonly BurstEvent[]): number[] {
  const bursts = new Map<string, OpenBurst>()
  const final: number[] = []
  for (const [place, { visitor, atMs, query }] of events.entries()) {
    const burst = bursts.get(visitor)
    if (query === undefined) {
      if (burst !== undefined) final.push(burst.place)
      bursts.delete(visitor)
      continue
    }
    const typed = typedForm(query)
    const goesOn =
      burst !== undefined && atMs - burst.atMs < BURST_PAUSE_MS && isEdit(burst.typed, typed)
    if (burst !== undefined && !goesOn) final.push(burst.place)
    const isSame = goesOn && burst.typed === typed
    bursts.set(visitor, { place: isSame ? burst.place : place, atMs, typed })
  }
  for (const { place } of bursts.values()) final.push(place)
  return final.toSorted((a, b) => a - b)
}

interface OpenBurst {
  /** The first event of the query that is the newest. */
  readonly place: number
  readonly atMs: number
  readonly typed: string
}

/** One is a prefix of the other. */
export function isEdit(before: string, after: string): boolean {
  return after.startsWith(before) || before.startsWith(after)
}

/**
 * Case and outer spaces make no difference; a trailing space between two words is part of typing.
 */
export function typedForm(query: string): string {
  return query.trim().toLowerCase().replaceAll(/\s+/g, ' ')
}
