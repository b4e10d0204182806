/** A clause of a filter expression, as written. */
export interface FilterClause {
  /** The name without quotes. */
  readonly field: string
  /**
   * The text after the colon, without blanks around it: `=red`, `[10..20]`, `"a b"`. Never empty.
   */
  readonly test: string
}

const QUOTES = '"`'
/** Characters that end a bare name, besides blanks. */
const NAME_ENDS = ':()[]{}!=<>,"`&|'
const TEST_ENDS = '()\n\r\u2028\u2029'

/**
 * The clauses of a filter expression, in order: a name, a colon, and text up to an operator, a
 * parenthesis or a line end outside of quotes and brackets. Skips everything else, so that a
 * malformed expression still gives its well-formed clauses.
 *
 * One pass from left to right. Anyone with the public key can send such texts, and every report
 * reads them: the time must be linear in their length, for any content.
 */
export function* clausesOf(text: string): Generator<FilterClause> {
  const closers = lastClosers(text)
  let at = 0
  while (at < text.length) {
    const nameEnd = endOfName(text, at, closers)
    const colon = nameEnd === at ? at : behindBlanks(text, nameEnd)
    if (nameEnd === at || text[colon] !== ':') {
      at = Math.max(colon, at + 1)
      continue
    }
    const field = QUOTES.includes(text[at]!)
      ? text.slice(at + 1, nameEnd - 1)
      : text.slice(at, nameEnd)
    const testStart = behindBlanks(text, colon + 1)
    const testEnd = endOfTest(text, testStart, closers)
    const test = text.slice(testStart, testEnd).trim()
    if (test !== '') yield { field, test }
    at = testEnd
  }
}

/** The last place of each closing character: searching beyond it is wasted time. */
type Closers = Readonly<Record<'"' | '`' | ']', number>>

function lastClosers(text: string): Closers {
  return { '"': text.lastIndexOf('"'), '`': text.lastIndexOf('`'), ']': text.lastIndexOf(']') }
}

/** @returns offset after what opens at `at`; `at` itself if nothing closes it */
function behindClosed(text: string, at: number, closer: keyof Closers, closers: Closers): number {
  return at < closers[closer] ? text.indexOf(closer, at + 1) + 1 : at
}

/** @returns `at` itself if no name begins there */
function endOfName(text: string, at: number, closers: Closers): number {
  const first = text[at]!
  if (first === '"' || first === '`') return behindClosed(text, at, first, closers)
  let end = at
  while (end < text.length && !NAME_ENDS.includes(text[end]!) && !isBlank(text, end)) end++
  return end
}

function endOfTest(text: string, from: number, closers: Closers): number {
  let at = from
  while (at < text.length) {
    const char = text[at]!
    if (char === '"' || char === '`' || char === '[') {
      const end = behindClosed(text, at, char === '[' ? ']' : char, closers)
      if (end === at) return at
      at = end
    } else if (TEST_ENDS.includes(char) || isOperator(text, at)) return at
    else at++
  }
  return at
}

/** `&&`, `||`, or `and` and `or` between blanks. */
function isOperator(text: string, at: number): boolean {
  const char = text[at]!
  if (char === '&' || char === '|') return text[at + 1] === char
  if (!isBlank(text, at)) return false
  const word = text.slice(at + 1, at + 5).toLowerCase()
  if (word.startsWith('and')) return isBlank(word, 3)
  return word.startsWith('or') && isBlank(word, 2)
}

function behindBlanks(text: string, from: number): number {
  let at = from
  while (at < text.length && isBlank(text, at)) at++
  return at
}

function isBlank(text: string, at: number): boolean {
  return at < text.length && text[at]!.trim() === ''
}
