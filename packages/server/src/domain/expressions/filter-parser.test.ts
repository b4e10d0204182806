import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ApiError, FILTER_CLAUSES_MAX, FILTER_LEVELS_MAX, FILTER_VALUES_MAX } from '@aisle/contract'
import type { FilterNode } from '@aisle/engine'
import { parseFilter } from './filter-parser.ts'
import { elapsedMs, plainAnalyzer, refusal, shopSchema } from '../plan/plan-fixture.ts'

const [TITLE, BRAND, DESCRIPTION, TAGS, PRICE, STOCK, SERIAL, IN_STOCK, SIZES] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8,
]
const [ODD_NAME, NOT, YEAR] = [10, 11, 12]

const parse = (text: string) => parseFilter(text, shopSchema, plainAnalyzer)
const eq = (field: number, value: string | number | bigint | boolean): FilterNode => ({
  kind: 'equals',
  field,
  value,
})
const words = (field: number, ...forms: string[]): FilterNode => ({ kind: 'words', field, forms })
const range = (field: number, rest: object): FilterNode => ({ kind: 'range', field, ...rest })
const exists = (field: number): FilterNode => ({ kind: 'exists', field })
const not = (node: FilterNode): FilterNode => ({ kind: 'not', node })
const and = (...nodes: FilterNode[]): FilterNode => ({ kind: 'and', nodes })
const or = (...nodes: FilterNode[]): FilterNode => ({ kind: 'or', nodes })
const never = (field: number): FilterNode => and(exists(field), not(exists(field)))
const INT64_MAX = 9223372036854775807n

type Row = readonly [expression: string, tree: FilterNode]
function accepts(rows: readonly Row[]): void {
  for (const [expression, tree] of rows) assert.deepEqual(parse(expression), tree, expression)
}

suite('filter expressions', () => {
  test('every test of the grammar becomes its leaf', () => {
    accepts([
      ['brand:Nike', words(BRAND, 'nike')],
      ['brand : Nike ', words(BRAND, 'nike')],
      ['title:Red  Crème shoes', words(TITLE, 'red', 'creme', 'shoes')],
      ['title:red Red', words(TITLE, 'red')],
      ['brand:=Nike Air', eq(BRAND, 'nike air')],
      ['brand:= Café', eq(BRAND, 'cafe')],
      ['brand:!=Nike', not(eq(BRAND, 'nike'))],
      ['price:5', eq(PRICE, 5)],
      ['price:=5.50', eq(PRICE, 5.5)],
      ['price:!= -0', not(eq(PRICE, 0))],
      ['price:>5', range(PRICE, { low: 5, lowInclusive: false })],
      ['price:>=5', range(PRICE, { low: 5 })],
      ['price:<1e3', range(PRICE, { high: 1000, highInclusive: false })],
      ['price:<= .5', range(PRICE, { high: 0.5 })],
      ['price:[10..20]', range(PRICE, { low: 10, high: 20 })],
      ['price:=[10 .. 20]', range(PRICE, { low: 10, high: 20 })],
      ['price:[10..]', range(PRICE, { low: 10 })],
      ['price:[..20]', range(PRICE, { high: 20 })],
      ['price:[-3..-1]', range(PRICE, { low: -3, high: -1 })],
      ['price:[1...5e2]', range(PRICE, { low: 1, high: 50 })],
      ['price:[..]', exists(PRICE)],
      ['price:!=[..20]', not(range(PRICE, { high: 20 }))],
      ['stock:[1,3,10..20]', or(eq(STOCK, 1), eq(STOCK, 3), range(STOCK, { low: 10, high: 20 }))],
      ['brand:[Nike, Red Wing]', or(words(BRAND, 'nike'), words(BRAND, 'red', 'wing'))],
      ['brand:=[Nike,"a, b]",`c`]', or(eq(BRAND, 'nike'), eq(BRAND, 'a, b]'), eq(BRAND, 'c'))],
      ['brand:!=[Nike,Adidas]', not(or(eq(BRAND, 'nike'), eq(BRAND, 'adidas')))],
      ['title:sho*', { kind: 'wordPrefix', field: TITLE, prefix: 'sho' }],
      ['title:t-shi*', and(words(TITLE, 't'), { kind: 'wordPrefix', field: TITLE, prefix: 'shi' })],
      ['title:"Sho"*', { kind: 'wordPrefix', field: TITLE, prefix: 'sho' }],
      ['tags:[ni*]', { kind: 'wordPrefix', field: TAGS, prefix: 'ni' }],
      ['brand:exists', exists(BRAND)],
      ['description:null', not(exists(DESCRIPTION))],
      ['brand:"exists"', words(BRAND, 'exists')],
      ['brand:=null', eq(BRAND, 'null')],
      ['in_stock:true', eq(IN_STOCK, true)],
      ['in_stock:=false', eq(IN_STOCK, false)],
      ['in_stock:[true,false]', or(eq(IN_STOCK, true), eq(IN_STOCK, false))],
      ['sizes:[40..42]', range(SIZES, { low: 40, high: 42 })],
      ['id:=a-1', { kind: 'ids', ids: ['a-1'] }],
      ['id:a..1', { kind: 'ids', ids: ['a..1'] }],
      ['id:!=`a && b`', not({ kind: 'ids', ids: ['a && b'] })],
      ['id:[a, b,a]', { kind: 'ids', ids: ['a', 'b'] }],
      ['id:!=[a,"exists"]', not({ kind: 'ids', ids: ['a', 'exists'] })],
      ['year:exists', exists(YEAR)],
    ])
  })

  test('values may be bare or quoted, and quotes have no other effect', () => {
    accepts([
      ['brand:=`a && b || (c) "d" ]`', eq(BRAND, 'a && b || (c) "d" ]')],
      ['brand:="it`s"', eq(BRAND, 'it`s')],
      ['brand:=6" pipe', eq(BRAND, '6" pipe')],
      ['brand:=""', eq(BRAND, '')],
      ['brand:Yahoo!', words(BRAND, 'yahoo')],
      ['brand:=a & b | c', eq(BRAND, 'a & b | c')],
      ['brand:=a:b', eq(BRAND, 'a:b')],
      ['brand:---', eq(BRAND, '---')],
      ['price:"5"', eq(PRICE, 5)],
      ['`odd name`:=x', eq(ODD_NAME, 'x')],
      ['"odd name":x*', { kind: 'wordPrefix', field: ODD_NAME, prefix: 'x' }],
    ])
  })

  test('&& binds tighter than ||, words replace symbols in any case', () => {
    const [a, b, c] = [eq(STOCK, 1), eq(STOCK, 2), eq(STOCK, 3)]
    accepts([
      ['stock:1 && stock:2 || stock:3', or(and(a, b), c)],
      ['stock:1 || stock:2 && stock:3', or(a, and(b, c))],
      ['stock:1&&stock:2||stock:3', or(and(a, b), c)],
      ['stock:1 AND stock:2 Or stock:3', or(and(a, b), c)],
      ['(stock:1 or stock:2) and stock:3', and(or(a, b), c)],
      ['(stock:1 && stock:2) && stock:3', and(a, b, c)],
      ['!stock:1', not(a)],
      ['! (stock:1 || stock:2)', not(or(a, b))],
      ['NOT stock:1 and not(stock:2)', and(not(a), not(b))],
      ['not:1', eq(NOT, 1)],
      ['not not:1', not(eq(NOT, 1))],
      ['stock:[1]and stock:2', and(a, b)],
      [' ( ( stock:1 ) ) ', a],
    ])
  })

  test('and, or inside a value stay words unless a clause follows', () => {
    accepts([
      ['brand:=Marks and Spencer', eq(BRAND, 'marks and spencer')],
      ['brand:=Marks and Spencer and stock:1', and(eq(BRAND, 'marks and spencer'), eq(STOCK, 1))],
      ['brand:=Rock OR Roll || stock:1', or(eq(BRAND, 'rock or roll'), eq(STOCK, 1))],
      ['brand:=OR', eq(BRAND, 'or')],
      ['brand:=OR or !stock:1', or(eq(BRAND, 'or'), not(eq(STOCK, 1)))],
      ['brand:=a and not stock:1', and(eq(BRAND, 'a'), not(eq(STOCK, 1)))],
      ['brand:=a and `odd name`:=b', and(eq(BRAND, 'a'), eq(ODD_NAME, 'b'))],
      ['brand:=a and (stock:1)', and(eq(BRAND, 'a'), eq(STOCK, 1))],
      ['brand:=land order', eq(BRAND, 'land order')],
      ['brand:=[a and b:1]', eq(BRAND, 'a and b:1')],
    ])
    for (const text of ['brand:a and', 'brand:a AND (', 'brand:a and stock:', 'stock:1 and']) {
      refusal(() => parse(text), 'invalid_filter')
    }
  })

  test('int64 values are exact, fractions become the right whole bounds', () => {
    accepts([
      ['serial:9007199254740993', eq(SERIAL, 9007199254740993n)],
      [
        'serial:=[9223372036854775807,-9223372036854775808]',
        or(eq(SERIAL, INT64_MAX), eq(SERIAL, -INT64_MAX - 1n)),
      ],
      ['serial:>9007199254740993', range(SERIAL, { low: 9007199254740993n, lowInclusive: false })],
      ['serial:>1.5', range(SERIAL, { low: 2n })],
      ['serial:>=-1.5', range(SERIAL, { low: -1n })],
      ['serial:<1.5', range(SERIAL, { high: 1n })],
      ['serial:<=-1.5', range(SERIAL, { high: -2n })],
      ['serial:=1.25e2', eq(SERIAL, 125n)],
      ['serial:=12.50e1', eq(SERIAL, 125n)],
      ['serial:=9.007199254740993e15', eq(SERIAL, 9007199254740993n)],
      ['serial:=1.5', never(SERIAL)],
      ['stock:!=1.5', not(never(STOCK))],
      ['stock:[1.2..1.8]', never(STOCK)],
      ['stock:[1.2..2.8]', range(STOCK, { low: 2, high: 2 })],
      ['stock:0e999999999999', eq(STOCK, 0)],
      ['stock:>1e-999999999999', range(STOCK, { low: 1 })],
      ['price:=1.5', eq(PRICE, 1.5)],
    ])
  })

  test('ISO 8601 dates are seconds in int fields', () => {
    const second = (text: string) => BigInt(Date.parse(text) / 1000)
    accepts([
      ['serial:>=2024-05-31', range(SERIAL, { low: second('2024-05-31T00:00:00Z') })],
      ['serial:2024-05', eq(SERIAL, second('2024-05-01T00:00:00Z'))],
      ['serial:2024-02-29T12:30', eq(SERIAL, second('2024-02-29T12:30:00Z'))],
      [
        'serial:<2024-05-31T10:00:00Z && stock:1',
        and(
          range(SERIAL, { high: second('2024-05-31T10:00:00Z'), highInclusive: false }),
          eq(STOCK, 1),
        ),
      ],
      ['serial:2024-05-31T10:00:00+02:00', eq(SERIAL, second('2024-05-31T08:00:00Z'))],
      ['serial:2024-05-31T10:00:00-0530', eq(SERIAL, second('2024-05-31T15:30:00Z'))],
      ['serial:>2024-05-31T10:00:00.5Z', range(SERIAL, { low: second('2024-05-31T10:00:01Z') })],
      ['serial:0001-01-01', eq(SERIAL, -62135596800n)],
      [
        'serial:[2024-01-01..2024-12-31]',
        range(SERIAL, {
          low: second('2024-01-01T00:00:00Z'),
          high: second('2024-12-31T00:00:00Z'),
        }),
      ],
      ['stock:1970-01-02', eq(STOCK, 86400)],
    ])
    for (const text of [
      '2023-02-29',
      '2024-13-01',
      '2024-00-01',
      '2024-01-01T24:00',
      '2024-01-01T10',
      '2024-1-1',
    ]) {
      refusal(() => parse(`serial:${text}`), 'invalid_filter')
    }
    refusal(() => parse('price:2024-01-01'), 'invalid_filter')
  })

  test('errors are rejected, with the column and what was expected', () => {
    for (const [text, column, expected] of [
      ['', 1, 'a field name'],
      ['   ', 4, 'a field name'],
      ['brand', 6, '`:`'],
      ['brand:', 7, 'a value'],
      ['brand:= && stock:1', 9, 'a value'],
      ['brand:a &&', 11, 'a field name'],
      ['brand:a && || stock:1', 12, 'a field name'],
      ['(brand:a', 9, '`)`'],
      ['brand:a)', 8, '`&&`'],
      ['brand:a (b)', 9, 'quotes'],
      ['brand:"a" b', 11, '`&&`'],
      ['brand:"a', 7, 'never closed'],
      ['brand:=[]', 9, 'a value'],
      ['brand:=[a,]', 11, 'a value'],
      ['brand:=[a', 10, '`,` or `]`'],
      ['price:[1..2..3]', 12, '`,` or `]`'],
      ['price:[20..10]', 8, 'above'],
      ['serial:[9007199254740993..9007199254740992]', 9, 'above'],
      ['stock:[1.8..1.2]', 8, 'above'],
      ['price:abc', 7, 'a number'],
      ['price:exists2', 7, 'a number'],
      ['price:0x10', 7, 'a number'],
      ['price:Infinity', 7, 'a number'],
      ['price:1.', 7, 'a number'],
      ['in_stock:yes', 10, 'true or false'],
      ['in_stock:1', 10, 'true or false'],
      ['in_stock:TRUE', 10, 'true or false'],
      ['in_stock:>true', 11, 'order'],
      ['brand:>5', 8, 'order'],
      ['brand:[a..b]', 8, 'order'],
      ['brand:[..]', 8, 'order'],
      ['price:=>5', 8, 'a value'],
      ['price:>>5', 8, 'a value'],
      ['brand:*', 7, 'the beginning of a word'],
      ['brand:=*', 8, 'the beginning of a value'],
      ['brand:!=[a,``*]', 12, 'the beginning of a value'],
      ['price:=5*', 8, 'a number'],
      ['id:=a*', 5, '`id`'],
      ['id:=[a,b*]', 8, '`id`'],
      ['id:="a"*', 5, '`id`'],
      ['stock:[<]', 9, 'a value'],
      ['stock:[<=5..6]', 11, '`,` or `]`'],
      ['stock:[<=x]', 10, 'a number'],
      ['brand:[<5]', 9, 'order'],
      ['brand:"a\\"', 7, 'never closed'],
      ['description:---', 13, 'a word'],
      ['id:exists', 4, '`id`'],
      ['id:a*', 4, '`id`'],
      ['id:>5', 4, 'a value'],
      ['!!brand:a', 2, 'a field name'],
    ] as const) {
      const error = refusal(() => parse(text), 'invalid_filter')
      assert.equal(error.param, 'filter_by')
      assert.ok(
        error.message.startsWith(`filter_by, column ${column}: `),
        `${text}: ${error.message}`,
      )
      assert.ok(error.message.includes(expected), `${text}: ${error.message}`)
    }
  })

  test('an unknown field is named, with the nearest one of the schema if it is near', () => {
    for (const [text, nearest] of [
      ['colour:red', undefined],
      ['pirce:5', 'price'],
      ['Brand:x', 'brand'],
      ['stock:1 && tag:x', 'tags'],
      ['ID:1', 'id'],
      ['__proto__:1', undefined],
      ['q:1', undefined],
    ] as const) {
      const error = refusal(() => parse(text), 'unknown_field')
      assert.equal(error.param, 'filter_by')
      const [, meant] = error.message.split('Did you mean ')
      assert.equal(meant, nearest === undefined ? undefined : `\`${nearest}\`?`)
    }
    const message = refusal(() => parse('stock:1 && tag:x'), 'unknown_field').message
    assert.equal(
      message,
      'filter_by, column 12: Field `tag` is not in the schema. Did you mean `tags`?',
    )
    refusal(() => parse(`${'x'.repeat(100_000)}:1`), 'unknown_field')
  })

  test('a field is filtered only as its roles allow', () => {
    for (const text of [
      'description:=x',
      'description:!=x',
      'description:=[x]',
      'image:x',
      'image:exists',
      'year:5',
      'year:>5',
      'year:[1..2]',
    ]) {
      assert.equal(refusal(() => parse(text), 'field_not_filterable').param, 'filter_by')
    }
    accepts([
      ['description:x', words(DESCRIPTION, 'x')],
      ['description:x*', { kind: 'wordPrefix', field: DESCRIPTION, prefix: 'x' }],
      ['title:=x', eq(TITLE, 'x')],
    ])
  })

  test('clauses, levels and values are limited', () => {
    const clauses = (count: number) => Array.from({ length: count }, () => 'stock:1').join(' && ')
    parse(clauses(FILTER_CLAUSES_MAX))
    refusal(() => parse(clauses(FILTER_CLAUSES_MAX + 1)), 'invalid_filter')
    const nested = (levels: number) => `${'('.repeat(levels)}stock:1${')'.repeat(levels)}`
    parse(nested(FILTER_LEVELS_MAX))
    refusal(() => parse(nested(FILTER_LEVELS_MAX + 1)), 'invalid_filter')
    parse('!('.repeat(FILTER_LEVELS_MAX / 2) + 'stock:1' + ')'.repeat(FILTER_LEVELS_MAX / 2))
    refusal(() => parse(`!${nested(FILTER_LEVELS_MAX)}`), 'invalid_filter')
    const list = (count: number) => `stock:[${Array.from({ length: count }, (_, i) => i).join()}]`
    parse(list(FILTER_VALUES_MAX))
    refusal(() => parse(list(FILTER_VALUES_MAX + 1)), 'invalid_filter')
    refusal(() => parse(`title:${'a b '.repeat(FILTER_VALUES_MAX)}`), 'invalid_filter')
  })

  test('hostile expressions are rejected in milliseconds', () => {
    const many = 100_000
    const keywords = 20_000
    for (const text of [
      '('.repeat(many),
      '!('.repeat(many),
      'not '.repeat(many),
      'stock:1' + ')'.repeat(many),
      '||'.repeat(many),
      'stock:1' + '||'.repeat(many),
      'stock:1' + ' and '.repeat(many),
      'stock:1 and' + ' '.repeat(many),
      'stock:1 || '.repeat(many),
      '"'.repeat(1_000_000),
      `brand:${'"'.repeat(1_000_000)}`,
      `brand:x${' and "'.repeat(keywords)}`,
      `brand:x${' and `a" or "b`'.repeat(keywords)}(`,
      `brand:x${' and not'.repeat(keywords)}(`,
      `brand:x${' and !'.repeat(keywords)}(`,
      `brand:[${','.repeat(many)}`,
      `brand:[${'..'.repeat(many)}`,
      `stock:${'9'.repeat(many)}x`,
      `stock:0.${'9'.repeat(many)}x`,
      `stock:1e${'9'.repeat(many)}x`,
      `brand:"${'\\"'.repeat(many)}`,
      `brand:[${'<'.repeat(many)}`,
      `brand:x${':'.repeat(many)}(`,
      `brand:x ${'a:b '.repeat(keywords)}(`,
      `stock:${' '.repeat(many)}`,
      `stock${' '.repeat(many)}`,
    ]) {
      const ms = elapsedMs(() => assert.throws(() => parse(text), ApiError))
      // Quadratic time would take minutes; the bound allows for a busy machine.
      assert.ok(ms < 5_000, `${text.slice(0, 20)}… took ${ms} ms`)
    }
  })

  test('errors can name another parameter', () => {
    const error = refusal(
      () => parseFilter('x', shopSchema, plainAnalyzer, { param: 'filter' }),
      'invalid_filter',
    )
    assert.equal(error.param, 'filter')
    assert.ok(error.message.startsWith('filter, column 2'))
  })
})
