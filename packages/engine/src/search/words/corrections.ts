import type { QuerySlot } from '../../query/plan.ts'
import { ranksBy } from '../../query/ranking-parts.ts'
import { begunNeighboursOf, neighboursOf } from '../../dictionary/term-walks.ts'
import { compareCodePoints } from '../../codec/code-points.ts'
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
} from '../../scoring/corrections.ts'
import { editCost } from '../../scoring/edit-cost.ts'
import {
  WEIGHT_CORRECTION,
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
  /** Cost of the edits. */
  readonly cost: number
}

export interface Corrections {
  /** Best first. */
  readonly words: readonly Correction[]
  /**
   * Whether they are neighbours of a known word: a document with only one of them does not count as
   * having the word.
   */
  readonly areNeighbours: boolean
  /** Words that were probably not meant, to offer as a question, best first. */
  readonly unlikely: readonly string[]
  /** Whether they depend on other words of the query. */
  readonly dependOnOthers: boolean
}

export const NO_CORRECTIONS: Corrections = {
  words: [],
  areNeighbours: false,
  unlikely: [],
  dependOnOthers: false,
}

/** A word within reach of the typed one, before the other query terms are considered. */
interface Candidate {
  readonly form: number
  readonly group: number
  readonly text: string
  readonly score: number
  readonly cost: number
}

interface WeighedCandidate extends Candidate {
  readonly likelihood: number
  /** Each other word is in a document with it. */
  readonly isAccompanied: boolean
}

/** Words read between two deadline checks. */
const NEIGHBOURS_PER_CHECK = 4096

export const LETTERS_ONLY = /^[\p{L}\p{M}]+$/u

/**
 * Corrections of a slot: alternative 6 of docs/ranking.md.
 *
 * @param docFreq n0: documents that have the word without correcting it
 * @param ownGroups groups of the word and of its joined spellings
 * @param isBeginning the word is known only as a prefix of others
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
  const sought = { edits, docFreq, ownGroups, isBeginning }
  const key = [form, stem, edits, prefix, docFreq, isBeginning, ...ownGroups].join(' ')
  const others = otherGroups(run, slotNumber)
  const hasOthers = others.length > 0
  let tried: readonly WeighedCandidate[] = []
  for (const [name, find] of Object.entries(isSought ? waysToFind(slot, docFreq) : {})) {
    // Correcting an unfinished word guesses too much, if there is anything else.
    if (name === 'begun' && tried.length > 0) break
    const found = kept(view, `${name} ${key}`, () => find(run, slot, sought))
    const weighed = weigh(run, form, found, others)
    const likely = ranksBy(plan, 'typoBound')
      ? weighed.filter(({ likelihood }) => isLikely(likelihood))
      : weighed
    if (likely.length > 0) {
      const words = withQualities(likely, found.weight)
      return { words, areNeighbours: false, unlikely: [], dependOnOthers: hasOthers }
    }
    if (name === 'begun') return { ...NO_CORRECTIONS, dependOnOthers: hasOthers }
    if (tried.length === 0) tried = weighed
  }
  const dependOnOthers = hasOthers && tried.length > 0
  if (!mayHaveNeighbours) {
    const unlikely = docFreq === 0 ? namedUnlikely(tried) : []
    return { ...NO_CORRECTIONS, unlikely, dependOnOthers }
  }
  const docFreqMin = NEIGHBOUR_FREQUENCY_RATIO * docFreq
  const mayBeAlone = hasOthers && docFreq <= ALONE_DOCS_MAX
  const isAlone = mayBeAlone && !hasCompany(run, slot, others)
  const atLeast = isAlone ? 1 : docFreqMin
  const near = kept(view, `neighbours ${atLeast} ${key}`, () =>
    findNeighbours(run, slot, sought, atLeast),
  )
  const neighbours = weigh(run, form, near, others).filter(
    (one) =>
      view.terms.formDocFreq(one.form) >= docFreqMin ||
      (one.isAccompanied && isLikely(one.likelihood)),
  )
  const words = withQualities(neighbours, WEIGHT_NEIGHBOUR)
  return {
    words,
    areNeighbours: words.length > 0,
    unlikely: [],
    dependOnOthers: dependOnOthers || mayBeAlone || (hasOthers && words.length > 0),
  }
}

/** Whether some document has the word and another one of the query. */
function hasCompany(run: SearchRun, { stem }: QuerySlot, others: readonly number[]): boolean {
  const group = run.view.terms.find(stem)
  if (group < 0 || run.view.terms.groupDocFreq(group) === 0) return false
  return countCompany(run, [group], others)[0]!.some((count) => count > 0)
}

type Find = (run: SearchRun, slot: QuerySlot, sought: Sought) => KeptCandidates

/** In the order to try, until one finds a likely correction. */
function waysToFind(slot: QuerySlot, docFreq: number): Readonly<Record<string, Find>> {
  if (docFreq > 0) return { near: findNear }
  const whole = { near: findNear, plurals: findPlurals }
  return slot.prefix === 'off' ? whole : { ...whole, begun: findBegun }
}

/**
 * Scores the candidates, best first: those that co-occur with other query terms are more likely
 * meant.
 */
function weigh(
  run: SearchRun,
  typed: string,
  { candidates }: KeptCandidates,
  others: readonly number[],
): WeighedCandidate[] {
  const { terms, docCount } = run.view
  const groups = candidates.map((candidate) => candidate.group)
  const isAlone = others.length === 0 || candidates.length === 0
  const counts = isAlone ? groups.map(() => []) : countCompany(run, groups, others)
  return candidates
    .map((candidate, i) => {
      const companies = counts[i]!.map((bothDocFreq, other) => ({
        docFreq: terms.groupDocFreq(candidate.group),
        otherDocFreq: terms.groupDocFreq(others[other]!),
        bothDocFreq,
      }))
      return {
        ...candidate,
        score: candidate.score + companyScore(counts[i]!),
        likelihood: correctionLikelihood(typed, candidate.score, companies, docCount),
        isAccompanied: counts[i]!.every((count) => count > 0),
      }
    })
    .sort(bestFirst)
}

/** @param weight q of the best */
function withQualities(candidates: readonly WeighedCandidate[], weight: number): Correction[] {
  const best = candidates[0]?.score ?? 0
  return candidates.map(({ form, group, text, score, cost }) => ({
    form,
    group,
    text,
    score,
    cost,
    quality: weight * Math.exp(score - best),
  }))
}

/** Possible corrections, before the other query terms are considered. */
interface KeptCandidates {
  /** Best first. */
  readonly candidates: readonly Candidate[]
  /** q of the best. */
  readonly weight: number
  /** Approximate size. */
  readonly byteLength: number
}

const CANDIDATE_BYTES = 160
/** Bytes of cached candidates per view and thread. */
const CANDIDATES_BYTES = 4 * 1024 * 1024

const candidatesByView = new WeakMap<IndexView, FilterCache<KeptCandidates>>()

/** Finds candidates once per view. */
function kept(view: IndexView, key: string, find: () => KeptCandidates): KeptCandidates {
  let ofView = candidatesByView.get(view)
  if (ofView === undefined) candidatesByView.set(view, (ofView = new FilterCache(CANDIDATES_BYTES)))
  let found = ofView.get(key)
  if (found === undefined) ofView.set(key, (found = find()))
  return found
}

interface Sought {
  readonly edits: 1 | 2
  readonly docFreq: number
  readonly ownGroups: ReadonlySet<number>
  readonly isBeginning: boolean
}

function findNear(run: SearchRun, slot: QuerySlot, sought: Sought): KeptCandidates {
  const near = candidatesNear(run, slot.form, sought.edits, meantInstead(run, slot, sought))
  return best(near, WEIGHT_CORRECTION)
}

/** "jakcet", if documents only have "jackets". */
function findPlurals(run: SearchRun, slot: QuerySlot, sought: Sought): KeptCandidates {
  const typed = `${slot.form}s`
  const isEligible = meantInstead(run, slot, sought)
  const plurals = candidatesNear(run, typed, sought.edits, (form) => {
    const text = isEligible(form)
    return text?.endsWith('s') === true ? text : undefined
  })
  return best(plurals, WEIGHT_CORRECTION)
}

/** "jakc", an unfinished "jacket". */
function findBegun(run: SearchRun, slot: QuerySlot, sought: Sought): KeptCandidates {
  const { form } = slot
  const begun = candidatesBegun(run, form, sought.edits, meantInstead(run, slot, sought))
  return best(begun, WEIGHT_CORRECTION_BEGUN)
}

function meantInstead(run: SearchRun, slot: QuerySlot, sought: Sought): Eligible {
  const ratio = sought.isBeginning ? BEGINNING_FREQUENCY_RATIO : RARE_FREQUENCY_RATIO
  return eligible(run, slot, sought, ratio * sought.docFreq)
}

/**
 * For example adidas for addidas, when 12 documents have adidas and one has addidas; or captain for
 * capitain beside marvel, when only captain is in a document with marvel.
 */
function findNeighbours(
  run: SearchRun,
  slot: QuerySlot,
  sought: Sought,
  docFreqMin: number,
): KeptCandidates {
  const isEligible = eligible(run, slot, sought, docFreqMin)
  const near = candidatesNear(run, slot.form, NEIGHBOUR_EDITS_MAX, isEligible)
  return best(near, WEIGHT_NEIGHBOUR)
}

function best(found: Candidate[], weight: number): KeptCandidates {
  const candidates = found.sort(bestFirst).slice(0, CORRECTIONS_MAX)
  return { candidates, weight, byteLength: CANDIDATE_BYTES * (1 + candidates.length) }
}

/** Returns the text of a form that may have been meant. */
type Eligible = (form: number) => string | undefined

function eligible(
  { view: { terms, analyzer } }: SearchRun,
  slot: QuerySlot,
  { ownGroups }: Sought,
  docFreqMin: number,
): Eligible {
  const lettersOnly = LETTERS_ONLY.test(slot.form)
  return (form) => {
    if (terms.formDocFreq(form) < Math.max(1, docFreqMin)) return undefined
    const group = terms.groupOf(form)
    if (group < 0 || ownGroups.has(group)) return undefined
    const text = terms.text(form)
    if (analyzer.isStopword(text) || (lettersOnly && !LETTERS_ONLY.test(text))) return undefined
    return text
  }
}

function candidatesNear(
  { view: { terms, trie } }: SearchRun,
  typed: string,
  edits: number,
  isEligible: Eligible,
): Candidate[] {
  const found: Candidate[] = []
  for (const { id } of neighboursOf(terms, trie, typed, edits)) {
    const text = isEligible(id)
    if (text === undefined) continue
    const cost = editCost(typed, text)
    const score = correctionScore(cost, terms.formDocFreq(id))
    found.push({ form: id, group: terms.groupOf(id), text, score, cost })
  }
  return found
}

/**
 * Words that may continue an unfinished one ("jakc", to "jacket"), each scored by its best prefix.
 */
function candidatesBegun(
  { view: { terms, trie }, checkDeadline }: SearchRun,
  typed: string,
  edits: number,
  isEligible: Eligible,
): Candidate[] {
  const bestById = new Map<number, Candidate>()
  // Thousands of words may share one prefix.
  const costs = new Map<string, number>()
  const accepts = (beginning: string) => looksBegun(typed, beginning)
  const begun = begunNeighboursOf(terms, trie, typed, edits, accepts)
  begun.forEach(({ id, beginning }, i) => {
    if (i % NEIGHBOURS_PER_CHECK === 0) checkDeadline()
    const text = bestById.get(id)?.text ?? isEligible(id)
    if (text === undefined) return
    let cost = costs.get(beginning)
    if (cost === undefined) costs.set(beginning, (cost = begunCost(typed, beginning)))
    const score = correctionScore(cost, terms.formDocFreq(id))
    if (score <= (bestById.get(id)?.score ?? -Infinity)) return
    bestById.set(id, { form: id, group: terms.groupOf(id), text, score, cost })
  })
  return [...bestById.values()]
}

/**
 * Only the stem is known, and no known form is its singular or plural: the word Vin does not make
 * vinly a word.
 */
function isDoubtful({ terms }: IndexView, { form, stem }: QuerySlot): boolean {
  const typed = terms.find(form)
  if (typed >= 0 && terms.formDocFreq(typed) > 0) return false
  const group = terms.find(stem)
  if (group < 0) return false
  const related = terms.formsOf(group).filter((other) => terms.formDocFreq(other) > 0)
  return related.length > 0 && !related.some((other) => differByLastLetter(form, terms.text(other)))
}

/** The stem groups of the other words, which affect the corrections of a slot. */
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
