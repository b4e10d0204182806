import { SectionReader, SectionWriter } from '../codec/section-file.ts'
import { addGrams, GramIndex } from './gram-index.ts'
import type { DictionaryReader } from './shared-dictionary.ts'
import { ENDS_HERE, makeNodes } from './trie-nodes.ts'

/**
 * A trie over the first `count` strings of a dictionary, by code point. It is immutable, and
 * rebuilt in the background when many strings have been added. Newer strings are examined one by
 * one (`Trie.count`).
 *
 * Nodes are numbered level by level, so that the children of a node are neighbours:
 *
 *     labels:     u32[node]      code point of the edge to the node; bit 31: a string ends here
 *     firstChild: u32[node + 1]  children of node n are firstChild[n] .. firstChild[n + 1] - 1
 *     rankLow:    u32[node]      ranks (see `order`) of the strings below: from here ...
 *     rankHigh:   u32[node]      ... to before here; the one that ends here comes first
 *     order:      u32[rank]      string ids, sorted by UTF-16 code units
 *     endings:    u32[place]     string ids, sorted by UTF-16 code units read from the end
 *
 * The same buffer holds the sections of `GramIndex`.
 */
const TRIE_MAGIC = 0x45495254

/** The bits of a label that are its code point. */
export const CODE_POINT = 0x7fffffff

export class Trie {
  /** Strings with ids below this are in the trie. */
  readonly count: number
  readonly labels: Uint32Array
  readonly firstChild: Uint32Array
  readonly rankLow: Uint32Array
  readonly rankHigh: Uint32Array
  readonly order: Uint32Array
  readonly endings: Uint32Array
  /** The grams of the strings in the trie. */
  readonly grams: GramIndex
  readonly buffer: SharedArrayBuffer

  constructor(buffer: SharedArrayBuffer) {
    this.buffer = buffer
    const sections = new SectionReader(buffer, TRIE_MAGIC)
    this.labels = sections.u32('labels')
    this.firstChild = sections.u32('firstChild')
    this.rankLow = sections.u32('rankLow')
    this.rankHigh = sections.u32('rankHigh')
    this.order = sections.u32('order')
    this.endings = sections.u32('endings')
    this.count = this.order.length
    this.grams = new GramIndex(sections)
  }

  /** Whether it was built by a version that sorted strings by their ends, too. */
  static hasEndings(buffer: SharedArrayBuffer): boolean {
    return new SectionReader(buffer, TRIE_MAGIC).has('endings')
  }

  /** @returns ranks of the strings that start with the prefix, as [from, to) */
  prefixRange(prefix: string): readonly [number, number] {
    let node = 0
    for (const character of prefix) {
      node = this.#child(node, character.codePointAt(0)!)
      if (node < 0) return [0, 0]
    }
    return [this.rankLow[node]!, this.rankHigh[node]!]
  }

  /** Nodes have few children, so a scan is fast enough. */
  #child(node: number, codePoint: number): number {
    const end = this.firstChild[node + 1]!
    for (let child = this.firstChild[node]!; child < end; child++) {
      if ((this.labels[child]! & CODE_POINT) === codePoint) return child
    }
    return -1
  }
}

/**
 * Builds the trie of all strings of a dictionary, with their grams.
 *
 * @param previous a trie of the first strings of the same dictionary; avoids sorting them again
 * @param beat called regularly
 */
export function buildTrie(
  dictionary: DictionaryReader,
  previous?: Trie,
  beat: () => void = () => undefined,
): SharedArrayBuffer {
  const order = sortedIds(dictionary, previous?.order, compareUnits)
  beat()
  const { labels, firstChild, rankLow, rankHigh } = makeNodes(dictionary, order, beat)
  beat()

  const sections = new SectionWriter()
  sections.add('labels', labels)
  sections.add('firstChild', firstChild)
  sections.add('rankLow', rankLow)
  sections.add('rankHigh', rankHigh)
  sections.add('order', order)
  beat()
  sections.add('endings', sortedIds(dictionary, previous?.endings, compareFromEnd))
  beat()
  addGrams(sections, dictionary, previous?.grams, previous?.count)
  return sections.finish(TRIE_MAGIC, {})
}

/**
 * The first place from `from` on that is not before. The steps double until they are too long: a
 * few comparisons for neighbours, and never more than twice the logarithm.
 */
function placeIn(sorted: Uint32Array, from: number, isBefore: (id: number) => boolean): number {
  let low = from
  let step = 1
  while (low + step <= sorted.length && isBefore(sorted[low + step - 1]!)) {
    low += step
    step *= 2
  }
  let high = Math.min(low + step - 1, sorted.length)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(sorted[middle]!)) low = middle + 1
    else high = middle
  }
  return low
}

/** Compares two strings of an arena by code units; all strings of a dictionary differ. */
type Compare = (arena: Uint16Array, offsets: Uint32Array, a: number, b: number) => number

/**
 * Ids of all strings in an order: the new ones are sorted, then merged into the old order.
 *
 * @param old ids 0 .. old.length - 1 in this order
 */
function sortedIds(
  { arena, offsets, count }: DictionaryReader,
  old: Uint32Array = new Uint32Array(0),
  compare: Compare,
): Uint32Array {
  const fresh = Uint32Array.from({ length: count - old.length }, (_, i) => old.length + i)
  fresh.sort((a, b) => compare(arena, offsets, a, b))
  const order = new Uint32Array(count)
  let rank = 0
  let i = 0
  for (const id of fresh) {
    const to = placeIn(old, i, (other) => compare(arena, offsets, other, id) < 0)
    order.set(old.subarray(i, to), rank)
    rank += to - i
    order[rank++] = id
    i = to
  }
  order.set(old.subarray(i), rank)
  return order
}

function compareUnits(arena: Uint16Array, offsets: Uint32Array, a: number, b: number): number {
  const endA = offsets[a + 1]!
  const endB = offsets[b + 1]!
  let i = offsets[a]!
  let j = offsets[b]!
  while (i < endA && j < endB) {
    const difference = arena[i++]! - arena[j++]!
    if (difference !== 0) return difference
  }
  return endA - i - (endB - j)
}

function compareFromEnd(arena: Uint16Array, offsets: Uint32Array, a: number, b: number): number {
  const startA = offsets[a]!
  const startB = offsets[b]!
  let i = offsets[a + 1]!
  let j = offsets[b + 1]!
  while (i > startA && j > startB) {
    const difference = arena[--i]! - arena[--j]!
    if (difference !== 0) return difference
  }
  return i - startA - (j - startB)
}

export function endsHere(trie: Trie, node: number): boolean {
  return trie.labels[node]! >= ENDS_HERE
}
