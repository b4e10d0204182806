/** A piece of a text in which matched words are marked. */
export interface MarkedPiece {
  readonly text: string
  readonly isMarked: boolean
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** What goes around a matched word. */
export interface TextMarks {
  readonly before: string
  readonly after: string
}

const MARKS: TextMarks = { before: '<mark>', after: '</mark>' }

/**
 * A highlight of the service as pieces of plain text.
 *
 * @param marked with marks around matched words
 * @param isEscaped the text around the marks is escaped HTML (`highlight_escape`, the default)
 * @param marks those of the request; without both, no piece can be told apart
 */
export function markedPieces(marked: string, isEscaped = true, marks = MARKS): MarkedPiece[] {
  const { before, after } = marks
  const pieces: MarkedPiece[] = []
  const parts = before === '' || after === '' ? [marked] : marked.split(before)
  for (const [i, part] of parts.entries()) {
    const end = i === 0 ? 0 : part.indexOf(after)
    if (i > 0 && end > 0) pieces.push({ text: part.slice(0, end), isMarked: true })
    const rest = i === 0 ? part : end < 0 ? part : part.slice(end + after.length)
    if (rest !== '') pieces.push({ text: rest, isMarked: false })
  }
  if (!isEscaped) return pieces
  return pieces.map(({ text, isMarked }) => ({
    text: text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity),
    isMarked,
  }))
}
