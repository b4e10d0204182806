import { compareCodePoints } from '../codec/code-points.ts'
import type { QuerySlot, SearchPlan } from '../query/plan.ts'
import {
  CORRECTIONS_MAX,
  CORRECTIONS_NAMED_MAX,
  correctionScore,
  NEIGHBOUR_FREQUENCY_RATIO,
} from '../scoring/corrections.ts'
import { editCost } from '../scoring/edit-cost.ts'
import { WEIGHT_CORRECTION, WEIGHT_COUNTED_MIN } from '../scoring/formula.ts'
import { editDistance } from './edit-distance.ts'
import type { Correction } from './corrections.ts'
import { findSplitPairs, type PhraseAlternative } from './splits.ts'
import type { WordSource } from './word-catalog.ts'

/**
 * Alternatives for two neighbouring words that are meant as one word, or split elsewhere: "Words
 * split in the wrong place" in docs/ranking.md.
 */
export interface Respelt {
  readonly pairs: readonly PhraseAlternative[]
  readonly corrections: readonly Correction[]
  /** Texts, best first. */
  readonly named: readonly string[]
}

export function findRespelt(plan: SearchPlan, slot: QuerySlot, source: WordSource): Respelt {
  const { catalog } = source
  const isDoubted = ({ words }: QuerySlot['respelt'][number]) =>
    words.some((stem) => catalog.groupDocFreq(stem) === 0)
  const spellings = slot.respelt.filter(isDoubted)
  const pairs = spellings.flatMap(({ splits }) =>
    findSplitPairs(plan, slot, splits, source, WEIGHT_CORRECTION),
  )
  const corrections = spellings.flatMap((spelling) => correctionsOf(spelling, slot, source))
  const texts = [
    ...pairs.map(({ words }) => words.join(' ')),
    ...corrections.filter(({ quality }) => quality >= WEIGHT_COUNTED_MIN).map(({ form }) => form),
  ]
  return { pairs, corrections, named: texts.slice(0, CORRECTIONS_NAMED_MAX) }
}

function correctionsOf(
  { form: typed, stem, edits }: QuerySlot['respelt'][number],
  slot: QuerySlot,
  { catalog, analyzer }: WordSource,
): Correction[] {
  if (edits === 0) return []
  const own = new Set([slot.stem, stem, ...slot.joined.map((spelling) => spelling.stem)])
  const docFreqMin = NEIGHBOUR_FREQUENCY_RATIO * catalog.groupDocFreq(stem)
  const candidates = catalog
    .formsLike({ kind: 'near', text: typed, edits })
    .filter(
      (form) =>
        /^[\p{L}\p{M}]+$/u.test(form) &&
        !analyzer.isStopword(form) &&
        !own.has(analyzer.stem(form)) &&
        catalog.formDocFreq(form) >= docFreqMin &&
        editDistance(typed, form) <= edits,
    )
    .map((form) => {
      const cost = editCost(typed, form)
      const score = correctionScore(cost, catalog.formDocFreq(form))
      return { form, stem: analyzer.stem(form), score, cost }
    })
    .toSorted((a, b) => b.score - a.score || compareCodePoints(a.form, b.form))
    .slice(0, CORRECTIONS_MAX)
  const best = candidates[0]?.score ?? 0
  return candidates.map((candidate) => ({
    ...candidate,
    quality: WEIGHT_CORRECTION * Math.exp(candidate.score - best),
  }))
}
