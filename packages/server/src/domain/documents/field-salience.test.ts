import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { FieldType, Schema } from '@aisle/engine'
import { fieldSalience } from './field-salience.ts'

const schemaOf = (
  ...fields: readonly [name: string, type?: FieldType, searchable?: boolean][]
): Schema => ({
  fields: fields.map(([name, type = 'string', searchable = true]) => ({
    name,
    type,
    searchable,
    facet: false,
    sort: false,
  })),
})

suite('field salience', () => {
  test('title-like 5, brand-like 2, other text 1, lists and numbers a half, the rest nothing', () => {
    const salience = fieldSalience(
      schemaOf(
        ['brand'],
        ['title'],
        ['description'],
        ['colors', 'string[]'],
        ['year', 'int32'],
        ['url', 'string', false],
      ),
    )
    assert.deepEqual(salience.weights, [2, 5, 1, 0.5, 0.5, 0])
    assert.deepEqual(salience.lengthNorms, [0.75, 0.5, 0.75, 0.75, 0.75, 0.75])
    assert.equal(salience.titleField, 1)
  })

  test('only one field is the title, by the order of names and not of fields', () => {
    const both = fieldSalience(schemaOf(['name'], ['title']))
    assert.deepEqual([both.weights, both.titleField], [[1, 5], 1])
    const camel = fieldSalience(schemaOf(['productName'], ['Manufacturer']))
    assert.deepEqual([camel.weights, camel.titleField], [[5, 2], 0])
  })

  test('a title must be searchable text', () => {
    const salience = fieldSalience(
      schemaOf(['title', 'string', false], ['name', 'string[]'], ['headline']),
    )
    assert.deepEqual([salience.weights, salience.titleField], [[0, 0.5, 5], 2])
    assert.equal(fieldSalience(schemaOf(['text'])).titleField, -1)
  })
})
