import type { Analyzer } from '../analysis/analyzer.ts'
import { codePointCount } from '../codec/code-points.ts'
import { COMPOUND_ABSENT_LENGTH_MIN } from '../scoring/formula.ts'
import type { QuerySlot } from './plan.ts'

/** Whether the language allows a form to be a compound. */
export function mayBeCompound(form: string, { compounds }: Analyzer): boolean {
  return compounds?.isWhole === undefined || compounds.isWhole(form)
}

const LETTERS = /^[\p{L}\p{M}]+$/u
/** Vowels among folded letters, every Korean syllable, and kana. */
const VOWEL = /[aeiouy\uac00-\ud7a3ァ-ヺ]/

/** Whether compounds are searched for a word of the query. */
export function isCompoundPart(slot: QuerySlot, { compounds }: Analyzer): boolean {
  if (compounds === undefined || slot.stopword || !LETTERS.test(slot.form)) return false
  return codePointCount(slot.form) >= compounds.wordLengthMin
}

/** Whether the rest of a compound may be a word: long enough, only letters, no stopword. */
export function isCompoundRest(rest: string, analyzer: Analyzer): boolean {
  const { compounds } = analyzer
  if (compounds === undefined || codePointCount(rest) < compounds.restLengthMin) return false
  return LETTERS.test(rest) && !analyzer.isStopword(rest)
}

/** A form that ends with the word of a slot, or with an inflection of it. */
export interface Tail {
  readonly form: string
  /** The text before the word. */
  readonly rest: string
  /** df(form) */
  readonly docFreq: number
}

/**
 * Whether a form is a compound although its rest is not a word of the catalog (Turnschuhe): the
 * word is the longest of the catalog that ends the form.
 *
 * @param groupDocFreq df of the slot's word
 * @param tailDocFreqs by stem, sum of df of forms that end with the word
 */
export function isCompoundAlone(
  { form, rest, docFreq }: Tail,
  slot: QuerySlot,
  analyzer: Analyzer,
  groupDocFreq: number,
  tailDocFreqs: ReadonlyMap<string, number>,
): boolean {
  const compounds = analyzer.compounds!
  const isKnown = groupDocFreq > 0 || compounds.words?.has(slot.stem) === true
  if (!isKnown && codePointCount(slot.form) < COMPOUND_ABSENT_LENGTH_MIN) return false
  if (compounds.endings.get(slot.stem)?.test(rest) === true) return false
  if (!isCompoundRest(rest, analyzer) || !VOWEL.test(rest)) return false
  const tail = form.slice(rest.length)
  if (tail !== slot.form && analyzer.stem(tail) !== slot.stem) return false
  if (codePointCount(tail) < compounds.wordLengthMin) return false
  // Handschuhe in Arbeitshandschuhe. A word rarer than the form itself may be a misspelling; so may
  // be the slot's own word if no document has it.
  const longerMin = isKnown ? docFreq : 1
  for (let at = 1; at < rest.length; at++) {
    const longer = tailDocFreqs.get(analyzer.stem(form.slice(at))) ?? 0
    if (longer >= longerMin) return false
  }
  return true
}
