/** Longest pause between two queries of one burst. */
export const BURST_PAUSE_MS = 3_000

/** The part of an event that bursts depend on, ordered by time within a visitor. */
export interface BurstEvent {
  /** The person typing: session, anonymous id or client. */
  readonly visitor: string
  readonly atMs: number
  /** The query of a search; any other action of the visitor (a click) ends a burst. */
  readonly query: string | undefined
}

/**
 * Selects the final search of each typing burst: the query that the visitor meant, of "s", "sh",
 * "sho", "shoe". A burst is queries of one visitor, each an extension or a cut of the previous one,
 * less than three seconds apart; it ends at a click, a pause, or another query.
 *
 * The same query again (the next page, or the client's own report of a recorded search) continues
 * the burst, and the first event of the final query represents it.
 *
 * @param events by `atMs`, visitors mixed
 * @returns the indexes of the final searches, ascending
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
  /** The first event of the newest query. */
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
