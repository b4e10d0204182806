/**
 * Searches are derived from events by stretch: four hours of arrival (UTC), with an hour before and
 * after for searches that cross the border. So new events change only the newest stretches, and
 * deriving everything again gives the same.
 */
export const STRETCH_MS = 4 * 3_600_000
export const STRETCH_MARGIN_MS = 3_600_000

/**
 * A search id that recurs within this time is the same search; message ids are remembered for the
 * same time.
 */
export const SEARCH_ID_WINDOW_MS = 8 * 86_400_000

/**
 * An action without a search id belongs to the newest search of its session, if it is at most this
 * old.
 */
export const ATTRIBUTION_MS = 30 * 60_000

export function stretchOf(receivedMs: number): number {
  return Math.floor(receivedMs / STRETCH_MS)
}

/** The stretches that an event belongs to, by its arrival. */
export function stretchesAround(receivedMs: number): number[] {
  const first = stretchOf(receivedMs - STRETCH_MARGIN_MS)
  // A margin is shorter than a stretch, so there are at most two.
  const last = stretchOf(receivedMs + STRETCH_MARGIN_MS)
  return first === last ? [first] : [first, last]
}
