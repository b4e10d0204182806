import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ApiError, FILTER_CLAUSES_MAX, FILTER_VALUES_MAX, type ErrorCode } from '@aisle/contract'
import fc from 'fast-check'
import { parseFilter } from './filter-parser.ts'
import { parseFiltersObject } from './filters-object.ts'
import { elapsedMs, plainAnalyzer, refusal, shopSchema } from '../plan/plan-fixture.ts'

const parse = (value: unknown) => parseFiltersObject(value, shopSchema, plainAnalyzer)
const expression = (text: string) => parseFilter(text, shopSchema, plainAnalyzer)

suite('the filters object', () => {
  test('a value that contains a condition is compared literally, with a warning that names it', () => {
    const warnings = (value: object): string[] => {
      const found: string[] = []
      parseFiltersObject(value, shopSchema, plainAnalyzer, undefined, (one) => found.push(one))
      return found
    }
    for (const [value, param, text, symbol] of [
      [{ brand: 'Harbor category:=Bags' }, 'brand', 'Harbor category:=Bags', ':='],
      [{ brand: ['Nike', 'Harbor && stock:1'] }, 'brand[1]', 'Harbor && stock:1', '&&'],
      [{ brand: { not: 'Marks || Spencer' } }, 'brand.not', 'Marks || Spencer', '||'],
      [{ brand: 'a stock:>5' }, 'brand', 'a stock:>5', ':>'],
    ] as const) {
      assert.deepEqual(warnings(value), [
        `filters.${param}: the value \`${text}\` contains \`${symbol}\` and is compared literally. Put conditions on other fields into separate members, or into \`filter_by\``,
      ])
    }
    for (const brand of [
      'Marks & Spencer',
      'A&&B',
      'Ratio 16:9',
      'stock: low',
      'Café Noir',
      'a | b',
    ]) {
      assert.deepEqual(warnings({ brand }), [], brand)
    }
    assert.deepEqual(warnings({ price: { min: '1', max: 2 } }), [])
    assert.equal(warnings({ brand: Array.from({ length: 9 }, (_, i) => `x${i} a:=b`) }).length, 5)
  })

  test('it becomes the tree of the equivalent expression', () => {
    for (const [object, text] of [
      [{ price: { min: 10, max: 20 } }, 'price:[10..20]'],
      [{ price: { min: 10 } }, 'price:>=10'],
      [{ price: { gte: 10, lt: 20.5 } }, 'price:[10..20.5]'],
      [{ price: { gt: 10 } }, 'price:>10'],
      [{ price: { lte: 20 } }, 'price:<=20'],
      [{ price: { gt: 5, min: 10, gte: 7 } }, 'price:>=10'],
      [{ price: { gt: 10, min: 10 } }, 'price:>10'],
      [{ price: { lt: 10, max: 12, lte: 11 } }, 'price:<10'],
      [{ price: { min: 10, max: null } }, 'price:[10..]'],
      [{ price: { min: null, max: null } }, 'price:[..]'],
      [{ price: 5 }, 'price:5'],
      [{ price: [5, 6.5, { min: 10, max: 20 }] }, 'price:[5,6.5,10..20]'],
      [{ brand: 'Café Noir' }, 'brand:="Café Noir"'],
      [{ brand: 'a && b:c' }, 'brand:="a && b:c"'],
      [{ brand: ['Nike', 'Adidas'] }, 'brand:=[Nike,Adidas]'],
      [{ brand: ['Nike'] }, 'brand:=Nike'],
      [{ brand: { not: 'Nike' } }, 'brand:!=Nike'],
      [{ brand: { not: ['Nike', 'Adidas'] } }, 'brand:!=[Nike,Adidas]'],
      [{ price: { not: { min: 5 } } }, '!price:>=5'],
      [{ price: { min: 1, not: 5 } }, 'price:>=1 && price:!=5'],
      [{ brand: { exists: true } }, 'brand:exists'],
      [{ description: { exists: false } }, 'description:null'],
      [{ in_stock: true, stock: 3 }, 'in_stock:true && stock:3'],
      [{ in_stock: 'false' }, 'in_stock:false'],
      [{ stock: '3', price: '1e1' }, 'stock:3 && price:10'],
      [{ serial: '9223372036854775807' }, 'serial:9223372036854775807'],
      [{ serial: 9223372036854775807n }, 'serial:9223372036854775807'],
      [{ serial: { gt: '9007199254740993' } }, 'serial:>9007199254740993'],
      [{ serial: { min: '2024-01-01' } }, 'serial:>=2024-01-01'],
      [{ serial: Number.MAX_SAFE_INTEGER }, 'serial:9007199254740991'],
      [{ stock: 1.5 }, 'stock:1.5'],
      [{ id: 'a' }, 'id:a'],
      [{ id: ['a', 7, 'a'] }, 'id:[a,7]'],
      [{ id: { not: ['a'] } }, 'id:!=a'],
      [{ stock: { max: 9_999_999_999 } }, 'stock:<=9999999999'],
      [{ stock: 2 ** 31 }, 'stock:2147483648'],
      [{ serial: { lt: 1e30 } }, 'serial:<1e30'],
      [{ serial: '9223372036854775808' }, 'serial:9223372036854775808'],
      [{ price: { gt: JSON.parse('-1e400') as number } }, 'price:>-1e400'],
      [{ brand: [], stock: 3 }, 'stock:3'],
      [{ brand: { not: [], exists: true } }, 'brand:exists'],
      [{ brand: 'ni*' }, 'brand:="ni*"'],
      [{ brand: 'a "b" `c` \\' }, 'brand:="a \\"b\\" `c` \\\\"'],
    ] as const) {
      const tree = parse(object)
      const expected = expression(text)
      // `[10, 20.5)` has no bracket form, so this row is compared with an explicit bound.
      const isHalfOpen = 'price' in object && JSON.stringify(object).includes('20.5')
      assert.deepEqual(
        tree,
        isHalfOpen && expected.kind === 'range' ? { ...expected, highInclusive: false } : expected,
        text,
      )
    }
  })

  test('an empty object is no filter, and an empty list is not a condition', () => {
    assert.equal(parse(undefined), undefined)
    assert.equal(parse(null), undefined)
    assert.equal(parse({}), undefined)
    for (const list of [[], { not: [] }, [{ not: [] }], { not: { not: [] } }]) {
      assert.equal(parse({ stock: list }), undefined, JSON.stringify(list))
    }
    assert.equal(parse({ id: [], brand: [] }), undefined)
    assert.equal(parse({ id: { not: [] } }), undefined)
    refusal(() => parse({ colour: [] }), 'unknown_field')
    refusal(() => parse({ image: [] }), 'field_not_filterable')
  })

  test('invalid filters are rejected, with the place', () => {
    for (const [object, param, code] of [
      [[], 'filters', 'invalid_parameter'],
      ['brand:x', 'filters', 'invalid_parameter'],
      [{ price: { foo: 1 } }, 'filters.price.foo', 'invalid_filter'],
      [{ price: { min: 1, constructor: 2 } }, 'filters.price.constructor', 'invalid_filter'],
      [JSON.parse('{"price":{"__proto__":1}}'), 'filters.price.__proto__', 'invalid_filter'],
      [JSON.parse('{"__proto__":1}'), 'filters.__proto__', 'unknown_field'],
      [{ price: {} }, 'filters.price', 'invalid_filter'],
      [{ price: { min: 20, max: 10 } }, 'filters.price', 'invalid_filter'],
      [{ price: { min: 'x' } }, 'filters.price.min', 'invalid_filter'],
      [{ price: { min: true } }, 'filters.price.min', 'invalid_filter'],
      [{ price: { min: [] } }, 'filters.price.min', 'invalid_filter'],
      [{ price: null }, 'filters.price', 'invalid_filter'],
      [{ price: [[1]] }, 'filters.price[0]', 'invalid_filter'],
      [{ price: [1, null] }, 'filters.price[1]', 'invalid_filter'],
      [{ price: { exists: 1 } }, 'filters.price.exists', 'invalid_filter'],
      [{ brand: 5 }, 'filters.brand', 'invalid_filter'],
      [{ brand: { min: 1 } }, 'filters.brand.min', 'invalid_filter'],
      [{ brand: { min: null } }, 'filters.brand', 'invalid_filter'],
      [{ in_stock: 1 }, 'filters.in_stock', 'invalid_filter'],
      [{ in_stock: { gt: true } }, 'filters.in_stock.gt', 'invalid_filter'],
      [{ serial: 2 ** 53 }, 'filters.serial', 'invalid_filter'],
      [{ pirce: 1 }, 'filters.pirce', 'unknown_field'],
      [{ description: 'x' }, 'filters.description', 'field_not_filterable'],
      [{ image: { exists: true } }, 'filters.image', 'field_not_filterable'],
      [{ id: { min: 1 } }, 'filters.id.min', 'invalid_filter'],
      [{ id: true }, 'filters.id', 'invalid_filter'],
    ] as readonly (readonly [unknown, string, ErrorCode])[]) {
      assert.equal(refusal(() => parse(object), code).param, param)
    }
    assert.match(refusal(() => parse({ pirce: 1 }), 'unknown_field').message, /`price`\?/)
  })

  test('fields, values and levels are bounded', () => {
    const fields = Object.fromEntries(
      Array.from({ length: FILTER_CLAUSES_MAX + 1 }, (_, i) => [`f${i}`, 1]),
    )
    refusal(() => parse(fields), 'invalid_filter')
    const values = Array.from({ length: FILTER_VALUES_MAX + 1 }, (_, i) => i)
    refusal(() => parse({ stock: values }), 'invalid_filter')
    refusal(() => parse({ id: values }), 'invalid_filter')
    let deep: unknown = 1
    for (let level = 0; level < 10_000; level++) deep = { not: deep }
    assert.ok(elapsedMs(() => refusal(() => parse({ stock: deep }), 'invalid_filter')) < 500)
  })

  test('any JSON value gives a tree or a documented refusal', () => {
    const operators = ['id', 'min', 'max', 'gt', 'lt', 'not', 'exists', '__proto__', 'x']
    const names = shopSchema.fields.map((field) => field.name)
    const key = fc.constantFrom(...names, ...operators)
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null)),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4 }),
      ),
    }))
    fc.assert(
      fc.property(fc.dictionary(key, value, { maxKeys: 3 }), (object) => {
        try {
          parse(object)
        } catch (error) {
          if (!(error instanceof ApiError)) throw error
          assert.equal(error.status, 400)
        }
      }),
      { numRuns: 3_000 },
    )
  })
})
