import type { JudgedQuery, JudgedSet } from './judged-set.ts'

const QUERIES = 210
/** Good in the grades of every set. */
const GRADE = 4
/** Shorter ones are sizes, or models that many products name. */
const LENGTH_MIN = 6
/** Left out at the end of a number that is not typed to its end. */
const ENDING = 2

/** As written; without its separators; a beginning. */
const TYPED: readonly ((number: string) => string)[] = [
  (number) => number,
  (number) => number.replaceAll(/[^\p{L}\p{N}]/gu, ''),
  (number) => number.slice(0, -ENDING),
]

interface Product {
  readonly id: string
  readonly name?: string
}

/**
 * Queries for products of icecat by their part numbers, a third in each way of typing. The product
 * itself is the only good answer: words find it, and meaning must not push it down.
 */
export async function partNumberQueries(set: Pick<JudgedSet, 'lines'>): Promise<JudgedQuery[]> {
  const numbered: { readonly id: string; readonly number: string }[] = []
  for await (const line of set.lines()) {
    const { id, name: number = '' } = JSON.parse(line) as Product
    if (isPartNumber(number)) numbered.push({ id, number })
  }
  return Array.from({ length: QUERIES }, (_, i) => {
    const { id, number } = numbered[Math.floor((i * numbered.length) / QUERIES)]!
    const text = TYPED[i % TYPED.length]!(number)
    return { id: `part-${i + 1}`, text, judgments: new Map([[id, GRADE]]) }
  })
}

function isPartNumber(text: string): boolean {
  return text.length >= LENGTH_MIN && !text.includes(' ') && /\d/.test(text) && /\p{L}/u.test(text)
}
