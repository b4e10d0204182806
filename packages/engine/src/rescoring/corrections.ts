import type { SearchPlan } from '../query/plan.ts'
import {
  ALONE_DOCS_MAX,
  BEGINNING_FREQUENCY_RATIO,
  begunCost,
  companyScore,
  CORRECTIONS_MAX,
  correctionLikelihood,
  correctionScore,
  differByLastLetter,
  isLikely,
  looksBegun,
  namedUnlikely,
  NEIGHBOUR_EDITS_MAX,
  NEIGHBOUR_FREQUENCY_RATIO,
  neighbourDocFreqMax,
  RARE_FREQUENCY_RATIO,
  rareDocFreqMax,
} from '../scoring/corrections.ts'
import { WEIGHT_CORRECTION, WEIGHT_CORRECTION_BEGUN, WEIGHT_NEIGHBOUR } from '../scoring/formula.ts'
import { editCost } from '../scoring/edit-cost.ts'
import { compareCodePoints } from '../codec/code-points.ts'
import { editDistance } from './edit-distance.ts'
import type { WordCatalog, WordSource } from './word-catalog.ts'

/** A word that may have been meant. */
export interface Correction {
  readonly form: string
  readonly stem: string
  readonly score: number
  /** q of the form itself; other forms of its stem group get .9 of it. */
  readonly quality: number
  /** Cost of the edits. */
  readonly cost: number
}

const LETTERS_ONLY = /^[\p{L}\p{M}]+$/u

export interface Corrections {
  /** Best first (ties by code point order of the form). */
  readonly words: readonly Correction[]
  /**
   * Whether they are neighbours of a known word: a document with only one of them does not count as
   * having the word.
   */
  readonly areNeighbours: boolean
  /** Words that were probably not meant, to offer as a question, best first. */
  readonly unlikely: readonly string[]
}

export const NO_CORRECTIONS: Corrections = { words: [], areNeighbours: false, unlikely: [] }

/** A word within reach of the typed one, before the other query terms are considered. */
interface Candidate {
  readonly form: string
  readonly stem: string
  readonly score: number
  readonly cost: number
}

interface WeighedCandidate extends Candidate {
  readonly likelihood: number
  /** Each other word is in a document with it. */
  readonly isAccompanied: boolean
}

/**
 * Corrections of a slot: every word within reach, with qualities relative to the best, so that
 * those of poor ones approach 0.
 *
 * @param docFreq n0: documents that have the word without correcting it
 * @param isBeginning the word is known only as a prefix of others
 */
export function findCorrections(
  plan: SearchPlan,
  slotNumber: number,
  docFreq: number,
  isBeginning: boolean,
  source: WordSource,
): Corrections {
  const slot = plan.slots[slotNumber]!
  const { catalog, analyzer } = source
  if (slot.edits === 0) return NO_CORRECTIONS
  // Only the stem is known, and no known form is its singular or plural: the word Vin does not make
  // vinly a word.
  const isDoubtful =
    catalog.formDocFreq(slot.form) === 0 &&
    catalog.groupDocFreq(slot.stem) > 0 &&
    !catalog.formsOfGroup(slot.stem).some((form) => differByLastLetter(slot.form, form))
  const isRare = docFreq <= rareDocFreqMax(catalog.docCount)
  const ratio = isBeginning ? BEGINNING_FREQUENCY_RATIO : RARE_FREQUENCY_RATIO

  const ownGroups = new Set([slot.stem, ...slot.joined.map((spelling) => spelling.stem)])
  const isEligible = (form: string): boolean => {
    if (LETTERS_ONLY.test(slot.form) && !LETTERS_ONLY.test(form)) return false
    return !analyzer.isStopword(form) && !ownGroups.has(analyzer.stem(form))
  }
  /**
   * The forms with one of these spellings within reach of the typed one, scored by the best
   * spelling.
   */
  const candidatesFor = (
    kind: 'near' | 'begun near',
    typed: string,
    spellingsOf: (form: string) => readonly string[],
    docFreqMin = ratio * docFreq,
    edits: number = slot.edits,
  ): Candidate[] =>
    catalog.formsLike({ kind, text: typed, edits }).flatMap((form) => {
      if (!isEligible(form) || catalog.formDocFreq(form) < docFreqMin) return []
      const costs = spellingsOf(form)
        .map((spelling) => ({ spelling, distance: editDistance(typed, spelling) }))
        .filter(({ distance }) => distance <= edits)
        .map(({ spelling }) =>
          kind === 'near' ? editCost(typed, spelling) : begunCost(typed, spelling),
        )
      if (costs.length === 0) return []
      const cost = Math.min(...costs)
      const score = correctionScore(cost, catalog.formDocFreq(form))
      return [{ form, stem: analyzer.stem(form), score, cost }]
    })
  const isSought = isRare || isBeginning || isDoubtful
  const others = otherStems(plan, slotNumber, catalog)
  const weighed = (candidates: readonly Candidate[]) =>
    weigh(slot.form, candidates, others, catalog)
  const near = isSought ? weighed(candidatesFor('near', slot.form, (form) => [form])) : []
  if (near.some(isLikelyCandidate)) return likelyOf(near, WEIGHT_CORRECTION)

  if (docFreq === 0) {
    // "jakcet", if documents only have "jackets".
    const ending = (form: string) => (form.endsWith('s') ? [form] : [])
    const plurals = weighed(candidatesFor('near', `${slot.form}s`, ending))
    if (plurals.some(isLikelyCandidate)) return likelyOf(plurals, WEIGHT_CORRECTION)
    const unlikely = near.length > 0 ? near : plurals
    if (unlikely.length > 0 || slot.prefix === 'off') {
      const named = unlikely.map(({ form: text, likelihood }) => ({ text, likelihood }))
      return { ...NO_CORRECTIONS, unlikely: namedUnlikely(named) }
    }
    // "jakc", an unfinished "jacket".
    const spellings = (form: string) =>
      beginningsOf(form).filter((beginning) => looksBegun(slot.form, beginning))
    const begun = weighed(candidatesFor('begun near', slot.form, spellings))
    return likelyOf(begun, WEIGHT_CORRECTION_BEGUN)
  }

  // For example adidas for addidas, when 12 documents have adidas and one has addidas.
  if (docFreq > neighbourDocFreqMax(catalog.docCount)) return NO_CORRECTIONS
  // Or Captain for Capitain beside Marvel, if only Captain has a document with both.
  const docFreqMin = NEIGHBOUR_FREQUENCY_RATIO * docFreq
  const isAlone =
    docFreq <= ALONE_DOCS_MAX &&
    others.length > 0 &&
    others.every((one) => catalog.bothDocFreq(slot.stem, one) === 0)
  const atLeast = isAlone ? 1 : docFreqMin
  const neighbours = weighed(
    candidatesFor('near', slot.form, (form) => [form], atLeast, NEIGHBOUR_EDITS_MAX),
  ).filter(
    (one) =>
      catalog.formDocFreq(one.form) >= docFreqMin || (one.isAccompanied && isLikelyCandidate(one)),
  )
  const words = withQualities(neighbours, WEIGHT_NEIGHBOUR)
  return { words, areNeighbours: words.length > 0, unlikely: [] }
}

function isLikelyCandidate({ likelihood }: WeighedCandidate): boolean {
  return isLikely(likelihood)
}

/** @param weight q of the best */
function likelyOf(candidates: readonly WeighedCandidate[], weight: number): Corrections {
  return {
    ...NO_CORRECTIONS,
    words: withQualities(candidates.filter(isLikelyCandidate), weight),
  }
}

/** The best candidates. One that co-occurs with other query terms is more likely meant. */
function weigh(
  typed: string,
  candidates: readonly Candidate[],
  others: readonly string[],
  catalog: WordCatalog,
): WeighedCandidate[] {
  return candidates
    .toSorted(bestFirst)
    .slice(0, CORRECTIONS_MAX)
    .map((candidate) => {
      const { stem, score } = candidate
      const companies = others.map((other) => ({
        docFreq: catalog.groupDocFreq(stem),
        otherDocFreq: catalog.groupDocFreq(other),
        bothDocFreq: catalog.bothDocFreq(stem, other),
      }))
      return {
        ...candidate,
        score: score + companyScore(companies.map(({ bothDocFreq }) => bothDocFreq)),
        likelihood: correctionLikelihood(typed, score, companies, catalog.docCount),
        isAccompanied: companies.every(({ bothDocFreq }) => bothDocFreq > 0),
      }
    })
    .toSorted(bestFirst)
}

/** @param weight q of the best */
function withQualities(candidates: readonly WeighedCandidate[], weight: number): Correction[] {
  const best = candidates[0]?.score ?? 0
  return candidates.map(({ form, stem, score, cost }) => ({
    form,
    stem,
    score,
    cost,
    quality: weight * Math.exp(score - best),
  }))
}

function beginningsOf(form: string): string[] {
  const letters = [...form]
  return letters.map((_, i) => letters.slice(0, i + 1).join(''))
}

/** Stem groups of the other words that are known and not stopwords. */
function otherStems(plan: SearchPlan, slotNumber: number, catalog: WordCatalog): string[] {
  return plan.slots
    .filter((slot, i) => i !== slotNumber && !slot.stopword && catalog.groupDocFreq(slot.stem) > 0)
    .map((slot) => slot.stem)
}

function bestFirst(
  a: { readonly form: string; readonly score: number },
  b: { readonly form: string; readonly score: number },
): number {
  return b.score - a.score || compareCodePoints(a.form, b.form)
}
