import { codePointCount } from '../codec/code-points.ts'
import { INFIX_LENGTH_MIN } from '../scoring/formula.ts'
import type { QuerySlot } from './plan.ts'

/**
 * What is looked for inside of words on behalf of a word of the query: the word, and what it is
 * with its neighbours: `12mm` is 12 and mm to the analyzer, and too short to be looked for, but a
 * word in "ABC12MM".
 */
export function infixTexts({ form, joined }: Pick<QuerySlot, 'form' | 'joined'>): string[] {
  const texts = [form, ...joined.map((spelling) => spelling.form)]
  return texts.filter((text) => codePointCount(text) >= INFIX_LENGTH_MIN)
}
