import { ApiError, SORT_KEYS_MAX, TEXT_MATCH_BUCKETS_MAX } from '@aisle/contract'
import { isPlace, type Analyzer, type QueryVector, type Schema, type SortKey } from '@aisle/engine'
import { fieldOrdinal, requireField } from '../documents/field-lookup.ts'
import { readFieldName } from './filter-lexer.ts'
import { parseFilterAt, type FilterOptions } from './filter-parser.ts'
import { readDistanceOrder } from './place-language.ts'
import { TextCursor } from './text-cursor.ts'

const DEFAULT_SORT: readonly SortKey[] = [
  { kind: 'textMatch', descending: true },
  { kind: 'popularity', descending: true },
]
const SPECIAL_KEYS = ['_text_match', '_popularity', '_similarity', '_eval', '_rand'] as const
/** Names under which other services sort groups by their size: see "Groups" in docs/search.md. */
const GROUP_SIZE_KEYS: readonly string[] = ['_group_size', '_group_found']
/** Bounds the time to parse a seed, which is quadratic for a bigint. */
const SEED_DIGITS_MAX = 20

/**
 * Parses a sort expression (docs/filters.md): a comma list, or an array of such lists, of
 *
 *     field  field:asc  field(missing:first|last):desc  field(48.85, 2.35):asc  _text_match  _text_match(buckets: 10)  _popularity  _eval(filter)  _rand(seed)
 *
 * A field alone sorts ascending; `_text_match`, `_popularity` and `_eval` alone sort descending. An
 * empty expression is `_text_match:desc,_popularity:desc`.
 */
export function parseSort(
  sortBy: string | readonly string[] | undefined,
  schema: Schema,
  analyzer: Analyzer,
  options: SortOptions = {},
): readonly SortKey[] {
  const isList = typeof sortBy !== 'string'
  const texts = isList ? (sortBy ?? []) : [sortBy]
  const keys: SortKey[] = []
  for (const [index, text] of texts.entries()) {
    if (text.trim() === '') continue
    const param = isList ? `sort_by[${index}]` : 'sort_by'
    const cursor = new TextCursor(text, { code: 'invalid_sort', param })
    do {
      if (keys.length === SORT_KEYS_MAX) throw cursor.error(`more than ${SORT_KEYS_MAX} sort keys`)
      keys.push(parseKey(cursor, schema, analyzer, options))
      cursor.skipSpace()
    } while (cursor.eat(','))
    if (!cursor.atEnd) throw cursor.expected('`,` or the end')
  }
  return keys.length === 0 ? DEFAULT_SORT : keys
}

interface SortOptions extends FilterOptions {
  /** What documents are compared with. Absent: there is no `_similarity`. */
  readonly near?: { readonly field: number; readonly vector: QueryVector } | undefined
}

/** Whether it is the default order. */
export function isUsualOrder(sort: readonly SortKey[]): boolean {
  return sort === DEFAULT_SORT
}

function parseKey(
  cursor: TextCursor,
  schema: Schema,
  analyzer: Analyzer,
  options: SortOptions,
): SortKey {
  cursor.skipSpace()
  const at = cursor.at
  // Quoted, even `_eval` is a field.
  const quoted = /[`"]/.test(cursor.text[at] ?? '')
  const name = readFieldName(cursor)
  if (name === undefined)
    throw cursor.expected('a field, `_text_match`, `_popularity`, `_eval` or `_rand`')
  cursor.skipSpace()
  if (!quoted) {
    switch (name) {
      case '_text_match':
        return parseTextMatch(cursor)
      case '_popularity':
        return { kind: 'popularity', descending: parseDescending(cursor, true) }
      case '_similarity':
        if (options.near === undefined) {
          throw cursor.error('`_similarity` needs the parameter `vector` of the search', at)
        }
        return {
          kind: 'similarity',
          ...options.near,
          descending: parseDescending(cursor, true),
        }
      case '_eval': {
        if (!cursor.eat('(')) throw cursor.expected('`(` and a filter')
        const filter = parseFilterAt(cursor, schema, analyzer, options)
        if (!cursor.eat(')')) throw cursor.expected('`&&`, `||` or `)`')
        return { kind: 'filter', filter, descending: parseDescending(cursor, true) }
      }
      case '_rand':
        return {
          kind: 'random',
          seed: parseSeed(cursor),
          descending: parseDescending(cursor, false),
        }
    }
  }
  const where = cursor.where(at)
  if (GROUP_SIZE_KEYS.includes(name) && fieldOrdinal(schema, name) === undefined) {
    throw new ApiError(
      'unknown_field',
      `${where}: groups cannot be sorted by their size, only by their best document. For values by their number of documents, use \`facet_by\`.`,
      { param: cursor.param },
    )
  }
  const { field, ordinal } = requireField(schema, name, {
    param: cursor.param,
    where,
    alsoKnown: SPECIAL_KEYS,
  })
  if (isPlace(field)) {
    const order = readDistanceOrder(cursor, field)
    const descending = parseDescending(cursor, false)
    return { kind: 'distance', field: ordinal, descending, ...order }
  }
  if (!field.sort) {
    throw new ApiError(
      'field_not_sortable',
      `${where}: field \`${name}\` is not declared with \`sort\`.`,
      { param: cursor.param },
    )
  }
  const missing = parseMissing(cursor)
  return { kind: 'field', field: ordinal, descending: parseDescending(cursor, false), missing }
}

/** `_text_match`, `_text_match(buckets: 10)`. */
function parseTextMatch(cursor: TextCursor): SortKey {
  const buckets = parseBuckets(cursor)
  const key = { kind: 'textMatch', descending: parseDescending(cursor, true) } as const
  return buckets === undefined ? key : { ...key, buckets }
}

function parseBuckets(cursor: TextCursor): number | undefined {
  if (!cursor.eat('(')) return undefined
  if (cursor.match(/\s*buckets\s*:\s*/iy) === undefined) throw cursor.expected('`buckets:`')
  const { at } = cursor
  const buckets = Number(cursor.match(/\d{1,4}/y) ?? 0)
  if (buckets < 1 || buckets > TEXT_MATCH_BUCKETS_MAX) {
    throw cursor.error(`expected a number of buckets from 1 to ${TEXT_MATCH_BUCKETS_MAX}`, at)
  }
  cursor.skipSpace()
  if (!cursor.eat(')')) throw cursor.expected('`)`')
  return buckets
}

function parseDescending(cursor: TextCursor, byDefault: boolean): boolean {
  cursor.skipSpace()
  if (!cursor.eat(':')) return byDefault
  cursor.skipSpace()
  const direction = cursor.match(/(?:asc|desc)(?![\p{L}\p{N}_])/iuy)
  if (direction === undefined) throw cursor.expected('`asc` or `desc`')
  return direction.length === 4
}

/**
 * `(missing:first)`, also Typesense's `(missing_values: first)`; by default missing values come
 * last.
 */
function parseMissing(cursor: TextCursor): 'first' | 'last' {
  if (!cursor.eat('(')) return 'last'
  if (cursor.match(/\s*missing(?:_values)?\s*:\s*/iy) === undefined) {
    throw cursor.expected('`missing:first` or `missing:last`')
  }
  const place = cursor.match(/(?:first|last)(?![\p{L}\p{N}_])/iuy)
  if (place === undefined) throw cursor.expected('`first` or `last`')
  cursor.skipSpace()
  if (!cursor.eat(')')) throw cursor.expected('`)`')
  return place.length === 5 ? 'first' : 'last'
}

/** `(42)`; without a number the seed is 0. Only the low 32 bits count. */
function parseSeed(cursor: TextCursor): number {
  if (!cursor.eat('(')) return 0
  cursor.skipSpace()
  const at = cursor.at
  const digits = cursor.match(/[+-]?\d+/y) ?? '0'
  if (digits.length > SEED_DIGITS_MAX) {
    throw cursor.error(`a seed has at most ${SEED_DIGITS_MAX} characters`, at)
  }
  cursor.skipSpace()
  if (!cursor.eat(')')) throw cursor.expected('an integer and `)`')
  return Number(BigInt.asIntN(32, BigInt(digits.replace('+', ''))))
}
