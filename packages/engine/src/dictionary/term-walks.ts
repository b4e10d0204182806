import { EditAutomaton, PATTERN_MAX, STATE_SIZE } from './edit-automaton.ts'
import { GRAM_LENGTH } from './gram-index.ts'
import { codePointAt } from './shared-dictionary.ts'
import type { TermReader } from './term-store.ts'
import type { Trie } from './trie.ts'
import { endsHere, labelOf } from './trie.ts'

/** A string within the edit distance of a word. */
export interface Neighbour {
  readonly id: number
  /** Edits, 0..2. */
  readonly distance: number
}

/**
 * Ids of all strings that start with `prefix`: a range of the trie, and those that are newer than
 * it.
 */
export function idsWithPrefix(terms: TermReader, trie: Trie | undefined, prefix: string): number[] {
  const ids: number[] = []
  if (trie !== undefined) {
    const [from, to] = trie.prefixRange(prefix)
    for (let rank = from; rank < to; rank++) ids.push(trie.order[rank]!)
  }
  const units = Uint16Array.from({ length: prefix.length }, (_, i) => prefix.charCodeAt(i))
  const { arena, offsets } = terms.strings
  for (let id = trie?.count ?? 0; id < terms.count; id++) {
    if (startsWith(arena, offsets[id]!, offsets[id + 1]!, units)) ids.push(id)
  }
  return ids
}

function startsWith(arena: Uint16Array, start: number, end: number, prefix: Uint16Array): boolean {
  if (end - start < prefix.length) return false
  for (let i = 0; i < prefix.length; i++) if (arena[start + i] !== prefix[i]) return false
  return true
}

/**
 * Ids of all strings that contain `infix`: by grams for those in the trie, by a scan for newer
 * ones.
 *
 * @param infix at least GRAM_LENGTH code units
 */
export function idsWithInfix(terms: TermReader, trie: Trie | undefined, infix: string): number[] {
  const { strings } = terms
  let ids: number[] = []
  if (trie !== undefined) {
    const candidates = trie.grams.candidates(infix)
    ids =
      infix.length === GRAM_LENGTH
        ? candidates
        : candidates.filter((id) => strings.holds(id, infix))
  }
  for (let id = trie?.count ?? 0; id < terms.count; id++) {
    if (strings.holds(id, infix)) ids.push(id)
  }
  return ids
}

/**
 * All strings within `edits` of a word: a walk over the trie that prunes branches which can no
 * longer match, then the newer strings one by one. Words longer than PATTERN_MAX have no
 * neighbours.
 */
export function neighboursOf(
  terms: TermReader,
  trie: Trie | undefined,
  word: string,
  edits: number,
): Neighbour[] {
  const pattern = Array.from(word, (character) => character.codePointAt(0)!)
  if (pattern.length > PATTERN_MAX) return []
  const automaton = new EditAutomaton(pattern, edits)
  const found: Neighbour[] = []
  const depthMax = pattern.length + edits + 1
  const states = new Int32Array((depthMax + 1) * STATE_SIZE)
  automaton.start(states, 0)
  if (trie !== undefined) {
    walk(trie, automaton, states, depthMax, (node, distance) => {
      if (endsHere(trie, node)) found.push({ id: trie.order[trie.rankLow[node]!]!, distance })
    })
  }
  const { arena, offsets } = terms.strings
  for (let id = trie?.count ?? 0; id < terms.count; id++) {
    const distance = distanceTo(automaton, states, depthMax, arena, offsets[id]!, offsets[id + 1]!)
    if (distance >= 0) found.push({ id, distance })
  }
  return found
}

/** A prefix of a string, within the edit distance of a word. */
export interface BegunNeighbour extends Neighbour {
  readonly beginning: string
}

/**
 * All prefixes within `edits` of a word, each with every string that starts with it. A string
 * occurs once per matching prefix.
 *
 * @param accepts which prefixes count
 */
export function begunNeighboursOf(
  terms: TermReader,
  trie: Trie | undefined,
  word: string,
  edits: number,
  accepts: (beginning: string) => boolean,
): BegunNeighbour[] {
  const pattern = Array.from(word, (character) => character.codePointAt(0)!)
  if (pattern.length > PATTERN_MAX) return []
  const automaton = new EditAutomaton(pattern, edits)
  const found: BegunNeighbour[] = []
  const depthMax = pattern.length + edits + 1
  const states = new Int32Array((depthMax + 1) * STATE_SIZE)
  automaton.start(states, 0)
  if (trie !== undefined) {
    walk(trie, automaton, states, depthMax, (node, distance, path) => {
      const beginning = String.fromCodePoint(...path)
      if (!accepts(beginning)) return
      for (let rank = trie.rankLow[node]!; rank < trie.rankHigh[node]!; rank++) {
        found.push({ id: trie.order[rank]!, distance, beginning })
      }
    })
  }
  const { arena, offsets } = terms.strings
  for (let id = trie?.count ?? 0; id < terms.count; id++) {
    const start = offsets[id]!
    const end = offsets[id + 1]!
    let at = start
    for (let depth = 0; at < end && depth < depthMax; depth++) {
      at += codePointAt(arena, at, end) > 0xffff ? 2 : 1
      const distance = distanceTo(automaton, states, depthMax, arena, start, at)
      if (distance < 0) continue
      const beginning = terms.text(id).slice(0, at - start)
      if (accepts(beginning)) found.push({ id, distance, beginning })
    }
  }
  return found
}

/** @param visit called for each node within reach, with the code points that lead to it */
function walk(
  trie: Trie,
  automaton: EditAutomaton,
  states: Int32Array,
  depthMax: number,
  visit: (node: number, distance: number, path: Int32Array) => void,
): void {
  // An explicit stack by depth: the next child to visit, and the end of the children.
  const next = new Int32Array(depthMax + 1)
  const end = new Int32Array(depthMax + 1)
  const labels = new Int32Array(depthMax + 2).fill(-1)
  let depth = 0
  next[0] = trie.firstChild[0]!
  end[0] = trie.firstChild[1]!
  while (depth >= 0) {
    if (next[depth]! >= end[depth]!) {
      depth--
      continue
    }
    const node = next[depth]!
    next[depth] = node + 1
    const label = labelOf(trie, node)
    const to = (depth + 1) * STATE_SIZE
    if (!automaton.step(states, depth * STATE_SIZE, to, label, labels[depth]!)) continue
    labels[depth + 1] = label
    const distance = automaton.distance(states, to)
    if (distance >= 0) visit(node, distance, labels.subarray(1, depth + 2))
    if (depth + 1 < depthMax) {
      depth++
      next[depth] = trie.firstChild[node]!
      end[depth] = trie.firstChild[node + 1]!
    }
  }
}

/** @returns edits between the word and the string `arena[start .. end)`, -1 if out of reach */
function distanceTo(
  automaton: EditAutomaton,
  states: Int32Array,
  depthMax: number,
  arena: Uint16Array,
  start: number,
  end: number,
): number {
  if (end - start > depthMax * 2) return -1
  let depth = 0
  let previous = -1
  for (let at = start; at < end; depth++) {
    if (depth >= depthMax) return -1
    const label = codePointAt(arena, at, end)
    const from = depth * STATE_SIZE
    if (!automaton.step(states, from, from + STATE_SIZE, label, previous)) return -1
    previous = label
    at += label > 0xffff ? 2 : 1
  }
  return automaton.distance(states, depth * STATE_SIZE)
}
