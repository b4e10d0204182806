import type { ApiError, ErrorCode } from '@aisle/contract'
import {
  elementType,
  isVector,
  valueAnalyzer,
  type Analyzer,
  type Area,
  type Field,
  type FilterNode,
} from '@aisle/engine'
import { filterableByValue } from '../documents/field-lookup.ts'
import { anyOf, never, rangeNode } from './filter-nodes.ts'
import { highBound, isAbove, lowBound, parseNumber } from '../values/number-literal.ts'
import type { Bound, NumberLiteral, NumericType } from '../values/number-literal.ts'
import { parsePeriod, type DateContext, type DatePeriod } from '../values/date-literal.ts'

/** Creates the error for a value; only the caller knows its place in the request. */
export type Reject = (problem: string, code?: ErrorCode) => ApiError

/** A bound with its written form. */
export interface WrittenBound extends Bound {
  readonly number: NumberLiteral
  /** Depends on the time of the request: then an empty range is not a mistake. */
  readonly isMoving?: boolean
}

/**
 * The meaning of tests for fields of each type: turns values into leaves of the filter tree. The
 * filter expression and the `filters` object both use it, so they cannot disagree.
 */
export class FilterTests {
  readonly #analyzer: Analyzer
  readonly #dates: DateContext | undefined

  /** @param dates absent: there is no `now`, and dates are in UTC */
  constructor(analyzer: Analyzer, dates?: DateContext) {
    this.#analyzer = analyzer
    this.#dates = dates
  }

  /**
   * The whole value, for strings after folding. `text` is a value of the field's type in written
   * form.
   */
  equals(field: Field, ordinal: number, text: string, reject: Reject): FilterNode {
    requireByValue(field, reject)
    const type = elementType(field.type)
    if (type === 'string') {
      return { kind: 'equals', field: ordinal, value: this.#analyzer.fold(text) }
    }
    if (type === 'bool') {
      if (text !== 'true' && text !== 'false') {
        throw reject(`field \`${field.name}\` is ${field.type}: expected true or false`)
      }
      return { kind: 'equals', field: ordinal, value: text === 'true' }
    }
    const ordered = orderedType(field, reject)
    if (ordered === 'date') {
      const { startMs, endMs } = this.#period(field, text, reject)
      const low = { value: startMs / 1000, inclusive: true }
      return rangeNode(ordinal, low, { value: endMs / 1000, inclusive: false })
    }
    const number = this.#number(field, ordered, text, reject)
    // No integer equals 1.5.
    if (!number.integral) return never(ordinal)
    return { kind: 'equals', field: ordinal, value: number.floor }
  }

  /** A place in any of the areas. */
  within(ordinal: number, areas: readonly Area[]): FilterNode {
    return anyOf(areas.map((area) => ({ kind: 'within', field: ordinal, area })))
  }

  /** Strings with this prefix, after folding. */
  valuePrefix(field: Field, ordinal: number, text: string, reject: Reject): FilterNode {
    requireByValue(field, reject)
    const prefix = this.#analyzer.fold(text)
    if (prefix !== '') return { kind: 'valuePrefix', field: ordinal, prefix }
    throw reject('expected the beginning of a value before `*` (`exists` matches any value)')
  }

  /** A number or date as lower or upper bound of a numeric field. */
  bound(
    field: Field,
    text: string,
    isLow: boolean,
    inclusive: boolean,
    reject: Reject,
  ): WrittenBound {
    requireByValue(field, reject)
    const type = orderedType(field, reject)
    if (type === 'date') return dateBound(this.#period(field, text, reject), isLow, inclusive)
    const number = this.#number(field, type, text, reject)
    return { ...(isLow ? lowBound(number, inclusive) : highBound(number, inclusive)), number }
  }

  /** Both bounds absent: any number. */
  range(
    field: Field,
    ordinal: number,
    low: WrittenBound | undefined,
    high: WrittenBound | undefined,
    reject: Reject,
  ): FilterNode {
    orderedType(field, reject)
    requireByValue(field, reject)
    const isMoving = low?.isMoving === true || high?.isMoving === true
    if (low !== undefined && high !== undefined && !isMoving && isAbove(low.number, high.number)) {
      throw reject('the lower end of the range is above its upper end')
    }
    return rangeNode(ordinal, low, high)
  }

  /** The words of a text in order, as the field has them: folded, not stemmed. */
  forms(text: string, field: Field): string[] {
    const tokens = valueAnalyzer(this.#analyzer, field).analyze(text)
    return tokens.filter((token) => token.kind !== 'joined').map((token) => token.form)
  }

  /** All words of the value; a value without any word (`---`) is compared as a whole. */
  words(
    field: Field,
    ordinal: number,
    text: string,
    forms: readonly string[],
    reject: Reject,
  ): FilterNode {
    if (forms.length > 0) return { kind: 'words', field: ordinal, forms: [...new Set(forms)] }
    if (!filterableByValue(field)) throw reject('expected a value that contains a word')
    return this.equals(field, ordinal, text, reject)
  }

  /** The last word is a prefix, the words before it (in `t-shi*`) are whole. */
  wordPrefix(ordinal: number, forms: readonly string[], reject: Reject): FilterNode {
    const prefix = forms.at(-1)
    if (prefix === undefined) {
      throw reject('expected the beginning of a word before `*` (`exists` matches any value)')
    }
    const leaf: FilterNode = { kind: 'wordPrefix', field: ordinal, prefix }
    const whole = new Set(forms.slice(0, -1))
    if (whole.size === 0) return leaf
    return { kind: 'and', nodes: [{ kind: 'words', field: ordinal, forms: [...whole] }, leaf] }
  }

  #period(field: Field, text: string, reject: Reject): DatePeriod {
    const period = parsePeriod(text.trim(), this.#dates)
    if (period !== undefined) return period
    // A plus sign in the query of a URL is a space.
    const hint = /^now\s/.test(text) ? ' (in a URL, `+` is written `%2B`)' : ''
    throw reject(
      `field \`${field.name}\` is ${field.type}: expected an ISO 8601 date, seconds since 1970, or \`now\` as in \`now-7d/d\`${hint}`,
    )
  }

  #number(field: Field, type: NumericType, text: string, reject: Reject): NumberLiteral {
    const number = parseNumber(text, type)
    if (number !== undefined) return number
    const what = type === 'float' ? 'a number' : 'a number or an ISO 8601 date'
    throw reject(`field \`${field.name}\` is ${field.type}: expected ${what}`)
  }
}

/** A date covers a period: "at or after" starts at its start, "after" at its end. */
function dateBound(period: DatePeriod, isLow: boolean, inclusive: boolean): WrittenBound {
  const { startMs, endMs, isMoving } = period
  const value = (isLow === inclusive ? startMs : endMs) / 1000
  const number = { floor: value, integral: true, approximate: startMs / 1000 }
  return { value, inclusive: isLow, number, isMoving }
}

function orderedType(field: Field, reject: Reject): NumericType | 'date' {
  const type = elementType(field.type)
  if (type === 'geopoint') {
    throw reject(
      `field \`${field.name}\` is ${field.type}: expected an area such as \`(48.85, 2.35, 5 km)\``,
    )
  }
  if (type !== 'string' && type !== 'bool' && type !== 'vector') return type
  throw reject(
    `field \`${field.name}\` is ${field.type}: only numbers and dates have an order to filter by`,
  )
}

function requireByValue(field: Field, reject: Reject): void {
  if (filterableByValue(field)) return
  if (isVector(field)) {
    throw reject(
      `field \`${field.name}\` is vector: a filter can only test whether it exists; the parameter \`vector\` of a search compares it`,
      'field_not_filterable',
    )
  }
  throw reject(
    `field \`${field.name}\` can be filtered by words only: it is neither \`facet\` nor \`sort\``,
    'field_not_filterable',
  )
}
