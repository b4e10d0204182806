import { isExtender, UNSPACED } from './char-class.ts'
import { classAt, widthAt } from './scan.ts'
import { wordEnds } from './segmenter.ts'
import { FORM_LENGTH_MAX, type TokenWriter } from './token-writer.ts'

/** Rules of a language for its texts without spaces. */
export interface UnspacedRules {
  /** The run that the dictionary is to split, with the same length; absent: as written. */
  readonly cutAs?: (run: string) => string
  /** How many words, starting at `first`, also form one word; 0: none. Absent: always none. */
  readonly together?: (words: readonly string[], first: number) => number
  /**
   * The words into which a form in the other spelling is split; none: it is kept whole. Absent:
   * none.
   */
  readonly pieces?: (form: string) => readonly string[]
}

/**
 * Reads a run of a script without spaces: the words of a dictionary and, in addition, each two
 * adjacent characters (a **bigram**) that are not already a word. Word boundaries depend on
 * context, so a query may be split differently from the text; its bigrams are the same.
 *
 * @returns the end offset of the run
 */
export function readUnspaced(
  text: string,
  from: number,
  writer: TokenWriter,
  rules: UnspacedRules = NO_RULES,
): number {
  let to = from
  while (classAt(text, to) === UNSPACED) to += widthAt(text, to)
  const run = text.slice(from, to)
  const ends = [...formEnds(rules.cutAs === undefined ? run : rules.cutAs(run))]
  const words =
    rules.together === undefined
      ? []
      : ends.map((end, i) => run.slice(i === 0 ? 0 : ends[i - 1], end))
  let start = from
  let first = from
  let second = characterEnd(text, from, to)
  for (const [i, length] of ends.entries()) {
    const end = from + length
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
    const together = rules.together?.(words, i) ?? 0
    if (together > 0) writer.together(start, from + ends[i + together - 1]!, together)
    start = end
  }
  return to
}

const NO_RULES: UnspacedRules = {}

/** End offsets of the words, split further if they exceed the maximum length of a form. */
function* formEnds(run: string): Iterable<number> {
  let start = 0
  for (const end of wordEnds(run)) {
    for (; end - start > FORM_LENGTH_MAX; start += FORM_LENGTH_MAX) {
      yield start + FORM_LENGTH_MAX
    }
    start = end
    yield start
  }
}

/** The end of a character: a letter with the marks that belong to it. */
function characterEnd(text: string, from: number, to: number): number {
  let end = from + widthAt(text, from)
  while (end < to && isExtender(text.codePointAt(end)!)) end += widthAt(text, end)
  return end
}
