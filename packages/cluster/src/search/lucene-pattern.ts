/** Escapes a text for a regular expression of Lucene. */
export function literal(text: string): string {
  return text.replace(/[^\p{L}\p{N}\p{M}\uE000]/gu, String.raw`\$&`)
}

export function oneOf(texts: readonly string[]): string {
  return `(${texts.map(literal).join('|')})`
}

/**
 * Matches all forms that may continue a misspelt prefix, by "looksBegun" of the engine: with its
 * first letter, and its last one about where the prefix ends; or of its letters alone as far as
 * that. Few other forms do, so lists of them are short.
 */
export function begunPattern(typed: string, edits: number): string {
  const letters = [...typed]
  const least = Math.max(0, letters.length - edits - 2)
  const most = Math.max(0, letters.length + edits - 2)
  const first = literal(letters[0] ?? '')
  const last = literal(letters.at(-1) ?? '')
  const ofLetters = `${oneOf([...new Set(letters)])}{${Math.max(1, letters.length - edits)}}`
  return `(${first}.{${least},${most}}${last}|${ofLetters})`
}
