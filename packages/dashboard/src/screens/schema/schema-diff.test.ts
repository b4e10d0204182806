import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  changeMode,
  parseSchema,
  schemaChanges,
  schemaText,
  wholeField,
  withGuessed,
} from './schema-diff.ts'

const title = wholeField({ name: 'title', type: 'string', searchable: true })
const price = wholeField({ name: 'price', type: 'float', sort: true })
const schema = { fields: [title, price] }

suite('changes of a schema', () => {
  const modeOf = (draft: Parameters<typeof schemaChanges>[1]) =>
    changeMode(schemaChanges(schema, draft))

  test('are none, additions, or a replacement', () => {
    assert.equal(modeOf([price, title]), 'none')
    assert.equal(modeOf([{ name: 'title', type: 'string', searchable: true }, price]), 'none')
    assert.equal(modeOf([title, price, { name: 'brand', type: 'string' }]), 'additive')
    assert.equal(modeOf([title]), 'replace')
    assert.equal(modeOf([title, { ...price, type: 'object' }]), 'replace')
    assert.equal(modeOf([title, { ...price, type: 'int32' }]), 'change')
    assert.equal(modeOf([{ ...title, language: 'de' }, price]), 'change')
  })

  test('name each field once', () => {
    const changes = schemaChanges(schema, [{ name: 'brand', type: 'string' }, title])
    assert.deepEqual(
      changes.map(({ kind, name }) => [kind, name]),
      [
        ['added', 'brand'],
        ['same', 'title'],
        ['removed', 'price'],
      ],
    )
  })
})

suite('a schema as JSON', () => {
  test('goes there and back', () => {
    assert.equal(schemaText([title]), '[\n  {"name":"title","type":"string","searchable":true}\n]')
    const parsed = parseSchema(schemaText(schema.fields))!
    assert.equal(changeMode(schemaChanges(schema, parsed)), 'none')
    assert.deepEqual(parseSchema('{"mode":"replace","fields":[]}'), [])
  })

  test('is a list of fields, or none', () => {
    for (const text of ['', '5', 'null', '{}', '[1]', '[{"name":"a"}]', '{"fields":5}']) {
      assert.equal(parseSchema(text), undefined, text)
    }
  })
})

test('a guessed field never changes one that is there', () => {
  const guessed = [
    { name: 'title', type: 'int32' },
    { name: 'id', type: 'string' },
    { name: 'brand', type: 'string' },
  ] as const
  assert.deepEqual(
    withGuessed([title], guessed).map(({ name, type }) => [name, type]),
    [
      ['title', 'string'],
      ['brand', 'string'],
    ],
  )
})
