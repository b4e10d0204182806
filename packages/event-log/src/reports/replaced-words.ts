/** Longer queries are sentences: a replaced part of them says little. */
export const REFORMULATED_WORDS_MAX = 8
export const REFORMULATED_BYTES_MAX = 120
/** Maximum of words of a phrase that replaces another. */
export const REPLACED_WORDS_MAX = 3

/**
 * The difference of two queries: `red couch` to `red sofa` replaces `couch` by `sofa` after `red`.
 */
export interface ReplacedWords {
  readonly from: string
  readonly to: string
  /** The words around the replaced part in both queries; empty on both sides if there are none. */
  readonly context: string
}

/**
 * Strips the common prefix of two queries, then the common suffix. Queries are in typed form:
 * single blanks, lower case.
 *
 * @returns undefined if the queries are too long, one of them is blank or `*`, or too much or
 * nothing is left of one
 */
export function replacedWords(a: string, b: string): ReplacedWords | undefined {
  if (!isReformulated(a) || !isReformulated(b) || a === b) return undefined
  const before = a.split(' ')
  const after = b.split(' ')
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before[head] === after[head]) head++
  let tail = 0
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  const from = before.slice(head, before.length - tail)
  const to = after.slice(head, after.length - tail)
  const isPhrase = ({ length }: readonly string[]): boolean =>
    length >= 1 && length <= REPLACED_WORDS_MAX
  if (!isPhrase(from) || !isPhrase(to)) return undefined
  const context = [...before.slice(0, head), '…', ...before.slice(before.length - tail)].join(' ')
  return { from: from.join(' '), to: to.join(' '), context }
}

function isReformulated(query: string): boolean {
  return (
    query !== '' &&
    query !== '*' &&
    Buffer.byteLength(query) <= REFORMULATED_BYTES_MAX &&
    query.split(' ').length <= REFORMULATED_WORDS_MAX
  )
}
