import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { ErrorCode } from '@aisle/contract'
import type { FilterNode } from '@aisle/engine'
import { checkSchemaFields, mergeSchema } from '../documents/schema-rules.ts'
import { plainAnalyzer, refusal } from '../plan/plan-fixture.ts'
import { parseFilter } from './filter-parser.ts'
import { parseFiltersObject } from './filters-object.ts'

const { schema } = mergeSchema(
  undefined,
  'additive',
  checkSchemaFields([
    { name: 'variants', type: 'object[]' }, // 0
    { name: 'variants.color', type: 'string', facet: true }, // 1
    { name: 'variants.size', type: 'string', facet: true }, // 2
    { name: 'variants.price', type: 'float', facet: true }, // 3
    { name: 'variants.note', type: 'string', searchable: true }, // 4
    { name: 'variants.maker', type: 'object' }, // 5
    { name: 'variants.maker.city', type: 'string', facet: true }, // 6
    { name: 'variants.stocks', type: 'object[]' }, // 7
    { name: 'variants.stocks.count', type: 'int32', facet: true }, // 8
    { name: 'box', type: 'object' }, // 9
    { name: 'box.width', type: 'int32', sort: true }, // 10
    { name: 'brand', type: 'string', facet: true }, // 11
    { name: 'variants.id', type: 'string', facet: true }, // 12
  ]),
)

const parse = (text: string) => parseFilter(text, schema, plainAnalyzer)
const object = (value: unknown) => parseFiltersObject(value, schema, plainAnalyzer)
const eq = (field: number, value: string | number): FilterNode => ({ kind: 'equals', field, value })
const and = (...nodes: FilterNode[]): FilterNode => ({ kind: 'and', nodes })
const or = (...nodes: FilterNode[]): FilterNode => ({ kind: 'or', nodes })
const not = (node: FilterNode): FilterNode => ({ kind: 'not', node })
const one = (node: FilterNode): FilterNode => ({ kind: 'elements', field: 0, node })

suite('filters on objects', () => {
  for (const [text, tree] of [
    ['variants.color:=red', eq(1, 'red')],
    ['variants:{color:=red}', one(eq(1, 'red'))],
    ['variants:{color:=red && size:=[M,L]}', one(and(eq(1, 'red'), or(eq(2, 'm'), eq(2, 'l'))))],
    [
      'variants : { color : =red and size:=M } && brand:=x',
      and(one(and(eq(1, 'red'), eq(2, 'm'))), eq(11, 'x')),
    ],
    ['!variants:{color:=red || size:!=M}', not(one(or(eq(1, 'red'), not(eq(2, 'm')))))],
    [
      'variants:{color:="a}b" && (price:3 || !size:=M)}',
      one(and(eq(1, 'a}b'), or(eq(3, 3), not(eq(2, 'm'))))),
    ],
    ['variants:{maker:{city:=Oslo} && maker.city:=Rome}', one(and(eq(6, 'oslo'), eq(6, 'rome')))],
    ['variants:{stocks.count:3}', one(eq(8, 3))],
    ['variants:{id:=7}', one(eq(12, '7'))],
    ['variants:exists', one(and())],
    ['variants:null', not(one(and()))],
    ['box:{width:3}', eq(10, 3)],
    ['brand:=a}b', eq(11, 'a}b')],
  ] as const) {
    test(`${text} is understood`, () => assert.deepEqual(parse(text), tree))
  }

  for (const [text, code, message] of [
    ['variants:red', 'invalid_filter', /field `variants` is object\[\]: expected `variants:\{…\}`/],
    ['box:exists', 'invalid_filter', /field `box` is object/],
    ['variants:{color:=red', 'invalid_filter', /column 21: expected .*`\}`/],
    ['variants:{}', 'invalid_filter', /column 11: expected a field name/],
    [
      'variants:{colour:=red}',
      'unknown_field',
      /column 11: Field `variants.colour` .* `variants.color`/,
    ],
    ['variants:{brand:=x}', 'unknown_field', /Field `variants.brand` is not in the schema/],
    ['variants:{note:red}', 'field_not_filterable', /cannot be filtered by element/],
    ['variants.stocks:{count:3}', 'invalid_filter', /nested in another list of objects/],
    ['variants:{stocks:{count:3}}', 'invalid_filter', /nested in another list of objects/],
    ['variants:{color:=red}}', 'invalid_filter', /./],
  ] as const satisfies readonly (readonly [string, ErrorCode, RegExp])[]) {
    test(`${text} is refused`, () =>
      assert.match(refusal(() => parse(text), code).message, message))
  }

  for (const [value, text] of [
    [{ variants: { color: 'red', size: ['M', 'L'] } }, 'variants:{color:=red && size:=[M,L]}'],
    [{ variants: { price: { min: 3 } } }, 'variants:{price:>=3}'],
    [
      { variants: { maker: { city: 'Oslo' }, color: 'red' } },
      'variants:{maker.city:=Oslo && color:=red}',
    ],
    [
      { variants: [{ color: 'red' }, { color: 'blue' }] },
      'variants:{color:=red} || variants:{color:=blue}',
    ],
    [{ variants: { exists: true } }, 'variants:exists'],
    [{ variants: { exists: false } }, 'variants:null'],
    [
      { variants: { color: 'red', not: { size: 'M' } } },
      'variants:{color:=red} && !variants:{size:=M}',
    ],
    [{ variants: { size: { not: 'M' } } }, 'variants:{size:!=M}'],
    [{ box: { width: 3 } }, 'box:{width:3}'],
    [{ 'variants.color': 'red' }, 'variants.color:=red'],
  ] as const) {
    test(`${JSON.stringify(value)} is ${text}`, () => assert.deepEqual(object(value), parse(text)))
  }

  for (const [value, code, param] of [
    [{ variants: 'red' }, 'invalid_filter', 'filters.variants'],
    [{ variants: {} }, 'invalid_filter', 'filters.variants'],
    [{ variants: [3] }, 'invalid_filter', 'filters.variants[0]'],
    [{ variants: { colour: 'red' } }, 'unknown_field', 'filters.variants.colour'],
    [{ variants: { note: 'red' } }, 'field_not_filterable', 'filters.variants.note'],
    [{ variants: { exists: 'yes' } }, 'invalid_filter', 'filters.variants.exists'],
    [{ variants: { stocks: { count: 3 } } }, 'invalid_filter', 'filters.variants.stocks'],
    [{ box: { exists: true } }, 'unknown_field', 'filters.box.exists'],
  ] as const) {
    test(`${JSON.stringify(value)} is refused`, () =>
      assert.equal(refusal(() => object(value), code).param, param))
  }
})
