import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { elementsAtPath, pathTree, selectedMembers, valueAtPath } from './json-paths.ts'

const TEXT =
  '{"id":"x","a": 1.0,"v":[{"c":"red","n":1e3,"d":{"e":[1, 2]}},{"n":2},{}],"p.q":{"r":3}}'
const json = Buffer.from(TEXT)
const isNested = (name: string) => name !== 'p.q'

function shown(include: readonly string[] | undefined, exclude?: readonly string[]): string {
  return selectedMembers(
    json,
    {
      include: include && pathTree(include, isNested),
      exclude: exclude && pathTree(exclude, isNested),
    },
    'id',
  )
}

suite('parts of objects by path', () => {
  for (const [include, exclude, members] of [
    [['a'], undefined, '"a": 1.0'],
    [['v.c'], undefined, '"v":[{"c":"red"},{},{}]'],
    [['v.d.e', 'v.c'], undefined, '"v":[{"c":"red","d":{"e":[1, 2]}},{},{}]'],
    [['v', 'v.c'], undefined, '"v":[{"c":"red","n":1e3,"d":{"e":[1, 2]}},{"n":2},{}]'],
    [['v.c', 'v'], undefined, '"v":[{"c":"red","n":1e3,"d":{"e":[1, 2]}},{"n":2},{}]'],
    [['v'], ['v.d', 'v.n'], '"v":[{"c":"red"},{},{}]'],
    [undefined, ['v', 'a'], '"p.q":{"r":3}'],
    [['p.q'], undefined, '"p.q":{"r":3}'],
    [['v.c'], ['v'], ''],
    [['id'], undefined, ''],
  ] as const) {
    test(`${String(include)} without ${String(exclude)} is {${members}}`, () =>
      assert.equal(shown(include, exclude), members))
  }

  test('values are found at their places', () => {
    const texts = elementsAtPath(json, ['v', 'n']).map(({ start, end }) => TEXT.slice(start, end))
    assert.deepEqual(texts, ['1e3', '2'])
    assert.deepEqual(elementsAtPath(json, ['a', 'b']), [])
    const data = JSON.parse(TEXT) as unknown
    assert.deepEqual(valueAtPath(data, ['v', 'n']), [1000, 2])
    assert.deepEqual(valueAtPath(data, ['v', 'd', 'e']), [1, 2])
    assert.equal(valueAtPath(data, ['p.q', 'r']), 3)
    assert.equal(valueAtPath(data, ['v', 'x']), undefined)
    assert.equal(valueAtPath(data, ['toString']), undefined)
  })
})
