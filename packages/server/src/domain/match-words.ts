import type { Analyzer, MatchWords, QuerySlot, SlotExpansion } from '@aisle/engine'

/**
 * What stood for the words of a query, as highlighting wants it: the words with their inflections,
 * joined spellings, corrections, what was typed of an unfinished word, and pairs of halves.
 *
 * @param expansions one per slot, in their order
 */
export function matchWords(
  slots: readonly QuerySlot[],
  expansions: readonly SlotExpansion[],
  analyzer: Analyzer,
): MatchWords {
  const stems = new Set<string>()
  const prefixes: string[] = []
  const pairs: { left: string; right: string }[] = []
  for (const [i, slot] of slots.entries()) {
    stems.add(slot.stem)
    const expansion = expansions[i]
    if (expansion === undefined) continue
    if (expansion.prefix) prefixes.push(slot.form)
    for (const form of [...expansion.corrections, ...expansion.joined, ...expansion.compounds]) {
      stems.add(analyzer.stem(form))
    }
    for (const { left, right } of expansion.splits) {
      pairs.push({ left: analyzer.stem(left), right: analyzer.stem(right) })
    }
  }
  return { stems, forms: new Set(), prefixes, pairs }
}
