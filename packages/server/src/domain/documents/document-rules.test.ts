import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ApiError, DOCUMENT_MAX_BYTES } from '@aisle/contract'
import { FIELD_TYPES, fieldValue, packPlace } from '@aisle/engine'
import type { FieldValue } from '@aisle/engine'
import fc from 'fast-check'
import { checkDocument, checkDocumentId, dataIdOf } from './document-rules.ts'
import { checkSchemaFields, mergeSchema } from './schema-rules.ts'

/** Vectors are tested in `http/test/vectors.test.ts`. */
const TYPES = FIELD_TYPES.filter((type) => type !== 'vector')
type FieldType = (typeof TYPES)[number]

/** One field of each type, named for it: `int32`, `int32s` … */
const nameOf = (type: FieldType): string => type.replace('[]', 's')
const { schema } = mergeSchema(
  undefined,
  'additive',
  checkSchemaFields(TYPES.map((type) => ({ name: nameOf(type), type }))),
)

function check(json: string, id: string | undefined = 'x') {
  return checkDocument(Buffer.from(json), id, schema)
}

function valueOf(type: FieldType, valueJson: string): FieldValue | undefined {
  const { values } = check(`{"${nameOf(type)}":${valueJson}}`)
  return fieldValue(values, TYPES.indexOf(type))
}

function refusalOf(run: () => unknown): ApiError {
  try {
    run()
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error))
    return error
  }
  throw new Error('it was accepted')
}

suite('document rules', () => {
  const good: [FieldType, string, FieldValue | undefined][] = [
    ['string', '"caf\\u00e9 \\n"', 'café \n'],
    ['string', '""', ''],
    ['string', 'null', undefined],
    ['int32', '-2147483648', -2147483648],
    ['int32', '2147483647', 2147483647],
    ['int32', '1.0', 1],
    ['int32', '1e3', 1000],
    ['int32', '-0', 0],
    ['int32', '12.50e2', 1250],
    ['int64', '9223372036854775807', 9223372036854775807n],
    ['int64', '-9223372036854775808', -9223372036854775808n],
    ['int64', '9007199254740993', 9007199254740993n],
    ['int64', '9007199254740993.000', 9007199254740993n],
    ['int64', '0', 0n],
    ['int64', '0e999999999999', 0n],
    ['float', '1', 1],
    ['float', '-1.5e-3', -0.0015],
    ['float', '-0.0', 0],
    ['float', '123456789012', 123456789012],
    ['float', '1e-400', 0],
    ['bool', 'true', true],
    ['bool', 'false', false],
    ['string[]', '["a","","b"]', ['a', '', 'b']],
    ['string[]', '[]', []],
    ['int32[]', '[1, 2.0]', [1, 2]],
    ['int64[]', '[9007199254740993]', [9007199254740993n]],
    ['float[]', '[1,2.5]', [1, 2.5]],
    ['bool[]', '[true,false]', [true, false]],
    ['geopoint', '[48.85, 2.35]', packPlace({ lat: 48.85, lon: 2.35 })],
    ['geopoint', '{"lon": -180, "lat": 9e1}', packPlace({ lat: 90, lon: -180 })],
    ['geopoint', '{"lat": -90, "lng": 180}', packPlace({ lat: -90, lon: 180 })],
    ['geopoint', 'null', undefined],
    ['geopoint[]', '[]', []],
    [
      'geopoint[]',
      '[[1, 2], {"lat": 3, "lon": 4}]',
      [packPlace({ lat: 1, lon: 2 }), packPlace({ lat: 3, lon: 4 })],
    ],
  ]
  for (const [type, json, value] of good) {
    test(`${json} is a ${type}`, () => assert.deepEqual(valueOf(type, json), value))
  }

  const bad: [FieldType, string, string][] = [
    ['string', '1', 'invalid_type'],
    ['string', '["a"]', 'invalid_type'],
    ['string', '{}', 'invalid_type'],
    ['string', '"\\ud800"', 'invalid_unicode'],
    ['int32', '"1"', 'invalid_type'],
    ['int32', '1.5', 'invalid_type'],
    ['int32', '1e-1', 'invalid_type'],
    ['int32', '2147483648', 'out_of_range'],
    ['int32', '-2147483649', 'out_of_range'],
    ['int32', '1e400', 'out_of_range'],
    ['int32', 'true', 'invalid_type'],
    ['int64', '9223372036854775808', 'out_of_range'],
    ['int64', '-9223372036854775809', 'out_of_range'],
    ['int64', '9007199254740993.5', 'invalid_type'],
    ['float', '1e400', 'out_of_range'],
    ['float', '"12,90"', 'invalid_type'],
    ['bool', '1', 'invalid_type'],
    ['bool', '"true"', 'invalid_type'],
    ['string[]', '"a"', 'invalid_type'],
    ['string[]', '["a",null]', 'invalid_type'],
    ['string[]', '["a","\\udc00"]', 'invalid_unicode'],
    ['int32[]', '[[1]]', 'invalid_type'],
    ['int32[]', '[2147483648]', 'out_of_range'],
    ['geopoint', '"48.85, 2.35"', 'invalid_type'],
    ['geopoint', '[48.85]', 'invalid_type'],
    ['geopoint', '[48.85, 2.35, 7]', 'invalid_type'],
    ['geopoint', '["48.85", "2.35"]', 'invalid_type'],
    ['geopoint', '{"lat": 48.85}', 'invalid_type'],
    ['geopoint', '{"lat": 48.85, "lon": 2.35, "name": "x"}', 'invalid_type'],
    ['geopoint', '{"lat": 48.85, "lon": null}', 'invalid_type'],
    ['geopoint', '{}', 'invalid_type'],
    ['geopoint', '[90.1, 0]', 'out_of_range'],
    ['geopoint', '[0, -180.001]', 'out_of_range'],
    ['geopoint', '[1e400, 0]', 'out_of_range'],
    ['geopoint[]', '[48.85, 2.35]', 'invalid_type'],
    ['geopoint[]', '[[1, 2], null]', 'invalid_type'],
    ['geopoint[]', '[[1, 2], [91, 2]]', 'out_of_range'],
  ]
  for (const [type, json, code] of bad) {
    test(`${json} is no ${type}: ${code}`, () => {
      const error = refusalOf(() => valueOf(type, json))
      assert.equal(error.code, code)
      assert.equal(error.param, `data.${nameOf(type)}`)
    })
  }

  test('every bad field is listed, and the code is that of the first', () => {
    const error = refusalOf(() => check('{"float":"12,90","strin":1,"int32":1,"bool":0}', 'sku-1'))
    assert.equal(error.code, 'invalid_type')
    assert.deepEqual(
      error.details.map(({ param, code }) => `${param} ${code}`),
      ['data.float invalid_type', 'data.strin unknown_field', 'data.bool invalid_type'],
    )
    assert.equal(
      error.message,
      'Cannot index document "sku-1": field "float" must be float, received "12,90"; ' +
        'field "strin" is not in the schema, did you mean "string"?; ' +
        'field "bool" must be bool, received 0',
    )
  })

  test('messages are short for any input', () => {
    const long = 'é'.repeat(100_000)
    const error = refusalOf(() =>
      check(`{"${long}":1,"float":"${long}","int32s":[${'"x",'.repeat(9999)}1]}`),
    )
    assert.ok(error.message.length < 600, String(error.message.length))
    const many = Array.from({ length: 5_000 }, (_, i) => `"unknown${i}":1`)
    assert.equal(refusalOf(() => check(`{${many.join(',')}}`)).details.length, 100)
  })

  test('an id inside the data must be the id of the document', () => {
    for (const [json, id] of [
      ['"x"', 'x'],
      ['7', '7'],
      ['7.0', '7'],
      ['null', 'x'],
    ] as const) {
      check(`{"id":${json}}`, id)
    }
    for (const json of ['"y"', '7', '""', '"x\\u0000"']) {
      const error = refusalOf(() => check(`{"id":${json}}`, 'x'))
      assert.equal(`${error.param} ${error.code}`, 'data.id invalid_parameter')
    }
    assert.equal(refusalOf(() => check('{"id":{}}')).code, 'invalid_type')
  })

  test('the size of a document is limited', () => {
    const json = (length: number) => `{"string":"${'x'.repeat(length - 13)}"}`
    check(json(DOCUMENT_MAX_BYTES))
    assert.equal(refusalOf(() => check(json(DOCUMENT_MAX_BYTES + 1))).code, 'payload_too_large')
  })

  test('hostile keys are unknown fields and nothing else', () => {
    for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      assert.equal(refusalOf(() => check(`{"${key}":{"polluted":true}}`)).code, 'unknown_field')
    }
    assert.equal(({} as { polluted?: boolean }).polluted, undefined)
    assert.equal(refusalOf(() => check('{"\\ud800":1}')).code, 'invalid_unicode')
  })

  test('the last of repeated keys counts, but invalid Unicode never passes', () => {
    assert.equal(check('{"int32":"no","int32":5}').values[1], 5)
    assert.equal(
      refusalOf(() => check('{"string":"\\ud800","string":"a"}')).code,
      'invalid_unicode',
    )
    assert.equal(
      refusalOf(() => check(`{"string":${'['.repeat(40)}${']'.repeat(40)}}`)).code,
      'json_too_deep',
    )
  })

  test('numbers are read exactly in every notation', () => {
    const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    fc.assert(
      fc.property(int64, fc.nat({ max: 30 }), (value, zeros) => {
        const digits = `${value}`
        const forms = [
          digits,
          `${digits}.${'0'.repeat(zeros + 1)}`,
          // JSON has no leading zeros: 0 stays as it is.
          `${digits}${value === 0n ? '' : '0'.repeat(zeros)}e-${zeros}`,
        ]
        for (const form of forms) assert.equal(valueOf('int64', form), value)
      }),
    )
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        assert.equal(valueOf('float', JSON.stringify(value)), value + 0)
      }),
    )
    fc.assert(
      fc.property(fc.integer(), (value) => assert.equal(valueOf('int32', `${value}`), value)),
    )
  })

  test('document ids are 1 to 512 bytes of text, integers their decimal text', () => {
    assert.equal(checkDocumentId('ä/b c'), 'ä/b c')
    assert.equal(checkDocumentId(42), '42')
    assert.equal(checkDocumentId(12345678901234567890n), '12345678901234567890')
    assert.equal(checkDocumentId('é'.repeat(256)).length, 256)
    for (const id of ['', 'é'.repeat(257), 'a\nb', 'a\u0000', '\u007f', '\u0085']) {
      assert.throws(() => checkDocumentId(id), { code: 'invalid_parameter', param: 'id' })
    }
    assert.throws(() => checkDocumentId('\ud800'), { code: 'invalid_unicode' })
    for (const id of [1.5, 2 ** 53, true, {}, [], null, undefined]) {
      assert.throws(() => checkDocumentId(id), { code: 'invalid_type' })
    }
  })

  test('the id inside the data is found, exactly', () => {
    const idOf = (json: string) => dataIdOf(Buffer.from(json))
    assert.equal(idOf('{"a":1,"id":"x"}'), 'x')
    assert.equal(idOf('{"\\u0069d":9007199254740993}'), '9007199254740993')
    assert.equal(idOf('{"id":123456789012345678901234567890}'), '123456789012345678901234567890')
    assert.equal(idOf('{"id":1e2}'), '100')
    assert.equal(idOf('{"id":null}'), undefined)
    assert.equal(idOf('{"a":"id"}'), undefined)
    assert.throws(() => idOf('{"id":1.5}'), { code: 'invalid_type', param: 'data.id' })
    assert.throws(() => idOf(`{"id":${'9'.repeat(1000)}}`), { code: 'invalid_parameter' })
  })
})
