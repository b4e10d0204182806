import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { JSON_DEPTH_MAX } from '@aisle/contract'
import fc from 'fast-check'
import { exactJson } from './json-exact.ts'
import { JsonScanner } from './json-scanner.ts'
import { parseExact, scanElements, scanMembers, scanValue, textOf } from './json-scan.ts'
import { jsonTexts } from './json-texts-for-test.ts'

const bytesOf = (text: string): Uint8Array => Buffer.from(text)
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

function codeOf(run: () => unknown): string {
  try {
    run()
    return 'none'
  } catch (error) {
    return (error as { code: string }).code
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

suite('JSON scanning', () => {
  test('every JSON text that JSON.parse accepts is accepted', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), fc.constantFrom('', ' ', '\t\r\n '), (json, space) => {
        const bytes = bytesOf(space + json + space)
        assert.equal(scanValue(bytes), bytes.length - space.length)
      }),
      { numRuns: 300 },
    )
  })

  test('a value may be passed in parts, with the same outcome', () => {
    const cases = fc.record({
      json: fc.json({ maxDepth: 8 }),
      step: fc.integer({ min: 1, max: 9 }),
    })
    fc.assert(
      fc.property(cases, ({ json, step }) => {
        const bytes = bytesOf(`${json} 1`)
        const [whole, parts] = [
          new JsonScanner(bytes, 0, bytes.length, 3),
          new JsonScanner(bytes, 0, bytes.length, 3),
        ]
        whole.skipValue()
        for (let stop = 0; !parts.skipPart(stop); stop = parts.position + step);
        const { position, tooDeep, keyCount, longNumber } = parts
        const expected = [whole.position, whole.tooDeep, whole.keyCount, whole.longNumber]
        assert.deepEqual([position, tooDeep, keyCount, longNumber], expected)
        parts.skipValue()
        assert.equal(parts.position, bytes.length)
      }),
      { numRuns: 300 },
    )
  })

  test('damaged JSON is rejected exactly if JSON.parse rejects it', () => {
    const damage = fc.record({
      json: fc.json({ maxDepth: 4 }),
      at: fc.nat(),
      remove: fc.nat({ max: 2 }),
      insert: fc.constantFrom('', ...'{}[]",:\\-+.0eEx \n\u0001', 'null', '01', '\\u12', '1.'),
    })
    fc.assert(
      fc.property(damage, ({ json, at, remove, insert }) => {
        const p = at % (json.length + 1)
        const text = json.slice(0, p) + insert + json.slice(p + remove)
        if (!text.isWellFormed() || /\\ud/i.test(text)) return
        const accepted = codeOf(() => parseExact(text)) === 'none'
        assert.equal(accepted, parses(text), text)
      }),
      { numRuns: 2000 },
    )
  })

  test('corners of the grammar agree with JSON.parse', () => {
    const texts =
      '|-|01|-0|1.|.5|1e|1e+|1E-05|tru|truee|nul|[1,]|[,1]|{"a"}|{"a":}|{,}|{"a":1,}|"|"\\|"\\x"|"\\u00g0"|[|{|]|' +
      '{"a":1 "b":2}|[1 2]|1 2|\'a\'|{a:1}|"\t"|"\\/"|NaN|+1|\u00a01|{"":{}}|[[],{}]|[]]|{}}|"a""b"'
    for (const text of texts.split('|')) {
      assert.equal(codeOf(() => parseExact(text)) === 'none', parses(text), JSON.stringify(text))
    }
  })

  test('nesting is allowed up to the limit and not beyond, at any depth', () => {
    assert.equal(
      codeOf(() => scanValue(bytesOf(nested(JSON_DEPTH_MAX)))),
      'none',
    )
    for (const levels of [JSON_DEPTH_MAX + 1, 10_000, 1_000_000]) {
      assert.equal(
        codeOf(() => scanValue(bytesOf(nested(levels)))),
        'json_too_deep',
      )
    }
    const inObject = (levels: number) => bytesOf(`{"a":${nested(levels)}}`)
    assert.equal(
      codeOf(() => scanMembers(inObject(JSON_DEPTH_MAX - 1))),
      'none',
    )
    assert.equal(
      codeOf(() => scanMembers(inObject(JSON_DEPTH_MAX))),
      'json_too_deep',
    )
    const mixed = '{"a":['.repeat(5_000) + '1' + ']}'.repeat(5_000)
    assert.equal(
      codeOf(() => parseExact(mixed)),
      'json_too_deep',
    )
    assert.equal(
      codeOf(() => parseExact('['.repeat(1_000_000))),
      'malformed_json',
    )
    assert.equal(
      codeOf(() => parseExact(mixed.slice(0, -1) + ']')),
      'malformed_json',
    )
  })

  test('lone surrogates and bytes that are not UTF-8 are rejected, pairs are not', () => {
    assert.equal(parseExact('"\\ud83d\\ude00"'), '😀')
    for (const text of [
      '"\\ud800"',
      '"\\udc00x"',
      '"\\ud800\\n"',
      '{"\\uDFFF":1}',
      '"\\ud800\\ud800"',
    ]) {
      assert.equal(
        codeOf(() => parseExact(text)),
        'invalid_unicode',
        text,
      )
    }
    assert.equal(
      codeOf(() => parseExact('"\ud800"')),
      'invalid_unicode',
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 6 }), (inside) => {
        const bytes = Buffer.concat([
          bytesOf('"'),
          inside.map((b) => (b < 0x80 ? 0x61 : b)),
          bytesOf('"'),
        ])
        const valid = bytes.equals(Buffer.from(bytes.toString()))
        assert.equal(
          codeOf(() => scanValue(bytes)),
          valid ? 'none' : 'invalid_unicode',
        )
      }),
      { numRuns: 2000 },
    )
    for (let point = 0x80; point <= 0x10ffff; point += 97) {
      if (point >= 0xd800 && point <= 0xdfff) continue
      scanValue(bytesOf(`"${String.fromCodePoint(point)}"`))
    }
  })

  test('members have their decoded key and the exact bytes of their value', () => {
    const text = ' { "a" : 1.0 , "b\\u0041\\"" : [1, {"x":null}] ,"é":"\\n", "t":true,"n" :null} '
    const members = scanMembers(bytesOf(text))
    assert.deepEqual(
      members.map((m) => [m.key, m.kind, textOf(bytesOf(text), m.start, m.end)]),
      [
        ['a', 'number', '1.0'],
        ['bA"', 'array', '[1, {"x":null}]'],
        ['é', 'string', '"\\n"'],
        ['t', 'true', 'true'],
        ['n', 'null', 'null'],
      ],
    )
    assert.ok(members.every((m) => bytesOf(text)[m.keyStart] === 0x22))
    assert.deepEqual(scanMembers(bytesOf('{}')), [])
  })

  test('of repeated keys the last counts, as for JSON.parse', () => {
    const bytes = bytesOf('{"a":1,"b":2,"\\u0061":3}')
    assert.deepEqual(
      scanMembers(bytes).map((m) => [m.key, textOf(bytes, m.start, m.end)]),
      [
        ['b', '2'],
        ['a', '3'],
      ],
    )
  })

  test('objects are cut into the members that JSON.parse finds', () => {
    const object = jsonTexts(4).filter((json) => json.startsWith('{'))
    fc.assert(
      fc.property(object, fc.constantFrom(0, 1), (json, indent) => {
        const bytes = bytesOf(JSON.stringify(JSON.parse(json), null, indent))
        const members = scanMembers(bytes)
        const found = members.map((m) => [m.key, JSON.parse(textOf(bytes, m.start, m.end))])
        const expected = JSON.parse(bytes.toString()) as object
        assert.deepEqual(new Map(found as []), new Map(Object.entries(expected)))
      }),
      { numRuns: 200 },
    )
  })

  test('a value is the one that JSON.parse reads', () => {
    fc.assert(
      fc.property(jsonTexts(4), (json) => {
        assert.equal(exactJson(parseExact(json)), JSON.stringify(JSON.parse(json)))
      }),
      { numRuns: 300 },
    )
  })

  test('a key is read as it is, whatever keys were read before', () => {
    for (const before of ['\\\\', 'b\\\\', 'b\\u0041\\\\']) {
      for (const key of ['\\"', 'b\\n', 'b\\u0041', 'b\\\\', 'b\\u0041\\"']) {
        parseExact(`{"h":[],"${before}":0}`)
        const value = parseExact(`{"h":[12345678901234567890,"\\n"],"${key}":{"__proto__":2}}`)
        const [name] = JSON.parse(`["${key}"]`) as [string]
        const inner = JSON.parse('{"__proto__":2}') as object
        const expected = { h: [12_345_678_901_234_567_890n, '\n'], [name]: inner }
        assert.deepEqual(value, expected, `${before} ${key}`)
      }
    }
  })

  test('elements carry their own faults', () => {
    const bytes = bytesOf(`[1, "\\ud800", ${nested(40)}, {"a":[]}]`)
    assert.deepEqual(
      scanElements(bytes).map((e) => [e.kind, e.badUnicode, e.tooDeep]),
      [
        ['number', false, false],
        ['string', true, false],
        ['array', false, true],
        ['object', false, false],
      ],
    )
    assert.deepEqual(scanElements(bytesOf(' [ ] ')), [])
    assert.equal(
      codeOf(() => scanElements(bytesOf('{}'))),
      'invalid_type',
    )
    assert.equal(
      codeOf(() => scanElements(bytesOf('[1'))),
      'malformed_json',
    )
    assert.equal(
      codeOf(() => scanMembers(bytesOf('[1]'))),
      'invalid_type',
    )
    assert.equal(
      codeOf(() => scanMembers(bytesOf(''))),
      'malformed_json',
    )
    assert.equal(
      codeOf(() => scanMembers(bytesOf('{} x'))),
      'malformed_json',
    )
  })

  test('ranges are respected: text around them is not read', () => {
    const bytes = bytesOf('[1]{"a":12}3')
    assert.equal(scanMembers(bytes, 3, 11)[0]?.end, 10)
    assert.equal(
      codeOf(() => scanMembers(bytes, 3, 10)),
      'malformed_json',
    )
    assert.equal(scanValue(bytes, 8, 9), 9)
  })

  test('integers beyond 2^53 are parsed exactly, everything else as JSON.parse does', () => {
    const text =
      '[9007199254740993,-9223372036854775808,9007199254740991,1.5,1234567890.1234567890,1e400]'
    assert.deepEqual(parseExact(text), [
      9007199254740993n,
      -9223372036854775808n,
      9007199254740991,
      1.5,
      1234567890.123456789,
      Infinity,
    ])
  })

  test('a byte order mark before the text is ignored', () => {
    assert.deepEqual(parseExact(bytesOf('\ufeff{"a":1}')), { a: 1 })
  })

  test('a __proto__ key is an ordinary property and changes no prototype', () => {
    for (const extra of ['', ',"n":12345678901234567890']) {
      const parsed = parseExact(`{"__proto__":{"polluted":1}${extra}}`) as object
      assert.ok(Object.hasOwn(parsed, '__proto__'))
      assert.equal(Object.getPrototypeOf(parsed), Object.prototype)
    }
    assert.equal(({} as { polluted?: number }).polluted, undefined)
  })
})
