import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ApiError } from '@aisle/contract'
import { checkSchemaFields, checkSchemaMode, mergeSchema } from './schema-rules.ts'

const defined = (fields: unknown) =>
  mergeSchema(undefined, 'additive', checkSchemaFields(fields)).schema

const roles = { searchable: false, facet: false, sort: false }

function refusalOf(fields: unknown): ApiError {
  try {
    checkSchemaFields(fields)
  } catch (error) {
    assert.ok(error instanceof ApiError)
    return error
  }
  throw new Error(`${JSON.stringify(fields)} was accepted`)
}

suite('schema rules', () => {
  test('fields get the requested roles, false otherwise', () => {
    assert.deepEqual(
      checkSchemaFields([
        { name: 'title', type: 'string', searchable: true, facet: null },
        { name: 'sizes', type: 'int64[]', facet: true },
      ]),
      [
        { name: 'title', type: 'string', ...roles, searchable: true },
        { name: 'sizes', type: 'int64[]', ...roles, facet: true },
      ],
    )
    assert.deepEqual(checkSchemaFields([]), [])
  })

  const bad: [string, unknown, string][] = [
    ['a list that is none', {}, 'fields'],
    [
      'too many fields',
      Array.from({ length: 501 }, (_, i) => ({ name: `f${i}`, type: 'bool' })),
      'fields',
    ],
    ['a field that is not an object', ['title'], 'fields[0]'],
    ['no name', [{ type: 'string' }], 'fields[0].name'],
    ['an empty name', [{ name: '', type: 'string' }], 'fields[0].name'],
    ['a long name', [{ name: 'x'.repeat(129), type: 'string' }], 'fields[0].name'],
    ['a control character', [{ name: 'a\nb', type: 'string' }], 'fields[0].name'],
    ['a reserved name', [{ name: 'id', type: 'string' }], 'fields[0].name'],
    ['a name that breaks objects', [{ name: '__proto__', type: 'string' }], 'fields[0].name'],
    ['a name that is not a string', [{ name: 7, type: 'string' }], 'fields[0].name'],
    ['no type', [{ name: 'a' }], 'fields[0].type'],
    ['an unknown type', [{ name: 'a', type: 'text' }], 'fields[0].type'],
    [
      'a role that is not a boolean',
      [{ name: 'a', type: 'bool', facet: 'yes' }],
      'fields[0].facet',
    ],
    ['an array to sort by', [{ name: 'a', type: 'int32[]', sort: true }], 'fields[0].sort'],
    ['a place to count', [{ name: 'a', type: 'geopoint', facet: true }], 'fields[0].facet'],
    [
      'a place to search',
      [{ name: 'a', type: 'geopoint[]', searchable: true }],
      'fields[0].searchable',
    ],
    ['an unknown key', [{ name: 'a', type: 'bool', index: true }], 'fields[0]'],
    [
      'a name twice',
      [
        { name: 'a', type: 'bool' },
        { name: 'a', type: 'bool' },
      ],
      'fields[1].name',
    ],
  ]
  for (const [what, fields, param] of bad) {
    test(`${what} is invalid_schema`, () => {
      const { code, details } = refusalOf(fields)
      assert.equal(code, 'invalid_schema')
      assert.deepEqual(
        details.map((detail) => detail.param),
        [param],
      )
    })
  }

  test('every problem is listed, up to a limit', () => {
    const { details, message } = refusalOf([
      { name: 'id', type: 'x' },
      { name: 'b', type: 'y' },
    ])
    assert.equal(details.length, 3)
    assert.match(
      message,
      /^Cannot define the schema: the name "id" is reserved; field "id": "type"/,
    )
    assert.equal(refusalOf(Array.from({ length: 500 }, () => 1)).details.length, 100)
  })

  const dress = [
    { name: 'variants', type: 'object[]' },
    { name: 'variants.color', type: 'string', facet: true, searchable: true },
    { name: 'variants.prices', type: 'object[]' },
    { name: 'variants.prices.amount', type: 'float', facet: true },
    { name: 'size', type: 'object' },
    { name: 'size.width', type: 'int32', sort: true },
    { name: 'plain.name', type: 'string' },
  ]

  test('below an object[] field, fields have the values of all elements', () => {
    const { schema } = mergeSchema(undefined, 'additive', checkSchemaFields(dress))
    assert.deepEqual(
      schema.fields.map(({ name, type, declaredType, element }) => ({
        name,
        type,
        ...(element === undefined ? {} : { declaredType, element }),
      })),
      [
        { name: 'variants', type: 'object[]' },
        {
          name: 'variants.color',
          type: 'string[]',
          declaredType: 'string',
          element: { objects: 0, type: 'string' },
        },
        { name: 'variants.prices', type: 'object[]' },
        {
          name: 'variants.prices.amount',
          type: 'float[]',
          declaredType: 'float',
          element: { objects: 0, type: 'float[]' },
        },
        { name: 'size', type: 'object' },
        { name: 'size.width', type: 'int32' },
        { name: 'plain.name', type: 'string' },
      ],
    )
    const again = mergeSchema(schema, 'additive', checkSchemaFields(dress))
    assert.equal(again.schema, schema)
    assert.deepEqual(again.change.warnings, [])
  })

  for (const [what, fields, message] of [
    [
      'a field two levels below an object',
      [
        { name: 'a', type: 'object' },
        { name: 'a.b.c', type: 'string' },
      ],
      /field "a\.b\.c": "a\.b" must be declared as object or object\[\]/,
    ],
    [
      'an order by the elements of an object[]',
      [
        { name: 'a', type: 'object[]' },
        { name: 'a.b', type: 'int32', sort: true },
      ],
      /field "a\.b": results cannot be sorted by a field of the elements of "a"/,
    ],
    ['an object with a role', [{ name: 'a', type: 'object', facet: true }], /cannot be "facet"/],
    ['a list with an order', [{ name: 'a', type: 'object[]', sort: true }], /cannot be "sort"/],
    [
      'an object beside a plain field of its name',
      [{ name: 'plain', type: 'object' }],
      /field "plain\.name" is a plain field, so "plain" cannot become an object/,
    ],
  ] as const) {
    test(`${what} is invalid_schema`, () => {
      const { schema } = mergeSchema(undefined, 'additive', checkSchemaFields(dress))
      assert.throws(() => mergeSchema(schema, 'additive', checkSchemaFields(fields)), {
        code: 'invalid_schema',
        message,
      })
    })
  }

  test('a request without fields, or with an unknown mode, is rejected', () => {
    assert.throws(() => checkSchemaFields(undefined), {
      code: 'missing_parameter',
      param: 'fields',
    })
    assert.throws(() => checkSchemaMode('merge'), { code: 'invalid_parameter', param: 'mode' })
    assert.equal(checkSchemaMode(undefined), 'additive')
    assert.equal(checkSchemaMode('replace'), 'replace')
  })

  test('additive appends, keeps equal fields and warns about different ones', () => {
    const current = defined([
      { name: 'a', type: 'int32' },
      { name: 'b', type: 'bool' },
    ])
    const fields = checkSchemaFields([
      { name: 'c', type: 'string', searchable: true },
      { name: 'a', type: 'int32' },
      { name: 'b', type: 'bool', facet: true },
    ])
    const { schema, change } = mergeSchema(current, 'additive', fields)
    assert.deepEqual(
      schema.fields.map((field) => field.name),
      ['a', 'b', 'c'],
    )
    assert.equal(schema.fields[1]!.facet, false)
    assert.deepEqual(change, {
      fieldsAdded: ['c'],
      fieldsUnchanged: ['a', 'b'],
      warnings: ['Field "b" stays bool: mode "change" can make it bool (facet)'],
    })
    const again = mergeSchema(schema, 'additive', fields)
    assert.equal(again.schema, schema)
    assert.deepEqual(again.change.fieldsAdded, [])
  })

  test('replace starts over, and a first schema is all new', () => {
    const fields = checkSchemaFields([{ name: 'a', type: 'string' }])
    const current = defined([{ name: 'a', type: 'int32' }])
    const expected = {
      schema: { fields },
      change: { fieldsAdded: ['a'], fieldsUnchanged: [], warnings: [] },
    }
    assert.deepEqual(mergeSchema(current, 'replace', fields), expected)
    assert.deepEqual(mergeSchema(undefined, 'additive', fields), expected)
  })

  test('a schema never exceeds the limit', () => {
    const many = (prefix: string, length: number) =>
      checkSchemaFields(Array.from({ length }, (_, i) => ({ name: `${prefix}${i}`, type: 'bool' })))
    const current = mergeSchema(undefined, 'additive', many('a', 500)).schema
    assert.throws(() => mergeSchema(current, 'additive', many('b', 1)), { code: 'invalid_schema' })
    assert.equal(mergeSchema(current, 'replace', many('b', 500)).schema.fields.length, 500)
  })
})
