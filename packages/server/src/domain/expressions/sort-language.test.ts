import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ApiError, SORT_KEYS_MAX, type ErrorCode } from '@aisle/contract'
import type { SortKey } from '@aisle/engine'
import fc from 'fast-check'
import { parseFilter } from './filter-parser.ts'
import { elapsedMs, plainAnalyzer, refusal, shopSchema } from '../plan/plan-fixture.ts'
import { parseSort } from './sort-language.ts'

const [TITLE, PRICE, STOCK, ODD_NAME] = [0, 4, 5, 10]

const parse = (text: string | readonly string[] | undefined) =>
  parseSort(text, shopSchema, plainAnalyzer)
const by = (field: number, descending = false, missing: 'first' | 'last' = 'last'): SortKey => ({
  kind: 'field',
  field,
  descending,
  missing,
})
const textMatch = (descending = true): SortKey => ({ kind: 'textMatch', descending })
const popularity = (descending = true): SortKey => ({ kind: 'popularity', descending })
const random = (seed: number, descending = false): SortKey => ({ kind: 'random', seed, descending })
const filter = (text: string, descending = true): SortKey => ({
  kind: 'filter',
  filter: parseFilter(text, shopSchema, plainAnalyzer),
  descending,
})

suite('sort expressions', () => {
  test('every key of the grammar becomes its sort key', () => {
    for (const [text, keys] of [
      [undefined, [textMatch(), popularity()]],
      [' ', [textMatch(), popularity()]],
      ['price', [by(PRICE)]],
      ['price:asc', [by(PRICE)]],
      ['price : DESC', [by(PRICE, true)]],
      ['price(missing:first)', [by(PRICE, false, 'first')]],
      ['price( missing : FIRST ):desc', [by(PRICE, true, 'first')]],
      ['price(missing_values: last):asc', [by(PRICE)]],
      ['_text_match', [textMatch()]],
      ['_text_match:asc , price', [textMatch(false), by(PRICE)]],
      ['_text_match(buckets: 10)', [{ ...textMatch(), buckets: 10 }]],
      [
        '_text_match( buckets :1000 ):ASC,price',
        [{ ...textMatch(false), buckets: 1000 }, by(PRICE)],
      ],
      ['_popularity:desc,title:asc', [popularity(), by(TITLE)]],
      ['`odd name`:desc', [by(ODD_NAME, true)]],
      ['_rand', [random(0)]],
      ['_rand()', [random(0)]],
      ['_rand( 42 ):desc', [random(42, true)]],
      ['_rand(-1)', [random(-1)]],
      ['_rand(4294967297)', [random(1)]],
      ['_eval(brand:nike):desc', [filter('brand:nike')]],
      ['_eval(brand:nike)', [filter('brand:nike')]],
      [
        '_eval(brand:=a,b && (stock:[1,2] or in_stock:true)):asc,price',
        [filter('brand:=a,b && (stock:[1,2] or in_stock:true)', false), by(PRICE)],
      ],
      ['_eval(brand:=")" )', [filter('brand:=")"')]],
      [
        ['price', 'stock:desc,title'],
        [by(PRICE), by(STOCK, true), by(TITLE)],
      ],
      [[], [textMatch(), popularity()]],
    ] as readonly (readonly [string | readonly string[] | undefined, SortKey[]])[]) {
      assert.deepEqual(parse(text), keys, String(text))
    }
  })

  test('errors are rejected, with the column', () => {
    for (const [text, code, column] of [
      ['price:up', 'invalid_sort', 7],
      ['price:descending', 'invalid_sort', 7],
      ['price:', 'invalid_sort', 7],
      ['price desc', 'invalid_sort', 7],
      [',price', 'invalid_sort', 1],
      ['price,', 'invalid_sort', 7],
      ['price(missing:middle)', 'invalid_sort', 15],
      ['price(first)', 'invalid_sort', 7],
      ['price(missing:first', 'invalid_sort', 20],
      ['_eval', 'invalid_sort', 6],
      ['_eval()', 'invalid_sort', 7],
      ['_eval(brand:nike', 'invalid_sort', 17],
      ['_eval(price:x)', 'invalid_sort', 13],
      ['_rand(x)', 'invalid_sort', 7],
      [`_rand(${'9'.repeat(30)})`, 'invalid_sort', 7],
      ['_rand(1', 'invalid_sort', 8],
      ['_text_match(buckets:0)', 'invalid_sort', 21],
      ['_text_match(buckets:1001)', 'invalid_sort', 21],
      ['_text_match(buckets:12345)', 'invalid_sort', 21],
      ['_text_match(buckets:)', 'invalid_sort', 21],
      ['_text_match(buckets:ten)', 'invalid_sort', 21],
      ['_text_match(buckets:2.5)', 'invalid_sort', 22],
      ['_text_match(bucket_size:3)', 'invalid_sort', 13],
      ['_text_match()', 'invalid_sort', 13],
      ['_text_match(10)', 'invalid_sort', 13],
      ['_text_match(buckets:10', 'invalid_sort', 23],
      ['_text_match(buckets:10,price', 'invalid_sort', 23],
      ['price,pirce', 'unknown_field', 7],
      ['_eval(pirce:1)', 'unknown_field', 7],
      ['_eval(description:=x)', 'field_not_filterable', 20],
      ['price, brand:asc', 'field_not_sortable', 8],
      ['`_eval`', 'unknown_field', 1],
    ] as readonly (readonly [string, ErrorCode, number])[]) {
      const error = refusal(() => parse(text), code)
      assert.equal(error.param, 'sort_by')
      assert.ok(
        error.message.startsWith(`sort_by, column ${column}: `),
        `${text}: ${error.message}`,
      )
    }
    for (const [text, expected] of [
      ['_text_match(bucket_size:3)', /column 13: expected `buckets:`, found `bucket_size:3\)`/],
      ['_text_match(buckets:0)', /column 21: expected a number of buckets from 1 to 1000/],
      ['_text_match(buckets:10', /column 23: expected `\)`, found the end/],
    ] as const) {
      assert.match(refusal(() => parse(text), 'invalid_sort').message, expected)
    }
    assert.match(refusal(() => parse('pirce'), 'unknown_field').message, /`price`\?/)
    assert.match(refusal(() => parse('_textmatch'), 'unknown_field').message, /`_text_match`\?/)
    assert.equal(refusal(() => parse(['price', 'x y']), 'unknown_field').param, 'sort_by[1]')
    for (const key of ['_group_size', '_group_found']) {
      const { message } = refusal(() => parse(`price,${key}:desc`), 'unknown_field')
      assert.match(message, /^sort_by, column 7: groups cannot be sorted by their size.*`facet_by`/)
    }
  })

  test(`there are at most ${SORT_KEYS_MAX} keys`, () => {
    const keys = (count: number) => Array.from({ length: count }, () => 'price').join()
    assert.equal(parse(keys(SORT_KEYS_MAX)).length, SORT_KEYS_MAX)
    refusal(() => parse(keys(SORT_KEYS_MAX + 1)), 'invalid_sort')
  })

  test('hostile and random expressions are rejected quickly', () => {
    for (const text of [
      '_eval('.repeat(1e5),
      `_eval(${'('.repeat(1e5)}`,
      ','.repeat(1e5),
      '"'.repeat(1e6),
    ]) {
      assert.ok(elapsedMs(() => assert.throws(() => parse(text), ApiError)) < 500)
    }
    const pieces = [
      'price',
      'title',
      'brand',
      '_eval(',
      '_rand(',
      '_text_match',
      ':asc',
      ':desc',
      '(missing:first)',
      '(buckets:9)',
      ')',
      ',',
      '1',
      ' ',
      'stock:1',
      '`',
      '"',
      '&&',
      '\u{1F600}',
      '(',
      ':',
    ]
    const piece = fc.constantFrom(...pieces)
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        try {
          parse(pieces.join(''))
        } catch (error) {
          if (!(error instanceof ApiError)) throw error
          assert.match(error.code, /^(invalid_sort|unknown_field|field_not_(sortable|filterable))$/)
        }
      }),
      { numRuns: 3_000 },
    )
  })
})
