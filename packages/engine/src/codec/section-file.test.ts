import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { CorruptDataError, SectionReader, SectionWriter } from './section-file.ts'

const MAGIC = 0x54534554

function example(): SharedArrayBuffer {
  const sections = new SectionWriter()
  sections.add('bytes', Uint8Array.of(1, 2, 3))
  sections.add('empty', new Uint16Array(0))
  sections.add('shorts', Uint16Array.of(1, 65_535))
  sections.add('words', Uint32Array.of(7, 2 ** 32 - 1).subarray(1))
  sections.add('doubles', Float64Array.of(0.1, -0))
  sections.add('longs', BigInt64Array.of(2n ** 63n - 1n, -1n))
  return sections.finish(MAGIC, { title: 'Käse' })
}

suite('section files', () => {
  test('sections and properties are read as written', () => {
    const reader = new SectionReader(example(), MAGIC)
    assert.deepEqual(reader.u8('bytes'), Uint8Array.of(1, 2, 3))
    assert.equal(reader.u16('empty').length, 0)
    assert.deepEqual(reader.u16('shorts'), Uint16Array.of(1, 65_535))
    assert.deepEqual(reader.u32('words'), Uint32Array.of(2 ** 32 - 1))
    assert.deepEqual(reader.f64('doubles'), Float64Array.of(0.1, -0))
    assert.deepEqual(reader.i64('longs'), BigInt64Array.of(2n ** 63n - 1n, -1n))
    assert.deepEqual(reader.properties, { title: 'Käse' })
    assert.equal(reader.has('words'), true)
    assert.equal(reader.has('other'), false)
    assert.throws(() => reader.u8('other'), CorruptDataError)
  })

  test('rejects bytes of another kind or version, and truncated ones', () => {
    const whole = new Uint8Array(example())
    const variant = (change: (bytes: Uint8Array) => void): SharedArrayBuffer => {
      const copy = new SharedArrayBuffer(whole.length)
      new Uint8Array(copy).set(whole)
      change(new Uint8Array(copy))
      return copy
    }
    assert.throws(() => new SectionReader(example(), MAGIC + 1), CorruptDataError)
    assert.throws(
      () =>
        new SectionReader(
          variant((b) => (b[4] = 9)),
          MAGIC,
        ),
      CorruptDataError,
    )
    assert.throws(
      () =>
        new SectionReader(
          variant((b) => (b[15] = 9)),
          MAGIC,
        ),
      CorruptDataError,
    )
    assert.throws(
      () =>
        new SectionReader(
          variant((b) => (b[30] = 0xff)),
          MAGIC,
        ),
      CorruptDataError,
    )
    assert.throws(() => new SectionReader(new SharedArrayBuffer(8), MAGIC), CorruptDataError)
  })
})
