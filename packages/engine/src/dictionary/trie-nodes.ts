import { GrowableU32 } from '../codec/growable.ts'
import { codePointAt, type DictionaryReader } from './shared-dictionary.ts'
import type { Ids } from './term-tree.ts'

/** Label bit: a string ends at the node. */
export const ENDS_HERE = 0x80000000
/** Label bits of the code point. */
export const CODE_POINT = 0x7fffffff

/** The nodes of a trie, see trie.ts. */
export interface TrieNodes {
  readonly labels: Uint32Array
  readonly firstChild: Uint32Array
  readonly rankLow: Uint32Array
  readonly rankHigh: Uint32Array
}

const STRINGS_PER_BEAT = 16_384

/**
 * Makes the nodes of sorted strings. Compares each string with the previous one: what they do not
 * share becomes nodes. Once the number of nodes per level is known, every node moves to its place
 * there.
 *
 * @param order ids of all strings, sorted by code units
 * @param beat called regularly
 */
export function makeNodes(strings: DictionaryReader, order: Ids, beat: () => void): TrieNodes {
  const { shared, depths, labels, levels } = readStrings(strings, order, beat)
  const count = 1 + labels.length
  const nodes = {
    labels: new Uint32Array(count),
    firstChild: new Uint32Array(count + 1),
    rankLow: new Uint32Array(count),
    rankHigh: new Uint32Array(count),
  }
  // By depth: the next free node.
  const next = new Uint32Array(levels.length + 2)
  for (let depth = 1; depth <= levels.length; depth++) {
    next[depth] = depth === 1 ? 1 : next[depth - 1]! + levels.data[depth - 2]!
  }
  next[levels.length + 1] = count
  /** // By depth: the nodes on the path to the previous string. */
  const path = new Uint32Array(levels.length + 1)
  nodes.firstChild[0] = 1
  let label = 0
  let depthBefore = 0
  for (let rank = 0; rank < order.length; rank++) {
    if (rank % STRINGS_PER_BEAT === 0) beat()
    const depth = depths[rank]!
    let at = shared[rank]!
    closePath(nodes, path, at, depthBefore, rank)
    while (at < depth) {
      at++
      const node = next[at]!++
      nodes.labels[node] = labels.data[label++]!
      nodes.firstChild[node] = next[at + 1]!
      nodes.rankLow[node] = rank
      path[at] = node
    }
    const end = path[depth]!
    nodes.labels[end] = (nodes.labels[end]! | ENDS_HERE) >>> 0
    depthBefore = depth
  }
  closePath(nodes, path, 0, depthBefore, order.length)
  nodes.rankHigh[0] = order.length
  nodes.firstChild[count] = count
  return nodes
}

/** Ends the nodes of a path deeper than `depth` before a rank. */
function closePath(
  { rankHigh }: TrieNodes,
  path: Uint32Array,
  depth: number,
  depthBefore: number,
  rank: number,
): void {
  for (let at = depthBefore; at > depth; at--) rankHigh[path[at]!] = rank
}

interface ReadStrings {
  /** By rank, in code points: length shared with the previous string, and total length. */
  readonly shared: Uint32Array
  readonly depths: Uint32Array
  /** The code points that are not shared, concatenated. */
  readonly labels: GrowableU32
  /** Number of these by depth, from depth 1 on. */
  readonly levels: GrowableU32
}

function readStrings(
  { arena, offsets }: DictionaryReader,
  order: Ids,
  beat: () => void,
): ReadStrings {
  const shared = new Uint32Array(order.length)
  const depths = new Uint32Array(order.length)
  const labels = new GrowableU32(order.length * 4 + 1)
  const levels = new GrowableU32(64)
  const before = new GrowableU32(64)
  for (let rank = 0; rank < order.length; rank++) {
    if (rank % STRINGS_PER_BEAT === 0) beat()
    const id = order[rank]!
    const end = offsets[id + 1]!
    let isShared = true
    let depth = 0
    for (let at = offsets[id]!; at < end; depth++) {
      const codePoint = codePointAt(arena, at, end)
      at += codePoint > 0xffff ? 2 : 1
      if (isShared && depth < before.length && before.data[depth] === codePoint) continue
      if (isShared) {
        isShared = false
        shared[rank] = depth
        before.length = depth
      }
      before.push(codePoint)
      labels.push(codePoint)
      if (depth === levels.length) levels.push(0)
      levels.data[depth]!++
    }
    // All strings differ: only the empty one, which comes first, is wholly shared.
    depths[rank] = depth
  }
  return { shared, depths, labels, levels }
}
