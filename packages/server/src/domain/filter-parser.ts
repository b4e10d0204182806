import { FILTER_CLAUSES_MAX, FILTER_LEVELS_MAX, FILTER_VALUES_MAX } from '@aisle/contract'
import type { ApiError } from '@aisle/contract'
import { elementType, type Analyzer, type Field, type FilterNode, type Schema } from '@aisle/engine'
import { fieldOrdinal, filterableByWords, requireField } from './field-lookup.ts'
import { eatNegation, eatOperator, readFieldName, readListText, readValue } from './filter-lexer.ts'
import type { FilterText } from './filter-lexer.ts'
import { allOf, anyOf } from './filter-nodes.ts'
import { FilterTests, type Reject } from './filter-tests.ts'
import { TextCursor } from './text-cursor.ts'

/**
 * Parses a filter expression (decisions.md, section 3):
 *
 *     expr   := and ("||" and)*            and   := unary ("&&" unary)*
 *     unary  := ("!" | "NOT")? (clause | "(" expr ")")
 *     clause := field ":" test             test  := value | "=" value | "!=" value | comparison | list | word "*"
 *                                                   | "exists" | "null"
 *
 * Linear in the text. Recursion is at most FILTER_LEVELS_MAX deep.
 *
 * @throws ApiError 400 that names the column (from 1, UTF-16) and what was expected
 */
export function parseFilter(
  text: string,
  schema: Schema,
  analyzer: Analyzer,
  options: { readonly param?: string } = {},
): FilterNode {
  const cursor = new TextCursor(text, {
    code: 'invalid_filter',
    param: options.param ?? 'filter_by',
  })
  const node = parseFilterAt(cursor, schema, analyzer)
  if (!cursor.atEnd) throw cursor.expected('`&&`, `||` or the end (or quotes around the value)')
  return node
}

/** Parses the expression that starts at the cursor and stops behind it: `_eval(brand:nike):desc`. */
export function parseFilterAt(cursor: TextCursor, schema: Schema, analyzer: Analyzer): FilterNode {
  return new FilterParser(cursor, schema, analyzer).parse()
}

type Operator = '=' | '!=' | ':'

class FilterParser {
  readonly #cursor: TextCursor
  readonly #schema: Schema
  readonly #tests: FilterTests
  #clauseCount = 0
  #valueCount = 0

  constructor(cursor: TextCursor, schema: Schema, analyzer: Analyzer) {
    this.#cursor = cursor
    this.#schema = schema
    this.#tests = new FilterTests(analyzer)
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
      node = this.#clause()
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

  #clause(): FilterNode {
    const cursor = this.#cursor
    cursor.skipSpace()
    const at = cursor.at
    const name = readFieldName(cursor)
    if (name === undefined) throw cursor.expected('a field name, `!` or `(`')
    cursor.skipSpace()
    if (!cursor.eat(':')) throw cursor.expected('`:` behind the field name')
    if (++this.#clauseCount > FILTER_CLAUSES_MAX) {
      throw cursor.error(`more than ${FILTER_CLAUSES_MAX} clauses`, at)
    }
    if (name === 'id' && fieldOrdinal(this.#schema, name) === undefined) return this.#idTest()
    const { field, ordinal } = requireField(this.#schema, name, {
      param: cursor.param,
      where: cursor.where(at),
      alsoKnown: ['id'],
    })
    if (!filterableByWords(field)) {
      throw cursor.error(
        `field \`${field.name}\` can not be filtered: it is neither \`facet\`, \`sort\` nor \`searchable\``,
        at,
        'field_not_filterable',
      )
    }
    return this.#test(field, ordinal)
  }

  #test(field: Field, ordinal: number): FilterNode {
    const cursor = this.#cursor
    cursor.skipSpace()
    const comparator = cursor.match(/>=|<=|>|</y)
    if (comparator !== undefined) {
      const value = readValue(cursor)
      const reject = this.#rejecter(value.at)
      const low = comparator.startsWith('>')
      const bound = this.#tests.bound(field, value.text, low, comparator.length === 2, reject)
      return this.#tests.range(
        field,
        ordinal,
        low ? bound : undefined,
        low ? undefined : bound,
        reject,
      )
    }
    const operator = this.#operator()
    const node =
      this.#list(field, ordinal, operator) ??
      this.#value(field, ordinal, operator, readValue(cursor), true)
    return operator === '!=' ? { kind: 'not', node } : node
  }

  #operator(): Operator {
    const cursor = this.#cursor
    cursor.skipSpace()
    const operator = cursor.eat('!=') ? '!=' : cursor.eat('=') ? '=' : ':'
    cursor.skipSpace()
    return operator
  }

  /** `*` behind a value and the words `exists`, `null` mean something only in a test without operator. */
  #value(
    field: Field,
    ordinal: number,
    operator: Operator,
    value: FilterText,
    alone: boolean,
  ): FilterNode {
    this.#countValues(1, value.at)
    const reject = this.#rejecter(value.at)
    if (operator !== ':') return this.#tests.equals(field, ordinal, value.text, reject)
    if (alone && !value.quoted) {
      if (value.text === 'exists') return { kind: 'exists', field: ordinal }
      if (value.text === 'null') return { kind: 'not', node: { kind: 'exists', field: ordinal } }
    }
    if (elementType(field.type) !== 'string') {
      return this.#tests.equals(field, ordinal, value.text, reject)
    }
    const starred = value.quoted ? this.#cursor.eat('*') : value.text.endsWith('*')
    const text = starred && !value.quoted ? value.text.slice(0, -1) : value.text
    const forms = this.#tests.forms(text)
    this.#countValues(forms.length, value.at)
    return starred
      ? this.#tests.wordPrefix(ordinal, forms, reject)
      : this.#tests.words(field, ordinal, text, forms, reject)
  }

  /** `[a, b, 10..20]`; undefined when no list starts here. */
  #list(field: Field, ordinal: number, operator: Operator): FilterNode | undefined {
    const cursor = this.#cursor
    if (!cursor.eat('[')) return undefined
    const nodes: FilterNode[] = []
    do {
      const first = readListText(cursor, true)
      if (cursor.eat('..')) {
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

  /** The document id: a value or a list, with or without `=` or `!=`. */
  #idTest(): FilterNode {
    const cursor = this.#cursor
    const operator = this.#operator()
    const ids: string[] = []
    if (cursor.eat('[')) {
      do {
        const item = readListText(cursor, false)
        if (item.text === '') throw cursor.expected('a document id', item.at)
        this.#countValues(1, item.at)
        ids.push(item.text)
      } while (cursor.eat(','))
      if (!cursor.eat(']')) throw cursor.expected('`,` or `]`')
    } else {
      const value = readValue(cursor)
      const isTest = value.text === 'exists' || value.text === 'null' || value.text.endsWith('*')
      if (operator === ':' && !value.quoted && isTest) {
        throw cursor.error('`id` can be filtered with `=`, `!=` and lists only', value.at)
      }
      ids.push(value.text)
    }
    const node: FilterNode = { kind: 'ids', ids: [...new Set(ids)] }
    return operator === '!=' ? { kind: 'not', node } : node
  }

  #countValues(count: number, at: number): void {
    this.#valueCount += count
    if (this.#valueCount <= FILTER_VALUES_MAX) return
    throw this.#cursor.error(`more than ${FILTER_VALUES_MAX} values`, at)
  }

  #rejecter(at: number): Reject {
    return (problem, code) => this.#rejection(problem, at, code)
  }

  /** Inside `_eval(…)` a bad filter is a bad sort, but a field without the role keeps its own code. */
  #rejection(problem: string, at: number, code: Parameters<Reject>[1]): ApiError {
    return this.#cursor.error(problem, at, code ?? this.#cursor.code)
  }
}
