import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { frameBulk, frameLines, NdjsonFramer } from './bulk-framing.ts'
import type { FramedEntry } from './bulk-framing.ts'
import { ENTRY_MAX_BYTES } from './write-request.ts'

/** Entries in short: `0 upsert a {"x":1}` or `1 failed a invalid_type`. */
function short({ index, write, failed }: FramedEntry): string {
  if (failed !== undefined) return `${index} failed ${failed.id} ${failed.code}`
  return `${index} ${write!.action} ${write!.id} ${Buffer.from(write!.json).toString()}`
}

function framed(body: Uint8Array): { entries: Iterable<FramedEntry>; steps: number } {
  const check = frameBulk(body)
  let steps = 0
  for (;;) {
    const step = check.next()
    if (step.done === true) return { entries: step.value, steps }
    steps++
  }
}

const bulk = (body: string): string[] => [...framed(Buffer.from(body)).entries].map(short)

function lines(body: Uint8Array | string, chunkBytes = 1 << 16): string[] {
  const bytes = Buffer.from(body as string)
  const framer = new NdjsonFramer()
  const entries: FramedEntry[] = []
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    entries.push(...framer.push(bytes.subarray(at, at + chunkBytes)))
  }
  return [...entries, ...framer.end()].map(short)
}

suite('bulk framing', () => {
  const entries: [string, string][] = [
    ['{"id":"a","data":{"x":1.0}}', 'upsert a {"x":1.0}'],
    ['{"data":{},"action":"insert","id":12345678901234567890}', 'insert 12345678901234567890 {}'],
    ['{"id":"a","x":[1, 2],"action":"update"}', 'update a {"x":[1, 2]}'],
    ['{"x":1}', 'upsert undefined {"x":1}'],
    ['{"id":null,"action":null,"data":null}', 'upsert undefined {"data":null}'],
    ['{"id":"a","data":"text"}', 'upsert a {"data":"text"}'],
    ['{}', 'upsert undefined {}'],
    ['{"__proto__":{"x":1}}', 'upsert undefined {"__proto__":{"x":1}}'],
    ['{"id":"a","action":"delete","data":{}}', 'failed a invalid_parameter'],
    ['{"id":"a","action":5}', 'failed a invalid_parameter'],
    ['{"id":"","data":{}}', 'failed  invalid_parameter'],
    ['{"id":true,"data":{}}', 'failed  invalid_type'],
    ['{"id":"\\ud800","data":{}}', 'failed  invalid_unicode'],
    ['{"id":"a","data":{"x":"\\ud800"}}', 'failed a invalid_unicode'],
    [`{"id":"a","x":${'['.repeat(50)}${']'.repeat(50)}}`, 'failed a json_too_deep'],
    ['5', 'failed  invalid_type'],
    ['null', 'failed  invalid_type'],
    ['[{"id":"a"}]', 'failed  invalid_type'],
  ]
  const expected = entries.map(([, outcome], i) => `${i} ${outcome}`)
  const texts = entries.map(([text]) => text)

  test('entries are wrapped or flat, and an invalid one does not affect the others', () => {
    assert.deepEqual(bulk(`{"other":1,"documents":[${texts.join(' ,\n')}]}`), expected)
    assert.deepEqual(bulk(` [${texts.join(',')}] `), expected)
    assert.deepEqual(lines(texts.join('\n')), expected)
    assert.deepEqual(lines(`\n \n${texts.join('\r\n\r\n')}\n\n`), expected)
    assert.deepEqual(lines(`\ufeff${texts.join('\n')}`), expected)
    assert.deepEqual(bulk(`\ufeff[${texts.join(',')}]`), expected)
  })

  test('an empty bulk has no entries', () => {
    for (const body of ['[]', '{"documents":[]}', '{"documents":5,"documents":[]}']) {
      assert.deepEqual(bulk(body), [])
    }
    assert.deepEqual(lines(''), [])
    assert.deepEqual(lines('\n\r\n  \n'), [])
  })

  test('a body that is not a bulk is rejected before the first entry', () => {
    const bodies: [string, string][] = [
      ['', 'malformed_json'],
      ['[{"id":"a","data":{}},]', 'malformed_json'],
      ['{"documents":[{"id":"a"}]', 'malformed_json'],
      ['{"documents":[]} x', 'malformed_json'],
      ['[{"a":01}]', 'malformed_json'],
      ['{}', 'missing_parameter'],
      ['{"documents":null}', 'missing_parameter'],
      ['{"documents":{}}', 'invalid_parameter'],
      ['"documents"', 'invalid_parameter'],
    ]
    for (const [body, code] of bodies) {
      assert.throws(() => framed(Buffer.from(body)), { code }, body)
    }
  })

  test('a large body is checked in steps, whatever it consists of', () => {
    const large = [
      `[${Array.from({ length: 50_000 }, (_, i) => `{"id":"${i}","data":{"x":[${i}]}}`).join()}]`,
      `{"documents":[${'{},'.repeat(600_000)}{}],"more":[1,[2,{"x":3}]]}`,
      `{${'"x":1,'.repeat(300_000)}"documents":[]}`,
    ]
    for (const body of large) {
      const bytes = Buffer.from(body)
      const { steps, entries } = framed(bytes)
      assert.ok(steps >= bytes.length / 400_000, `${steps} steps of ${bytes.length} bytes`)
      let count = 0
      for (const { failed } of entries) if (failed === undefined) count++
      const parsed = JSON.parse(body) as unknown[] | { documents: unknown[] }
      assert.equal(count, (Array.isArray(parsed) ? parsed : parsed.documents).length)
    }
    const broken = Buffer.from(`[${'[1,{"x":[]}],'.repeat(100_000)}[1,{"x":[}]]`)
    assert.throws(() => framed(broken), { code: 'malformed_json' })
  })

  test('a malformed line does not affect the others', () => {
    assert.deepEqual(lines('{"x":1}\n{"x":\n{"x":2}}\n\u0000\n{"x":3}'), [
      '0 upsert undefined {"x":1}',
      '1 failed  malformed_json',
      '2 failed  malformed_json',
      '3 failed  malformed_json',
      '4 upsert undefined {"x":3}',
    ])
  })

  test('lines do not depend on the chunks of the stream', () => {
    const body = Buffer.from(`${texts.join('\n')}\n{"é":"😀"}`)
    const whole = lines(body)
    fc.assert(
      fc.property(fc.integer({ min: 1, max: body.length }), (chunkBytes) => {
        assert.deepEqual(lines(body, chunkBytes), whole)
      }),
      { numRuns: 100 },
    )
  })

  test('an endless line is not stored, and the next one is fine', () => {
    const framer = new NdjsonFramer()
    const chunk = Buffer.alloc(1 << 20, '{"x":"')
    const before = process.memoryUsage().arrayBuffers
    for (let i = 0; i < 50; i++) assert.deepEqual(framer.push(Buffer.from(chunk)), [])
    assert.ok(process.memoryUsage().arrayBuffers - before < 200 << 20)
    assert.deepEqual(framer.push(Buffer.from('\n{"x":1}\n')).map(short), [
      '0 failed  payload_too_large',
      '1 upsert undefined {"x":1}',
    ])
    const longest = `{"x":"${'y'.repeat(ENTRY_MAX_BYTES - 8)}"}`
    assert.match(lines(longest)[0]!, /^0 upsert/)
    assert.deepEqual(lines(`${longest} `), ['0 failed  payload_too_large'])
    assert.deepEqual(bulk(`[${longest.replace('y', 'yy')},{}]`), [
      '0 failed  payload_too_large',
      '1 upsert undefined {}',
    ])
  })

  test('a stream is framed as it arrives', async () => {
    async function* stream(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('{"x":1}\n{"x"')
      yield Buffer.from(':2}')
    }
    const framed: string[] = []
    for await (const entry of frameLines(stream())) framed.push(short(entry))
    assert.deepEqual(framed, ['0 upsert undefined {"x":1}', '1 upsert undefined {"x":2}'])
  })
})
