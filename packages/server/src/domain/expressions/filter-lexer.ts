import type { TextCursor } from './text-cursor.ts'

/** A value in a filter expression. */
export interface FilterText {
  readonly text: string
  /** Whether it is in backticks or double quotes, where operators have no meaning. */
  readonly quoted: boolean
  /** Its start in the expression. */
  readonly at: number
}

/** Everything up to a space or a special character. Other names need quotes. */
const FIELD_NAME = /[^\s:()[\]{}!=<>,"`&|]+/y
/** Ends bare text: an operator, a parenthesis, or a keyword after a space. */
const BARE_STOP = /&&|\|\||[()]|\s(?=(?:and|or)(?:[\s(!]|$))/gi
/** The same inside braces. */
const BRACED_STOP = /&&|\|\||[()}]|\s(?=(?:and|or)(?:[\s(!]|$))/gi
const KEYWORD = /\s*(?:and|or)(?=[\s(!]|$)/iy
/** Follows a keyword used as an operator: nothing, a parenthesis, or a clause (`field:`). */
const OPERAND =
  /\s*(?:$|(?:(?:!|not(?=[\s(]))\s*)?(?:\(|(?:[^\s:()[\]{}!=<>,"`&|]+|`(?:[^`\\]|\\[^])*`|"(?:[^"\\]|\\[^])*")\s*:))/iy
const LIST_STOP = /[,\]]|\.\./g
const PLAIN_LIST_STOP = /[,\]]/g

export function readFieldName(cursor: TextCursor): string | undefined {
  cursor.skipSpace()
  return cursor.readQuoted() ?? cursor.match(FIELD_NAME)
}

/** `&&` or `AND`, `||` or `OR`, in any case. */
export function eatOperator(cursor: TextCursor, operator: '&&' | '||'): boolean {
  cursor.skipSpace()
  if (cursor.eat(operator)) return true
  return (
    cursor.match(operator === '&&' ? /and(?=[\s(!"`]|$)/iy : /or(?=[\s(!"`]|$)/iy) !== undefined
  )
}

/** `!`, or `NOT` in any case. A field may still be called `not`. */
export function eatNegation(cursor: TextCursor): boolean {
  cursor.skipSpace()
  return cursor.eat('!') || cursor.match(/not(?=[\s(])(?!\s*:)/iy) !== undefined
}

/**
 * The value of a clause: quoted, or bare text up to an operator. `and` and `or` are words of the
 * value (`Marks and Spencer`) unless a clause, a parenthesis or nothing follows them.
 *
 * @param inBraces whether a `}` ends it, too
 */
export function readValue(cursor: TextCursor, inBraces = false): FilterText {
  cursor.skipSpace()
  const at = cursor.at
  const quoted = cursor.readQuoted()
  if (quoted !== undefined) return { text: quoted, quoted: true, at }
  if (/[=<>!]/.test(cursor.text[at] ?? '')) throw cursor.expected('a value')
  const stops = inBraces ? BRACED_STOP : BARE_STOP
  stops.lastIndex = at
  let end = cursor.text.length
  for (let stop = stops.exec(cursor.text); stop !== null; stop = stops.exec(cursor.text)) {
    if (/\s/.test(stop[0]) && !isOperator(cursor.text, stop.index)) continue
    end = stop.index
    break
  }
  const text = cursor.text.slice(at, end).trim()
  if (text === '') throw cursor.expected('a value')
  cursor.at = end
  return { text, quoted: false, at }
}

/**
 * One side of a list item: quoted, or bare text up to `,`, `]` and, where `ranges`, `..`. May be
 * empty.
 */
export function readListText(cursor: TextCursor, ranges: boolean): FilterText {
  cursor.skipSpace()
  const at = cursor.at
  const quoted = cursor.readQuoted()
  const text = quoted ?? cursor.readUntil(ranges ? LIST_STOP : PLAIN_LIST_STOP)
  cursor.skipSpace()
  return { text, quoted: quoted !== undefined, at }
}

function isOperator(text: string, at: number): boolean {
  KEYWORD.lastIndex = at
  if (!KEYWORD.test(text)) return false
  OPERAND.lastIndex = KEYWORD.lastIndex
  return OPERAND.test(text)
}
