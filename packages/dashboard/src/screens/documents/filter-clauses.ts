import { COLLECTION_FIELD } from '@aisle/contract/collection-names'
import { fieldExpression, quotedValue } from '../../format/quoting.ts'
import type { StoreSchema } from '@aisle/contract'

/** A test of a field, in the words of the page. */
export type FilterTest =
  | 'is'
  | 'is_not'
  | 'any'
  | 'words'
  | 'from'
  | 'to'
  | 'within'
  | 'one_has'
  | 'none_has'
  | 'exists'
  | 'missing'

export interface FilterClause {
  readonly field: string
  readonly test: FilterTest
  /** As it was typed; empty for `exists` and `missing`. With `any`, values between commas. */
  readonly value: string
  /** Of `one_has` and `none_has`: what one element must meet, by names inside of it. */
  readonly inside?: readonly FilterClause[]
}

export interface FilterableField {
  readonly name: string
  readonly type: string
  readonly tests: readonly FilterTest[]
  /** Whether its values can be counted, and so be offered. */
  readonly isFacet: boolean
  /** Of a list of objects: what their elements can be filtered by. */
  readonly inside?: readonly FilterableField[]
}

export const TEST_WORDS: Readonly<Record<FilterTest, string>> = {
  is: 'is',
  is_not: 'is not',
  any: 'is one of',
  words: 'contains',
  from: 'is at least',
  to: 'is at most',
  within: 'is between',
  one_has: 'has one that matches',
  none_has: 'has none that matches',
  exists: 'exists',
  missing: 'is missing',
}

const PRESENCE: readonly FilterTest[] = ['exists', 'missing']
/** More conditions than a filter may have. */
const CLAUSES_MAX = 100

/** The tests for a field depend on its roles; see docs/filters.md. */
export function filterableFields({ fields }: StoreSchema): FilterableField[] {
  const own = fields.flatMap(({ name, type, facet, sort, searchable }): FilterableField[] => {
    if (type === 'object[]') {
      const inside = elementFields(fields, name)
      const tests: FilterTest[] = inside.length === 0 ? [] : ['one_has', 'none_has']
      return [{ name, type, isFacet: false, tests: [...tests, ...PRESENCE], inside }]
    }
    const isText = type.startsWith('string')
    const isFlag = type.startsWith('bool')
    if (type.startsWith('geopoint')) {
      return [{ name, type, isFacet: false, tests: ['within', ...PRESENCE] }]
    }
    if (facet || sort) {
      const order: FilterTest[] = isText ? ['words'] : isFlag ? [] : ['from', 'to']
      return [
        {
          name,
          type,
          isFacet: facet,
          tests: ['is', 'is_not', ...anyOf(isFlag), ...order, ...PRESENCE],
        },
      ]
    }
    return searchable ? [{ name, type, isFacet: false, tests: ['words', ...PRESENCE] }] : []
  })
  return [...own, { name: 'id', type: 'string', isFacet: false, tests: ['is', 'is_not'] }]
}

function anyOf(isFlag: boolean): FilterTest[] {
  return isFlag ? [] : ['any']
}

/** Fields of the elements of a list, by their names in it: those that are facets. */
function elementFields(fields: StoreSchema['fields'], list: string): FilterableField[] {
  const start = `${list}.`
  const inside = fields
    .filter(({ name, facet }) => facet && name.startsWith(start))
    .map((field) => ({ ...field, name: field.name.slice(start.length) }))
  return filterableFields({ fields: inside }).filter(({ name }) => name !== 'id')
}

export function needsValue(test: FilterTest): boolean {
  return !PRESENCE.includes(test) && !needsElements(test)
}

export function needsElements(test: FilterTest): boolean {
  return test === 'one_has' || test === 'none_has'
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
  return clausesIn(parsed, false)
}

/** @param isInside inside an element, which has no elements itself */
function clausesIn(parsed: unknown, isInside: boolean): FilterClause[] {
  if (!Array.isArray(parsed)) return []
  return parsed.slice(0, CLAUSES_MAX).flatMap((one: unknown): FilterClause[] => {
    if (!Array.isArray(one)) return []
    const [field, named, value = ''] = one as unknown[]
    if (typeof field !== 'string' || !Object.hasOwn(TEST_WORDS, String(named))) return []
    const test = named as FilterTest
    if (needsElements(test)) {
      const inside = isInside ? [] : clausesIn(value, true)
      return inside.length === 0 ? [] : [{ field, test, value: '', inside }]
    }
    return typeof value === 'string' ? [{ field, test, value }] : []
  })
}

export function clausesText(clauses: readonly FilterClause[]): string {
  return clauses.length === 0 ? '' : JSON.stringify(clauses.map(partsOf))
}

function partsOf({ field, test, value, inside }: FilterClause): unknown[] {
  return [field, test, inside === undefined ? value : inside.map(partsOf)]
}

/** The filter for searches, exports and deletions; all clauses must hold. */
export function filterExpression(clauses: readonly FilterClause[], schema: StoreSchema): string {
  const typeOf = new Map(schema.fields.map(({ name, type }) => [name, type as string]))
  return clauses.map((clause) => expressionOf(clause, typeOf)).join(' && ')
}

/** Products by their ids. */
export function idsExpression(ids: readonly string[]): string {
  return `id:=[${ids.map(quotedValue).join(', ')}]`
}

function expressionOf(
  { field, test, value, inside = [] }: FilterClause,
  typeOf: ReadonlyMap<string, string>,
  path = '',
): string {
  const name = fieldExpression(field)
  const type = typeOf.get(path + field) ?? 'string'
  if (needsElements(test)) {
    const all = inside.map((one) => expressionOf(one, typeOf, `${field}.`)).join(' && ')
    return `${test === 'none_has' ? '!' : ''}${name}:{${all}}`
  }
  if (test === 'exists') return `${name}:exists`
  if (test === 'missing') return `${name}:null`
  // A place and a radius, or corners; the parentheses are optional.
  if (test === 'within') return `${name}:(${value.trim().replace(/^\(|\)$/g, '')})`
  if (test === 'any') {
    const values = value.split(',').filter((one) => one.trim() !== '')
    return `${name}:=[${values.map((one) => valueText(one.trim(), type)).join(', ')}]`
  }
  return `${name}:${OPERATORS[test as ComparingTest]}${valueText(value, type)}`
}

function valueText(value: string, type: string): string {
  const isBare = !type.startsWith('string') && /^[\w.:+-]+$/.test(value.trim())
  return isBare ? value.trim() : quotedValue(value)
}

type ComparingTest = 'is' | 'is_not' | 'words' | 'from' | 'to'

const OPERATORS: Readonly<Record<ComparingTest, string>> = {
  is: '=',
  is_not: '!=',
  words: '',
  from: '>=',
  to: '<=',
}

/** `brand is Lloyd`, for a chip. */
export function clauseWords({ field: name, test, value, inside }: FilterClause): string {
  const field = name === COLLECTION_FIELD ? 'collection' : name
  if (inside !== undefined) {
    const words = inside.map(clauseWords).join(' and ')
    return test === 'none_has' ? `${field}, none: ${words}` : `${field}: ${words}`
  }
  return needsValue(test) ? `${field} ${TEST_WORDS[test]} ${value}` : `${field} ${TEST_WORDS[test]}`
}
