import { SectionReader, type SectionWriter } from '../codec/section-file.ts'
import { type EditAutomaton, STATE_SIZE } from './edit-automaton.ts'
import { codePointAt, type DictionaryReader } from './shared-dictionary.ts'
import { TREE_MAGIC, type Ids, type TermTree, type VisitBeginning } from './term-tree.ts'

/**
 * A tree without nodes, for the dictionary of a small index: the strings in order, and the length
 * of the prefix that each shares with the previous one. It takes 5 bytes per string; a trie with
 * its grams takes 60. A walk scans the strings that it prunes, which takes microseconds for some
 * thousand strings.
 *
 *     order:   u16[rank]    string ids, sorted by UTF-16 code units
 *     shared:  u8[rank]     code points shared with the previous string; 255: or more
 *     endings: u16[place]   string ids, sorted by UTF-16 code units read from the end
 */
export class SortedTerms implements TermTree {
  readonly buffer: SharedArrayBuffer
  readonly count: number
  readonly order: Uint16Array
  readonly endings: Uint16Array
  readonly leavesOut = false
  readonly #shared: Uint8Array

  constructor(buffer: SharedArrayBuffer) {
    const sections = new SectionReader(buffer, TREE_MAGIC)
    this.buffer = buffer
    this.order = sections.u16('order')
    this.endings = sections.u16('endings')
    this.count = this.order.length
    this.#shared = sections.u8('shared')
  }

  prefixRange(strings: DictionaryReader, first: string, last: string): readonly [number, number] {
    const rankOf = (prefix: string, isBehind: (order: number) => boolean): number => {
      let low = 0
      for (let high = this.count; low < high;) {
        const middle = (low + high) >>> 1
        if (isBehind(orderOf(strings, this.order[middle]!, prefix))) high = middle
        else low = middle + 1
      }
      return low
    }
    return [rankOf(first, (order) => order >= 0), rankOf(last, (order) => order > 0)]
  }

  walk(
    { arena, offsets }: DictionaryReader,
    automaton: EditAutomaton,
    depthMax: number,
    _head: number,
    visit: VisitBeginning,
  ): void {
    const shared = this.#shared
    const path = new Int32Array(depthMax)
    const states = new Int32Array((depthMax + 1) * STATE_SIZE)
    automaton.start(states, 0)
    /** Depth: code points that the path shares with the string, within reach. */
    let depth = 0
    for (let rank = 0; rank < this.count; rank++) {
      // The pruned string begins with the path and one more code point; this one does not.
      if (shared[rank]! > depth) continue
      depth = shared[rank]!
      const id = this.order[rank]!
      const end = offsets[id + 1]!
      let at = offsets[id]!
      for (let i = 0; i < depth; i++) at += path[i]! > 0xffff ? 2 : 1
      while (at < end && depth < depthMax) {
        const label = codePointAt(arena, at, end)
        const from = depth * STATE_SIZE
        const previous = depth === 0 ? -1 : path[depth - 1]!
        if (!automaton.step(states, from, from + STATE_SIZE, label, previous)) break
        at += label > 0xffff ? 2 : 1
        path[depth++] = label
        const distance = automaton.distance(states, from + STATE_SIZE)
        if (distance < 0) continue
        visit(rank, this.#endOf(rank, depth), at === end, distance, path.subarray(0, depth))
      }
    }
  }

  candidates(): undefined {
    return undefined
  }

  /** The first rank after `rank` whose string does not share the prefix. */
  #endOf(rank: number, depth: number): number {
    let end = rank + 1
    while (end < this.count && this.#shared[end]! >= depth) end++
    return end
  }
}

/** 0 if a string has the prefix; otherwise whether it sorts before or after those that do. */
function orderOf({ arena, offsets }: DictionaryReader, id: number, prefix: string): number {
  const start = offsets[id]!
  const length = offsets[id + 1]! - start
  for (let i = 0; i < prefix.length; i++) {
    if (i === length) return -1
    const difference = arena[start + i]! - prefix.charCodeAt(i)
    if (difference !== 0) return difference
  }
  return 0
}

/** @param order of all strings, as `endings` is for their ends */
export function addSortedTerms(
  sections: SectionWriter,
  strings: DictionaryReader,
  order: Ids,
  endings: Ids,
): void {
  sections.add('order', Uint16Array.from(order))
  sections.add('shared', sharedWithPrevious(strings, order))
  sections.add('endings', Uint16Array.from(endings))
}

function sharedWithPrevious({ arena, offsets }: DictionaryReader, order: Ids): Uint8Array {
  const shared = new Uint8Array(order.length)
  for (let rank = 1; rank < order.length; rank++) {
    const [a, b] = [order[rank - 1]!, order[rank]!]
    const [endA, endB] = [offsets[a + 1]!, offsets[b + 1]!]
    let i = offsets[a]!
    let j = offsets[b]!
    let depth = 0
    for (; depth < 255 && i < endA && j < endB; depth++) {
      const codePoint = codePointAt(arena, i, endA)
      if (codePoint !== codePointAt(arena, j, endB)) break
      const units = codePoint > 0xffff ? 2 : 1
      i += units
      j += units
    }
    shared[rank] = depth
  }
  return shared
}
