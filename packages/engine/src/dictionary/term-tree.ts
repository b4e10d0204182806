import { SectionReader } from '../codec/section-file.ts'
import type { EditAutomaton } from './edit-automaton.ts'
import type { DictionaryReader } from './shared-dictionary.ts'

/** Trees of both kinds, see trie.ts and sorted-terms.ts. */
export const TREE_MAGIC = 0x45495254

/** String ids in some order. */
export type Ids = Uint16Array | Uint32Array

/**
 * The first `count` strings of a dictionary by their beginnings and their ends. It is immutable,
 * and rebuilt in the background when many strings have been added. Newer strings are examined one
 * by one.
 */
export interface TermTree {
  readonly buffer: SharedArrayBuffer
  /** Strings with ids below this are in the tree. */
  readonly count: number
  /** String ids by rank, sorted by UTF-16 code units. */
  readonly order: Ids
  /** The same, sorted by UTF-16 code units read from the end. */
  readonly endings: Ids
  /** Whether a walk is much quicker when it may leave out texts, see `walk`. */
  readonly leavesOut: boolean

  /**
   * @param strings of the dictionary, as many as the tree has or more
   * @returns ranks of the strings that start with the prefix, as [from, to)
   */
  prefixRange(strings: DictionaryReader, prefix: string): readonly [number, number]

  /**
   * Walks the part of the tree that is within reach of a pattern.
   *
   * @param strings of the dictionary
   * @param depthMax code points of the longest text within reach, plus one
   * @param head it may leave out texts that take all edits to match the first `head` code points of
   * the pattern: they end with the others; 0: leaves out none
   */
  walk(
    strings: DictionaryReader,
    automaton: EditAutomaton,
    depthMax: number,
    head: number,
    visit: VisitBeginning,
  ): void

  /**
   * Ids, ascending, of strings among which are all that contain a text; undefined: nothing is known
   * of it.
   *
   * @param text at least GRAM_LENGTH code units
   */
  candidates(text: string): number[] | undefined
}

/**
 * Called for each beginning of strings that is within reach: strings of the ranks `from .. to - 1`
 * have it, the first of them alone may be no longer.
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

/** Whether it was built by a version that sorted strings by their ends, too. */
export function hasEndings(buffer: SharedArrayBuffer): boolean {
  return new SectionReader(buffer, TREE_MAGIC).has('endings')
}
