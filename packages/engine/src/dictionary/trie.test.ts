import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { CorruptDataError } from '../codec/section-file.ts'
import { DictionaryReader, DictionaryWriter } from './shared-dictionary.ts'
import { buildTrie, CODE_POINT, endsHere, Trie } from './trie.ts'

const arbitraryWords = fc.uniqueArray(
  fc.string({ unit: fc.constantFrom('a', 'b', '\uffff', '𐐀', '😀'), maxLength: 6 }),
  { maxLength: 80, size: 'max' },
)

function dictionaryOf(words: readonly string[]): DictionaryReader {
  const writer = new DictionaryWriter()
  for (const word of words) writer.intern(word)
  return new DictionaryReader(writer.handles())
}

/** All strings of the trie, found by visiting every node from the root. */
function stringsOf(trie: Trie): Map<string, number> {
  const found = new Map<string, number>()
  const visit = (node: number, text: string): void => {
    if (endsHere(trie, node)) found.set(text, trie.order[trie.rankLow[node]!]!)
    for (let child = trie.firstChild[node]!; child < trie.firstChild[node + 1]!; child++) {
      visit(child, text + String.fromCodePoint(trie.labels[child]! & CODE_POINT))
    }
  }
  visit(0, '')
  return found
}

suite('trie', () => {
  test('it holds every string with its id, and prefixes are ranges of it', () => {
    fc.assert(
      fc.property(arbitraryWords, (words) => {
        const trie = new Trie(buildTrie(dictionaryOf(words)))
        assert.equal(trie.count, words.length)
        assert.deepEqual(stringsOf(trie), new Map(words.map((word, id) => [word, id])))
        for (const prefix of ['', 'a', 'ab', '𐐀', 'zz', ...words]) {
          const [from, to] = trie.prefixRange(prefix)
          const ids = [...trie.order.subarray(from, to)].toSorted((a, b) => a - b)
          const wanted = [...words.keys()].filter((id) => words[id]!.startsWith(prefix))
          assert.deepEqual(ids, wanted)
        }
      }),
      { numRuns: 80 },
    )
  })

  test('built upon the trie before, it is the one that is built from nothing', () => {
    fc.assert(
      fc.property(arbitraryWords, fc.nat(80), (words, at) => {
        const before = new Trie(buildTrie(dictionaryOf(words.slice(0, at))))
        const dictionary = dictionaryOf(words)
        assert.deepEqual(
          new Uint8Array(buildTrie(dictionary, before)),
          new Uint8Array(buildTrie(dictionary)),
        )
      }),
      { numRuns: 50 },
    )
  })

  test('other bytes are refused', () => {
    assert.throws(() => new Trie(new SharedArrayBuffer(64)), CorruptDataError)
  })
})
