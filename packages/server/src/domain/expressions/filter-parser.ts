import {
  COLLECTION_FIELD,
  FILTER_CLAUSES_MAX,
  FILTER_LEVELS_MAX,
  FILTER_VALUES_MAX,
  type ApiError,
} from '@aisle/contract'
import { elementType, hasColumn, isObjectType, isPlace } from '@aisle/engine'
import type { Analyzer, Field, FilterNode, Schema } from '@aisle/engine'
import { fieldOrdinal, filterableByWords, requireField } from '../documents/field-lookup.ts'
import { eatNegation, eatOperator, readFieldName, readListText, readValue } from './filter-lexer.ts'
import type { FilterText } from './filter-lexer.ts'
import type { DateContext } from '../values/date-literal.ts'
import { keywordProblem, valueHint, type ValuePlace } from './filter-hints.ts'
import { testOfEither } from './filter-kinds.ts'
import { readCollections, readNames } from './filter-collections.ts'
import { allOf, anyOf } from './filter-nodes.ts'
import { collectionDates, type Collections } from './collections.ts'
import {
  anyElement,
  isInElements,
  notAValue,
  notByElement,
  onlyOutermost,
} from './filter-objects.ts'
import { FilterTests, type Reject } from './filter-tests.ts'
import { readAreas, startsArea } from './place-language.ts'
import { TextCursor } from './text-cursor.ts'

/**
 * Parses a filter expression:
 *
 *     expr   := and ("||" and)*            and   := unary ("&&" unary)*
 *     unary  := ("!" | "NOT")? (clause | "(" expr ")")
 *     clause := field ":" test             test  := value "*"? | ("=" | "!=") value "*"? | comparison
 *                                                   | ("=" | "!=")? list | "exists" | "null"
 *                                                   | ("=" | "!=")? areas (place-language.ts)
 *                                                   | "{" expr "}"
 *     clause := "_collection:" ("=" | "!=")? (name | "[" name ("," name)* "]")
 *     list   := "[" item ("," item)* "]"   item  := value "*"? | comparison | low ".." high
 *
 * Linear in the text. Recursion is at most FILTER_LEVELS_MAX deep. docs/filters.md is the
 * description for users.
 *
 * @throws ApiError 400 that names the column (from 1, UTF-16) and what was expected
 */
export function parseFilter(
  text: string,
  schema: Schema,
  analyzer: Analyzer,
  options: FilterOptions & { readonly param?: string } = {},
): FilterNode {
  const cursor = new TextCursor(text, {
    code: 'invalid_filter',
    param: options.param ?? 'filter_by',
  })
  const node = parseFilterAt(cursor, schema, analyzer, options)
  if (!cursor.atEnd) throw cursor.expected('`&&`, `||` or the end (or quotes around the value)')
  return node
}

/** Parses the expression at the cursor and stops after it: `_eval(brand:nike):desc`. */
export function parseFilterAt(
  cursor: TextCursor,
  schema: Schema,
  analyzer: Analyzer,
  options: FilterOptions = {},
): FilterNode {
  return new FilterParser(cursor, schema, analyzer, options).parse()
}

export interface FilterOptions {
  readonly warn?: Warn | undefined
  /** Absent: there is no `now`, and dates are in UTC. */
  readonly dates?: DateContext | undefined
  /** Absent: the filter may not name collections. */
  readonly collections?: Collections | undefined
}

/** Receives warnings about values that were probably meant to be something else. */
export type Warn = (warning: string) => void

/** Maximum number of warnings per expression. */
export const WARNINGS_MAX = 5
const COMPARATOR = />=|<=|>|</y

type Operator = '=' | '!=' | ':'

class FilterParser {
  readonly #cursor: TextCursor
  readonly #schema: Schema
  readonly #tests: FilterTests
  readonly #analyzer: Analyzer
  readonly #options: FilterOptions
  #warningCount = 0
  #clauseCount = 0
  #valueCount = 0
  /** Start of the current clause, and of its value or list. */
  #clauseAt = 0
  #testAt = 0
  /** `variants.` inside the braces of `variants:{…}`, empty outside. */
  #path = ''
  /** Inside the braces of an `object[]` field. */
  #inElement = false

  constructor(cursor: TextCursor, schema: Schema, analyzer: Analyzer, options: FilterOptions) {
    this.#cursor = cursor
    this.#schema = schema
    this.#tests = new FilterTests(analyzer, options.dates)
    this.#analyzer = analyzer
    this.#options = options
  }

  parse(): FilterNode {
    const node = this.#or(0)
    this.#cursor.skipSpace()
    return node
  }

  #or(level: number): FilterNode {
    const nodes = [this.#and(level)]
    while (eatOperator(this.#cursor, '||')) nodes.push(this.#and(level))
    return anyOf(nodes)
  }

  #and(level: number): FilterNode {
    const nodes = [this.#unary(level)]
    while (eatOperator(this.#cursor, '&&')) nodes.push(this.#unary(level))
    return allOf(nodes)
  }

  #unary(level: number): FilterNode {
    const cursor = this.#cursor
    const start = cursor.at
    const negated = eatNegation(cursor)
    if (negated) this.#checkLevel(++level, start)
    cursor.skipSpace()
    const at = cursor.at
    let node: FilterNode
    if (cursor.eat('(')) {
      this.#checkLevel(level + 1, at)
      node = this.#or(level + 1)
      cursor.skipSpace()
      if (!cursor.eat(')')) throw cursor.expected('`&&`, `||` or `)` (or quotes around the value)')
    } else {
      node = this.#clause(level)
    }
    return negated ? { kind: 'not', node } : node
  }

  #checkLevel(level: number, at: number): void {
    if (level <= FILTER_LEVELS_MAX) return
    throw this.#cursor.error(
      `more than ${FILTER_LEVELS_MAX} levels of parentheses and negations`,
      at,
    )
  }

  #clause(level: number): FilterNode {
    const cursor = this.#cursor
    cursor.skipSpace()
    const at = cursor.at
    this.#clauseAt = at
    const name = readFieldName(cursor)
    if (name === undefined) throw cursor.expected('a field name, `!` or `(`')
    cursor.skipSpace()
    if (!cursor.eat(':')) throw cursor.expected('`:` after the field name')
    if (++this.#clauseCount > FILTER_CLAUSES_MAX) {
      throw cursor.error(`more than ${FILTER_CLAUSES_MAX} clauses`, at)
    }
    const path = this.#path + name
    if (fieldOrdinal(this.#schema, path) === undefined) {
      if (path === 'id') return this.#idTest()
      if (path === COLLECTION_FIELD) return this.#collectionTest(at)
    }
    const { field, ordinal } = requireField(this.#schema, path, {
      param: cursor.param,
      where: cursor.where(at),
      alsoKnown: ['id', COLLECTION_FIELD],
    })
    if (isObjectType(field.type)) return this.#objects(field, ordinal, at, level)
    if (this.#inElement && !hasColumn(field)) {
      throw cursor.error(notByElement(field), at, 'field_not_filterable')
    }
    if (!filterableByWords(field)) {
      throw cursor.error(
        `field \`${field.name}\` cannot be filtered: it is neither \`facet\`, \`sort\` nor \`searchable\``,
        at,
        'field_not_filterable',
      )
    }
    const testAt = cursor.at
    return testOfEither(this.#schema, field, ordinal, (one, i) => {
      cursor.at = testAt
      return this.#test(one, i)
    })
  }

  /** `{…}`, a filter on one element or on the fields of one object; `exists` and `null`. */
  #objects(field: Field, ordinal: number, at: number, level: number): FilterNode {
    const cursor = this.#cursor
    const outer = { path: this.#path, inElement: this.#inElement }
    const isList = field.type === 'object[]'
    if (isList && isInElements(this.#schema, ordinal)) {
      throw cursor.error(onlyOutermost(field), at)
    }
    cursor.skipSpace()
    const braceAt = cursor.at
    if (!cursor.eat('{')) {
      const { text, quoted } = readValue(cursor, this.#path !== '')
      const isTest = isList && !quoted && (text === 'exists' || text === 'null')
      if (!isTest) throw cursor.error(notAValue(field), at)
      const exists = anyElement(ordinal)
      return text === 'exists' ? exists : { kind: 'not', node: exists }
    }
    this.#checkLevel(level + 1, braceAt)
    this.#path = `${field.name}.`
    this.#inElement ||= isList
    const node = this.#or(level + 1)
    cursor.skipSpace()
    if (!cursor.eat('}')) throw cursor.expected('`&&`, `||` or `}` (or quotes around the value)')
    this.#path = outer.path
    this.#inElement = outer.inElement
    return isList ? { kind: 'elements', field: ordinal, node } : node
  }

  #test(field: Field, ordinal: number): FilterNode {
    const cursor = this.#cursor
    cursor.skipSpace()
    const comparator = cursor.match(COMPARATOR)
    if (comparator !== undefined) {
      return this.#comparison(field, ordinal, comparator, readValue(cursor, this.#path !== ''))
    }
    const operator = this.#operator()
    if (isPlace(field) && startsArea(cursor)) {
      const areas = readAreas(cursor)
      const corners = areas.map((area) => (area.kind === 'circle' ? 1 : area.corners.length))
      this.#countValues(
        corners.reduce((sum, count) => sum + count, 0),
        this.#testAt,
      )
      const node = this.#tests.within(ordinal, areas)
      return operator === '!=' ? { kind: 'not', node } : node
    }
    const node =
      this.#list(field, ordinal, operator) ??
      this.#value(field, ordinal, operator, readValue(cursor, this.#path !== ''), true)
    return operator === '!=' ? { kind: 'not', node } : node
  }

  #comparison(
    field: Field,
    ordinal: number,
    comparator: string,
    value: FilterText,
    inList = false,
  ): FilterNode {
    this.#checkKeywords(value, inList)
    const reject = this.#rejecter(value.at)
    const low = comparator.startsWith('>')
    const bound = this.#tests.bound(field, value.text, low, comparator.length === 2, reject)
    const [from, to] = low ? [bound, undefined] : [undefined, bound]
    return this.#tests.range(field, ordinal, from, to, reject)
  }

  #operator(): Operator {
    const cursor = this.#cursor
    cursor.skipSpace()
    const operator = cursor.eat('!=') ? '!=' : cursor.eat('=') ? '=' : ':'
    cursor.skipSpace()
    this.#testAt = cursor.at
    return operator
  }

  /** The words `exists` and `null` are special only in a test without operator, not in lists. */
  #value(
    field: Field,
    ordinal: number,
    operator: Operator,
    value: FilterText,
    alone: boolean,
  ): FilterNode {
    this.#countValues(1, value.at)
    this.#checkKeywords(value, !alone)
    const reject = this.#rejecter(value.at)
    if (operator === ':' && alone && !value.quoted) {
      if (value.text === 'exists') return { kind: 'exists', field: ordinal }
      if (value.text === 'null') return { kind: 'not', node: { kind: 'exists', field: ordinal } }
    }
    if (elementType(field.type) !== 'string') {
      return this.#tests.equals(field, ordinal, value.text, reject)
    }
    this.#checkMeant(value, !alone)
    const starred = value.quoted ? this.#cursor.eat('*') : value.text.endsWith('*')
    const text = starred && !value.quoted ? value.text.slice(0, -1) : value.text
    if (operator !== ':') {
      return starred
        ? this.#tests.valuePrefix(field, ordinal, text, reject)
        : this.#tests.equals(field, ordinal, text, reject)
    }
    const forms = this.#tests.forms(text, field)
    this.#countValues(forms.length, value.at)
    return starred
      ? this.#tests.wordPrefix(ordinal, forms, reject)
      : this.#tests.words(field, ordinal, text, forms, reject)
  }

  /** `[a, b, 10..20, >=30]`; undefined when no list starts here. */
  #list(field: Field, ordinal: number, operator: Operator): FilterNode | undefined {
    const cursor = this.#cursor
    if (!cursor.eat('[')) return undefined
    const nodes: FilterNode[] = []
    do {
      cursor.skipSpace()
      const comparator = cursor.match(COMPARATOR)
      const first = readListText(cursor, true)
      if (comparator !== undefined) {
        if (first.text === '' && !first.quoted) throw cursor.expected('a value', first.at)
        this.#countValues(1, first.at)
        nodes.push(this.#comparison(field, ordinal, comparator, first, true))
      } else if (cursor.eat('..')) {
        this.#countValues(1, first.at)
        const last = readListText(cursor, true)
        nodes.push(this.#rangeItem(field, ordinal, first, last))
      } else {
        if (first.text === '' && !first.quoted) throw cursor.expected('a value', first.at)
        nodes.push(this.#value(field, ordinal, operator, first, false))
        cursor.skipSpace()
      }
    } while (cursor.eat(','))
    if (!cursor.eat(']')) throw cursor.expected('`,` or `]`')
    return anyOf(nodes)
  }

  #rangeItem(field: Field, ordinal: number, first: FilterText, last: FilterText): FilterNode {
    const isOpen = (side: FilterText) => side.text === '' && !side.quoted
    const low = isOpen(first)
      ? undefined
      : this.#tests.bound(field, first.text, true, true, this.#rejecter(first.at))
    const high = isOpen(last)
      ? undefined
      : this.#tests.bound(field, last.text, false, true, this.#rejecter(last.at))
    return this.#tests.range(field, ordinal, low, high, this.#rejecter(first.at))
  }

  /** Documents of one or more collections, with or without `=` or `!=`. */
  #collectionTest(at: number): FilterNode {
    const { collections } = this.#options
    if (collections === undefined) {
      throw this.#cursor.error('a collection cannot be named here', at)
    }
    const operator = this.#operator()
    const count = (valueAt: number) => this.#countValues(1, valueAt)
    const node = readCollections(this.#cursor, collections, (text) => this.#part(text), count)
    return operator === '!=' ? { kind: 'not', node } : node
  }

  /** Parses another filter, whose clauses and values count as those of this one. */
  #part(filter: string): FilterNode {
    const cursor = new TextCursor(filter, { code: 'invalid_filter', param: this.#cursor.param })
    const dates = this.#options.dates && collectionDates(this.#options.dates)
    const inner = new FilterParser(cursor, this.#schema, this.#analyzer, { dates })
    inner.#clauseCount = this.#clauseCount
    inner.#valueCount = this.#valueCount
    const node = inner.parse()
    this.#clauseCount = inner.#clauseCount
    this.#valueCount = inner.#valueCount
    return node
  }

  /** The document id: a value or a list, with or without `=` or `!=`. */
  #idTest(): FilterNode {
    const cursor = this.#cursor
    const operator = this.#operator()
    const list = readNames(cursor, 'a document id', (at) => this.#countValues(1, at))
    const values = list ?? [readValue(cursor)]
    for (const value of values) {
      const isTest = !value.quoted && (value.text === 'exists' || value.text === 'null')
      if (list === undefined && operator === ':' && isTest) throw this.#idRefusal(value)
      this.#checkId(value, list !== undefined)
    }
    const node: FilterNode = { kind: 'ids', ids: [...new Set(values.map(({ text }) => text))] }
    return operator === '!=' ? { kind: 'not', node } : node
  }

  #checkId(value: FilterText, inList: boolean): void {
    const starred = value.quoted ? this.#cursor.startsWith('*') : value.text.endsWith('*')
    if (starred) throw this.#idRefusal(value)
    this.#checkKeywords(value, inList)
    this.#checkMeant(value, inList)
  }

  #idRefusal({ at }: FilterText): ApiError {
    return this.#cursor.error(
      '`id` can be filtered with `=`, `!=` and lists only (quotes make `*` part of the id)',
      at,
    )
  }

  /** Refuses a bare value with another condition after `AND` or `OR`. */
  #checkKeywords(value: FilterText, inList: boolean): void {
    const problem = value.quoted ? undefined : keywordProblem(value, this.#placeOf(inList))
    if (problem !== undefined) throw this.#rejection(problem, value.at, undefined)
  }

  /** Warns about a bare value that looks like more than one. */
  #checkMeant(value: FilterText, inList: boolean): void {
    const { warn } = this.#options
    if (value.quoted || warn === undefined || this.#warningCount === WARNINGS_MAX) return
    const hint = valueHint(value, this.#placeOf(inList))
    if (hint === undefined) return
    this.#warningCount++
    warn(`${this.#cursor.where(value.at)}: ${hint}`)
  }

  #placeOf(inList: boolean): ValuePlace {
    const { text } = this.#cursor
    return {
      expression: text,
      clauseAt: this.#clauseAt,
      test: text.slice(this.#clauseAt, this.#testAt),
      inList,
      isField: (name) =>
        name === 'id' || fieldOrdinal(this.#schema, this.#path + name) !== undefined,
    }
  }

  #countValues(count: number, at: number): void {
    this.#valueCount += count
    if (this.#valueCount <= FILTER_VALUES_MAX) return
    throw this.#cursor.error(`more than ${FILTER_VALUES_MAX} values`, at)
  }

  #rejecter(at: number): Reject {
    return (problem, code) => this.#rejection(problem, at, code)
  }

  /**
   * Inside `_eval(…)` an invalid filter is an invalid sort, but a field without the role keeps its
   * own code.
   */
  #rejection(problem: string, at: number, code: Parameters<Reject>[1]): ApiError {
    return this.#cursor.error(problem, at, code ?? this.#cursor.code)
  }
}
