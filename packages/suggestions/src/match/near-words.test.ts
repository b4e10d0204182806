import assert from 'node:assert/strict'
import test from 'node:test'
import { SectionReader, SectionWriter } from '@aisle/engine'
import fc from 'fast-check'
import { addStrings, StringList } from '../index/string-list.ts'
import { editDistance, editDistanceToBeginning } from '@aisle/contract'
import { findNearWords } from './near-words.ts'

function listOf(words: readonly string[]): StringList {
  const writer = new SectionWriter()
  addStrings(writer, 'words', words)
  return new StringList(new SectionReader(writer.finish(1, {}), 1), 'words')
}

test('the walk finds the same words as comparing each one', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é'), minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { maxLength: 40 }),
      word,
      fc.constantFrom(1, 2),
      fc.boolean(),
      (unsorted, typed, edits, isOpen) => {
        const words = unsorted.toSorted()
        const found = new Map<string, number>()
        findNearWords(listOf(words), typed, edits, isOpen, (place, distance) => {
          assert.ok(!found.has(words[place]!), 'each word once')
          found.set(words[place]!, distance)
        })
        const measure = isOpen ? editDistanceToBeginning : editDistance
        const expected = words.map((one) => [one, measure(typed, one)] as const)
        const near = expected.filter(([, distance]) => distance > 0 && distance <= edits)
        assert.deepEqual(found, new Map(near))
      },
    ),
  )
})
