import type { Analyzer, QuerySlot } from '@aisle/engine'
import { apartSpellings, withoutBar } from './letters-and-digits.ts'

/** Shorter words have no halves worth looking up; longer ones are not words. */
const SPLIT_LENGTH_MIN = 4
const SPLIT_LENGTH_MAX = 40
/**
 * A single letter may precede a word (t shirt, x box), but not follow it: that would be a plural.
 */
const SPLIT_LEFT_MIN = 1
const SPLIT_RIGHT_MIN = 2

/**
 * Number of words with cached spellings per analyzer (4 MB); beyond it the cache is cleared. 6,200
 * real queries have 5,200 different words.
 */
const WORDS_KEPT_MAX = 8_192

/** The part of a slot that depends only on its word, not on its neighbours or the request. */
interface WordSpellings extends Pick<QuerySlot, 'stem' | 'splits' | 'apart'> {
  readonly isStopword: boolean
  readonly joined: QuerySlot['joined']
}

const kept = new WeakMap<Analyzer, Map<string, WordSpellings>>()

/**
 * Returns the spellings of a word, cached because visitors use the same words again and again: most
 * of the time of a plan went into trying where a word may be split.
 *
 * @param form folded
 */
export function wordSpellings(form: string, analyzer: Analyzer): WordSpellings {
  let words = kept.get(analyzer)
  if (words === undefined) kept.set(analyzer, (words = new Map()))
  const known = words.get(form)
  if (known !== undefined) return known
  const digits = withoutBar(form)
  const spellings = {
    joined: digits === undefined ? [] : [{ form: digits, stem: analyzer.stem(digits) }],
    stem: analyzer.stem(form),
    isStopword: analyzer.isStopword(form),
    splits: cuts(form, analyzer),
    apart: apartSpellings(form, analyzer),
  }
  if (words.size === WORDS_KEPT_MAX) words.clear()
  words.set(form, spellings)
  return spellings
}

/**
 * The ways to split a word of letters in two, unless both halves are stopwords.
 *
 * @param from, to letters of the left half, as far as the word allows
 */
export function cuts(
  form: string,
  analyzer: Analyzer,
  from = SPLIT_LEFT_MIN,
  to = SPLIT_LENGTH_MAX,
): QuerySlot['splits'] {
  // A string when every unit is a letter: nearly always.
  const isAscii = /^[a-z]+$/.test(form)
  const points: string | readonly string[] = isAscii ? form : [...form]
  const isCuttable = points.length >= SPLIT_LENGTH_MIN && points.length <= SPLIT_LENGTH_MAX
  if (!isCuttable || (!isAscii && !/^[\p{L}\p{M}]+$/u.test(form))) return []
  const part = (start: number, end?: number): string =>
    typeof points === 'string' ? points.slice(start, end) : points.slice(start, end).join('')
  const splits: { left: string; right: string }[] = []
  const last = Math.min(to, points.length - SPLIT_RIGHT_MIN)
  for (let at = Math.max(from, SPLIT_LEFT_MIN); at <= last; at++) {
    // A mark belongs to the letter before it.
    if (!isAscii && /\p{M}/u.test(points[at]!)) continue
    const left = part(0, at)
    const right = part(at)
    // "onit": words that are adjacent in half the catalog are not evidence.
    const isLittle = (at === 1 || analyzer.isStopword(left)) && analyzer.isStopword(right)
    if (!isLittle) splits.push({ left, right })
  }
  return splits
}
