/** Maximum of distinct characters of a pattern that texts consist of. */
const CHARS_MAX = 8

/**
 * Texts that may be slow to match: characters of the pattern, repeated, one and two at a time, with
 * an unexpected end. Returns functions from the length in characters to the text.
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
