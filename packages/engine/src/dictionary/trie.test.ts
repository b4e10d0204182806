import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { CorruptDataError } from '../codec/section-file.ts'
import { DictionaryReader, DictionaryWriter } from './shared-dictionary.ts'
import { buildTree, openTree } from './build-tree.ts'
import { endsHere, Trie } from './trie.ts'
import type { TermTree } from './term-tree.ts'
import { CODE_POINT } from './trie-nodes.ts'

const arbitraryWords = fc.uniqueArray(
  fc.string({ unit: fc.constantFrom('a', 'b', '\uffff', '𐐀', '😀'), maxLength: 6 }),
  { maxLength: 80, size: 'max' },
)

function dictionaryOf(words: readonly string[]): DictionaryReader {
  const writer = new DictionaryWriter()
  for (const word of words) writer.intern(word)
  return new DictionaryReader(writer.handles())
}

/** All strings of the trie, collected by visiting every node from the root. */
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

/** Of either kind: a trie, or only sorted strings. */
function treeOf(dictionary: DictionaryReader, hasNodes: boolean, before?: TermTree): TermTree {
  return openTree(buildTree(dictionary, before, undefined, hasNodes ? 0 : dictionary.count))
}

suite('trie', () => {
  test('contains every string with its id', () => {
    fc.assert(
      fc.property(arbitraryWords, (words) => {
        const trie = treeOf(dictionaryOf(words), true)
        assert.ok(trie instanceof Trie || words.length === 0)
        if (!(trie instanceof Trie)) return
        assert.deepEqual(stringsOf(trie), new Map(words.map((word, id) => [word, id])))
      }),
      { numRuns: 80 },
    )
  })

  test('prefixes are ranges of a tree, with nodes or without', () => {
    fc.assert(
      fc.property(arbitraryWords, fc.boolean(), (words, hasNodes) => {
        const strings = dictionaryOf(words)
        const tree = treeOf(strings, hasNodes)
        assert.equal(tree.count, words.length)
        for (const prefix of ['', 'a', 'ab', '𐐀', 'zz', ...words]) {
          const [from, to] = tree.prefixRange(strings, prefix, prefix)
          const ids = [...tree.order.subarray(from, to)].toSorted((a, b) => a - b)
          const wanted = [...words.keys()].filter((id) => words[id]!.startsWith(prefix))
          assert.deepEqual(ids, wanted)
        }
      }),
      { numRuns: 80 },
    )
  })

  test('building on a previous tree of either kind equals building from scratch', () => {
    fc.assert(
      fc.property(
        arbitraryWords,
        fc.nat(80),
        fc.boolean(),
        fc.boolean(),
        (words, at, hadNodes, hasNodes) => {
          const before = treeOf(dictionaryOf(words.slice(0, at)), hadNodes)
          const dictionary = dictionaryOf(words)
          assert.deepEqual(
            new Uint8Array(treeOf(dictionary, hasNodes, before).buffer),
            new Uint8Array(treeOf(dictionary, hasNodes).buffer),
          )
        },
      ),
      { numRuns: 80 },
    )
  })

  test('rejects other bytes', () => {
    assert.throws(() => openTree(new SharedArrayBuffer(64)), CorruptDataError)
  })
})
