import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { SectionReader, SectionWriter } from '../codec/section-file.ts'
import { addGrams, GramIndex } from './gram-index.ts'

const MAGIC = 0x12345678

function indexOf(texts: readonly string[]): GramIndex {
  const sections = new SectionWriter()
  const offsets = new Uint32Array(texts.length + 1)
  texts.forEach((text, id) => (offsets[id + 1] = offsets[id]! + text.length))
  const units = texts.join('')
  const arena = Uint16Array.from({ length: units.length }, (_, at) => units.charCodeAt(at))
  addGrams(sections, { arena, offsets, count: texts.length })
  return new GramIndex(new SectionReader(sections.finish(MAGIC, {}), MAGIC))
}

suite('grams', () => {
  test('a gram that occurs twice in a string lists it once', () => {
    assert.deepEqual(indexOf(['banana', 'ban', 'an', '']).candidates('ana'), [0])
  })

  test('uses the rarest gram of a text, and finds nothing if one is missing', () => {
    const grams = indexOf(['abcd', 'abce', 'abcf', 'xbcd'])
    assert.deepEqual(grams.candidates('abc'), [0, 1, 2])
    assert.deepEqual(grams.candidates('abcd'), [0, 3])
    assert.deepEqual(grams.candidates('abcz'), [])
  })

  test('deltas of every varint length survive', () => {
    const texts = Array.from({ length: 20_000 }, () => '')
    const wanted = [0, 1, 128, 129, 300, 16_800, 19_999]
    for (const id of wanted) texts[id] = `x${id} 𐐀𐐁`
    assert.deepEqual(indexOf(texts).candidates(' 𐐀𐐁'), wanted)
  })

  test('no strings, no grams', () => {
    assert.deepEqual(indexOf([]).candidates('abc'), [])
  })
})
