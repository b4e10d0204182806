import { isExtender, UNSPACED } from './char-class.ts'
import { classAt, widthAt } from './scan.ts'
import { wordEnds } from './segmenter.ts'
import { FORM_LENGTH_MAX } from './token-writer.ts'
import type { TokenWriter } from './token-writer.ts'

/**
 * Reads a run of a script without spaces: the words that a dictionary finds, and beside them each
 * two neighbouring characters (a **bigram**) that are not a word already. Where the words are cut
 * depends on what stands around them, so that a query may be cut unlike the text; its bigrams are
 * the same.
 *
 * @returns the offset behind the run
 */
export function readUnspaced(text: string, from: number, writer: TokenWriter): number {
  let to = from
  while (classAt(text, to) === UNSPACED) to += widthAt(text, to)
  let start = from
  let first = from
  let second = characterEnd(text, from, to)
  for (const end of formEnds(text, from, to)) {
    writer.word(start, end)
    // Every bigram whose first character is in this word.
    while (first < end) {
      const bigramEnd = second < to ? characterEnd(text, second, to) : to
      const isWord = first === start && bigramEnd === end
      if (second < to && !isWord && bigramEnd - first <= FORM_LENGTH_MAX) {
        writer.bigram(first, bigramEnd, bigramEnd > end ? 2 : 1)
      }
      first = second
      second = bigramEnd
    }
    start = end
  }
  return to
}

/** Offsets of the ends of the words. The dictionaries keep them short, but nothing promises it. */
function* formEnds(text: string, from: number, to: number): Iterable<number> {
  let start = from
  for (const end of wordEnds(text.slice(from, to))) {
    for (; from + end - start > FORM_LENGTH_MAX; start += FORM_LENGTH_MAX) {
      yield start + FORM_LENGTH_MAX
    }
    start = from + end
    yield start
  }
}

/** The end of a character: a letter with the marks that belong to it. */
function characterEnd(text: string, from: number, to: number): number {
  let end = from + widthAt(text, from)
  while (end < to && isExtender(text.codePointAt(end)!)) end += widthAt(text, end)
  return end
}
