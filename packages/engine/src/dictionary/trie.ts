import { GrowableU16, GrowableU32 } from '../codec/growable.ts'
import { SectionReader, SectionWriter } from '../codec/section-file.ts'
import { addGrams, GramIndex } from './gram-index.ts'
import type { DictionaryReader } from './shared-dictionary.ts'

/**
 * A trie over the first `count` strings of a dictionary, by code point. It never changes; it is built anew
 * in the background when many strings have come. Newer strings are looked at one by one (`Trie.count`).
 *
 * Nodes are numbered level by level, so that the children of a node are neighbours:
 *
 *     labels:     u32[node]      code point of the edge to the node; bit 31: a string ends here
 *     firstChild: u32[node + 1]  children of node n are firstChild[n] .. firstChild[n + 1] - 1
 *     rankLow:    u32[node]      ranks (see `order`) of the strings below: from here ...
 *     rankHigh:   u32[node]      ... to before here; the one that ends here comes first
 *     order:      u32[rank]      string ids, sorted by UTF-16 code units
 *
 * The same buffer holds the sections of `GramIndex`.
 */
export const TRIE_MAGIC = 0x45495254

const ENDS_HERE = 0x80000000

export class Trie {
  /** Strings with ids below this are in the trie. */
  readonly count: number
  readonly labels: Uint32Array
  readonly firstChild: Uint32Array
  readonly rankLow: Uint32Array
  readonly rankHigh: Uint32Array
  readonly order: Uint32Array
  /** What the strings of the trie hold inside. */
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
    this.count = this.order.length
    this.grams = new GramIndex(sections)
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

  /** Children are few: a scan is as quick as anything. */
  #child(node: number, codePoint: number): number {
    const end = this.firstChild[node + 1]!
    for (let child = this.firstChild[node]!; child < end; child++) {
      if ((this.labels[child]! & ~ENDS_HERE) >>> 0 === codePoint) return child
    }
    return -1
  }
}

/**
 * Builds the trie of all strings of a dictionary, with their grams.
 *
 * @param previous a trie of the first strings of the same dictionary: spares sorting them again
 */
export function buildTrie(dictionary: DictionaryReader, previous?: Trie): SharedArrayBuffer {
  const texts: string[] = []
  for (let id = 0; id < dictionary.count; id++) texts.push(dictionary.text(id))
  const order = sortedIds(texts, previous?.order ?? new Uint32Array(0))

  const labels = new GrowableU32(order.length * 4 + 1)
  const firstChild = new GrowableU32(order.length * 4 + 2)
  const rankLow = new GrowableU32(order.length * 4 + 1)
  const rankHigh = new GrowableU32(order.length * 4 + 1)
  labels.push(0)
  rankLow.push(0)
  rankHigh.push(order.length)
  // Level by level; `depth` is in UTF-16 units, of which an astral character has two.
  const depths = new GrowableU16(order.length * 4 + 1)
  depths.push(0)
  for (let node = 0; node < labels.length; node++) {
    firstChild.push(labels.length)
    const depth = depths.data[node]!
    const high = rankHigh.data[node]!
    let rank = rankLow.data[node]!
    while (rank < high && texts[order[rank]!]!.length === depth) {
      labels.data[node] = labels.data[node]! | ENDS_HERE
      rank++
    }
    while (rank < high) {
      const label = texts[order[rank]!]!.codePointAt(depth)!
      const start = rank
      rank++
      while (rank < high && texts[order[rank]!]!.codePointAt(depth) === label) rank++
      labels.push(label)
      rankLow.push(start)
      rankHigh.push(rank)
      depths.push(depth + (label > 0xffff ? 2 : 1))
    }
  }
  firstChild.push(labels.length)

  const sections = new SectionWriter()
  sections.add('labels', labels.data.subarray(0, labels.length))
  sections.add('firstChild', firstChild.data.subarray(0, firstChild.length))
  sections.add('rankLow', rankLow.data.subarray(0, rankLow.length))
  sections.add('rankHigh', rankHigh.data.subarray(0, rankHigh.length))
  sections.add('order', order)
  addGrams(sections, texts)
  return sections.finish(TRIE_MAGIC, {})
}

/** Ids of all texts in order of their code units: the new ones are sorted, then merged with the old order. */
function sortedIds(texts: readonly string[], old: Uint32Array): Uint32Array {
  const fresh = Array.from({ length: texts.length - old.length }, (_, i) => old.length + i)
  fresh.sort((a, b) => (texts[a]! < texts[b]! ? -1 : 1))
  const order = new Uint32Array(texts.length)
  let i = 0
  let j = 0
  for (let rank = 0; rank < order.length; rank++) {
    const takeOld = j === fresh.length || (i < old.length && texts[old[i]!]! < texts[fresh[j]!]!)
    order[rank] = takeOld ? old[i++]! : fresh[j++]!
  }
  return order
}

/** The label of a node without its flag, and whether a string ends there. */
export function labelOf(trie: Trie, node: number): number {
  return (trie.labels[node]! & ~ENDS_HERE) >>> 0
}

export function endsHere(trie: Trie, node: number): boolean {
  return trie.labels[node]! >= ENDS_HERE
}
