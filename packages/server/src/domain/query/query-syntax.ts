/** The meaning of the quotes and hyphens of a query. */
export interface QuerySyntax {
  /** Texts in quotes. */
  readonly phrases: readonly QueryPart[]
  /** Text after a hyphen: a word up to the next space, or a text in quotes. */
  readonly exclusions: readonly (QueryPart & { readonly quoted: boolean })[]
  /**
   * The query with spaces in place of exclusions and of the quotes of phrases; offsets are those of
   * the query.
   */
  readonly text: string
}

/** UTF-16 offsets into the query. */
export interface QueryPart {
  readonly start: number
  readonly end: number
}

/**
 * Finds phrases (`"red shoe"`) and exclusions (`-blue`, `-"dark blue"`) in a query. Incomplete
 * syntax is plain text: an unclosed quote, a hyphen between spaces or inside a word.
 *
 * A quote directly after a digit means inches (`24" tv`): it opens nothing, and closes a phrase
 * only if no other quote does (`"iphone 12"`). A hyphen before a number alone is not an exclusion:
 * `3/8 -10 nut` and `-20 c` mean the number. With letters attached it is one (`-18v`, `-4k`).
 */
export function parseQuerySyntax(q: string): QuerySyntax {
  const phrases: QueryPart[] = []
  const exclusions: { start: number; end: number; quoted: boolean }[] = []
  let text = ''
  let copiedTo = 0
  const blank = (start: number, end: number) => {
    text += q.slice(copiedTo, start) + ' '.repeat(end - start)
    copiedTo = end
  }
  let i = 0
  while (i < q.length) {
    const part = mayBegin(q, i) ? partAt(q, i) : undefined
    if (part === undefined) {
      i++
      continue
    }
    const { start, end, behind, excluded, quoted } = part
    if (excluded) {
      exclusions.push({ start, end, quoted })
      blank(i, behind)
    } else {
      phrases.push({ start, end })
      blank(i, start)
      blank(end, behind)
    }
    i = behind
  }
  return { phrases, exclusions, text: text + q.slice(copiedTo) }
}

/** Whether a part of the query is in quotes or after a hyphen, and so meant literally. */
export function isLiteral({ phrases, exclusions }: QuerySyntax, part: QueryPart): boolean {
  const holds = ({ start, end }: QueryPart) => part.start >= start && part.end <= end
  return phrases.some(holds) || exclusions.some(holds)
}

/**
 * Matches a quote or a hyphen at the start of the query, or after a space or an opening bracket.
 */
function mayBegin(q: string, at: number): boolean {
  if (q[at] !== '-' && !isQuote(q, at)) return false
  return at === 0 || /[\s([{]/u.test(q[at - 1]!)
}

interface ParsedPart extends QueryPart {
  /** Offset after the closing quote, or after the word. */
  readonly behind: number
  readonly excluded: boolean
  readonly quoted: boolean
}

function partAt(q: string, at: number): ParsedPart | undefined {
  const excluded = q[at] === '-'
  const start = excluded ? at + 1 : at
  if (isQuote(q, start)) {
    const end = closingQuote(q, start + 1)
    if (end < 0) return undefined
    return { start: start + 1, end, behind: end + 1, excluded, quoted: true }
  }
  if (!excluded || !hasLetters(q, start)) return undefined
  const length = q.slice(start).search(/\s/u)
  const end = length < 0 ? q.length : start + length
  return { start, end, behind: end, excluded, quoted: false }
}

/**
 * Whether a word begins with a letter, or with a number directly followed by a letter (`18v`,
 * `2.5mm`, `1/2in`).
 */
function hasLetters(q: string, start: number): boolean {
  for (let at = start; at < q.length;) {
    const char = String.fromCodePoint(q.codePointAt(at)!)
    if (/\p{L}/u.test(char)) return true
    const isNumber = /\p{N}/u.test(char) || (at > start && '.,/'.includes(char))
    if (!isNumber) return false
    at += char.length
  }
  return false
}

/** @returns offset of the quote that closes a phrase beginning at `from`, -1 if there is none */
function closingQuote(q: string, from: number): number {
  let behindDigit = -1
  for (let at = from; at < q.length; at++) {
    if (!isQuote(q, at)) continue
    if (at > from && /\p{N}/u.test(q[at - 1]!)) {
      if (behindDigit < 0) behindDigit = at
      continue
    }
    // The next phrase begins, so the open one is not closed, or closed by a quote after a digit.
    const isOpening = /(?:^|\s)-?$/u.test(q.slice(from, at)) && /\S/u.test(q[at + 1] ?? ' ')
    if (at > from && isOpening) break
    return at
  }
  return behindDigit
}

/** Straight and typographic double quotes, which people and their keyboards mix. */
function isQuote(q: string, at: number): boolean {
  const code = q.charCodeAt(at)
  // Nearly all of a query is ASCII.
  return code < 0x80 ? code === 0x22 : at < q.length && '“”„‟«»＂'.includes(q[at]!)
}
