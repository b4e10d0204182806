import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { FilterNode } from '@aisle/engine'
import { parseFilter } from './filter-parser.ts'
import { elapsedMs, plainAnalyzer, refusal, shopSchema } from '../plan/plan-fixture.ts'

const [TITLE, BRAND, TAGS, PRICE, STOCK, SERIAL, SIZES] = [0, 1, 3, 4, 5, 6, 8]

const parse = (text: string) => parseFilter(text, shopSchema, plainAnalyzer)
const eq = (field: number, value: string | number | bigint): FilterNode => ({
  kind: 'equals',
  field,
  value,
})
const range = (field: number, rest: object): FilterNode => ({ kind: 'range', field, ...rest })
const starts = (field: number, prefix: string): FilterNode => ({
  kind: 'valuePrefix',
  field,
  prefix,
})
const not = (node: FilterNode): FilterNode => ({ kind: 'not', node })
const or = (...nodes: FilterNode[]): FilterNode => ({ kind: 'or', nodes })

function accepts(rows: readonly (readonly [expression: string, tree: FilterNode])[]): void {
  for (const [expression, tree] of rows) assert.deepEqual(parse(expression), tree, expression)
}

suite('values of filter expressions', () => {
  test('after `=` a star matches the rest of the value', () => {
    accepts([
      ['title:=St*', starts(TITLE, 'st')],
      ['brand:=Nike Air*', starts(BRAND, 'nike air')],
      ['brand:=Café*', starts(BRAND, 'cafe')],
      ['brand:=Nike *', starts(BRAND, 'nike ')],
      ['brand:="Nike & Co ("*', starts(BRAND, 'nike & co (')],
      ['brand:!=ni*', not(starts(BRAND, 'ni'))],
      ['tags:=[ni*,"ad"*, puma]', or(starts(TAGS, 'ni'), starts(TAGS, 'ad'), eq(TAGS, 'puma'))],
      ['tags:!=[ni*]', not(starts(TAGS, 'ni'))],
      ['brand:="ni*"', eq(BRAND, 'ni*')],
      ['brand:=`*`', eq(BRAND, '*')],
      ['brand:=*phone', eq(BRAND, '*phone')],
    ])
  })

  test('a backslash escapes a quote, or itself, in quotes', () => {
    accepts([
      ['brand:="6\\" `x`"', eq(BRAND, '6" `x`')],
      ['brand:=`6" \\`x\\``', eq(BRAND, '6" `x`')],
      ['brand:="a\\`b"', eq(BRAND, 'a`b')],
      ['brand:="C:\\\\"', eq(BRAND, 'c:\\')],
      ['brand:="a\\nb\\ c"', eq(BRAND, 'a\\nb\\ c')],
      ['brand:="\\\\\\""', eq(BRAND, '\\"')],
      // Outside of quotes it is a character.
      ['brand:=a\\"b', eq(BRAND, 'a\\"b')],
      ['brand:=["a\\"]","b"]', or(eq(BRAND, 'a"]'), eq(BRAND, 'b'))],
      [
        'brand:=a and "odd name":=b',
        { kind: 'and', nodes: [eq(BRAND, 'a'), { kind: 'equals', field: 10, value: 'b' }] },
      ],
      ['id:="a\\"`"', { kind: 'ids', ids: ['a"`'] }],
    ])
  })

  test('items of a list may be comparisons', () => {
    const [low, high] = [range(SIZES, { high: 24 }), range(SIZES, { low: 44 })]
    accepts([
      ['sizes:[<=24, >=44]', or(low, high)],
      ['sizes:=[<=24,>=44]', or(low, high)],
      ['sizes:!=[ <= 24 , >= 44 ]', not(or(low, high))],
      ['sizes:[<24]', range(SIZES, { high: 24, highInclusive: false })],
      [
        'price:[>5, 3, 1..2]',
        or(
          range(PRICE, { low: 5, lowInclusive: false }),
          eq(PRICE, 3),
          range(PRICE, { low: 1, high: 2 }),
        ),
      ],
      ['serial:[>=2024-01-01]', range(SERIAL, { low: 1704067200n })],
      ['stock:[>"5"]', range(STOCK, { low: 5, lowInclusive: false })],
      ['brand:["<5"]', { kind: 'words', field: BRAND, forms: ['5'] }],
    ])
  })

  test('numbers beyond the type are compared like any other', () => {
    accepts([
      ['stock:[0..9999999999]', range(STOCK, { low: 0, high: 9999999999 })],
      ['stock:>99999999999', range(STOCK, { low: 99999999999, lowInclusive: false })],
      ['stock:2147483648', eq(STOCK, 2147483648)],
      ['stock:!=2147483648', not(eq(STOCK, 2147483648))],
      ['stock:[1, 3000000000]', or(eq(STOCK, 1), eq(STOCK, 3000000000))],
      ['stock:>2147483647.5', range(STOCK, { low: 2147483648 })],
      ['stock:<3000-01-01', range(STOCK, { high: 32503680000, highInclusive: false })],
      ['serial:<=9223372036854775808', range(SERIAL, { high: 9223372036854775808n })],
      ['serial:>-1e30', range(SERIAL, { low: -(10n ** 19n), lowInclusive: false })],
      ['serial:[-1e25..1e25]', range(SERIAL, { low: -(10n ** 19n), high: 10n ** 19n })],
      ['serial:<1e999999999999', range(SERIAL, { high: 10n ** 19n, highInclusive: false })],
      ['price:<1e400', range(PRICE, { high: Infinity, highInclusive: false })],
      ['price:[-1e400..5]', range(PRICE, { low: -Infinity, high: 5 })],
      ['price:1e400', eq(PRICE, Infinity)],
    ])
    assert.throws(() => parse('serial:[1e30..1e25]'), /above its upper end/)
    const digits = '9'.repeat(100_000)
    for (const number of [digits, `0.${digits}`, `1e${digits}`, `-${digits}.${digits}`]) {
      assert.ok(elapsedMs(() => parse(`stock:<${number} || serial:<${number}`)) < 500)
    }
  })
})

suite('values that were probably meant otherwise', () => {
  const warningsOf = (text: string): string[] => {
    const warnings: string[] = []
    parseFilter(text, shopSchema, plainAnalyzer, { warn: (warning) => warnings.push(warning) })
    return warnings
  }

  for (const [text, column, symbol, meant] of [
    ['brand:=Nike, price:=5', 8, ':=', 'brand:=Nike && price:=5'],
    ['brand:=Nike price:=5', 8, ':=', 'brand:=Nike && price:=5'],
    ['brand:=Nike & price:<5', 8, ':<', 'brand:=Nike && price:<5'],
    ['brand:Nike price:[1..5]', 7, ':[', 'brand:Nike && price:[1..5]'],
    ['brand:=Nike title:shoe', 8, 'title:', 'brand:=Nike && title:shoe'],
    ['stock:1 && brand:=Nike; id:5', 19, 'id:', 'brand:=Nike && id:5'],
    ['brand::=Nike', 7, ':=', 'brand:=Nike'],
    ['brand:price:=5', 7, ':=', 'price:=5'],
    ['id:=a, brand:=Nike', 5, ':=', 'id:=a && brand:=Nike'],
    ['brand:=[Nike && price:<5]', 9, '&&', 'brand:=[Nike] && price:<5'],
    ['brand:=[a, Nike || price:<5]', 12, '||', 'brand:=[a, Nike] || price:<5'],
    ['tags:=[a && b]', 8, '&&', 'tags:=[a] && tags:=b'],
    ['tags:[a, b price:=5]', 10, ':=', 'tags:[a, b] && price:=5'],
  ] as const) {
    test(`${text} is told of ${meant}`, () => {
      const [warning = '', ...more] = warningsOf(text)
      assert.equal(more.length, 0)
      assert.ok(warning.startsWith(`filter_by, column ${column}: the value \``), warning)
      assert.ok(warning.includes(`contains \`${symbol}\``), warning)
      assert.ok(warning.includes(`Did you mean \`${meant}\`?`), warning)
      parse(meant)
    })
  }

  for (const [text, column, meant] of [
    ['brand:=Nike AND price > 5', 8, 'brand:=Nike && price:>5'],
    ['brand:=Nike AND weight>=5', 8, 'brand:=Nike && weight:>=5'],
    ['brand:=Nike OR NOT price = 5', 8, 'brand:=Nike || !price:=5'],
    ['brand:=Nike and price == 5', 8, 'brand:=Nike && price:=5'],
    ['brand:Nike or title != shoe && id:5', 7, 'brand:Nike || title:!=shoe'],
    ['stock:1 || brand:=Rock and Roll AND stock < 3', 19, 'brand:=Rock and Roll && stock:<3'],
    ['price:>5 AND stock > 3', 8, 'price:>5 && stock:>3'],
    ['price:5 OR stock=3', 7, 'price:5 || stock:=3'],
    ['id:=a OR stock > 3', 5, 'id:=a || stock:>3'],
    ['brand:=[a, Nike OR stock:3]', 12, 'brand:=[a, Nike] || stock:3'],
    ['price:[>5 AND stock > 3]', 9, 'price:[>5] && stock:>3'],
    ['brand:=a AND OR AND stock > 3', 8, 'brand:=a AND OR && stock:>3'],
  ] as const) {
    test(`${text} is refused for ${meant}`, () => {
      const { message } = refusal(() => parse(text), 'invalid_filter')
      assert.ok(message.includes(`column ${column}: the value \``), message)
      assert.ok(message.includes(`Write \`${meant}\`, or put`), message)
      if (!meant.includes('weight')) parse(meant)
    })
  }

  test('a star that is not at the end gives a warning', () => {
    for (const text of ['brand:=*phone', 'brand:=i*e', 'title:*shoe', 'brand:=[a,b*c]']) {
      assert.match(warningsOf(text)[0] ?? '', /only at the end of/, text)
    }
  })

  test('values are not suspected without reason', () => {
    for (const text of [
      'brand:="Nike, price:=5"',
      'brand:=`a && b`',
      'brand:=12:30',
      'brand:=http://example.com',
      'brand:=Note: this',
      'brand:=Nike && price:=5',
      'brand:=Rock & Roll',
      'brand:=Rock AND Roll',
      'brand:=Rock and Roll = Life',
      'brand:=`Nike AND price > 5`',
      'brand:=Nike AND > 5',
      'brand:=St*',
      'serial:>2024-05-31T10:00:00Z',
      'title:a*',
    ]) {
      assert.deepEqual(warningsOf(text), [], text)
    }
  })

  test('hints are few, short and fast', () => {
    const many = Array.from({ length: 50 }, () => 'brand:=x:=y').join(' || ')
    assert.equal(warningsOf(many).length, 5)
    const long = 'x'.repeat(9_000)
    assert.ok(warningsOf(`brand:=${long} price:=${long}`)[0]!.length < 600)
    for (const text of [`brand:=${' '.repeat(20_000)}x`, `brand:=x${' , '.repeat(9_000)}y:=5`]) {
      assert.ok(elapsedMs(() => warningsOf(text)) < 200)
    }
    assert.ok(elapsedMs(() => warningsOf(`brand:=${'ab:'.repeat(6_000)}`)) < 200)
    for (const text of [' AND x', ' AND', ' and not ', ` AND${' '.repeat(99)}`]) {
      const value = `brand:=a${text.repeat(19_000 / text.length)} b`
      assert.ok(elapsedMs(() => warningsOf(value)) < 200)
    }
  })
})
