import { SectionReader } from '../codec/section-file.ts'
import type { EditAutomaton } from './edit-automaton.ts'
import { walkWithin } from './edit-walk.ts'
import { GramIndex } from './gram-index.ts'
import type { DictionaryReader } from './shared-dictionary.ts'
import { TREE_MAGIC, type TermTree, type VisitBeginning } from './term-tree.ts'
import { CODE_POINT, ENDS_HERE } from './trie-nodes.ts'

/**
 * A trie over the first `count` strings of a dictionary, by code point.
 *
 * Nodes are numbered level by level, so that the children of a node are adjacent:
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
export class Trie implements TermTree {
  readonly count: number
  readonly leavesOut = true
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
    const sections = new SectionReader(buffer, TREE_MAGIC)
    this.labels = sections.u32('labels')
    this.firstChild = sections.u32('firstChild')
    this.rankLow = sections.u32('rankLow')
    this.rankHigh = sections.u32('rankHigh')
    this.order = sections.u32('order')
    this.endings = sections.u32('endings')
    this.count = this.order.length
    this.grams = new GramIndex(sections)
  }

  prefixRange(_strings: DictionaryReader, first: string, last: string): readonly [number, number] {
    let node = 0
    const characters = [...first]
    for (const [depth, character] of characters.entries()) {
      const codePoint = character.codePointAt(0)!
      if (first !== last && depth === characters.length - 1) {
        return this.#ranksBelow(node, codePoint, last.codePointAt(first.length - character.length)!)
      }
      node = this.#child(node, codePoint)
      if (node < 0) return [0, 0]
    }
    return [this.rankLow[node]!, this.rankHigh[node]!]
  }

  /** The ranks below the children of a node from one character to another. */
  #ranksBelow(node: number, first: number, last: number): readonly [number, number] {
    let [from, to] = [0, 0]
    const end = this.firstChild[node + 1]!
    for (let child = this.firstChild[node]!; child < end; child++) {
      const label = this.labels[child]! & CODE_POINT
      if (label < first || label > last) continue
      if (to === 0) from = this.rankLow[child]!
      to = this.rankHigh[child]!
    }
    return [from, to]
  }

  walk(
    _strings: DictionaryReader,
    automaton: EditAutomaton,
    depthMax: number,
    head: number,
    visit: VisitBeginning,
  ): void {
    walkWithin(this, automaton, depthMax, head, (node, distance, path) =>
      visit(this.rankLow[node]!, this.rankHigh[node]!, endsHere(this, node), distance, path),
    )
  }

  candidates(text: string): number[] {
    return this.grams.candidates(text)
  }

  /** A linear scan: nodes have few children. */
  #child(node: number, codePoint: number): number {
    const end = this.firstChild[node + 1]!
    for (let child = this.firstChild[node]!; child < end; child++) {
      if ((this.labels[child]! & CODE_POINT) === codePoint) return child
    }
    return -1
  }
}

export function endsHere(trie: Trie, node: number): boolean {
  return trie.labels[node]! >= ENDS_HERE
}
