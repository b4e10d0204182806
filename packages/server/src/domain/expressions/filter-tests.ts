import type { ApiError, ErrorCode } from '@aisle/contract'
import { elementType, type Analyzer, type Field, type FilterNode } from '@aisle/engine'
import { filterableByValue } from '../documents/field-lookup.ts'
import { never } from './filter-nodes.ts'
import { highBound, isAbove, lowBound, parseNumber } from '../values/number-literal.ts'
import { rangeNode } from './filter-nodes.ts'
import type { Bound, NumberLiteral, NumericType } from '../values/number-literal.ts'

/** Creates the error for a value; only the caller knows its place in the request. */
export type Reject = (problem: string, code?: ErrorCode) => ApiError

/** A bound with its written form. */
export interface WrittenBound extends Bound {
  readonly number: NumberLiteral
}

/**
 * The meaning of tests for fields of each type: turns values into leaves of the filter tree. The
 * filter expression and the `filters` object both use it, so they cannot disagree.
 */
export class FilterTests {
  readonly #analyzer: Analyzer

  constructor(analyzer: Analyzer) {
    this.#analyzer = analyzer
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
    const number = this.#number(field, type, text, reject)
    // No integer equals 1.5.
    if (!number.integral) return never(ordinal)
    return { kind: 'equals', field: ordinal, value: number.floor }
  }

  /** Strings with this prefix, after folding. */
  valuePrefix(field: Field, ordinal: number, text: string, reject: Reject): FilterNode {
    requireByValue(field, reject)
    const prefix = this.#analyzer.fold(text)
    if (prefix !== '') return { kind: 'valuePrefix', field: ordinal, prefix }
    throw reject('expected the beginning of a value before `*` (`exists` matches any value)')
  }

  /** A number as lower or upper bound of a numeric field. */
  bound(
    field: Field,
    text: string,
    isLow: boolean,
    inclusive: boolean,
    reject: Reject,
  ): WrittenBound {
    requireByValue(field, reject)
    const number = this.#number(field, numericType(field, reject), text, reject)
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
    numericType(field, reject)
    requireByValue(field, reject)
    if (low !== undefined && high !== undefined && isAbove(low.number, high.number)) {
      throw reject('the lower end of the range is above its upper end')
    }
    return rangeNode(ordinal, low, high)
  }

  /** The words of a text in order, folded, not stemmed. */
  forms(text: string): string[] {
    const tokens = this.#analyzer.analyze(text)
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
    if (!filterableByValue(field)) throw reject('expected a value with a word in it')
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

  #number(field: Field, type: NumericType, text: string, reject: Reject): NumberLiteral {
    const number = parseNumber(text, type)
    if (number !== undefined) return number
    const what = type === 'float' ? 'a number' : 'a number or an ISO 8601 date'
    throw reject(`field \`${field.name}\` is ${field.type}: expected ${what}`)
  }
}

function numericType(field: Field, reject: Reject): NumericType {
  const type = elementType(field.type)
  if (type !== 'string' && type !== 'bool') return type
  throw reject(`field \`${field.name}\` is ${field.type}: only numbers have an order to filter by`)
}

function requireByValue(field: Field, reject: Reject): void {
  if (filterableByValue(field)) return
  throw reject(
    `field \`${field.name}\` can be filtered by words only: it is neither \`facet\` nor \`sort\``,
    'field_not_filterable',
  )
}
