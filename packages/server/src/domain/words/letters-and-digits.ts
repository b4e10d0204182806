import type { Analyzer, PlannedWord } from '@aisle/engine'

/**
 * Parts of a word that letters and digits make by turns. A word of more is a part number, and stays
 * whole.
 */
export const LETTER_DIGIT_PARTS_MAX = 4

/**
 * Every way to write a word of letters and digits apart, as the analyzer reads it (`iphone15pro`:
 * iphone 15 pro, iphone15 pro). None for a word that begins with a digit: the analyzer takes it
 * apart itself.
 */
export function apartSpellings(form: string, analyzer: Analyzer): readonly PlannedWord[][] {
  const parts = partsOf(form)
  if (parts === undefined || parts.length < 2 || isDigit(parts[0]!)) return []
  const spellings = new Map<string, PlannedWord[]>()
  const borders = parts.length - 1
  // Each bit says whether there is a space at that border; all of them first.
  for (let spaces = (1 << borders) - 1; spaces > 0; spaces--) {
    const text = parts.map((part, i) => (i > 0 && spaces & (1 << (i - 1)) ? ` ${part}` : part))
    const words = analyzer.analyze(text.join('')).filter((token) => token.kind !== 'joined')
    const key = words.map((word) => word.form).join(' ')
    if (words.length < 2 || spellings.has(key)) continue
    spellings.set(
      key,
      words.map((word) => ({ form: word.form, stem: analyzer.stem(word.form) })),
    )
  }
  return [...spellings.values()]
}

/**
 * Words that are letters and digits by turns, written as one (`dcd 18 v`: dcd18v); undefined when
 * they are not, or when the analyzer takes the word apart, in documents too (`16 gb`).
 *
 * @param typed folded
 */
export function togetherForm(typed: readonly string[], analyzer: Analyzer): string | undefined {
  const form = typed.join('')
  const parts = partsOf(form)
  // Each word is a whole part, or several: then there is a border between any two of them.
  const hasBorders = typed.every(
    (word, i) => i === 0 || isDigit(word) !== isDigit(endOf(typed[i - 1]!)),
  )
  if (parts === undefined || !hasBorders || isDigit(form)) return undefined
  const words = analyzer.analyze(form).filter((token) => token.kind !== 'joined')
  return words.length === 1 && words[0]!.form === form ? form : undefined
}

/**
 * The runs of letters and of digits that a word consists of; undefined when there are too many, or
 * other characters.
 */
function partsOf(form: string): readonly string[] | undefined {
  if (!/^[\p{L}\p{M}\p{N}]+$/u.test(form)) return undefined
  const parts = form.match(/\p{N}+|[\p{L}\p{M}]+/gu) ?? []
  return parts.length > LETTER_DIGIT_PARTS_MAX ? undefined : parts
}

function isDigit(text: string): boolean {
  return /^\p{N}/u.test(text)
}

function endOf(text: string): string {
  return [...text].at(-1) ?? ''
}
