import {
  ApiError,
  FILTER_CLAUSES_MAX,
  FILTER_LEVELS_MAX,
  FILTER_VALUES_MAX,
  isObject,
} from '@aisle/contract'
import { elementType, hasColumn, isObjectType, isPlace } from '@aisle/engine'
import type { Analyzer, Field, FilterNode, Schema } from '@aisle/engine'
import type { DateContext } from '../values/date-literal.ts'
import { fieldOrdinal, filterableByWords, requireField } from '../documents/field-lookup.ts'
import { testOfEither } from './filter-kinds.ts'
import { allOf, anyOf } from './filter-nodes.ts'
import {
  anyElement,
  isInElements,
  notAValue,
  notByElement,
  onlyOutermost,
} from './filter-objects.ts'
import { objectValueHint } from './filter-hints.ts'
import { WARNINGS_MAX, type Warn } from './filter-parser.ts'
import { FilterTests, type Reject, type WrittenBound } from './filter-tests.ts'
import { readAreas } from './place-language.ts'
import { TextCursor } from './text-cursor.ts'

const OPERATORS = ['min', 'max', 'gt', 'gte', 'lt', 'lte', 'not', 'exists'] as const

/**
 * Turns the `filters` object into a filter tree, without an expression in between:
 *
 *     {field: scalar}                equals              {field: [a, b, {min, max}]}    any of (none: no condition)
 *     {field: {min, max, gt, gte, lt, lte, not, exists}}  all of; a null bound is open
 *     {objects: {field: …}}          of one object; of an `object[]` field: of one and the same element
 *
 * int64 values may be JSON integers below 2^53, bigints, or decimal digits in a string. Strings are
 * also accepted for other numbers, for dates and for `true` / `false`, as in filter expressions.
 *
 * @returns undefined if there is nothing to filter by
 */
export function parseFiltersObject(
  value: unknown,
  schema: Schema,
  analyzer: Analyzer,
  dates?: DateContext,
  warn?: Warn,
): FilterNode | undefined {
  if (value === undefined || value === null) return undefined
  if (!isObject(value)) {
    throw new ApiError('invalid_parameter', '`filters` must be an object of field names.', {
      param: 'filters',
    })
  }
  const names = Object.keys(value)
  if (names.length === 0) return undefined
  if (names.length > FILTER_CLAUSES_MAX) {
    throw reject('filters')(`more than ${FILTER_CLAUSES_MAX} fields`)
  }
  const reader = new FiltersReader(schema, new FilterTests(analyzer, dates), warn)
  const nodes = names.flatMap((name) => reader.field(name, value[name]) ?? [])
  return nodes.length === 0 ? undefined : allOf(nodes)
}

class FiltersReader {
  readonly #schema: Schema
  readonly #tests: FilterTests
  readonly #warn: Warn | undefined
  #warningCount = 0
  #valueCount = 0

  constructor(schema: Schema, tests: FilterTests, warn?: Warn) {
    this.#schema = schema
    this.#tests = tests
    this.#warn = warn
  }

  /** @returns undefined if the test is empty */
  field(name: string, test: unknown): FilterNode | undefined {
    const param = `filters.${name}`
    if (name === 'id' && fieldOrdinal(this.#schema, name) === undefined) {
      return this.#ids(test, param)
    }
    const { field, ordinal } = requireField(this.#schema, name, { param, alsoKnown: ['id'] })
    return this.#fieldTest(field, ordinal, test, param, 0, false)
  }

  #fieldTest(
    field: Field,
    ordinal: number,
    test: unknown,
    param: string,
    level: number,
    inElement: boolean,
  ): FilterNode | undefined {
    const { name } = field
    if (isObjectType(field.type)) {
      if (field.type === 'object[]' && isInElements(this.#schema, ordinal)) {
        throw reject(param)(onlyOutermost(field))
      }
      return this.#objects(field, ordinal, test, param, level, inElement)
    }
    if (inElement && !hasColumn(field)) {
      throw reject(param)(notByElement(field), 'field_not_filterable')
    }
    if (!filterableByWords(field)) {
      throw reject(param)(
        `field \`${name}\` is neither \`facet\`, \`sort\` nor \`searchable\``,
        'field_not_filterable',
      )
    }
    return testOfEither(this.#schema, field, ordinal, (one, i) =>
      this.#test(one, i, test, param, level),
    )
  }

  /**
   * Fields of one object or of one element, by name: all must be met together. A list has
   * alternatives.
   */
  #objects(
    field: Field,
    ordinal: number,
    test: unknown,
    param: string,
    level: number,
    inElement: boolean,
  ): FilterNode | undefined {
    if (level > FILTER_LEVELS_MAX) throw reject(param)(`more than ${FILTER_LEVELS_MAX} levels`)
    if (Array.isArray(test)) {
      return oneOf(test, param, (item, itemParam) => {
        if (!isObject(item)) throw reject(itemParam)(notAValue(field))
        return this.#objects(field, ordinal, item, itemParam, level + 1, inElement)
      })
    }
    if (!isObject(test) || Object.keys(test).length === 0) throw reject(param)(notAValue(field))
    const isList = field.type === 'object[]'
    const nodes: FilterNode[] = []
    const outside: FilterNode[] = []
    for (const [name, value] of Object.entries(test)) {
      const path = `${field.name}.${name}`
      const valueParam = `${param}.${name}`
      const isOwn = fieldOrdinal(this.#schema, path) === undefined
      if (isOwn && name === 'exists' && isList) {
        if (typeof value !== 'boolean') throw reject(valueParam)('expected true or false')
        outside.push(value ? anyElement(ordinal) : { kind: 'not', node: anyElement(ordinal) })
      } else if (isOwn && name === 'not') {
        const node = this.#objects(field, ordinal, value, valueParam, level + 1, inElement)
        if (node !== undefined) outside.push({ kind: 'not', node })
      } else {
        const found = requireField(this.#schema, path, { param: valueParam })
        const isIn = inElement || isList
        const node = this.#fieldTest(found.field, found.ordinal, value, valueParam, level + 1, isIn)
        if (node !== undefined) nodes.push(node)
      }
    }
    if (nodes.length > 0) {
      const node = allOf(nodes)
      outside.unshift(isList ? { kind: 'elements', field: ordinal, node } : node)
    }
    return outside.length === 0 ? undefined : allOf(outside)
  }

  #test(
    field: Field,
    ordinal: number,
    test: unknown,
    param: string,
    level: number,
  ): FilterNode | undefined {
    if (level > FILTER_LEVELS_MAX) throw reject(param)(`more than ${FILTER_LEVELS_MAX} levels`)
    if (Array.isArray(test)) {
      return oneOf(test, param, (item, itemParam) => {
        if (Array.isArray(item)) throw reject(itemParam)('expected a value or a range')
        return testOfEither(this.#schema, field, ordinal, (one, i) =>
          this.#test(one, i, item, itemParam, level + 1),
        )
      })
    }
    if (isObject(test)) return this.#operators(field, ordinal, test, param, level)
    if (isPlace(field) && typeof test === 'string') {
      this.#countValue(param)
      const cursor = new TextCursor(test, { code: 'invalid_filter', param })
      const areas = readAreas(cursor)
      if (!cursor.atEnd) throw cursor.expected('the end')
      return this.#tests.within(ordinal, areas)
    }
    return this.#tests.equals(field, ordinal, this.#text(field, test, param), reject(param))
  }

  #operators(
    field: Field,
    ordinal: number,
    operators: Record<string, unknown>,
    param: string,
    level: number,
  ): FilterNode | undefined {
    const nodes: FilterNode[] = []
    let low: WrittenBound | undefined
    let high: WrittenBound | undefined
    let hasBounds = false
    const names = Object.keys(operators)
    if (names.length === 0) throw reject(param)(`expected one of ${OPERATORS.join(', ')}`)
    for (const name of names) {
      const operand = operators[name]
      const operandParam = `${param}.${name}`
      switch (name) {
        case 'exists': {
          if (typeof operand !== 'boolean') throw reject(operandParam)('expected true or false')
          const exists: FilterNode = { kind: 'exists', field: ordinal }
          nodes.push(operand ? exists : { kind: 'not', node: exists })
          break
        }
        case 'not': {
          const node = this.#test(field, ordinal, operand, operandParam, level + 1)
          if (node !== undefined) nodes.push({ kind: 'not', node })
          break
        }
        case 'min':
        case 'gte':
        case 'gt': {
          hasBounds = true
          const bound = this.#bound(field, operand, true, name !== 'gt', operandParam)
          if (bound !== undefined && (low === undefined || isTighterLow(bound, low))) low = bound
          break
        }
        case 'max':
        case 'lte':
        case 'lt': {
          hasBounds = true
          const bound = this.#bound(field, operand, false, name !== 'lt', operandParam)
          if (bound !== undefined && (high === undefined || isTighterHigh(bound, high)))
            high = bound
          break
        }
        default:
          throw reject(operandParam)(`unknown operator, expected one of ${OPERATORS.join(', ')}`)
      }
    }
    if (hasBounds) nodes.unshift(this.#tests.range(field, ordinal, low, high, reject(param)))
    return nodes.length === 0 ? undefined : allOf(nodes)
  }

  #bound(
    field: Field,
    operand: unknown,
    isLow: boolean,
    inclusive: boolean,
    param: string,
  ): WrittenBound | undefined {
    if (operand === null) return undefined
    return this.#tests.bound(
      field,
      this.#text(field, operand, param),
      isLow,
      inclusive,
      reject(param),
    )
  }

  /** The text that the filter language would have for a JSON value. */
  #text(field: Field, value: unknown, param: string): string {
    this.#countValue(param)
    const type = elementType(field.type)
    const fits = type === 'bool' ? 'boolean' : 'number'
    if (typeof value === 'string') {
      if (type === 'string') this.#checkMeant(field, value, param)
      return value
    }
    if (type !== 'string' && typeof value === fits) {
      // JSON.parse has rounded it, so the intended number is unknown.
      const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value)
      if (type === 'int64' && isRounded && Math.abs(value as number) <= 2 ** 63) {
        throw reject(param)('write int64 numbers from 2^53 on as a string of digits')
      }
      // JSON reads a decimal number beyond all doubles as infinite.
      return value === Infinity ? '1e999' : value === -Infinity ? '-1e999' : String(value)
    }
    if (typeof value === 'bigint' && fits === 'number') return String(value)
    if (value === null)
      throw reject(param)(
        'expected a value: `{"exists": false}` finds documents without one, and `[]` sets no condition',
      )
    throw reject(param)(`field \`${field.name}\` is ${field.type}: the value is not`)
  }

  /** Warns about a value that looks like more than one. */
  #checkMeant(field: Field, value: string, param: string): void {
    if (this.#warn === undefined || this.#warningCount === WARNINGS_MAX) return
    const hint = objectValueHint(
      value,
      field.name,
      (name) => fieldOrdinal(this.#schema, name) !== undefined,
    )
    if (hint === undefined) return
    this.#warningCount++
    this.#warn(`${param}: ${hint}`)
  }

  /** `id`: equals, any of, not. */
  #ids(test: unknown, param: string): FilterNode | undefined {
    if (isObject(test)) {
      const names = Object.keys(test)
      const stray = names.find((name) => name !== 'not')
      if (stray !== undefined || names.length === 0) {
        throw reject(stray === undefined ? param : `${param}.${stray}`)(
          'expected a document id, a list of them, or `not`',
        )
      }
      const node = this.#idList(test['not'], `${param}.not`)
      return node === undefined ? undefined : { kind: 'not', node }
    }
    return this.#idList(test, param)
  }

  #idList(value: unknown, param: string): FilterNode | undefined {
    const items: unknown[] = Array.isArray(value) ? value : [value]
    if (items.length === 0) return undefined
    const ids = items.map((item) => {
      this.#countValue(param)
      // An integer id is read as its decimal text, as in documents.
      if (typeof item === 'string' || Number.isSafeInteger(item)) return String(item)
      throw reject(param)('expected a document id')
    })
    return { kind: 'ids', ids: [...new Set(ids)] }
  }

  #countValue(param: string): void {
    if (++this.#valueCount > FILTER_VALUES_MAX) {
      throw reject(param)(`more than ${FILTER_VALUES_MAX} values`)
    }
  }
}

/** Both bounds belong to the same field and have the same type. */
function isTighterLow(a: WrittenBound, b: WrittenBound): boolean {
  return a.value > b.value || (a.value === b.value && !a.inclusive)
}

function isTighterHigh(a: WrittenBound, b: WrittenBound): boolean {
  return a.value < b.value || (a.value === b.value && !a.inclusive)
}

function reject(param: string): Reject {
  return (problem, code = 'invalid_filter') =>
    new ApiError(code, `${param}: ${problem}.`, { param })
}

/** The alternatives of a list. Every document meets an empty one, and thus the list. */
function oneOf(
  tests: readonly unknown[],
  param: string,
  read: (test: unknown, param: string) => FilterNode | undefined,
): FilterNode | undefined {
  const nodes = tests.map((one, index) => read(one, `${param}[${index}]`))
  const asked = nodes.filter((node) => node !== undefined)
  return asked.length === 0 || asked.length < nodes.length ? undefined : anyOf(asked)
}
