import type { Analyzer } from '../analysis/analyzer.ts'
import { typedRanges, type TextRange } from '../analysis/hangul.ts'
import { EditAutomaton, PATTERN_MAX, STATE_SIZE } from './edit-automaton.ts'
import { GRAM_LENGTH } from './gram-index.ts'
import { codePointAt } from './shared-dictionary.ts'
import type { TermReader } from './term-store.ts'
import type { Ids, TermTree } from './term-tree.ts'

/** A string within the edit distance of a word. */
export interface Neighbour {
  readonly id: number
  /** Edits, 0..2. */
  readonly distance: number
}

/** Ids of all strings that start with `prefix`: a range of the tree, and newer strings. */
export function idsWithPrefix(
  terms: TermReader,
  tree: TermTree | undefined,
  prefix: string,
): number[] {
  return idsInRange(terms, tree, { first: prefix, last: prefix })
}

/** Ids of all strings that start with a text of the range. */
function idsInRange(
  terms: TermReader,
  tree: TermTree | undefined,
  { first, last }: TextRange,
): number[] {
  const ids: number[] = []
  if (tree !== undefined) {
    const [from, to] = tree.prefixRange(terms.strings, first, last)
    for (let rank = from; rank < to; rank++) ids.push(tree.order[rank]!)
  }
  const units = unitsOf(first)
  const lastUnit = last.charCodeAt(last.length - 1)
  const { arena, offsets } = terms.strings
  for (let id = tree?.count ?? 0; id < terms.count; id++) {
    if (startsWith(arena, offsets[id]!, offsets[id + 1]!, units, lastUnit)) ids.push(id)
  }
  return ids
}

/** Ids of all strings that begin with a word that is still being typed: see `typedLength`. */
export function idsBegunBy(
  { terms, trie, analyzer }: BegunSource,
  typed: string,
): readonly number[] {
  const ids = typedRanges(typed).flatMap((range) => idsInRange(terms, trie, range))
  if (analyzer.stemsBegin !== true) return ids
  const stems = idsWithPrefix(terms, trie, analyzer.stem(typed))
  return [...new Set([...ids, ...stems.flatMap((stem) => terms.formsOf(stem))])]
}

interface BegunSource {
  readonly terms: TermReader
  readonly trie: TermTree | undefined
  readonly analyzer: Analyzer
}

function unitsOf(text: string): Uint16Array {
  return Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))
}

/** @param lastUnit up to which the last unit may differ from that of the prefix */
function startsWith(
  arena: Uint16Array,
  start: number,
  end: number,
  prefix: Uint16Array,
  lastUnit: number,
): boolean {
  if (end - start < prefix.length) return false
  const last = prefix.length - 1
  for (let i = 0; i < last; i++) if (arena[start + i] !== prefix[i]) return false
  return last < 0 || (arena[start + last]! >= prefix[last]! && arena[start + last]! <= lastUnit)
}

/**
 * Ids of all strings that contain `infix`: by grams for those in a trie, by a scan for all
 * others.
 *
 * @param infix at least GRAM_LENGTH code units
 */
export function idsWithInfix(
  terms: TermReader,
  tree: TermTree | undefined,
  infix: string,
): number[] {
  const { strings } = terms
  const candidates = tree?.candidates(infix)
  const ids =
    candidates === undefined || infix.length === GRAM_LENGTH
      ? (candidates ?? [])
      : candidates.filter((id) => strings.holds(id, infix))
  const from = candidates === undefined ? 0 : tree!.count
  for (let id = from; id < terms.count; id++) {
    if (strings.holds(id, infix)) ids.push(id)
  }
  return ids
}

/**
 * Ids of all strings that end with `ending`: a range of the tree's strings by their ends, and newer
 * strings.
 */
export function idsWithEnding(
  terms: TermReader,
  tree: TermTree | undefined,
  ending: string,
): number[] {
  const { arena, offsets } = terms.strings
  const ids = tree === undefined ? [] : Array.from(endingRange(terms, tree, ending))
  const units = unitsOf(ending)
  for (let id = tree?.count ?? 0; id < terms.count; id++) {
    if (orderOfEnd(arena, offsets[id]!, offsets[id + 1]!, units) === 0) ids.push(id)
  }
  return ids
}

/** Ids of the tree's strings that end with `ending`. */
function endingRange(terms: TermReader, { endings }: TermTree, ending: string): Ids {
  const { arena, offsets } = terms.strings
  const units = unitsOf(ending)
  const orderAt = (place: number) => {
    const id = endings[place]!
    return orderOfEnd(arena, offsets[id]!, offsets[id + 1]!, units)
  }
  const first = (isBehind: (order: number) => boolean) => {
    let low = 0
    for (let high = endings.length; low < high;) {
      const middle = (low + high) >>> 1
      if (isBehind(orderAt(middle))) high = middle
      else low = middle + 1
    }
    return low
  }
  return endings.subarray(
    first((order) => order >= 0),
    first((order) => order > 0),
  )
}

/**
 * 0 if a string has the ending; otherwise whether it sorts before or after those in `Trie.endings`.
 */
function orderOfEnd(arena: Uint16Array, start: number, end: number, ending: Uint16Array): number {
  let at = end
  for (let i = ending.length - 1; i >= 0; i--) {
    if (at === start) return -1
    const difference = arena[--at]! - ending[i]!
    if (difference !== 0) return difference
  }
  return 0
}

/**
 * To find its neighbours, a word is cut into about two fifths and the rest. The first part is
 * shortened while more strings than this end with the rest, because testing one of them costs as
 * much as visiting ten nodes of the trie.
 */
const HEAD_SHARE = 0.4
const TAIL_STRINGS_MAX = 200

/**
 * All strings within `edits` of a word. Words longer than PATTERN_MAX have no neighbours.
 *
 * A string that needs all edits to match the first part of the word ends with the rest of it. These
 * are looked up by their ends; a walk over the tree finds all others. Near the root, where a trie
 * branches, that walk then has one edit less: with two edits it visits 6,000 nodes instead of
 * 52,000, of 1.1M for 400,000 strings.
 */
export function neighboursOf(
  terms: TermReader,
  tree: TermTree | undefined,
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
  const { arena, offsets } = terms.strings
  const look = (id: number) => {
    const distance = distanceTo(automaton, states, depthMax, arena, offsets[id]!, offsets[id + 1]!)
    if (distance >= 0) found.push({ id, distance })
  }
  if (tree !== undefined) {
    const isCut = edits > 0 && tree.leavesOut
    const { head, tailIds } = isCut ? cut(terms, tree, pattern) : UNCUT
    tree.walk(terms.strings, automaton, depthMax, head, (rank, _, isWhole, distance) => {
      if (isWhole) found.push({ id: tree.order[rank]!, distance })
    })
    const seen = new Set(found.map(({ id }) => id))
    for (const id of tailIds) if (!seen.has(id)) look(id)
  }
  for (let id = tree?.count ?? 0; id < terms.count; id++) look(id)
  return found
}

const UNCUT = { head: 0, tailIds: new Uint32Array() }

/** @returns the length of the first part, and the strings that end with the rest */
function cut(
  terms: TermReader,
  tree: TermTree,
  pattern: readonly number[],
): { readonly head: number; readonly tailIds: Ids } {
  for (let head = Math.round(pattern.length * HEAD_SHARE); head > 0; head--) {
    const tail = String.fromCodePoint(...pattern.slice(head))
    const tailIds = endingRange(terms, tree, tail)
    if (tailIds.length <= TAIL_STRINGS_MAX) return { head, tailIds }
  }
  return UNCUT
}

/** A prefix of a string, within the edit distance of a word. */
export interface BegunNeighbour extends Neighbour {
  readonly beginning: string
}

/**
 * All prefixes within `edits` of a word, each with every string that starts with it. A string
 * occurs once per matching prefix.
 *
 * @param accepts filters prefixes
 */
export function begunNeighboursOf(
  terms: TermReader,
  tree: TermTree | undefined,
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
  if (tree !== undefined) {
    tree.walk(terms.strings, automaton, depthMax, 0, (from, to, _, distance, path) => {
      const beginning = String.fromCodePoint(...path)
      if (!accepts(beginning)) return
      for (let rank = from; rank < to; rank++) {
        found.push({ id: tree.order[rank]!, distance, beginning })
      }
    })
  }
  const { arena, offsets } = terms.strings
  for (let id = tree?.count ?? 0; id < terms.count; id++) {
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
