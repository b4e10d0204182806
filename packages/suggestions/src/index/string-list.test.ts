import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { SectionReader, SectionWriter } from '@aisle/engine'
import fc from 'fast-check'
import { addStrings, StringList } from './string-list.ts'

const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '語', '👟'), maxLength: 6 })

function listOf(texts: readonly string[]): StringList {
  const writer = new SectionWriter()
  addStrings(writer, 'texts', texts)
  return new StringList(new SectionReader(writer.finish(1, {}), 1), 'texts')
}

suite('string list', () => {
  test('texts that contain a part are found once each, in order, and not across two texts', () => {
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 40 }), letters, (texts, part) => {
        fc.pre(part !== '')
        const found: number[] = []
        listOf(texts).forEachWith(part, (i) => found.push(i))
        const expected = [...texts.keys()].filter((i) => texts[i]!.includes(part))
        assert.deepEqual(found, expected)
      }),
      { numRuns: 300 },
    )
  })
})
