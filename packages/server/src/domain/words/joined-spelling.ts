import type { Analyzer, PlannedWord, Token } from '@aisle/engine'

/**
 * A spelling of several words as one (bed spread: bedspread). One whose stem is that of a word in
 * it is none: "chairred" ends like a participle, and every chair would have both words of "chair
 * red".
 *
 * @param words those that it is made of
 */
export function joinedSpelling(
  form: string,
  words: readonly Token[],
  analyzer: Analyzer,
): PlannedWord | undefined {
  const stem = analyzer.stem(form)
  return words.some((word) => analyzer.stem(word.form) === stem) ? undefined : { form, stem }
}

/**
 * Two neighbouring words written as one; undefined when one of them is a unit or has other
 * characters.
 */
export function joinedForm(left: Token, right: Token): string | undefined {
  return isPlainWord(left) && isPlainWord(right) ? left.form + right.form : undefined
}

function isPlainWord({ kind, form }: Token): boolean {
  return kind === 'word' && /^[\p{L}\p{M}\p{N}]+$/u.test(form)
}
