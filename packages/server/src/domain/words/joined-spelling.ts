import type { Analyzer, JoinedSpelling, PlannedWord, Token } from '@aisle/engine'

/**
 * A spelling of several words as one (bed spread: bedspread). A spelling whose stem is that of one
 * of its words does not count: "chairred" ends like a participle, and every chair would match both
 * words of "chair red".
 *
 * @param words its parts
 */
export function joinedSpelling(
  form: string,
  words: readonly Token[],
  analyzer: Analyzer,
): PlannedWord | undefined {
  const stem = analyzer.stem(form)
  return words.some((word) => analyzer.stem(word.form) === stem) ? undefined : { form, stem }
}

/** Adds a spelling to a slot that does not have it yet. */
export function addSpelling(
  { joined }: { readonly joined: JoinedSpelling[] },
  spelling: JoinedSpelling,
): void {
  if (joined.every((other) => other.form !== spelling.form)) joined.push(spelling)
}

/**
 * Whether a token is another spelling of words. A bigram of a text without spaces is not a spelling
 * of the words that contain it, and `c` is not one of `c++`.
 */
export function isSpelling({ kind, bigram, bare }: Token): boolean {
  return kind === 'joined' && bigram !== true && bare !== true
}

/**
 * Two neighbouring words written as one; undefined if one of them is a unit alone or has other
 * characters.
 */
export function joinedForm(left: Token, right: Token): string | undefined {
  return isPlainWord(left) && isPlainWord(right) ? left.form + right.form : undefined
}

function isPlainWord({ kind, form, measure }: Token): boolean {
  const isWord = kind === 'word' || measure === true
  return isWord && (/^[a-z0-9]+$/.test(form) || /^[\p{L}\p{M}\p{N}]+$/u.test(form))
}
