import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsToBe, redefineFields } from './redefine-fields.ts'
import { checkSchemaFields, mergeSchema } from './schema-rules.ts'

test('fields in progress are shown as they will be: a list takes the single values it had', () => {
  const declared = checkSchemaFields([
    { name: 'color', type: 'string', facet: true },
    { name: 'price', type: 'int32' },
  ])
  const { schema } = mergeSchema(undefined, 'additive', declared)
  const asked = checkSchemaFields([
    { name: 'color', type: 'string[]', facet: true },
    { name: 'price', type: 'float', sort: true },
  ])
  const [color, price] = fieldsToBe(schema, asked)
  assert.equal(color!.takesSingle, true)
  assert.equal(price!.takesSingle, undefined)
  assert.deepEqual([color, price], redefineFields(schema, asked).schema.fields)
  const unknown = checkSchemaFields([{ name: 'gone', type: 'string[]' }])
  assert.deepEqual(fieldsToBe(schema, unknown), unknown)
})
