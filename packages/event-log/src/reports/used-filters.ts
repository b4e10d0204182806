import { EXPRESSION_MAX_CHARS, isObject } from '@aisle/contract'
import { clausesOf } from './filter-clauses.ts'

/** A filter set by a visitor: a field, and its selected values. */
export interface UsedFilter {
  readonly field: string
  readonly value: string
}

const FILTERS_MAX = 50
const TEXT_MAX_CHARS = 200

/**
 * The filters of a search or a filter event. Supports both forms of a search request (`filter_by`
 * and `filters`), maps of field to value as clients send them, and a single `{facet | field,
 * value}`.
 */
export function filtersUsed(properties: Readonly<Record<string, unknown>>): UsedFilter[] {
  const used = new Map<string, UsedFilter>()
  const add = (field: string, value: string): void => {
    if (used.size >= FILTERS_MAX) return
    const filter = { field: clean(field), value: clean(value) }
    if (filter.field !== '') used.set(`${filter.field}\n${filter.value}`, filter)
  }
  addFilters(properties['filters_applied'] ?? properties['filters'], add)
  const field = properties['facet'] ?? properties['field']
  if (typeof field === 'string') addValues(field, properties['value'], add)
  return [...used.values()]
}

type Add = (field: string, value: string) => void

function addFilters(filters: unknown, add: Add): void {
  if (typeof filters === 'string') addExpression(filters, add)
  else if (Array.isArray(filters)) {
    for (const one of filters as unknown[]) if (typeof one === 'string') addExpression(one, add)
  } else if (isObject(filters)) {
    for (const [field, value] of Object.entries(filters)) {
      if (field === 'filter_by' && typeof value === 'string') addExpression(value, add)
      else if (field === 'filters' && isObject(value)) addFilters(value, add)
      else addValues(field, value, add)
    }
  }
}

function addValues(field: string, value: unknown, add: Add): void {
  if (Array.isArray(value)) for (const one of value as unknown[]) addValue(field, one, add)
  else addValue(field, value, add)
}

function addValue(field: string, value: unknown, add: Add): void {
  if (typeof value === 'string') add(field, value)
  else if (typeof value === 'number' || typeof value === 'boolean') add(field, String(value))
  else if (isObject(value)) {
    const tests = Object.entries(value).map(([test, operand]) => `${test} ${plain(operand)}`)
    add(field, tests.join(', '))
  }
}

function plain(operand: unknown): string {
  return typeof operand === 'string' ? operand : JSON.stringify(operand)
}

/**
 * Reads the clauses of an expression, including negated and alternative ones; only searches
 * evaluate it.
 */
function addExpression(expression: string, add: Add): void {
  for (const { field, test } of clausesOf(expression.slice(0, EXPRESSION_MAX_CHARS))) {
    const value = (test.startsWith('=') ? test.slice(1) : test).trim()
    const isList = value.startsWith('[') && value.endsWith(']') && !value.includes('..')
    if (!isList) add(field, unquoted(value))
    else for (const item of value.slice(1, -1).split(',')) add(field, unquoted(item))
  }
}

function unquoted(text: string): string {
  return text.replaceAll(/["`]/g, '')
}

function clean(text: string): string {
  return text.trim().slice(0, TEXT_MAX_CHARS).toWellFormed()
}
