import { DOCUMENT_ID_MAX_BYTES } from '@aisle/contract'
import type { PlannedPin } from '@aisle/engine'

/** A query for every document is not an id. */
const EVERYTHING = '*'

/**
 * A query that is the id of a document finds it, first ("Pins" in docs/ranking.md): a pin for the
 * text as typed, and for one with digits (b0brkxtsbt) also in upper and lower case. The index knows
 * whether such documents exist.
 */
export function idPins(q: string): readonly PlannedPin[] {
  const id = q.trim()
  // Most queries are shorter than any limit, and a text has at most three bytes per code unit.
  const isTooLong =
    id.length * 3 > DOCUMENT_ID_MAX_BYTES && Buffer.byteLength(id) > DOCUMENT_ID_MAX_BYTES
  if (id === '' || id === EVERYTHING || isTooLong) return []
  const pin = (spelling: string): PlannedPin => ({ id: spelling, position: 1, byId: true })
  if (!hasDigit(id)) return [pin(id)]
  return [...new Set([id, id.toUpperCase(), id.toLowerCase()])].map(pin)
}

/**
 * Adds the pins of the query to those of rules, all at the first free place, because most often
 * only one of the spellings exists. Pins and hidden documents of rules override them.
 *
 * @param ofRules by position
 */
export function mergedPins(
  ofRules: readonly PlannedPin[],
  ofQuery: readonly PlannedPin[],
): readonly PlannedPin[] {
  const ids = new Set(ofRules.map(({ id }) => id))
  const taken = new Set(ofRules.map(({ position }) => position))
  let position = 1
  while (taken.has(position)) position++
  const added = ofQuery.filter(({ id }) => !ids.has(id)).map((pin) => ({ ...pin, position }))
  return [...ofRules, ...added].sort((a, b) => a.position - b.position)
}

function hasDigit(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= 0x30 && code <= 0x39) return true
  }
  return false
}
