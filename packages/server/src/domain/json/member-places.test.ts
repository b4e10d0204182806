import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { MemberPlaces } from './member-places.ts'
import { jsonTexts } from './json-texts-for-test.ts'

const NAMES = ['name', 'a', '"', 'é', 'id', '__proto__']
const key = fc.oneof(
  fc.constantFrom(...NAMES, 'b', '').map((name) => JSON.stringify(name)),
  fc.constantFrom('"\\u006eame"', '"\\u0069d"', '"\\u005f_proto__"'),
)
const value = fc.oneof(
  jsonTexts(2),
  fc
    .string({ unit: fc.constantFrom('"', '\\', 'x'), minLength: 24, maxLength: 50 })
    .map((text) => JSON.stringify(text)),
  fc.constantFrom('"plain"', '"a \\"word\\""', '"\\\\"', '1.0', '[{"name":"}"}]', '{"id":1}'),
)
const space = fc.constantFrom('', ' ', '\n\t')

suite('places of members', () => {
  // Goal: the walk finds the same as parsing. Method: documents with every kind of key and value,
  // read one after another with the same places.
  test('a value equals that of JSON.parse, for any keys and values', () => {
    const member = fc
      .tuple(key, space, value)
      .map(([name, between, json]) => `${name}${between}:${between}${json}${between}`)
    const document = fc
      .tuple(space, fc.array(member, { maxLength: 6 }))
      .map(([before, members]) => `${before}{${before}${members.join(`,${before}`)}}${before}`)
    fc.assert(
      fc.property(fc.array(document, { minLength: 1, maxLength: 3 }), (documents) => {
        const places = new MemberPlaces(NAMES)
        for (const text of documents) {
          const parsed = JSON.parse(text) as Record<string, unknown>
          const bytes = Buffer.from(text)
          places.read(bytes)
          assert.equal(places.hasId, Object.hasOwn(parsed, 'id'), text)
          for (const [number, name] of NAMES.entries()) {
            const start = places.start(number)
            assert.equal(start >= 0, Object.hasOwn(parsed, name), text)
            if (start < 0) continue
            const json = bytes.toString('utf8', start, places.end(number))
            assert.equal(json, json.trim())
            assert.deepEqual(JSON.parse(json), JSON.parse(JSON.stringify(parsed[name])), text)
          }
        }
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 3_000) },
    )
  })
})
