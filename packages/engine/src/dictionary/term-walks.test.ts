import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { editDistance } from '../rescoring/edit-distance.ts'
import { buildTree, openTree } from './build-tree.ts'
import type { DictionaryReader } from './shared-dictionary.ts'
import { TermReader, TermWriter } from './term-store.ts'
import type { TermTree } from './term-tree.ts'
import {
  begunNeighboursOf,
  idsWithEnding,
  idsWithInfix,
  idsWithPrefix,
  neighboursOf,
} from './term-walks.ts'

const unit = fc.constantFrom('a', 'b', 'c', 'é', '𐐀', '😀')
const arbitraryWord = fc.string({ unit, minLength: 1, maxLength: 7 })

/** Words of few letters: most are a few edits apart. */
const similarWord = fc.string({ unit: fc.constantFrom('a', 'b', '😀'), minLength: 3, maxLength: 8 })

/** A vocabulary with a tree of its first words, of either kind, or without a tree. */
const arbitraryTerms = fc
  .record({
    words: fc.oneof(
      fc.uniqueArray(arbitraryWord, { maxLength: 60, size: 'max' }),
      fc.uniqueArray(similarWord, { maxLength: 200, size: 'max' }),
    ),
    trieShare: fc.constantFrom(undefined, 0, 0.5, 1),
    hasNodes: fc.boolean(),
  })
  .map(({ words, trieShare, hasNodes }) => {
    const terms = new TermWriter()
    const treeOf = (strings: DictionaryReader): TermTree =>
      openTree(buildTree(strings, undefined, undefined, hasNodes ? 0 : words.length))
    let trie: TermTree | undefined
    words.forEach((word, i) => {
      if (trieShare !== undefined && i === Math.floor(words.length * trieShare)) {
        trie = treeOf(new TermReader(terms.handles()).strings)
      }
      terms.intern(word, (form) => form)
    })
    const reader = new TermReader(terms.handles())
    if (trieShare === 1) trie = treeOf(reader.strings)
    return { words, reader, trie }
  })

suite('term walks', () => {
  test('finds every prefix within reach, with its strings', () => {
    fc.assert(
      fc.property(
        arbitraryTerms,
        arbitraryWord,
        fc.constantFrom(0, 1, 2),
        ({ words, reader, trie }, word, edits) => {
          const accepts = (beginning: string) => beginning.length > 1
          const wanted = words.flatMap((other, id) => {
            const letters = [...other]
            return letters
              .map((_, i) => letters.slice(0, i + 1).join(''))
              .map((beginning) => ({ id, distance: editDistance(word, beginning), beginning }))
              .filter(({ distance, beginning }) => distance <= edits && accepts(beginning))
          })
          const found = begunNeighboursOf(reader, trie, word, edits, accepts)
          assert.deepEqual(
            found.toSorted((a, b) => a.id - b.id || a.beginning.length - b.beginning.length),
            wanted,
          )
        },
      ),
      { numRuns: 400 },
    )
  })

  test('finds the strings that contain a text, in a trie or newer than it', () => {
    const infix = fc.string({ unit, minLength: 3, maxLength: 5 })
    fc.assert(
      fc.property(arbitraryTerms, infix, ({ words, reader, trie }, text) => {
        const wanted = [...words.keys()].filter((id) => words[id]!.includes(text))
        assert.deepEqual(idsWithInfix(reader, trie, text), wanted)
      }),
      { numRuns: 400 },
    )
  })

  test('the neighbours of a word are all strings within reach, with their distances', () => {
    fc.assert(
      fc.property(
        arbitraryTerms,
        fc.oneof(arbitraryWord, similarWord),
        fc.constantFrom(0, 1, 2),
        ({ words, reader, trie }, word, edits) => {
          const wanted = words
            .map((other, id) => ({ id, distance: editDistance(word, other) }))
            .filter(({ distance }) => distance <= edits)
          const found = neighboursOf(reader, trie, word, edits)
          assert.deepEqual(
            found.toSorted((a, b) => a.id - b.id),
            wanted,
          )
        },
      ),
      { numRuns: 1_000 },
    )
  })

  test('the strings with a prefix are those that start with it', () => {
    fc.assert(
      fc.property(
        arbitraryTerms,
        fc.string({ unit, maxLength: 3 }),
        ({ words, reader, trie }, prefix) => {
          const wanted = [...words.keys()].filter((id) => words[id]!.startsWith(prefix))
          const found = [...idsWithPrefix(reader, trie, prefix)]
          assert.deepEqual(
            found.toSorted((a, b) => a - b),
            wanted,
          )
        },
      ),
      { numRuns: 200 },
    )
  })

  test('the strings with an ending are those that end with it', () => {
    fc.assert(
      fc.property(
        arbitraryTerms,
        fc.string({ unit, maxLength: 3 }),
        ({ words, reader, trie }, ending) => {
          const wanted = [...words.keys()].filter((id) => words[id]!.endsWith(ending))
          const found = idsWithEnding(reader, trie, ending)
          assert.deepEqual(
            found.toSorted((a, b) => a - b),
            wanted,
          )
        },
      ),
      { numRuns: 200 },
    )
  })

  test('very long strings are ignored on both sides', () => {
    const terms = new TermWriter()
    for (const word of ['abc', 'abc'.repeat(2_000), '😀'.repeat(40)]) {
      terms.intern(word, (form) => form)
    }
    const reader = new TermReader(terms.handles())
    const trees = [0, 100].map((max) =>
      openTree(buildTree(reader.strings, undefined, undefined, max)),
    )
    for (const trie of [undefined, ...trees]) {
      assert.deepEqual(neighboursOf(reader, trie, 'abd', 2), [{ id: 0, distance: 1 }])
      assert.deepEqual(neighboursOf(reader, trie, 'abc'.repeat(20), 2), [])
    }
  })
})
