import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ApiError, SCHEMA_FIELDS_MAX } from '@aisle/contract'
import type { Schema } from '@aisle/engine'
import { checkDocument } from './document-rules.ts'
import { grownSchema } from './field-patterns.ts'
import { toIndexDocument } from './indexed-document.ts'
import { checkSchemaFields, mergeSchema } from './schema-rules.ts'

const OBJECTS = [
  { name: 'specs', type: 'object' },
  { name: 'variants', type: 'object[]' },
]
const defined = (fields: readonly object[], current?: Schema): Schema =>
  mergeSchema(current, 'additive', checkSchemaFields(fields)).schema
const schema = defined([
  ...OBJECTS,
  { name: 'specs.*', type: 'auto', searchable: true, facet: true, sort: true },
  { name: 'specs.size', type: 'int32', facet: true },
  { name: 'variants.*', type: 'auto', facet: true },
])
const check = (data: unknown, by = schema) =>
  checkDocument(Buffer.from(typeof data === 'string' ? data : JSON.stringify(data)), 'x', by)
const addedBy = (data: unknown) =>
  check(data).schema.fields.flatMap(({ name, type, declaredType, pattern, ...field }) => {
    const roles = (['searchable', 'facet', 'sort'] as const).filter((role) => field[role])
    return pattern === undefined ? [] : [[name, declaredType ?? type, roles.join()]]
  })

suite('patterns of fields', () => {
  test('a member has the type of its first value, and the roles that this type can have', () => {
    assert.deepEqual(
      addedBy(
        '{"specs":{"text":"a","day":"2026-01-31","whole":1,"part":1.5,"huge":9007199254740993,"is":true,"texts":["a","b"],"numbers":[1,2.5],"flags":[true],"none":null,"empty":[],"size":3}}',
      ),
      [
        ['specs.text', 'string', 'searchable,facet,sort'],
        ['specs.day', 'string', 'searchable,facet,sort'],
        ['specs.whole', 'float', 'facet,sort'],
        ['specs.part', 'float', 'facet,sort'],
        ['specs.huge', 'int64', 'facet,sort'],
        ['specs.is', 'bool', 'facet,sort'],
        ['specs.texts', 'string[]', 'searchable,facet'],
        ['specs.numbers', 'float[]', 'facet'],
        ['specs.flags', 'bool[]', 'facet'],
      ],
    )
  })

  test('objects are added with their members; fields below a list are not sortable', () => {
    assert.deepEqual(
      addedBy({
        specs: { box: { w: 1 }, parts: [{ n: 'a' }, { n: 'b', k: 2 }] },
        variants: [{ c: 'red' }],
      }),
      [
        ['specs.box', 'object', ''],
        ['specs.box.w', 'float', 'facet,sort'],
        ['specs.parts', 'object[]', ''],
        ['specs.parts.n', 'string', 'searchable,facet'],
        ['specs.parts.k', 'float', 'facet'],
        ['variants.c', 'string', 'facet'],
      ],
    )
  })

  test('the values of elements are those of their list and of each element', () => {
    const { values, schema: grown } = check({ variants: [{ c: 'red' }, { c: 'blue', n: 1 }] })
    const c = grown.fields.findIndex(({ name }) => name === 'variants.c')
    assert.deepEqual(values[c], ['red', 'blue'])
    assert.deepEqual(values[1], [
      new Map([[c, 'red']]),
      new Map<number, unknown>([
        [c, 'blue'],
        [c + 1, 1],
      ]),
    ])
  })

  const refused: [string, unknown, string, RegExp][] = [
    [
      'a type conflict in one document',
      { variants: [{ c: 'red' }, { c: ['x'] }] },
      'invalid_type',
      /"variants\[1\]\.c" must be string, received \["x"\] \(its first value decided; "variants\.\*" is auto\)/,
    ],
    [
      'a mixed list',
      { specs: { a: [1, 'x'] } },
      'invalid_type',
      /"specs\.a" cannot become a field/,
    ],
    ['a list in a list', { specs: { a: [[1]] } }, 'invalid_type', /cannot become a field/],
    ['a null in a list', { specs: { a: ['x', null] } }, 'invalid_type', /cannot become a field/],
    [
      'a name with a dot',
      { specs: { 'a.b': 1 } },
      'unknown_field',
      /"specs\.a\.b" is not in the schema, and pattern "specs\.\*" cannot add it/,
    ],
    ['an empty name', { specs: { '': 1 } }, 'unknown_field', /cannot add it/],
    ['the name of the pattern', { specs: { '*': 1 } }, 'unknown_field', /cannot add it/],
    ['a name that breaks objects', '{"specs":{"__proto__":1}}', 'unknown_field', /cannot add it/],
    ['a long name', { specs: { ['x'.repeat(128)]: 1 } }, 'unknown_field', /at most 128/],
    [
      'a declared field of another type',
      { specs: { size: 'M' } },
      'invalid_type',
      /must be int32, received "M"/,
    ],
    [
      'a member of no object',
      { 'specs.text': 'a' },
      'unknown_field',
      /"specs\.text" is a member of object "specs"/,
    ],
    ['text that is not Unicode', '{"specs":{"a":"\\ud800"}}', 'invalid_unicode', /well-formed/],
  ]
  for (const [what, data, code, message] of refused) {
    test(`${what} is refused with ${code}`, () => {
      assert.throws(
        () => check(data),
        (error) => {
          assert.ok(error instanceof ApiError)
          assert.match(error.message, message)
          return error.code === code
        },
      )
    })
  }

  test('an empty list is not a value, before and after its field exists', () => {
    const { schema: grown } = check({ specs: { a: 'x' } })
    assert.deepEqual(
      check({ specs: { a: [] } }, grown).values.filter((one) => one !== undefined),
      [],
    )
  })

  test('a pattern with a type accepts only that type, and texts also as numbers and booleans', () => {
    const labels = defined([
      { name: 'labels', type: 'object' },
      { name: 'labels.*', type: 'string', facet: true },
    ])
    assert.equal(check({ labels: { de: 'rot' } }, labels).schema.fields[1]!.type, 'string')
    assert.deepEqual(check({ labels: { de: 5, fr: true } }, labels).values.slice(1), ['5', 'true'])
    for (const value of [{ a: 'x' }, ['x']]) {
      assert.throws(() => check({ labels: { de: value } }, labels), /"labels\.de" must be string/)
    }
  })

  test('an index that does not know a field yet accepts the rest of the document', () => {
    const { values } = toIndexDocument(
      { docKey: 1, id: 'x', json: Buffer.from('{"specs":{"size":3,"a":1}}') },
      schema,
    )
    assert.deepEqual(values, [undefined, undefined, 3, undefined].slice(0, schema.fields.length))
  })

  test('fields that others have added meanwhile stay, and fields without their pattern are omitted', () => {
    const theirs = check({ specs: { a: 1 } }).schema
    const ours = check({ specs: { a: 'x', b: 'y' } }).schema
    const grown = grownSchema(theirs, ours)
    assert.deepEqual(
      grown.fields.slice(schema.fields.length).map(({ name, type }) => [name, type]),
      [
        ['specs.a', 'float'],
        ['specs.b', 'string'],
      ],
    )
    assert.equal(grownSchema(grown, ours), grown)
    const bare = defined(OBJECTS)
    assert.equal(grownSchema(bare, ours), bare)
  })

  test('a schema is never larger than its limit', () => {
    const many = Array.from({ length: SCHEMA_FIELDS_MAX - 6 }, (_, i) => ({
      name: `f${i}`,
      type: 'bool',
    }))
    const full = defined(many, schema)
    assert.throws(
      () => check({ specs: { a: 1, b: 1, c: 1, d: 1 } }, full),
      /already has 500 fields/,
    )
  })
})

suite('patterns in schema requests', () => {
  const bad: [string, object[], RegExp][] = [
    [
      'auto is for patterns',
      [{ name: 'a', type: 'auto' }],
      /only a pattern such as "specs\.\*" can have "type" auto/,
    ],
    ['a pattern of no object', [{ name: 'a.*', type: 'auto' }], /"a" must be declared as object/],
    [
      'a pattern of objects',
      [...OBJECTS, { name: 'specs.*', type: 'object' }],
      /a pattern cannot be an object/,
    ],
    [
      'an order by elements',
      [...OBJECTS, { name: 'variants.*', type: 'auto', sort: true }],
      /cannot be sorted by a field of the elements/,
    ],
    [
      'an order by lists',
      [...OBJECTS, { name: 'specs.*', type: 'string[]', sort: true }],
      /cannot be sorted by an array/,
    ],
    [
      'a language of numbers',
      [...OBJECTS, { name: 'specs.*', type: 'float', language: 'de' }],
      /only searchable text/,
    ],
    [
      'a field of no pattern',
      [...OBJECTS, { name: 'specs.a', type: 'bool', pattern: 'specs.*' }],
      /the schema has no pattern "specs\.\*" that adds it/,
    ],
    [
      'a pattern that is not a name',
      [...OBJECTS, { name: 'specs.a', type: 'bool', pattern: 1 }],
      /must be the name of a pattern/,
    ],
  ]
  for (const [what, fields, message] of bad) {
    test(`${what}: refused`, () => {
      assert.throws(
        () => defined(fields),
        (error) => {
          assert.ok(error instanceof ApiError)
          assert.match(error.message, message)
          return error.code === 'invalid_schema'
        },
      )
    })
  }

  test('without an object such a name is a plain one, as before', () => {
    const plain = defined([{ name: 'a.*', type: 'string' }])
    assert.equal(plain.patterns, undefined)
    assert.equal(check({ 'a.*': 'x' }, plain).schema, plain)
  })

  test('a pattern does not change, and can come after its object', () => {
    const later = defined([{ name: 'specs.*', type: 'float' }], defined(OBJECTS))
    assert.deepEqual(later.patterns, [
      {
        name: 'specs.*',
        object: 'specs',
        type: 'float',
        searchable: false,
        facet: false,
        sort: false,
      },
    ])
    const again = mergeSchema(
      later,
      'additive',
      checkSchemaFields([{ name: 'specs.*', type: 'auto' }]),
    )
    assert.equal(again.schema, later)
    assert.deepEqual(again.change.warnings, [
      'Field "specs.*" stays float: mode "change" can make it auto',
    ])
  })

  test('a field that is declared later no longer belongs to a pattern', () => {
    const { schema: grown } = check({ specs: { a: 'x' } })
    const field = { name: 'specs.a', type: 'string', searchable: true, facet: true, sort: true }
    assert.equal(grown.fields.at(-1)!.pattern, 'specs.*')
    assert.equal(defined([{ ...field, pattern: 'specs.*' }], grown), grown)
    const declared = defined([field], grown)
    assert.deepEqual(declared.fields.at(-1), field)
    assert.deepEqual(declared.patterns, grown.patterns)
  })
})
