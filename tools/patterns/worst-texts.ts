/** Different characters of a pattern that texts are made of. */
const CHARS_MAX = 8

/**
 * Texts that a pattern may take long for: what it is made of, repeated, one and two characters at a
 * time, with an end that it does not expect. A text by its length in characters.
 */
export function worstTexts(source: string): ((chars: number) => string)[] {
  const chars = [...new Set([...' a1', ...source.replaceAll(/\\[a-zA-Z]|\{\d*,?\d*\}/g, '')])]
  const pieces = chars.slice(0, CHARS_MAX)
  const pairs = pieces.flatMap((a) => pieces.map((b) => (a === b ? a : a + b)))
  return pairs.flatMap((piece) =>
    ['', '\0'].map(
      (end) => (length: number) => piece.repeat(Math.ceil(length / piece.length)) + end,
    ),
  )
}
