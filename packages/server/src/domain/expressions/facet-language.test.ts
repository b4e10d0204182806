import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  ApiError,
  FACET_FIELDS_MAX,
  FACET_RANGES_MAX,
  FACET_VALUES_MAX,
  type ErrorCode,
} from '@aisle/contract'
import type { FacetRequest } from '@aisle/engine'
import fc from 'fast-check'
import { parseFacets, type FacetOptions } from './facet-language.ts'
import { elapsedMs, plainAnalyzer, refusal, shopSchema } from '../plan/plan-fixture.ts'

const [BRAND, TAGS, PRICE, STOCK, SERIAL, IN_STOCK] = [1, 3, 4, 5, 6, 7]

const parse = (text: string | readonly string[] | undefined, options: FacetOptions = {}) =>
  parseFacets(text, options, shopSchema, plainAnalyzer)
const facet = (field: number, rest: Partial<FacetRequest> = {}): FacetRequest => ({
  field,
  limit: 100,
  order: 'count',
  stats: [PRICE, STOCK, SERIAL, 8, 11].includes(field),
  ...rest,
})

suite('facet expressions', () => {
  test('every form of the grammar becomes its request', () => {
    const allFacets = [1, 3, 4, 5, 6, 7, 8, 10, 11].map((field) => facet(field))
    for (const [text, facets] of [
      [undefined, []],
      ['  ', []],
      ['brand', [facet(BRAND)]],
      [' brand , tags ', [facet(BRAND), facet(TAGS)]],
      [
        ['brand', 'tags,price'],
        [facet(BRAND), facet(TAGS), facet(PRICE)],
      ],
      ['*', allFacets],
      ['*,brand(limit:3)', allFacets.map((f) => (f.field === BRAND ? { ...f, limit: 3 } : f))],
      [
        'brand(limit:3),*',
        [facet(BRAND, { limit: 3 }), ...allFacets.filter((f) => f.field !== BRAND)],
      ],
      ['brand,brand(limit:2)', [facet(BRAND, { limit: 2 })]],
      ['brand(limit:20, sort:alpha)', [facet(BRAND, { limit: 20, order: 'value' })]],
      ['brand( sort : count )', [facet(BRAND)]],
      ['brand(sort_by:_alpha:asc)', [facet(BRAND, { order: 'value' })]],
      ['brand(sort_by: _count:desc,limit:0)', [facet(BRAND, { limit: 0 })]],
      [
        'stock(all:[-9999999999,9999999999])',
        [facet(STOCK, { ranges: [{ name: 'all', low: -9999999999, high: 9999999999 }] })],
      ],
      [
        'price(cheap:[0,50], mid:[50, 99.5], `dear, (very)`:[99.5,])',
        [
          facet(PRICE, {
            ranges: [
              { name: 'cheap', low: 0, high: 50 },
              { name: 'mid', low: 50, high: 99.5 },
              { name: 'dear, (very)', low: 99.5 },
            ],
          }),
        ],
      ],
      [
        'price(Under 50:[,50], all:[,], limit:[1,2])',
        [
          facet(PRICE, {
            ranges: [
              { name: 'Under 50', high: 50 },
              { name: 'all' },
              { name: 'limit', low: 1, high: 2 },
            ],
          }),
        ],
      ],
      ['stock(a:[1.5,2.5])', [facet(STOCK, { ranges: [{ name: 'a', low: 2, high: 3 }] })]],
      [
        'serial(a:[9007199254740993,],b:[,1970-01-02T00:00:00Z])',
        [
          facet(SERIAL, {
            ranges: [
              { name: 'a', low: 9007199254740993n },
              { name: 'b', high: 86400n },
            ],
          }),
        ],
      ],
      ['in_stock', [facet(IN_STOCK)]],
    ] as readonly (readonly [string | readonly string[] | undefined, FacetRequest[]])[]) {
      assert.deepEqual(parse(text), facets, String(text))
    }
  })

  test('max_values is the limit of facets without their own', () => {
    const limits = parse('brand,tags(limit:5)', { maxValues: 7 }).map(({ limit }) => limit)
    assert.deepEqual(limits, [7, 5])
  })

  test('facet_query searches inside a facet, and adds it if it is not counted yet', () => {
    const query = (...edits: (0 | 1 | 2)[]) =>
      ['red', 'wi'].map((form, i) => ({ form, edits: edits[i] ?? 0 }))
    const brand = facet(BRAND, { query: query() })
    const typos = { typoMax: 2, typoMinLen1: 2, typoMinLen2: 3, typoNumbers: false }
    const forgiving = parse('brand', { facetQuery: 'brand:red wi', typos })
    assert.deepEqual(forgiving, [facet(BRAND, { query: query(2, 1) })])
    assert.deepEqual(parse('tags,brand', { facetQuery: 'brand:Red Wi' }), [facet(TAGS), brand])
    assert.deepEqual(parse(undefined, { facetQuery: ' brand : "Red Wi" ' }), [brand])
    assert.deepEqual(parse('brand', { facetQuery: 'brand:' }), [facet(BRAND)])
    assert.deepEqual(parse('brand', { facetQuery: ' ' }), [facet(BRAND)])
    for (const [facetQuery, code] of [
      ['brand', 'invalid_facet'],
      [':x', 'invalid_facet'],
      ['brand:"a" b', 'invalid_facet'],
      ['brnd:x', 'unknown_field'],
      ['title:x', 'field_not_facetable'],
    ] as const) {
      assert.equal(refusal(() => parse('brand', { facetQuery }), code).param, 'facet_query')
    }
  })

  test('errors are rejected, with the column', () => {
    for (const [text, code, column] of [
      ['brand,', 'invalid_facet', 7],
      [',brand', 'invalid_facet', 1],
      ['brand tags', 'invalid_facet', 7],
      ['brand(', 'invalid_facet', 7],
      ['brand()', 'invalid_facet', 7],
      ['brand(limit:20', 'invalid_facet', 15],
      ['brand(limit:x)', 'invalid_facet', 13],
      ['brand(limit:-1)', 'invalid_facet', 13],
      [`brand(limit:${FACET_VALUES_MAX + 1})`, 'invalid_facet', 13],
      ['brand(limit:1.5)', 'invalid_facet', 14],
      ['brand(sort:price)', 'invalid_facet', 12],
      ['brand(sort:constructor)', 'invalid_facet', 12],
      ['brand(top:3)', 'invalid_facet', 7],
      ['brand(a:[1,2])', 'invalid_facet', 7],
      ['in_stock(a:[1,2])', 'invalid_facet', 10],
      ['price(a:[2,1])', 'invalid_facet', 7],
      ['price(a:[1,2],a:[2,3])', 'invalid_facet', 15],
      ['price(:[1,2])', 'invalid_facet', 7],
      ['price(a:[1])', 'invalid_facet', 11],
      ['price(a:[1,2,3])', 'invalid_facet', 13],
      ['price(a:[x,2])', 'invalid_facet', 10],
      ['brand,colour', 'unknown_field', 7],
      ['brand, title', 'field_not_facetable', 8],
    ] as readonly (readonly [string, ErrorCode, number])[]) {
      const error = refusal(() => parse(text), code)
      assert.equal(error.param, 'facet_by')
      assert.ok(
        error.message.startsWith(`facet_by, column ${column}: `),
        `${text}: ${error.message}`,
      )
    }
    assert.match(refusal(() => parse('brnd'), 'unknown_field').message, /`brand`\?/)
    assert.equal(refusal(() => parse(['brand', '(']), 'invalid_facet').param, 'facet_by[1]')
  })

  test('fields and ranges are limited', () => {
    const fields = Array.from({ length: FACET_FIELDS_MAX + 1 }, () => 'brand')
    parse(fields.slice(1))
    refusal(() => parse(fields), 'invalid_facet')
    const ranges = Array.from({ length: FACET_RANGES_MAX + 1 }, (_, i) => `r${i}:[${i},${i + 1}]`)
    parse(`price(${ranges.slice(1).join()})`)
    refusal(() => parse(`price(${ranges.join()})`), 'invalid_facet')
  })

  test('hostile and random expressions are rejected quickly', () => {
    for (const text of [
      '('.repeat(1e5),
      'brand('.repeat(1e5),
      `price(${'a:['.repeat(1e5)}`,
      '"'.repeat(1e6),
    ]) {
      assert.ok(elapsedMs(() => assert.throws(() => parse(text), ApiError)) < 500)
    }
    const pieces = [
      'price',
      'brand',
      'title',
      '*',
      '(',
      ')',
      '[',
      ']',
      ':',
      ',',
      'limit:3',
      'sort:alpha',
      'a:[1,2]',
      ' ',
      '`',
      '"',
      '1',
      'x',
      '\u{1F600}',
    ]
    const piece = fc.constantFrom(...pieces)
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        try {
          parse(pieces.join(''), { facetQuery: pieces.slice(4).join('') })
        } catch (error) {
          if (!(error instanceof ApiError)) throw error
          assert.match(error.code, /^(invalid_facet|unknown_field|field_not_facetable)$/)
        }
      }),
      { numRuns: 3_000 },
    )
  })
})
