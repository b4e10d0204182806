/**
 * The article, alone or after one of the particles written onto it; lil- has swallowed its alef.
 */
const ARTICLE = /^(?:[وفبك]?ال|لل)(?=[\u0621-\u064a]{3})/

/** UTF-16 units of the article at the start of a folded Arabic word; 0 if none leaves a word. */
export function articleLength(word: string): number {
  const code = word.charCodeAt(0)
  if (code < 0x0621 || code > 0x064a) return 0
  return ARTICLE.exec(word)?.[0].length ?? 0
}
