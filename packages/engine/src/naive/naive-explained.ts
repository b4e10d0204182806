import type { QuerySlot, SearchPlan } from '../query/plan.ts'
import { correctionScore } from '../scoring/corrections.ts'
import { correctionWeight, WEIGHT_SYNONYM } from '../scoring/formula.ts'
import type { Corrections } from './naive-corrections.ts'
import type { WordSource } from './naive-statistics.ts'
import { findSynonyms, type LivingSynonym } from './naive-synonyms.ts'

/** A word of a synonym set that a word may be misspelt of: "explained words" in docs/ranking.md. */
export interface Explained {
  /** Of the word of the set. */
  readonly form: string
  /** No correction has its stem: it is one only because the set knows it. */
  readonly isNew: boolean
  /** q of the word; its synonyms have `WEIGHT_SYNONYM` times that. */
  readonly quality: number
  readonly synonyms: readonly LivingSynonym[]
}

/** @param isUnknown nothing of 1 to 5 stands for the word */
export function findExplained(
  plan: SearchPlan,
  slot: QuerySlot,
  isUnknown: boolean,
  corrections: Corrections,
  source: WordSource,
): Explained[] {
  return slot.explained.flatMap(({ form, stem, distance, synonyms }): Explained[] => {
    const living = findSynonyms(plan, { stem: slot.stem, synonyms }, source)
    if (living.length === 0) return []
    const same = corrections.words.filter((correction) => correction.stem === stem)
    if (same.length > 0) {
      const quality = Math.max(...same.map((correction) => correction.quality))
      return [{ form, isNew: false, quality, synonyms: living }]
    }
    if (!isUnknown) return []
    const docFreq = Math.max(...living.map(({ docKeys }) => docKeys.size))
    const score = correctionScore(slot.form, form, distance, docFreq)
    const best = corrections.words[0]?.score ?? score
    const quality = correctionWeight() * Math.exp(Math.min(0, score - best))
    return [{ form, isNew: true, quality, synonyms: living }]
  })
}

/** q of what stands in for a word that stands in. */
export function synonymQuality({ quality }: Explained): number {
  return WEIGHT_SYNONYM * quality
}
