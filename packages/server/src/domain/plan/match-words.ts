import { infixTexts } from '@aisle/engine'
import type { Analyzer, MatchWords, QuerySlot, SlotExpansion } from '@aisle/engine'

/**
 * Returns the words to mark for a query: each word with its inflections, joined spellings,
 * corrections, synonyms and halves, and the typed part of a partial word.
 *
 * @param expansions one per slot, in their order; absent if time ran out before a slot was resolved
 */
export function matchWords(
  slots: readonly QuerySlot[],
  expansions: readonly SlotExpansion[],
  analyzer: Analyzer,
): MatchWords {
  return slots.map((slot, i) => {
    const expansion = expansions[i]
    const stems = new Set([slot.stem])
    const sequences: string[][] = []
    const stemsOf = (forms: readonly string[]): string[] => forms.map((form) => analyzer.stem(form))
    if (expansion !== undefined) {
      const { corrections, joined, compounds } = expansion
      for (const stem of stemsOf([...corrections, ...joined, ...compounds])) stems.add(stem)
      for (const { left, right } of expansion.splits) sequences.push(stemsOf([left, right]))
      for (const text of expansion.respelt) {
        const words = stemsOf(text.split(' '))
        if (words.length === 1) stems.add(words[0]!)
        else sequences.push(words)
      }
      for (const words of expansion.apart) sequences.push(stemsOf(words))
      for (const synonym of [...expansion.synonyms, ...expansion.explained]) {
        if (synonym.length === 1) stems.add(analyzer.stem(synonym[0]!))
        else sequences.push(stemsOf(synonym))
      }
    }
    return {
      stems: [...stems],
      sequences,
      prefix: expansion?.prefix === true ? slot.form : undefined,
      infixes: [
        ...(expansion?.infix === true ? infixTexts(slot) : []),
        ...(expansion?.pieces ?? []),
      ],
      isLittle: slot.stopword,
      weight: slot.weight,
    }
  })
}
