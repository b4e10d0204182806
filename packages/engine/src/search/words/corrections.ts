import type { QuerySlot } from '../../query/plan.ts'
import { begunNeighboursOf, neighboursOf } from '../../dictionary/term-walks.ts'
import { compareCodePoints } from '../../codec/code-points.ts'
import {
  BEGINNING_FREQUENCY_RATIO,
  companyScore,
  CORRECTIONS_MAX,
  correctionScore,
  differByLastLetter,
  looksBegun,
  NEIGHBOUR_EDITS_MAX,
  NEIGHBOUR_FREQUENCY_RATIO,
  neighbourDocFreqMax,
  RARE_FREQUENCY_RATIO,
  rareDocFreqMax,
} from '../../scoring/corrections.ts'
import {
  correctionWeight,
  WEIGHT_CORRECTION_BEGUN,
  WEIGHT_NEIGHBOUR,
} from '../../scoring/formula.ts'
import { countCompany } from './company.ts'
import { FilterCache } from '../view/filter-cache.ts'
import type { IndexView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'

/** A word that may have been meant. */
export interface Correction {
  /** Ids of the form and of its stem group. */
  readonly form: number
  readonly group: number
  readonly text: string
  readonly score: number
  /** q of the form itself. */
  readonly quality: number
}

export interface Corrections {
  /** Best first. */
  readonly words: readonly Correction[]
  /**
   * They are neighbours of a known word: a document with only one of them does not count as having
   * the word.
   */
  readonly areNeighbours: boolean
}

export const NO_CORRECTIONS: Corrections = { words: [], areNeighbours: false }

/** A word that may have been meant, with its score. */
interface Candidate {
  readonly form: number
  readonly group: number
  readonly text: string
  score: number
}

/** Words read between two deadline checks. */
const NEIGHBOURS_PER_CHECK = 4096

export const LETTERS_ONLY = /^[\p{L}\p{M}]+$/u

/**
 * Corrections of a slot: alternative 6 of docs/ranking.md.
 *
 * @param docFreq n0: documents that have the word without correcting it
 * @param ownGroups groups of the word and of its joined spellings
 * @param isBeginning the word is known only as the beginning of others
 */
export function findCorrections(
  run: SearchRun,
  slotNumber: number,
  docFreq: number,
  ownGroups: ReadonlySet<number>,
  isBeginning: boolean,
): Corrections {
  const { view, plan } = run
  const slot = plan.slots[slotNumber]!
  const { form, stem, edits, prefix } = slot
  if (edits === 0) return NO_CORRECTIONS
  const isRare = docFreq <= rareDocFreqMax(view.docCount)
  const isSought = isRare || isBeginning || isDoubtful(view, slot)
  const mayHaveNeighbours = docFreq > 0 && docFreq <= neighbourDocFreqMax(view.docCount)
  if (!isSought && !mayHaveNeighbours) return NO_CORRECTIONS
  const sought = { edits, docFreq, ownGroups, isBeginning, isSought, mayHaveNeighbours }
  const key = [form, stem, edits, prefix, docFreq, isBeginning, ...ownGroups].join(' ')
  const candidatesByKey = keptCandidates(view)
  let kept = candidatesByKey.get(key)
  if (kept === undefined) candidatesByKey.set(key, (kept = findCandidates(run, slot, sought)))
  const { weight, areNeighbours } = kept
  const candidates = kept.candidates.map((candidate) => ({ ...candidate }))
  const others = otherGroups(run, slotNumber)
  if (others.length > 0 && candidates.length > 0) {
    const groups = candidates.map((candidate) => candidate.group)
    const counts = countCompany(run, groups, others)
    candidates.forEach((candidate, i) => {
      candidate.score += companyScore(counts[i]!)
    })
  }
  candidates.sort(bestFirst)
  const best = candidates[0]?.score ?? 0
  const words = candidates.map(({ form, group, text, score }) => ({
    form,
    group,
    text,
    score,
    quality: weight * Math.exp(score - best),
  }))
  return { words, areNeighbours: areNeighbours && words.length > 0 }
}

/** What may have been meant, before the other words have their say. */
interface KeptCandidates {
  /** Best first. */
  readonly candidates: readonly Readonly<Candidate>[]
  /** q of the best. */
  readonly weight: number
  readonly areNeighbours: boolean
  /** Roughly. */
  readonly byteLength: number
}

const CANDIDATE_BYTES = 160
/** Bytes of candidates kept per view and thread. */
const CANDIDATES_BYTES = 4 * 1024 * 1024

const candidatesByView = new WeakMap<IndexView, FilterCache<KeptCandidates>>()

function keptCandidates(view: IndexView): FilterCache<KeptCandidates> {
  let kept = candidatesByView.get(view)
  if (kept === undefined) candidatesByView.set(view, (kept = new FilterCache(CANDIDATES_BYTES)))
  return kept
}

interface Sought {
  readonly edits: 1 | 2
  readonly docFreq: number
  readonly ownGroups: ReadonlySet<number>
  readonly isBeginning: boolean
  readonly isSought: boolean
  readonly mayHaveNeighbours: boolean
}

function findCandidates(
  { view, checkDeadline }: SearchRun,
  slot: QuerySlot,
  { edits, docFreq, ownGroups, isBeginning, isSought, mayHaveNeighbours }: Sought,
): KeptCandidates {
  const lettersOnly = LETTERS_ONLY.test(slot.form)
  const { terms, analyzer } = view
  const ratio = isBeginning ? BEGINNING_FREQUENCY_RATIO : RARE_FREQUENCY_RATIO
  let docFreqMin = Math.max(1, ratio * docFreq)

  /** The text of a form that may have been meant. */
  const textOf = (form: number): string | undefined => {
    if (terms.formDocFreq(form) < docFreqMin) return undefined
    const group = terms.groupOf(form)
    if (group < 0 || ownGroups.has(group)) return undefined
    const text = terms.text(form)
    if (analyzer.isStopword(text) || (lettersOnly && !LETTERS_ONLY.test(text))) return undefined
    return text
  }
  const candidatesFor = (typed: string, editsMax: 1 | 2, ending = ''): Candidate[] => {
    const found: Candidate[] = []
    for (const { id, distance } of neighboursOf(terms, view.trie, typed, editsMax)) {
      const text = textOf(id)
      if (text === undefined || !text.endsWith(ending)) continue
      const score = correctionScore(typed, text, distance, terms.formDocFreq(id))
      found.push({ form: id, group: terms.groupOf(id), text, score })
    }
    return found
  }
  /**
   * Words that may follow an unfinished one ("jakc" on the way to "jacket"), each scored by its
   * best beginning.
   */
  const candidatesBegun = (typed: string): Candidate[] => {
    const best = new Map<number, Candidate>()
    const accepts = (beginning: string) => looksBegun(typed, beginning)
    const begun = begunNeighboursOf(terms, view.trie, typed, edits, accepts)
    begun.forEach(({ id, distance, beginning }, i) => {
      if (i % NEIGHBOURS_PER_CHECK === 0) checkDeadline()
      const text = best.get(id)?.text ?? textOf(id)
      if (text === undefined) return
      const score = correctionScore(typed, beginning, distance, terms.formDocFreq(id))
      if (score <= (best.get(id)?.score ?? -Infinity)) return
      best.set(id, { form: id, group: terms.groupOf(id), text, score })
    })
    return [...best.values()]
  }
  let candidates = isSought ? candidatesFor(slot.form, edits) : []
  // "jakcet", when documents only have "jackets".
  if (candidates.length === 0 && docFreq === 0) {
    candidates = candidatesFor(`${slot.form}s`, edits, 's')
  }
  let weight = correctionWeight()
  if (candidates.length === 0 && docFreq === 0 && slot.prefix !== 'off') {
    candidates = candidatesBegun(slot.form)
    weight = WEIGHT_CORRECTION_BEGUN
  }
  // Such as addidas, when 12 documents have adidas and one has addidas.
  const isKnown = candidates.length === 0 && mayHaveNeighbours
  if (isKnown) {
    docFreqMin = NEIGHBOUR_FREQUENCY_RATIO * docFreq
    candidates = candidatesFor(slot.form, NEIGHBOUR_EDITS_MAX)
    weight = WEIGHT_NEIGHBOUR
  }
  candidates = candidates.sort(bestFirst).slice(0, CORRECTIONS_MAX)
  const byteLength = CANDIDATE_BYTES * candidates.length
  return { candidates, weight, areNeighbours: isKnown, byteLength }
}

/**
 * Only the stem is known, and no known form is its singular or plural: that Vin is a word does not
 * make vinly one.
 */
function isDoubtful({ terms }: IndexView, { form, stem }: QuerySlot): boolean {
  const typed = terms.find(form)
  if (typed >= 0 && terms.formDocFreq(typed) > 0) return false
  const group = terms.find(stem)
  if (group < 0) return false
  const related = terms.formsOf(group).filter((other) => terms.formDocFreq(other) > 0)
  return related.length > 0 && !related.some((other) => differByLastLetter(form, terms.text(other)))
}

/** The stem groups of the other words: what they have to say in the corrections of a slot. */
export function otherGroups(run: SearchRun, slotNumber: number): number[] {
  const { view, plan } = run
  return plan.slots.flatMap((slot, i) => {
    if (i === slotNumber || slot.stopword) return []
    const group = view.terms.find(slot.stem)
    return group >= 0 && view.terms.groupDocFreq(group) > 0 ? [group] : []
  })
}

function bestFirst(
  a: { readonly text: string; readonly score: number },
  b: { readonly text: string; readonly score: number },
): number {
  return b.score - a.score || compareCodePoints(a.text, b.text)
}
