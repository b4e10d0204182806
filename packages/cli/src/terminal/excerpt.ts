/** A piece of text, plain or highlighted. */
export interface Piece {
  readonly text: string
  readonly isMarked: boolean
}

/** Characters shown before the first highlight when the beginning is left out. */
const LEAD_CHARS = 40

/**
 * Shortens long texts for a terminal, with an ellipsis for omitted parts: keeps their beginning, or
 * the text around the first mark. Lengths are in code points, so that none is cut in two.
 *
 * @param maxChars of all pieces together, ellipses not counted
 */
export function excerptOf(pieces: readonly Piece[], maxChars: number): Piece[] {
  const characters = pieces.map(({ text, isMarked }) => ({ points: [...text], isMarked }))
  const total = characters.reduce((sum, { points }) => sum + points.length, 0)
  if (total <= maxChars) return [...pieces]
  let firstMark = 0
  for (const { points, isMarked } of characters) {
    if (isMarked) break
    firstMark += points.length
  }
  const isFar = firstMark < total && firstMark > maxChars - LEAD_CHARS
  const from = isFar ? Math.max(0, Math.min(firstMark - LEAD_CHARS, total - maxChars)) : 0
  const shown: Piece[] = from > 0 ? [{ text: '…', isMarked: false }] : []
  let at = 0
  for (const { points, isMarked } of characters) {
    const part = points.slice(Math.max(0, from - at), Math.max(0, from + maxChars - at))
    if (part.length > 0) shown.push({ text: part.join(''), isMarked })
    at += points.length
  }
  if (from + maxChars < total) shown.push({ text: '…', isMarked: false })
  return shown
}
