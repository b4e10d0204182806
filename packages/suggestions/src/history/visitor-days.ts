import { SUGGESTION_VISITORS_MAX as VISITORS_MAX } from '@aisle/contract'

/**
 * The visitors who searched for a query, and their last day, flat in one array: three numbers per
 * visitor and set of tags. Beyond the maximum only the latest are kept, which is enough to know
 * that there were that many.
 */
export type VisitorDays = number[]

export const VISITOR_LENGTH = 3
/** Offsets of a visitor: a hash, tags, day. */
export const VISITOR = { hash: 0, tagSet: 1, day: 2 } as const

/** @param hash of the visitor */
export function raiseVisitor(
  visitors: VisitorDays,
  hash: number,
  tagSet: number,
  day: number,
): void {
  for (let at = 0; at < visitors.length; at += VISITOR_LENGTH) {
    if (visitors[at] !== hash || visitors[at + VISITOR.tagSet] !== tagSet) continue
    if (visitors[at + VISITOR.day]! < day) visitors[at + VISITOR.day] = day
    return
  }
  visitors.push(hash, tagSet, day)
  if (visitors.length >= 2 * VISITORS_MAX * VISITOR_LENGTH) keepLatest(visitors)
}

/** The visitors since a day; the same array if there are no others. */
export function visitorsSince(visitors: VisitorDays, firstDay: number): VisitorDays {
  const kept: VisitorDays = []
  for (let at = 0; at < visitors.length; at += VISITOR_LENGTH) {
    if (visitors[at + VISITOR.day]! < firstDay) continue
    for (let i = 0; i < VISITOR_LENGTH; i++) kept.push(visitors[at + i]!)
  }
  return kept.length === visitors.length ? visitors : kept
}

/** Rare enough to cost no time per visitor. */
function keepLatest(visitors: VisitorDays): void {
  const places = Array.from({ length: visitors.length / VISITOR_LENGTH }, (_, i) => i)
  places.sort((a, b) => dayAt(visitors, b) - dayAt(visitors, a) || b - a)
  const kept = places
    .slice(0, VISITORS_MAX)
    .flatMap((place) => visitors.slice(place * VISITOR_LENGTH, (place + 1) * VISITOR_LENGTH))
  visitors.splice(0, visitors.length, ...kept)
}

function dayAt(visitors: VisitorDays, place: number): number {
  return visitors[place * VISITOR_LENGTH + VISITOR.day]!
}
