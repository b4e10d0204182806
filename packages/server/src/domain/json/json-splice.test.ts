import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { scanMembers } from './json-scan.ts'
import { mergeObjects, pickMembers, spliceDocument, spliceText } from './json-splice.ts'
import { jsonTexts } from './json-texts-for-test.ts'

const bytesOf = (text: string): Uint8Array => Buffer.from(text)
const splice = (json: string, id: string, options: Parameters<typeof spliceDocument>[2]): string =>
  spliceDocument(bytesOf(json), id, options).toString()

suite('JSON splicing', () => {
  test('a document gets its id first and keeps its bytes', () => {
    const json = '{"n":1.0,"e":1e3,"big":9223372036854775807,"s":"\\u00e9é"}'
    assert.equal(
      splice(json, 'a"b', { withId: true }),
      '{"id":"a\\"b","n":1.0,"e":1e3,"big":9223372036854775807,"s":"\\u00e9é"}',
    )
    assert.equal(splice(json, 'x', { withId: false }), json)
    assert.equal(splice(' { } ', 'x', { withId: true }), '{"id":"x"}')
    assert.equal(splice('{\n  "a": 1\n}', 'x', { withId: true }), '{"id":"x","a": 1\n}')
  })

  test('fields are included and excluded, and exclusion wins', () => {
    const json = '{"a":1.0,"b":[2, 3],"c":{"d":null}}'
    assert.equal(
      splice(json, 'x', { withId: true, include: new Set(['c', 'a', 'zz']) }),
      '{"id":"x","a":1.0,"c":{"d":null}}',
    )
    assert.equal(
      splice(json, 'x', { withId: false, exclude: new Set(['a']) }),
      '{"b":[2, 3],"c":{"d":null}}',
    )
    const both = { withId: false, include: new Set(['a', 'b']), exclude: new Set(['b']) }
    assert.equal(splice(json, 'x', both), '{"a":1.0}')
    assert.equal(splice(json, 'x', { withId: false, include: new Set() }), '{}')
  })

  test('an id inside the data is never shown twice, in any notation', () => {
    for (const key of ['"id"', '"\\u0069d"', '"i\\u0064"']) {
      assert.equal(splice(`{"a":1,${key}:7}`, '7', { withId: true }), '{"id":"7","a":1}')
      assert.equal(splice(`{${key}:7}`, '7', { withId: false }), '{}')
    }
  })

  test('a document spliced as text is the same object as its spliced bytes', () => {
    const keys = ['a', 'b', 'id', 'é', '{"', 'x\\', '', 'long name']
    const name = fc.constantFrom(...keys)
    const space = fc.constantFrom('', '', ' ', '\n\t')
    const value = fc.oneof(
      jsonTexts(2),
      fc.constantFrom(
        '1.0',
        '-1e3',
        '[ 1 , {"a":"]}"} ]',
        '"\\\\"',
        '"\\""',
        '"\\u00e9"',
        '{}',
        '[]',
      ),
    )
    const member = fc
      .tuple(
        fc.oneof(
          name.map((key) => JSON.stringify(key)),
          fc.constant('"\\u0069d"'),
        ),
        space,
        value,
        space,
      )
      .map(([key, before, one, behind]) => `${key}${before}:${before}${one}${behind}`)
    const document = fc
      .tuple(space, fc.array(member, { maxLength: 6 }))
      .map(([before, members]) => `{${before}${members.join(`,${before}`)}}`)
    const names = fc.option(
      fc.uniqueArray(name).map((some) => new Set(some)),
      { nil: undefined },
    )
    fc.assert(
      fc.property(document, fc.boolean(), names, names, (json, withId, include, exclude) => {
        const options = { withId, include, exclude }
        const bytes = bytesOf(json)
        const text = spliceText(json, bytes, 'a"b', options)
        const withoutSpace = (one: string): unknown[] =>
          scanMembers(bytesOf(one)).map((m) => [m.key, bytesOf(one).subarray(m.start, m.end)])
        assert.deepEqual(withoutSpace(text), withoutSpace(splice(json, 'a"b', options)), json)
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 3_000) },
    )
  })

  const merge = (document: string, patch: string, isObject = (_path: string) => true) =>
    mergeObjects(bytesOf(document), bytesOf(patch), isObject).toString()

  test('update replaces in place, appends new keys and removes null ones', () => {
    const merged = merge(
      '{"a":1.0,"b":[1,2],"c":"x","d":null}',
      '{"new":1e3,"b":[3],"a":null,"gone":null}',
    )
    assert.equal(merged, '{"b":[3],"c":"x","d":null,"new":1e3}')
    assert.equal(merge('{"a":1}', '{"a":null}'), '{}')
  })

  test('update merges objects by member, and replaces those that are values', () => {
    const document = '{"box":{"w":1.0,"in":{"a":1,"b":2}},"at":{"lat":1,"lon":2},"x":5}'
    const patch = '{"box":{"in":{"b":null,"c":[{}]}},"at":{"lat":1,"lng":3},"x":{"y":null,"z":1}}'
    const isObject = (path: string): boolean => path !== 'at'
    assert.equal(
      merge(document, patch, isObject),
      '{"box":{"w":1.0,"in":{"a":1,"c":[{}]}},"at":{"lat":1,"lng":3},"x":{"z":1}}',
    )
  })

  test('update is a JSON merge patch', () => {
    const object = fc.dictionary(
      fc.constantFrom('a', 'b', 'c', 'é"', ''),
      jsonTexts(3).map((json) => JSON.parse(json) as unknown),
    )
    const isObject = (value: unknown): value is Record<string, unknown> =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
    const patched = (document: unknown, patch: Record<string, unknown>): object => {
      const members = new Map(Object.entries(isObject(document) ? document : {}))
      for (const [key, value] of Object.entries(patch)) {
        if (value === null) members.delete(key)
        else members.set(key, isObject(value) ? patched(members.get(key), value) : value)
      }
      return Object.fromEntries(members)
    }
    fc.assert(
      fc.property(object, object, (document, patch) => {
        const merged = merge(JSON.stringify(document), JSON.stringify(patch))
        assert.deepEqual(JSON.parse(merged), JSON.parse(JSON.stringify(patched(document, patch))))
      }),
    )
  })

  test('picked members form a separate object', () => {
    const bytes = bytesOf('{"id":"x","a" : 1, "action":"insert","b":[]}')
    const members = scanMembers(bytes).filter((m) => m.key !== 'id' && m.key !== 'action')
    assert.equal(pickMembers(bytes, members).toString(), '{"a" : 1,"b":[]}')
    assert.equal(pickMembers(bytes, []).toString(), '{}')
  })
})
