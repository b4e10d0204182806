import type { EditAutomaton } from './edit-automaton.ts'
import { CODE_POINT, type TrieNodes } from './trie-nodes.ts'

/**
 * Walks the part of a trie within reach of a pattern and prunes all other branches. This is
 * `EditAutomaton.step` inlined over arrays by depth: the walk visits up to 50,000 nodes for a word
 * with two edits, and calls would dominate.
 *
 * @param depthMax code points of the longest text within reach, plus one
 * @param head prunes texts that need all edits to match the first `head` code points of the
 * pattern, because these share the rest of it as an ending; 0: prunes none
 * @param visit called for each node within reach, with the code points that lead to it
 */
export function walkWithin(
  { labels, firstChild }: Pick<TrieNodes, 'labels' | 'firstChild'>,
  automaton: EditAutomaton,
  depthMax: number,
  head: number,
  visit: (node: number, distance: number, path: Int32Array) => void,
): void {
  const { accept, all, ascii, edits } = automaton
  const late = head === 0 ? all : all & ~((2 << head) - 1)
  const kept1 = edits === 0 ? 0 : edits === 1 ? late : all
  const kept2 = edits === 2 ? late : 0
  // An explicit stack by depth: the next child to visit, the end of the children, and the state. A
  // state is one index after its depth, so that the root has a previous one.
  const next = new Int32Array(depthMax + 1)
  const end = new Int32Array(depthMax + 1)
  const path = new Int32Array(depthMax + 1)
  const masks = new Int32Array(depthMax + 2)
  const exact = new Int32Array(depthMax + 2)
  const one = new Int32Array(depthMax + 2)
  const two = new Int32Array(depthMax + 2)
  exact[1] = 1
  one[1] = 3 & kept1
  two[1] = 7 & kept2
  next[0] = firstChild[0]!
  end[0] = firstChild[1]!
  for (let depth = 0; depth >= 0;) {
    const node = next[depth]!
    if (node >= end[depth]!) {
      depth--
      continue
    }
    next[depth] = node + 1
    const label = labels[node]! & CODE_POINT
    const mask = label < 128 ? ascii[label]! : automaton.maskOf(label)
    const at = depth + 1
    const r0 = exact[at]!
    const r1 = one[at]!
    const r2 = two[at]!
    const swap = mask & (masks[at]! >> 1)
    const n0 = ((r0 & mask) << 1) & all
    const n1 =
      (((r1 & mask) << 1) | r0 | (r0 << 1) | (n0 << 1) | ((exact[depth]! & swap) << 2)) & kept1
    const n2 =
      (((r2 & mask) << 1) | r1 | (r1 << 1) | (n1 << 1) | ((one[depth]! & swap) << 2)) & kept2
    const reached = n0 | n1 | n2
    // States do not contain the first half of a swap; only the next step recognises it.
    const begunSwap = ((edits === 2 ? r1 : r0) << 1) & mask
    if (reached === 0 && begunSwap === 0) continue
    path[depth] = label
    if ((reached & accept) !== 0) {
      const distance = (n0 & accept) !== 0 ? 0 : (n1 & accept) !== 0 ? 1 : 2
      visit(node, distance, path.subarray(0, at))
    }
    if (at >= depthMax) continue
    depth = at
    next[at] = firstChild[node]!
    end[at] = firstChild[node + 1]!
    masks[at + 1] = mask
    exact[at + 1] = n0
    one[at + 1] = n1
    two[at + 1] = n2
  }
}
