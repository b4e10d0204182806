import type { QuerySlot } from '../../query/plan.ts'
import { WEIGHT_SYNONYM } from '../../scoring/formula.ts'
import type { SearchRun } from '../view/search-run.ts'
import { findPhrase } from './phrase-documents.ts'
import type { PhraseAlternative } from './resolved-slot.ts'

/** The synonyms of a word that occur in live documents. */
export interface LivingSynonyms {
  /** Stem groups of the single-word synonyms, in the order of the slot. */
  readonly groups: readonly number[]
  /** The synonyms of several words. */
  readonly phrases: readonly PhraseAlternative[]
  /** Live documents of the most frequent synonym; 0 if there are none. */
  readonly docFreq: number
  /** Their words, in the order of the slot. */
  readonly forms: readonly (readonly string[])[]
}

/**
 * Alternative 7 of docs/ranking.md.
 *
 * @param ownGroup stem group of the word, -1 if it has none. Synonyms with this group are skipped,
 * because a document with "tv set" already has "tv"
 */
export function findSynonyms(
  run: SearchRun,
  synonyms: QuerySlot['synonyms'],
  ownGroup: number,
): LivingSynonyms {
  const { view } = run
  const { terms } = view
  const groups: number[] = []
  const phrases: PhraseAlternative[] = []
  const forms: (readonly string[])[] = []
  const seen = new Set<string>()
  let largest = 0
  for (const { words } of synonyms) {
    const wanted = words.map((word) => terms.find(word.stem))
    const isDead = wanted.some((group) => group < 0 || terms.groupDocFreq(group) === 0)
    const key = wanted.join()
    if (isDead || wanted.includes(ownGroup) || seen.has(key)) continue
    let docFreq = terms.groupDocFreq(wanted[0]!)
    if (wanted.length > 1) {
      const found = findPhrase(run, wanted, WEIGHT_SYNONYM)
      docFreq = found.docFreq
      if (docFreq === 0) continue
      const { documents } = found
      phrases.push({ variant: 'synonym', words: words.map((word) => word.form), documents })
    } else {
      groups.push(wanted[0]!)
    }
    seen.add(key)
    forms.push(words.map((word) => word.form))
    largest = Math.max(largest, docFreq)
  }
  return { groups, phrases, docFreq: largest, forms }
}

/** The same synonyms for a word that is only a guess. @param quality q of each */
export function withQuality(living: LivingSynonyms, quality: number): LivingSynonyms {
  const phrases = living.phrases.map((phrase) => ({
    ...phrase,
    documents: phrase.documents.map((documents) => ({ ...documents, quality })),
  }))
  return { ...living, phrases }
}
