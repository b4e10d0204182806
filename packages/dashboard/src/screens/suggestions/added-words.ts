/** Adds words that are missing, without blank lines. */
export function withWords(list: readonly string[], typed: string): string[] {
  const words = typed.split('\n').map((line) => line.trim())
  return [...new Set([...list, ...words.filter((word) => word !== '')])]
}
