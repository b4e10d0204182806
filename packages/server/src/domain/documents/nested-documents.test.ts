import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ApiError, OBJECT_ELEMENTS_MAX } from '@aisle/contract'
import { checkDocument } from './document-rules.ts'
import { checkSchemaFields, mergeSchema } from './schema-rules.ts'

const { schema } = mergeSchema(
  undefined,
  'additive',
  checkSchemaFields([
    { name: 'variants', type: 'object[]' }, // 0
    { name: 'variants.color', type: 'string', facet: true }, // 1
    { name: 'variants.sizes', type: 'string[]', facet: true }, // 2
    { name: 'variants.maker', type: 'object' }, // 3
    { name: 'variants.maker.city', type: 'string', facet: true }, // 4
    { name: 'variants.prices', type: 'object[]' }, // 5
    { name: 'variants.prices.amount', type: 'float', facet: true }, // 6
    { name: 'box', type: 'object' }, // 7
    { name: 'box.width', type: 'int32', sort: true }, // 8
    { name: 'box.label.text', type: 'string' }, // 9
    { name: 'box.label', type: 'object' }, // 10
    { name: 'plain.name', type: 'string' }, // 11
  ]),
)

const valuesOf = (data: unknown) => {
  const { values } = checkDocument(Buffer.from(JSON.stringify(data)), 'x', schema)
  return Object.fromEntries([...values.entries()].filter(([, value]) => value !== undefined))
}

suite('documents with objects', () => {
  test('each element has its own values, and the document those of all elements', () => {
    assert.deepEqual(
      valuesOf({
        variants: [
          { color: 'red', sizes: ['M', 'L'], prices: [{ amount: 1 }, { amount: 2.5 }] },
          { color: 'blue', maker: { city: 'Oslo' }, sizes: [] },
          { color: null, prices: [{}] },
        ],
        'plain.name': 'x',
        box: { width: 3, label: { text: 'a' } },
      }),
      {
        0: [
          new Map<number, unknown>([
            [1, 'red'],
            [2, ['M', 'L']],
            [6, [1, 2.5]],
          ]),
          new Map<number, unknown>([
            [1, 'blue'],
            [4, 'Oslo'],
            [2, []],
          ]),
          new Map(),
        ],
        1: ['red', 'blue'],
        2: ['M', 'L'],
        4: ['Oslo'],
        6: [1, 2.5],
        8: 3,
        9: 'a',
        11: 'x',
      },
    )
    assert.deepEqual(valuesOf({ variants: [], box: null }), { 0: [] })
    assert.deepEqual(valuesOf({ variants: null, box: {} }), {})
  })

  for (const [data, param, code, message] of [
    [{ variants: {} }, 'data.variants', 'invalid_type', /field "variants" must be object\[\]/],
    [
      { variants: [3] },
      'data.variants[0]',
      'invalid_type',
      /"variants\[0\]" must be object, received 3/,
    ],
    [{ box: [] }, 'data.box', 'invalid_type', /field "box" must be object, received \[\]/],
    [
      { variants: [{}, {}, { color: 5 }] },
      'data.variants[2].color',
      'invalid_type',
      /field "variants\[2\]\.color" must be string, received 5/,
    ],
    [
      { variants: [{ sizes: ['M', 1] }] },
      'data.variants[0].sizes',
      'invalid_type',
      /"variants\[0\]\.sizes" must be string\[\], received 1 as element 1/,
    ],
    [
      { variants: [{ prices: [{}, { amount: '1' }] }] },
      'data.variants[0].prices[1].amount',
      'invalid_type',
      /must be float/,
    ],
    [
      { variants: [{ colour: 'red' }] },
      'data.variants[0].colour',
      'unknown_field',
      /"variants\[0\]\.colour" is not in the schema, did you mean "variants\.color"/,
    ],
    [{ box: { width: 2 ** 31 } }, 'data.box.width', 'out_of_range', /out of the range of int32/],
    [{ 'box.width': 3 }, 'data.box.width', 'unknown_field', /write \{"box": \{"width": …\}\}/],
    [{ box: { label: 'a' } }, 'data.box.label', 'invalid_type', /must be object/],
    [{ plain: { name: 'x' } }, 'data.plain', 'unknown_field', /is not in the schema/],
  ] as const) {
    test(`${JSON.stringify(data)} is refused at ${param}`, () => {
      assert.throws(
        () => valuesOf(data),
        (error) => {
          assert.ok(error instanceof ApiError)
          assert.equal(error.code, code)
          assert.equal(error.param, param)
          assert.match(error.message, message)
          return true
        },
      )
    })
  }

  test('the number of elements of a document is limited', () => {
    const of = (count: number) => ({ variants: Array.from({ length: count }, () => ({})) })
    assert.equal((valuesOf(of(OBJECT_ELEMENTS_MAX))[0] as unknown[]).length, OBJECT_ELEMENTS_MAX)
    assert.throws(() => valuesOf(of(OBJECT_ELEMENTS_MAX + 1)), {
      code: 'out_of_range',
      param: 'data.variants',
    })
  })
})
