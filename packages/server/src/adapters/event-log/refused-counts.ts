import { EVENT_NAME_MAX_CHARS } from '@aisle/contract'
import type { RefusedEvent, TallyCount } from '@aisle/event-log'

/** Maximum of refused events per request that the live tail shows; the rest is only counted. */
export const REFUSED_SHOWN_MAX = 100
/** Maximum of names per request that are counted by name; the rest is counted as `other`. */
const NAMES_MAX = 50

/** Counts refused events by name and verdict, in bounded space. */
export function countRefused(refused: readonly RefusedEvent[]): TallyCount[] {
  const counts = new Map<string, TallyCount>()
  for (const { verdict, name: sent } of refused) {
    const short = sent.slice(0, EVENT_NAME_MAX_CHARS).toWellFormed()
    const name = counts.size < NAMES_MAX || counts.has(`${verdict} ${short}`) ? short : 'other'
    const key = `${verdict} ${name}`
    counts.set(key, { name, verdict, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  return [...counts.values()]
}
