import type { QueryPart } from '../query/query-syntax.ts'

/** A part of a query as a condition. */
export interface Reading extends QueryPart {
  readonly kind: 'value' | 'price' | 'cheap'
  /** Name of the field. */
  readonly field: string
  readonly operator: '=' | '<' | '<=' | '>' | '>=' | 'between'
  readonly values: readonly (string | number)[]
  /** The text of the query from `start` to `end`. */
  readonly text: string
}

export interface Interpretation {
  /** In the order of their texts. */
  readonly readings: readonly Reading[]
  /** What is left of the query; empty if nothing is. */
  readonly rest: string
}

/** The filter expression of one reading. */
export function readingFilter({ field, operator, values }: Reading): string {
  const name = /^[A-Za-z_]\w*$/.test(field) ? field : quoted(field)
  if (operator === 'between') return `${name}:[${values[0]}..${values[1]}]`
  if (operator !== '=') return `${name}:${operator}${values[0]}`
  return `${name}:=${values.length === 1 ? quoted(values[0]!) : `[${values.map(quoted).join(', ')}]`}`
}

/**
 * The filter expression of all readings: every price, and one of the values of each field; empty
 * if there are none.
 */
export function readingsFilter(readings: readonly Reading[]): string {
  const prices = readings.filter(({ kind }) => kind !== 'value')
  const byField = new Map<string, Reading>()
  for (const reading of readings) {
    if (reading.kind !== 'value') continue
    const { values = [] } = byField.get(reading.field) ?? {}
    byField.set(reading.field, { ...reading, values: [...new Set([...values, ...reading.values])] })
  }
  return [...byField.values(), ...prices].map(readingFilter).join(' && ')
}

/** An expression that requires two; either may be empty. */
export function bothFilters(given: string, added: string): string {
  if (given.trim() === '' || added === '') return given.trim() === '' ? added : given
  return `(${given}) && ${added}`
}

function quoted(value: string | number): string {
  return `"${String(value).replaceAll(/[\\"`]/g, '\\$&')}"`
}

/**
 * Returns a query without some of its parts, and without the small words that led to them: `shoes
 * in red for men` without `red` is `shoes for men`.
 *
 * @param parts in order, apart from each other
 * @param isSmall whether a word says nothing alone
 */
export function restOf(
  q: string,
  parts: readonly QueryPart[],
  isSmall: (word: string) => boolean,
): string {
  const kept: string[] = []
  let from = 0
  for (const [i, { start, end }] of [...parts, { start: q.length, end: q.length }].entries()) {
    const words = q.slice(from, start).split(/\s+/u).filter(Boolean)
    const isBetween = i > 0 || i < parts.length
    if (i < parts.length) while (words.length > 0 && isSmall(words.at(-1)!)) words.pop()
    if (!(isBetween && words.every(isSmall))) kept.push(...words)
    from = end
  }
  return kept.join(' ')
}
