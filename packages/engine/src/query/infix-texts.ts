import { codePointCount } from '../codec/code-points.ts'
import { INFIX_LENGTH_MIN } from '../scoring/formula.ts'
import type { QuerySlot } from './plan.ts'

/**
 * Texts to search for inside other words: a query word and its joined spellings with its
 * neighbours. The analyzer splits `12mm` into 12 and mm, each too short for this, but `12mm` is
 * found in "ABC12MM".
 */
export function infixTexts({ form, joined }: Pick<QuerySlot, 'form' | 'joined'>): string[] {
  const texts = [form, ...joined.map((spelling) => spelling.form)]
  return texts.filter((text) => codePointCount(text) >= INFIX_LENGTH_MIN)
}
