import type { QuerySlot, SearchPlan } from '../query/plan.ts'
import { correctionLikelihood, correctionScore, isLikely } from '../scoring/corrections.ts'
import { editCost } from '../scoring/edit-cost.ts'
import { WEIGHT_CORRECTION, WEIGHT_SYNONYM } from '../scoring/formula.ts'
import type { Corrections } from './corrections.ts'
import { findSynonyms, type LivingSynonym } from './synonyms.ts'
import type { WordCatalog } from './word-catalog.ts'

/**
 * A word of a synonym set that a query term begins, or may misspell: "explained words" in
 * docs/ranking.md.
 */
export interface Explained {
  /** Form of the set's word. */
  readonly form: string
  /** No correction has its stem: only the set knows the word. */
  readonly isNew: boolean
  /** q of the word; its synonyms get `WEIGHT_SYNONYM` times that. */
  readonly quality: number
  readonly synonyms: readonly LivingSynonym[]
}

/** The words that the typed one begins. @param quality q of words that begin with it */
export function findBegunWords(
  plan: SearchPlan,
  { stem, explained }: QuerySlot,
  quality: number,
  catalog: WordCatalog,
): Explained[] {
  return explained
    .filter(({ distance }) => distance === 0)
    .map(({ form, synonyms }) => {
      const living = findSynonyms(plan, { stem, synonyms }, catalog)
      return { form, isNew: false, quality, synonyms: living }
    })
    .filter(({ synonyms }) => synonyms.length > 0)
}

/**
 * The words that it may misspell.
 *
 * @param isUnknown none of the alternatives 1 to 5 exists, and no word that it begins
 */
export function findExplained(
  plan: SearchPlan,
  slot: QuerySlot,
  isUnknown: boolean,
  corrections: Corrections,
  catalog: WordCatalog,
): Explained[] {
  return slot.explained.flatMap(({ form, stem, distance, synonyms }): Explained[] => {
    if (distance === 0) return []
    const living = findSynonyms(plan, { stem: slot.stem, synonyms }, catalog)
    if (living.length === 0) return []
    const same = corrections.words.filter((correction) => correction.stem === stem)
    if (same.length > 0) {
      const quality = Math.max(...same.map((correction) => correction.quality))
      return [{ form, isNew: false, quality, synonyms: living }]
    }
    if (!isUnknown) return []
    const docFreq = Math.max(...living.map((synonym) => synonym.docFreq))
    const score = correctionScore(editCost(slot.form, form), docFreq)
    if (!isLikely(correctionLikelihood(slot.form, score, [], catalog.docCount))) return []
    const best = corrections.words[0]?.score ?? score
    const quality = WEIGHT_CORRECTION * Math.exp(Math.min(0, score - best))
    return [{ form, isNew: true, quality, synonyms: living }]
  })
}

/** q of the synonyms of an explained word. */
export function synonymQuality({ quality }: Explained): number {
  return WEIGHT_SYNONYM * quality
}
