import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { scanMembers } from './json-scan.ts'
import { mergeObjects, pickMembers, spliceDocument, spliceText } from './json-splice.ts'

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
      fc.jsonValue({ maxDepth: 2 }).map((one) => JSON.stringify(one)),
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

  test('update replaces in place, appends new keys and removes null ones', () => {
    const merged = mergeObjects(
      bytesOf('{"a":1.0,"b":[1,2],"c":"x","d":null}'),
      bytesOf('{"new":1e3,"b":[3],"a":null,"gone":null}'),
    )
    assert.equal(merged.toString(), '{"b":[3],"c":"x","d":null,"new":1e3}')
    assert.equal(mergeObjects(bytesOf('{"a":1}'), bytesOf('{"a":null}')).toString(), '{}')
  })

  test('update is the assignment of the keys that are not null', () => {
    const object = fc.dictionary(
      fc.constantFrom('a', 'b', 'c', 'é"', ''),
      fc.jsonValue({ maxDepth: 1 }),
    )
    fc.assert(
      fc.property(object, object, (document, patch) => {
        const expected = new Map(Object.entries(document))
        for (const [key, value] of Object.entries(patch)) {
          if (value === null) expected.delete(key)
          else expected.set(key, value)
        }
        const merged = mergeObjects(
          bytesOf(JSON.stringify(document)),
          bytesOf(JSON.stringify(patch)),
        )
        assert.equal(merged.toString(), JSON.stringify(Object.fromEntries(expected)))
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
