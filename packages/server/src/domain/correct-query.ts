import type { Analyzer, QuerySlot, SlotExpansion } from '@aisle/engine'

/**
 * The query as it was understood: each word that no document holds, in any spelling, is replaced by
 * its best correction.
 *
 * @param expansions what stood for each of `words`, in their order
 * @returns undefined when nothing was corrected
 */
export function correctQuery(
  q: string,
  words: readonly QuerySlot[],
  expansions: readonly SlotExpansion[],
  analyzer: Analyzer,
): string | undefined {
  const corrections = new Map<string, string>()
  for (const [i, { known, corrections: found }] of expansions.entries()) {
    const word = words[i]
    const best = found[0]
    if (word !== undefined && !known && best !== undefined) corrections.set(word.stem, best)
  }
  if (corrections.size === 0) return undefined
  let corrected = ''
  let copiedTo = 0
  for (const token of analyzer.analyze(q)) {
    const best = token.kind === 'word' ? corrections.get(analyzer.stem(token.form)) : undefined
    if (best === undefined) continue
    corrected += q.slice(copiedTo, token.start) + best
    copiedTo = token.end
  }
  return copiedTo === 0 ? undefined : corrected + q.slice(copiedTo)
}
