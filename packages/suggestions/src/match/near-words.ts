import type { StringList } from '../index/string-list.ts'

/**
 * Words of a sorted list within a few edits of the typed one (swapped neighbours count as one
 * edit): walks the list like a trie, with one row of the edit distance table per letter. Words with
 * a common prefix share its rows, and a prefix that is too far off is skipped with all its words.
 *
 * @param isOpen a prefix of the word is enough
 * @param visit called with each word and its distance, 1..edits; exact words are skipped
 */
export function findNearWords(
  words: StringList,
  typed: string,
  edits: number,
  isOpen: boolean,
  visit: (word: number, distance: number) => void,
): void {
  const width = typed.length + 1
  const depthMax = typed.length + edits
  const rows = Array.from({ length: depthMax + 1 }, () => new Uint8Array(width))
  for (let i = 0; i < width; i++) rows[0]![i] = i
  const letters = new Uint16Array(depthMax + 1)

  /**
   * Words low..high share their first `depth` letters; `begun` is the smallest distance of their
   * prefixes.
   */
  const walk = (low: number, high: number, depth: number, begun: number): void => {
    let at = low
    // The word that ends here comes first.
    if (lengthOf(words, at) === depth) {
      const distance = Math.min(rows[depth]![typed.length]!, begun)
      for (; at < high && lengthOf(words, at) === depth; at++) {
        if (distance > 0 && distance <= edits) visit(at, distance)
      }
    }
    while (at < high) {
      const letter = words.units[words.offsets[at]! + depth]!
      const end = endOfLetter(words, at, high, depth, letter)
      if (depth === depthMax) {
        if (begun > 0 && begun <= edits) for (; at < end; at++) visit(at, begun)
        at = end
        continue
      }
      letters[depth] = letter
      const nearest = nextRow(rows, letters, depth, typed)
      const whole = rows[depth + 1]![typed.length]!
      const nearer = isOpen ? Math.min(begun, whole) : begun
      if (nearest <= edits) walk(at, end, depth + 1, nearer)
      else if (nearer > 0 && nearer <= edits) for (let i = at; i < end; i++) visit(i, nearer)
      at = end
    }
  }
  if (words.length > 0) walk(0, words.length, 0, edits + 1)
}

/** Fills the row after `depth` letters. @returns its minimum */
function nextRow(
  rows: readonly Uint8Array[],
  letters: Uint16Array,
  depth: number,
  typed: string,
): number {
  const letter = letters[depth]!
  const above = rows[depth]!
  const row = rows[depth + 1]!
  row[0] = depth + 1
  let nearest = depth + 1
  for (let i = 1; i <= typed.length; i++) {
    const unit = typed.charCodeAt(i - 1)
    let distance = above[i - 1]! + (unit === letter ? 0 : 1)
    if (above[i]! + 1 < distance) distance = above[i]! + 1
    if (row[i - 1]! + 1 < distance) distance = row[i - 1]! + 1
    if (
      i > 1 &&
      depth > 0 &&
      unit === letters[depth - 1] &&
      typed.charCodeAt(i - 2) === letter &&
      rows[depth - 1]![i - 2]! + 1 < distance
    ) {
      distance = rows[depth - 1]![i - 2]! + 1
    }
    row[i] = distance
    if (distance < nearest) nearest = distance
  }
  return nearest
}

function lengthOf(words: StringList, i: number): number {
  return words.offsets[i + 1]! - words.offsets[i]!
}

/**
 * The index after the words, from `low` on, with this letter at `depth`. All are longer than that.
 */
function endOfLetter(
  words: StringList,
  low: number,
  high: number,
  depth: number,
  letter: number,
): number {
  let from = low + 1
  let step = 1
  while (from + step < high && words.units[words.offsets[from + step]! + depth] === letter) {
    from += step
    step *= 2
  }
  let end = Math.min(high, from + step)
  while (from < end) {
    const middle = (from + end) >>> 1
    if (words.units[words.offsets[middle]! + depth] === letter) from = middle + 1
    else end = middle
  }
  return from
}
