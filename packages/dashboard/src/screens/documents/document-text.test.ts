import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { documentText, faultsIn, fieldPlaces, parseDocument, withField } from './document-text.ts'

suite('a document as text', () => {
  test('keeps every digit of its numbers', () => {
    const text = '{\n  "n": 12345678901234567890,\n  "price": 1.10\n}'
    assert.equal(documentText(parseDocument(text)), text)
  })

  test('is an object, or it is none', () => {
    for (const text of ['', '[]', '5', '"a"', 'null', '{"a":', '{"a":1}x']) {
      assert.equal(parseDocument(text), undefined, text)
    }
  })

  test('has its members at their places', () => {
    const text = '{ "a": [1, {"b": "}"}], "c\\"d" : "x,y" , "e": 5 }'
    const found = [...fieldPlaces(text)].map(([name, { from, to }]) => [name, text.slice(from, to)])
    assert.deepEqual(found, [
      ['a', '"a": [1, {"b": "}"}]'],
      ['c"d', '"c\\"d" : "x,y"'],
      ['e', '"e": 5'],
    ])
    assert.doesNotThrow(() => fieldPlaces('{"a": [}}}} "'))
  })

  test('shows a refused field in its place', () => {
    const text = '{"title": 5, "tags": [1]}'
    const details = [
      { param: 'data.title', code: 'invalid_type', message: 'must be string' },
      { param: 'data.tags[0]', code: 'invalid_type', message: 'must be string' },
      { param: 'data.gone', code: 'invalid_type', message: 'is gone' },
    ] as const
    const shown = faultsIn(text, details).map(({ from, to }) => text.slice(from, to))
    assert.deepEqual(shown, ['"title": 5', '"tags": [1]'])
  })

  test('takes a field with an empty value of its type', () => {
    assert.equal(withField('{}', 'tags', 'string[]'), '{\n  "tags": []\n}')
    assert.equal(withField('{', 'tags', 'string[]'), '{')
  })
})
