import type { Analyzer, PlannedWord } from '@aisle/engine'

/**
 * Maximum number of parts of a word that alternates between letters and digits. A word with more is
 * a part number, and stays whole.
 */
export const LETTER_DIGIT_PARTS_MAX = 4

/**
 * Every way to write a word of letters and digits as several words, as the analyzer reads it
 * (`iphone15pro`: iphone 15 pro, iphone15 pro). A word that begins with a digit has none, because
 * the analyzer splits it itself. For scripts without spaces, the pieces of a word.
 */
export function apartSpellings(form: string, analyzer: Analyzer): readonly PlannedWord[][] {
  const numbers = numbersOfPair(form)
  if (numbers !== undefined) return [numbers.map((number) => plannedWord(number, analyzer))]
  const pieces = analyzer.pieces?.(form) ?? []
  if (pieces.length > 0) {
    return [pieces.map((piece) => plannedWord(piece, analyzer))]
  }
  // Nearly every word has only letters.
  const parts = /^[a-z]+$/.test(form) ? undefined : partsOf(form)
  if (parts === undefined || parts.length < 2 || isDigit(parts[0]!)) return []
  const spellings = new Map<string, PlannedWord[]>()
  const borders = parts.length - 1
  // Each bit says whether there is a space at that border; the first has all of them.
  for (let spaces = (1 << borders) - 1; spaces > 0; spaces--) {
    const text = parts.map((part, i) => (i > 0 && spaces & (1 << (i - 1)) ? ` ${part}` : part))
    const words = analyzer.analyze(text.join('')).filter((token) => token.kind !== 'joined')
    const key = words.map((word) => word.form).join(' ')
    if (words.length < 2 || spellings.has(key)) continue
    spellings.set(
      key,
      words.map((word) => plannedWord(word.form, analyzer)),
    )
  }
  return [...spellings.values()]
}

function plannedWord(form: string, analyzer: Analyzer): PlannedWord {
  return { form, stem: analyzer.stem(form) }
}

/** Longer digits are not compared: they exceed the precision of numbers. */
const PAIR_DIGITS_MAX = 15

/**
 * The numbers of 136/14, 9/40 or 20/22; undefined for other words, and for fractions of a measure,
 * which are reduced, with a denominator up to 10 or a power of two (3/4, 5/16). Scales begin with
 * 1.
 */
function numbersOfPair(form: string): readonly string[] | undefined {
  if (!/^\d+\/\d+$/.test(form)) return undefined
  const numbers = form.split('/')
  if (numbers.some(({ length }) => length > PAIR_DIGITS_MAX)) return numbers
  const [a, b] = numbers.map(Number) as [number, number]
  const isUsual = b <= 10 || Number.isInteger(Math.log2(b))
  const isMeasure = a < b && (a <= 1 || (isUsual && greatestDivisor(a, b) === 1))
  return isMeasure ? undefined : numbers
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b)
}

/** Fewer digits are a number, whatever they are joined from. */
const JOINED_DIGITS_MIN = 4

/** 136/14 without its bar, as in C13614; undefined for other words. */
export function withoutBar(form: string): string | undefined {
  const numbers = numbersOfPair(form)
  if (numbers === undefined || Number(numbers[0]) < Number(numbers[1])) return undefined
  const digits = numbers.join('')
  return digits.length < JOINED_DIGITS_MIN ? undefined : digits
}

/** 9/40 without its bar, as a piece of HQ9/40; undefined for other words. */
export function digitsOfPair(form: string): string | undefined {
  return numbersOfPair(form)?.join('')
}

/**
 * Words that alternate between letters and digits, written as one (`dcd 18 v`: dcd18v); undefined
 * if they do not, or if the analyzer splits the word, in documents too (`16 gb`).
 *
 * @param typed folded
 */
export function togetherForm(typed: readonly string[], analyzer: Analyzer): string | undefined {
  // Each word is one or more whole parts, so there is a border between any two words.
  const hasBorders = typed.every(
    (word, i) => i === 0 || isDigit(word) !== isDigit(endOf(typed[i - 1]!)),
  )
  if (!hasBorders) return undefined
  const form = typed.join('')
  if (partsOf(form) === undefined || isDigit(form)) return undefined
  const words = analyzer.analyze(form).filter((token) => token.kind !== 'joined')
  return words.length === 1 && words[0]!.form === form ? form : undefined
}

/**
 * The runs of letters and of digits in a word; undefined if there are too many, or other
 * characters.
 */
function partsOf(form: string): readonly string[] | undefined {
  if (!/^[\p{L}\p{M}\p{N}]+$/u.test(form)) return undefined
  const parts = form.match(/\p{N}+|[\p{L}\p{M}]+/gu) ?? []
  return parts.length > LETTER_DIGIT_PARTS_MAX ? undefined : parts
}

function isDigit(text: string): boolean {
  const code = text.charCodeAt(0)
  return code < 0x80 ? code >= 0x30 && code <= 0x39 : /^\p{N}/u.test(text)
}

function endOf(text: string): string {
  return text.charCodeAt(text.length - 1) < 0x80 ? text.slice(-1) : ([...text].at(-1) ?? '')
}
