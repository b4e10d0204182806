/**
 * Text that looks like personal data is never counted, stored or suggested: e-mail addresses,
 * phone, card and account numbers (any long run of digits, in any grouping), and words so long that
 * they are keys or pasted text.
 *
 * Errs on the safe side: a part number of seven digits is not suggested either.
 */
export function looksPersonal(text: string): boolean {
  const plain = text.normalize('NFKC')
  return ADDRESS.test(plain) || hasLongNumber(plain) || hasLongWord(plain)
}

/** Minimum number of digits that makes a number personal. */
const PERSONAL_DIGITS_MIN = 7
const WORD_MAX_CHARS = 40

const ADDRESS = /\S\s*(?:@|\(at\)|\[at\])\s*\S/i
const DIGIT_RUN = /\p{Nd}(?:[\s.,:;+()/_\-\u2010-\u2015]{0,2}\p{Nd})*/gu
const DIGIT = /\p{Nd}/gu

function hasLongNumber(text: string): boolean {
  for (const [run] of text.matchAll(DIGIT_RUN)) {
    if ((run.match(DIGIT)?.length ?? 0) >= PERSONAL_DIGITS_MIN) return true
  }
  return false
}

function hasLongWord(text: string): boolean {
  return text.split(/\s+/).some((word) => word.length > WORD_MAX_CHARS)
}
