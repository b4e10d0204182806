import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { SchemaField } from '@aisle/contract'
import { parseExactly } from '@aisle/client'
import fc from 'fast-check'
import { editOf } from './edit-actions.ts'
import {
  changesBetween,
  formFields,
  typedValue,
  valueAt,
  valueFault,
  withValue,
  type Product,
} from './product-values.ts'

const field = (name: string, type: SchemaField['type']): SchemaField => ({
  name,
  type,
  searchable: false,
  facet: false,
  sort: false,
})
const FIELDS = [
  field('title', 'string'),
  field('price', 'float'),
  field('tags', 'string[]'),
  field('size', 'object'),
  field('size.width', 'int32'),
  field('parts', 'object[]'),
  field('parts.name', 'string'),
  field('a.b', 'string'),
]

suite('values of a product form', () => {
  test('fields of objects are inside of theirs, those of lists are not shown', () => {
    const fields = formFields(FIELDS, ['price', null, undefined])
    assert.deepEqual(
      fields.map(({ path, inside }) => [path.join('/'), inside.map((one) => one.path.join('/'))]),
      [
        ['price', []],
        ['title', []],
        ['tags', []],
        ['size', ['size/width']],
        ['parts', []],
        ['a.b', []],
      ],
    )
  })

  test('what was typed is a value of the type, or text with a fault', () => {
    const wrong: [string, string, RegExp][] = [
      ['12,90', 'float', /number/],
      ['1.5', 'int32', /whole/],
      ['2147483648', 'int32', /between/],
      ['9223372036854775808', 'int64', /between/],
      ['soon', 'date', /date/],
      ['{', 'object', /object/],
      ['5', 'object[]', /list/],
    ]
    for (const [text, type, fault] of wrong) {
      assert.match(valueFault(typedValue(text, type), type) ?? '', fault, text)
    }
    const right: [string, string, string][] = [
      ['12.90', 'float', '12.90'],
      ['9223372036854775807', 'int64', '9223372036854775807'],
      ['1e3', 'int32', '1e3'],
      ['2026-11-28', 'date', '"2026-11-28"'],
      [' 007 ', 'string', '" 007 "'],
      ['{"a":1.0}', 'object', '{"a":1.0}'],
    ]
    for (const [text, type, json] of right) {
      const value = typedValue(text, type)
      assert.equal(JSON.stringify(value), json)
      assert.equal(valueFault(value, type), undefined, text)
    }
    assert.equal(typedValue('  ', 'string'), undefined)
  })

  test('an object that becomes empty goes, and names from outside are own names', () => {
    const product = { title: 'x', size: { width: 1 } }
    assert.deepEqual(withValue(product, ['size', 'width'], undefined), { title: 'x' })
    assert.deepEqual(withValue({}, ['constructor', 'b'], 1), { constructor: { b: 1 } })
    assert.equal(valueAt({}, ['constructor', 'name']), undefined)
  })

  test('the patch makes one product of the other, as the service merges it', () => {
    const value = fc.oneof(fc.integer(), fc.string(), fc.array(fc.integer(), { maxLength: 2 }))
    const name = fc.constantFrom('a', 'b', 'o', '__proto__', 'constructor')
    const product = fc.dictionary(name, fc.oneof(value, fc.dictionary(name, value)))
    const isObject = (path: string): boolean => path === 'o'
    fc.assert(
      fc.property(product, product, (before, after) => {
        const patch = changesBetween(before, after, isObject)
        assert.equal(canonical(merged(before, patch, isObject)), canonical(after))
      }),
    )
  })

  test('digits count: 1.0 and 1 differ, equal ones are not a change', () => {
    const before = parseExactly('{"price":1.0,"code":9007199254740993}') as Product
    assert.deepEqual(
      changesBetween(before, { ...before }, () => false),
      {},
    )
    const after = parseExactly('{"price":1,"code":9007199254740993}') as Product
    assert.deepEqual(Object.keys(changesBetween(before, after, () => false)), ['price'])
  })
})

suite('actions of a bulk edit', () => {
  test('become the edit of the request when all are filled in', () => {
    const edit = editOf(
      [
        { kind: 'set', field: 'size.width', value: 5 },
        { kind: 'set', field: 'a.b', value: 'x' },
        { kind: 'subtract', field: 'price', value: 2.5 },
        { kind: 'append', field: 'tags', value: ['sale'] },
        { kind: 'clear', field: 'title', value: undefined },
      ],
      FIELDS,
    )
    assert.deepEqual(edit, {
      set: { size: { width: 5 }, 'a.b': 'x' },
      add: { price: -2.5, tags: ['sale'] },
      remove: { title: true },
    })
    assert.equal(editOf([{ kind: 'set', field: 'title', value: undefined }], FIELDS), undefined)
    assert.equal(editOf([{ kind: 'add', field: 'price', value: 'x' }], FIELDS), undefined)
    assert.deepEqual(editOf([{ kind: 'delete', field: '', value: undefined }], FIELDS), {
      delete: true,
    })
  })
})

/** What the service makes of a patch, in the plainest code. */
function merged(
  before: Product,
  patch: Product,
  isObject: (path: string) => boolean,
  path = '',
): Product {
  const members = new Map(Object.entries(before))
  for (const [name, value] of Object.entries(patch)) {
    const isInner = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (value === null) members.delete(name)
    else if (isInner && isObject(path + name)) {
      const old = members.get(name)
      const holder = typeof old === 'object' && old !== null && !Array.isArray(old) ? old : {}
      members.set(name, merged(holder as Product, value as Product, isObject, `${path}${name}.`))
    } else members.set(name, value)
  }
  return Object.fromEntries(members)
}

function canonical(product: Product): string {
  return JSON.stringify(
    Object.entries(product)
      .map(([name, value]) => [name, isMembers(value) ? canonical(value) : value])
      .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  )
}

function isMembers(value: unknown): value is Product {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
