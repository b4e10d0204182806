import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import {
  DictionaryReader,
  DictionaryWriter,
  packedBytes,
  packStrings,
} from './shared-dictionary.ts'

const arbitraryTexts = fc.array(
  fc.oneof(fc.string({ unit: 'grapheme', maxLength: 6 }), fc.string({ maxLength: 200 })),
  { maxLength: 150, size: 'max' },
)

suite('shared dictionary', () => {
  test('ids are assigned in order of arrival, once per string, and identify it', () => {
    fc.assert(
      fc.property(arbitraryTexts, (texts) => {
        const writer = new DictionaryWriter()
        const ids = new Map<string, number>()
        for (const text of texts) {
          const id = writer.intern(text)
          if (!ids.has(text)) ids.set(text, ids.size)
          assert.equal(id, ids.get(text))
        }
        const reader = new DictionaryReader(writer.handles())
        assert.equal(reader.count, ids.size)
        for (const [text, id] of ids) {
          assert.equal(reader.find(text), id)
          assert.equal(reader.text(id), text)
          assert.equal(writer.text(id), text)
          assert.equal(reader.find(`${text}?!`), ids.get(`${text}?!`) ?? -1)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('a reader sees the strings of its snapshot only', () => {
    const writer = new DictionaryWriter()
    const readers: DictionaryReader[] = []
    for (let i = 0; i < 3_000; i++) {
      if (i % 500 === 250) readers.push(new DictionaryReader(writer.handles()))
      writer.intern(`word ${i}`)
    }
    readers.forEach((reader, n) => {
      const count = n * 500 + 250
      assert.equal(reader.count, count)
      for (const i of [0, count - 1]) assert.equal(reader.find(`word ${i}`), i)
      assert.equal(reader.find(`word ${count}`), -1)
      assert.equal(reader.find('word 2999'), -1)
    })
  })

  test('large tables have hashes, small ones none; both find all strings of their snapshot', () => {
    const writer = new DictionaryWriter()
    const readers: DictionaryReader[] = []
    for (let i = 0; i < 40_000; i++) {
      if (i % 8_000 === 4_000) readers.push(new DictionaryReader(writer.handles()))
      assert.equal(writer.handles().isNarrow, i <= 32_767, String(i))
      writer.intern(`word ${i}`)
    }
    readers.forEach((reader, n) => {
      const count = n * 8_000 + 4_000
      for (let i = 0; i < count; i += 97) assert.equal(reader.find(`word ${i}`), i)
      for (let i = count; i < 40_000; i += 97) assert.equal(reader.find(`word ${i}`), -1)
    })
    const copy = DictionaryWriter.fromPacked(packStrings(writer.handles()))
    for (let i = 0; i < 40_000; i += 97) assert.equal(copy.find(`word ${i}`), i)
    assert.equal(copy.intern('another'), 40_000)
  })

  test('packed strings restore the same dictionary, which accepts more', () => {
    const writer = new DictionaryWriter()
    for (let i = 0; i < 500; i++) writer.intern(`${'x'.repeat(i % 70)}${i}`)
    const handles = writer.handles()
    // Some of them still fit into the table of these handles.
    for (let i = 0; i < 100; i++) writer.intern(`later ${i}`)
    const packed = packStrings(handles)
    assert.ok(packedBytes(handles) >= packed.arena.byteLength + packed.offsets.byteLength)
    const copy = DictionaryWriter.fromPacked(packed)
    assert.equal(copy.count, 500)
    for (let id = 0; id < 500; id++) {
      assert.equal(copy.text(id), writer.text(id))
      assert.equal(copy.find(writer.text(id)), id)
    }
    assert.equal(copy.find('later 0'), -1)
    for (let i = 0; i < 1_000; i++) assert.equal(copy.intern(`sooner ${i}`), 500 + i)
    assert.equal(copy.find('sooner 7'), 507)
  })
})
