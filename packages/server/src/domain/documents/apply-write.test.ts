import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { DOCUMENT_MAX_BYTES } from '@aisle/contract'
import { applyWrite, decideWrite } from './apply-write.ts'
import type { DocumentWrite } from './document-write.ts'
import { checkSchemaFields, mergeSchema } from './schema-rules.ts'

const { schema } = mergeSchema(
  undefined,
  'additive',
  checkSchemaFields([
    { name: 'title', type: 'string' },
    { name: 'price', type: 'float' },
    { name: 'sku', type: 'int64' },
    { name: 'tags', type: 'string[]' },
  ]),
)
const existing = { id: 'a', json: Buffer.from('{"title":"old","price":1.0,"tags":["x","y"]}') }

function write(action: DocumentWrite['action'], json: string, id?: string): DocumentWrite {
  return { id, action, json: Buffer.from(json) }
}

const text = (json: Uint8Array): string => Buffer.from(json).toString()

suite('applying a write', () => {
  test('upsert creates or replaces the whole document, byte for byte', () => {
    const upsert = write('upsert', '{ "price" : 2e0 }', 'a')
    const created = decideWrite(upsert, undefined, schema)
    assert.deepEqual(
      [created.id, created.status, text(created.json)],
      ['a', 'created', '{ "price" : 2e0 }'],
    )
    assert.deepEqual(created.values, [undefined, 2, undefined, undefined])
    const updated = decideWrite(upsert, existing, schema)
    assert.deepEqual([updated.status, text(updated.json)], ['updated', '{ "price" : 2e0 }'])
  })

  test('insert creates, and fails if the document exists', () => {
    assert.equal(decideWrite(write('insert', '{}', 'a'), undefined, schema).status, 'created')
    assert.throws(() => decideWrite(write('insert', '{}', 'a'), existing, schema), {
      code: 'document_exists',
      message: 'Cannot insert document "a": it already exists',
    })
  })

  test('update merges objects by member, and refuses keys with dots', () => {
    const nested = mergeSchema(
      undefined,
      'additive',
      checkSchemaFields([
        { name: 'made_in', type: 'geopoint' },
        { name: 'variants', type: 'object[]' },
        { name: 'variants.color', type: 'string' },
        { name: 'specs', type: 'object' },
        { name: 'specs.*', type: 'auto', facet: true },
      ]),
    ).schema
    const before =
      '{"made_in":{"lat":1,"lon":2},"variants":[{"color":"red"},{}],"specs":{"a":"x","b":1}}'
    const update = (patch: string) =>
      decideWrite(write('update', patch, 'a'), { id: 'a', json: Buffer.from(before) }, nested)
    const patch =
      '{"made_in":{"lat":3,"lng":4},"variants":[{}],"specs":{"b":null,"box":{"w":1,"h":null}}}'
    const { json, schema: grown } = update(patch)
    assert.equal(
      text(json),
      '{"made_in":{"lat":3,"lng":4},"variants":[{}],"specs":{"a":"x","box":{"w":1}}}',
    )
    assert.deepEqual(grown.fields.map(({ name }) => name).slice(4), [
      'specs.a',
      'specs.box',
      'specs.box.w',
    ])
    const faults = [
      ['{"specs.a":"y"}', 'object "specs", not a key: write {"specs": {"a": …}}'],
      [
        '{"variants.color":1}',
        'object[] "variants", not a key: write {"variants": [{"color": …}]}',
      ],
      ['{"specs.new.deep":null}', 'not a key: write {"specs": {"new": {"deep": …}}}'],
    ] as const
    for (const [given, message] of faults) {
      assert.throws(
        () => update(given),
        (error: Error) => error.message.endsWith(message),
      )
    }
    assert.throws(() => update('{"specs":"x"}'), /field "specs" must be object, received "x"/)
  })

  test('update merges top-level keys, null removes one, arrays are replaced', () => {
    const patch = write('update', '{"title":null,"tags":["z"],"sku":9223372036854775807}', 'a')
    const { status, json, values } = decideWrite(patch, existing, schema)
    assert.equal(status, 'updated')
    assert.equal(text(json), '{"price":1.0,"tags":["z"],"sku":9223372036854775807}')
    assert.deepEqual(values, [undefined, 1, 9223372036854775807n, ['z']])
  })

  test('update fails without a document, without an id, and for a bad patch', () => {
    const cases: [DocumentWrite, string][] = [
      [write('update', '{"price":1}', 'b'), 'document_not_found'],
      [write('update', '{"price":1}'), 'missing_parameter'],
    ]
    for (const [patch, code] of cases) {
      assert.throws(() => decideWrite(patch, undefined, schema), { code })
    }
    assert.throws(() => decideWrite(write('update', '{"price":"1"}', 'a'), existing, schema), {
      code: 'invalid_type',
    })
    assert.throws(() => decideWrite(write('update', '{"color":null}', 'a'), existing, schema), {
      code: 'unknown_field',
    })
    const half = 'x'.repeat(DOCUMENT_MAX_BYTES / 2)
    const large = { id: 'a', json: Buffer.from(`{"title":"${half}"}`) }
    assert.throws(() => decideWrite(write('update', `{"tags":["${half}"]}`, 'a'), large, schema), {
      code: 'payload_too_large',
    })
  })

  test('the id is from the write, else from the data, else a new one', () => {
    const find = (id: string) => (id === 'a' ? existing : undefined)
    const idOf = (one: DocumentWrite) => applyWrite(one, schema, find).outcome
    assert.deepEqual(idOf(write('upsert', '{}', 'a')), { status: 'updated', id: 'a' })
    assert.deepEqual(idOf(write('upsert', '{"id":"a"}')), { status: 'updated', id: 'a' })
    assert.deepEqual(idOf(write('upsert', '{"id":7}')), { status: 'created', id: '7' })
    assert.match(idOf(write('upsert', '{}')).id, /^[0-9a-f-]{36}$/)
    assert.notEqual(idOf(write('upsert', '{}')).id, idOf(write('upsert', '{}')).id)
  })

  test('a rejected write is an outcome, a bug is thrown', () => {
    const { decided, outcome } = applyWrite(
      write('upsert', '{"price":"x"}', 'a'),
      schema,
      () => undefined,
    )
    assert.equal(decided, undefined)
    assert.deepEqual(outcome, {
      status: 'failed',
      id: 'a',
      code: 'invalid_type',
      message: 'Cannot index document "a": field "price" must be float, received "x"',
      details: [
        {
          param: 'data.price',
          code: 'invalid_type',
          message: 'field "price" must be float, received "x"',
        },
      ],
    })
    assert.equal(
      applyWrite(write('upsert', '{"price":"x"}'), schema, () => undefined).outcome.id,
      '',
    )
    const named = applyWrite(write('upsert', '{"id":"b","price":"x"}'), schema, () => undefined)
    assert.equal(named.outcome.id, 'b')
    const broken = () => {
      throw new RangeError('bug')
    }
    assert.throws(() => applyWrite(write('upsert', '{}', 'a'), schema, broken), RangeError)
  })
})
