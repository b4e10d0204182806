import { fieldExpression, quotedValue } from '../../parts/field-expression.ts'
import type { StoreSchema } from '@aisle/contract'

/** A test of a field, in the words of the page. */
export type FilterTest = 'is' | 'is_not' | 'words' | 'from' | 'to' | 'within' | 'exists' | 'missing'

export interface FilterClause {
  readonly field: string
  readonly test: FilterTest
  /** As it was typed; empty for `exists` and `missing`. */
  readonly value: string
}

export interface FilterableField {
  readonly name: string
  readonly type: string
  readonly tests: readonly FilterTest[]
  /** Whether its values can be counted, and so be offered. */
  readonly isFacet: boolean
}

export const TEST_WORDS: Readonly<Record<FilterTest, string>> = {
  is: 'is',
  is_not: 'is not',
  words: 'has the words',
  from: 'is at least',
  to: 'is at most',
  within: 'lies in',
  exists: 'is there',
  missing: 'is missing',
}

const PRESENCE: readonly FilterTest[] = ['exists', 'missing']
/** More conditions than a filter may have. */
const CLAUSES_MAX = 100

/** The tests for a field depend on its roles; see docs/filters.md. */
export function filterableFields({ fields }: StoreSchema): FilterableField[] {
  const own = fields.flatMap(({ name, type, facet, sort, searchable }): FilterableField[] => {
    const isText = type.startsWith('string')
    const isFlag = type.startsWith('bool')
    if (type.startsWith('geopoint')) {
      return [{ name, type, isFacet: false, tests: ['within', ...PRESENCE] }]
    }
    if (facet || sort) {
      const order: FilterTest[] = isText ? ['words'] : isFlag ? [] : ['from', 'to']
      return [{ name, type, isFacet: facet, tests: ['is', 'is_not', ...order, ...PRESENCE] }]
    }
    return searchable ? [{ name, type, isFacet: false, tests: ['words', ...PRESENCE] }] : []
  })
  return [...own, { name: 'id', type: 'string', isFacet: false, tests: ['is', 'is_not'] }]
}

export function needsValue(test: FilterTest): boolean {
  return !PRESENCE.includes(test)
}

/** A list of clauses from the address; invalid clauses are dropped. */
export function parseClauses(text: string): FilterClause[] {
  if (text === '') return []
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return []
  }
  if (!Array.isArray(parsed)) return []
  return parsed.slice(0, CLAUSES_MAX).flatMap((one: unknown) => {
    if (!Array.isArray(one)) return []
    const [field, test, value = ''] = one as unknown[]
    const isClause =
      typeof field === 'string' &&
      typeof value === 'string' &&
      Object.hasOwn(TEST_WORDS, String(test))
    return isClause ? [{ field, test: test as FilterTest, value }] : []
  })
}

export function clausesText(clauses: readonly FilterClause[]): string {
  if (clauses.length === 0) return ''
  return JSON.stringify(clauses.map(({ field, test, value }) => [field, test, value]))
}

/** The filter for searches, exports and deletions; all clauses must hold. */
export function filterExpression(clauses: readonly FilterClause[], schema: StoreSchema): string {
  const typeOf = new Map(schema.fields.map(({ name, type }) => [name, type as string]))
  return clauses.map((clause) => expressionOf(clause, typeOf.get(clause.field))).join(' && ')
}

/** Products by their ids. */
export function idsExpression(ids: readonly string[]): string {
  return `id:=[${ids.map(quotedValue).join(', ')}]`
}

function expressionOf({ field, test, value }: FilterClause, type = 'string'): string {
  const name = fieldExpression(field)
  if (test === 'exists') return `${name}:exists`
  if (test === 'missing') return `${name}:null`
  // A place and a radius, or corners; whoever leaves the parentheses out means the same.
  if (test === 'within') return `${name}:(${value.trim().replace(/^\(|\)$/g, '')})`
  const isBare = !type.startsWith('string') && /^[\w.:+-]+$/.test(value.trim())
  const text = isBare ? value.trim() : quotedValue(value)
  return `${name}:${OPERATORS[test]}${text}`
}

const OPERATORS: Readonly<Record<Exclude<FilterTest, 'within' | 'exists' | 'missing'>, string>> = {
  is: '=',
  is_not: '!=',
  words: '',
  from: '>=',
  to: '<=',
}

/** `brand is Lloyd`, for a chip. */
export function clauseWords({ field, test, value }: FilterClause): string {
  return needsValue(test) ? `${field} ${TEST_WORDS[test]} ${value}` : `${field} ${TEST_WORDS[test]}`
}
