import type { QuerySlot } from '../../query/plan.ts'
import { ranksBy } from '../../query/ranking-parts.ts'
import { correctionLikelihood, correctionScore, isLikely } from '../../scoring/corrections.ts'
import { editCost } from '../../scoring/edit-cost.ts'
import { WEIGHT_CORRECTION, WEIGHT_SYNONYM } from '../../scoring/formula.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { Corrections } from './corrections.ts'
import { findSynonyms, withQuality, type LivingSynonyms } from './synonyms.ts'

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
  readonly synonyms: LivingSynonyms
}

/** The words that the typed one begins. @param quality q of words that begin with it */
export function findBegunWords(
  run: SearchRun,
  { explained }: QuerySlot,
  ownGroup: number,
  quality: number,
): Explained[] {
  return explained.flatMap(({ form, distance, synonyms }): Explained[] => {
    const living = distance === 0 ? findSynonyms(run, synonyms, ownGroup) : undefined
    if (living === undefined || living.docFreq === 0) return []
    const asGood = withQuality(living, WEIGHT_SYNONYM * quality)
    return [{ form, isNew: false, quality, synonyms: asGood }]
  })
}

/**
 * The words that it may misspell.
 *
 * @param ownGroup stem group of the word, -1 if it has none
 * @param isUnknown none of the alternatives 1 to 5 exists, and no word that it begins
 */
export function findExplained(
  run: SearchRun,
  slotNumber: number,
  ownGroup: number,
  isUnknown: boolean,
  corrections: Corrections,
): Explained[] {
  const { view, plan } = run
  const slot = plan.slots[slotNumber]!
  return slot.explained.flatMap(({ form, stem, distance, synonyms }): Explained[] => {
    if (distance === 0) return []
    const group = view.terms.find(stem)
    const same = corrections.words.filter((correction) => correction.group === group)
    if (same.length === 0 && !isUnknown) return []
    const living = findSynonyms(run, synonyms, ownGroup)
    if (living.docFreq === 0) return []
    let quality = Math.max(0, ...same.map((correction) => correction.quality))
    if (same.length === 0) {
      const score = correctionScore(editCost(slot.form, form), living.docFreq)
      const likelihood = correctionLikelihood(slot.form, score, [], view.docCount)
      if (ranksBy(plan, 'typoBound') && !isLikely(likelihood)) return []
      const best = corrections.words[0]?.score ?? score
      quality = WEIGHT_CORRECTION * Math.exp(Math.min(0, score - best))
    }
    const asGood = withQuality(living, WEIGHT_SYNONYM * quality)
    return [{ form, isNew: same.length === 0, quality, synonyms: asGood }]
  })
}
