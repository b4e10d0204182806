import { editDistance } from '@aisle/contract'
import type { ExplainedWord, QuerySlot } from '@aisle/engine'
import { bitCount, lettersOf } from '../words/letters.ts'
import { synonymsOfWord, type SetWord, type SynonymRules } from '../words/synonym-rules.ts'

/** Words of synonym sets that one word of a query may be misspelt of. */
const EXPLAINED_MAX = 4

/**
 * The words of synonym sets that a word may be misspelt of, with what stands for them: `patns` is
 * `pants`, and so trousers. The nearest first, then by code unit.
 *
 * @param slot with the edits that it may have
 */
export function explainedWords(
  { form, edits }: Pick<QuerySlot, 'form' | 'edits'>,
  sets: readonly SynonymRules[],
): ExplainedWord[] {
  if (edits === 0) return []
  const letters = lettersOf(form)
  const near = new Map<string, { readonly word: SetWord; readonly distance: 1 | 2 }>()
  for (const word of sets.flatMap((set) => set.words)) {
    // Cheap first: an edit changes the length by one letter at most, and two letters of the set of
    // letters.
    if (Math.abs(word.form.length - form.length) > edits || near.has(word.form)) continue
    if (bitCount(letters ^ word.letters) > 2 * edits) continue
    const distance = editDistance(form, word.form)
    if (distance > edits || (distance !== 1 && distance !== 2)) continue
    near.set(word.form, { word, distance })
  }
  return [...near.values()]
    .toSorted((a, b) => a.distance - b.distance || (a.word.form < b.word.form ? -1 : 1))
    .slice(0, EXPLAINED_MAX)
    .map(({ word: { form, stem }, distance }) => ({
      form,
      stem,
      distance,
      synonyms: synonymsOfWord(stem, sets),
    }))
}
