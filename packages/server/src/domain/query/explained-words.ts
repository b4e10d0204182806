import { editDistance } from '@aisle/contract'
import type { ExplainedWord, QuerySlot } from '@aisle/engine'
import { bitCount, lettersOf } from '../words/letters.ts'
import { synonymsOfWord, type SetWord, type SynonymRules } from '../words/synonym-rules.ts'

/** Maximum number of words of synonym sets that a word of a query may be a misspelling of. */
const EXPLAINED_MAX = 4

/**
 * The words of synonym sets that a word may be a misspelling of, with their synonyms: `patns` is
 * `pants`, and so trousers. The nearest first, then by code unit.
 *
 * @param slot with its allowed edits
 */
export function explainedWords(
  { form, edits }: Pick<QuerySlot, 'form' | 'edits'>,
  sets: readonly SynonymRules[],
): ExplainedWord[] {
  if (edits === 0) return []
  const letters = lettersOf(form)
  const near = new Map<string, { readonly word: SetWord; readonly distance: 1 | 2 }>()
  for (const word of sets.flatMap((set) => set.words)) {
    // Cheap tests first: an edit changes the length by at most one, and the set of letters by two.
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
