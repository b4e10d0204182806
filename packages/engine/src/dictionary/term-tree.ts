import type { EditAutomaton } from './edit-automaton.ts'
import type { DictionaryReader } from './shared-dictionary.ts'

/** Magic number of both kinds of trees, see trie.ts and sorted-terms.ts. */
export const TREE_MAGIC = 0x45495254

/** String ids in some order. */
export type Ids = Uint16Array | Uint32Array

/**
 * The first `count` strings of a dictionary by their prefixes and endings. Immutable, and rebuilt
 * in the background after many additions. Newer strings are scanned.
 */
export interface TermTree {
  readonly buffer: SharedArrayBuffer
  /** Strings with ids below this are in the tree. */
  readonly count: number
  /** String ids by rank, sorted by UTF-16 code units. */
  readonly order: Ids
  /** The same, sorted by UTF-16 code units read from the end. */
  readonly endings: Ids
  /** Whether walks are much faster when they may prune texts, see `walk`. */
  readonly leavesOut: boolean

  /**
   * @param strings of the dictionary, at least as many as in the tree
   * @param last as long as `first`, from which only its last character differs
   * @returns ranks of the strings that start with a text from `first` to `last`, as [from, to)
   */
  prefixRange(strings: DictionaryReader, first: string, last: string): readonly [number, number]

  /**
   * Walks the part of the tree within reach of a pattern.
   *
   * @param strings of the dictionary
   * @param depthMax code points of the longest text within reach, plus one
   * @param head may prune texts that need all edits to match the first `head` code points of the
   * pattern, because these share the rest of it as an ending; 0: prunes none
   */
  walk(
    strings: DictionaryReader,
    automaton: EditAutomaton,
    depthMax: number,
    head: number,
    visit: VisitBeginning,
  ): void

  /**
   * Ids, ascending, of a superset of the strings that contain a text; undefined if the tree cannot
   * tell.
   *
   * @param text at least GRAM_LENGTH code units
   */
  candidates(text: string): number[] | undefined
}

/**
 * Called for each prefix within reach. The strings with the ranks `from .. to - 1` have it; only
 * the first of them may end with it.
 *
 * @param path its code points
 */
export type VisitBeginning = (
  from: number,
  to: number,
  isWhole: boolean,
  distance: number,
  path: Int32Array,
) => void
