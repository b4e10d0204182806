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

/**
 * A highlight of the service as pieces of plain text.
 *
 * @param marked with `<mark>` around matched words
 * @param isEscaped the text around the marks is escaped HTML (`highlight_escape`, the default)
 */
export function markedPieces(marked: string, isEscaped = true): MarkedPiece[] {
  const pieces: MarkedPiece[] = []
  for (const [i, part] of marked.split('<mark>').entries()) {
    const end = i === 0 ? 0 : part.indexOf('</mark>')
    if (i > 0 && end > 0) pieces.push({ text: part.slice(0, end), isMarked: true })
    const rest = i === 0 ? part : end < 0 ? part : part.slice(end + '</mark>'.length)
    if (rest !== '') pieces.push({ text: rest, isMarked: false })
  }
  if (!isEscaped) return pieces
  return pieces.map(({ text, isMarked }) => ({
    text: text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity),
    isMarked,
  }))
}
