import { ApiError, type ErrorCode } from '@aisle/contract'

/** The name of the text in errors, and their parameter. */
export interface CursorOptions {
  readonly code: ErrorCode
  readonly param: string
}

const SPACE = 0x20
const ASCII_END = 0x80
const ESCAPED: ReadonlySet<string> = new Set(['`', '"', '\\'])

/**
 * A name in the form that every expression accepts: quoted, so that blanks, commas and operators in
 * it are literal.
 */
export function quotedName(name: string): string {
  return `"${name.replaceAll(/["\\]/g, '\\$&')}"`
}

/**
 * A position in a text being parsed. All three request languages (filters, facets, sorts) read
 * through it, so that their errors look alike: parameter, column from 1 (UTF-16), what was
 * expected. Invariant: `at` only grows, so parsing is linear in the text.
 */
export class TextCursor {
  readonly text: string
  readonly param: string
  readonly code: ErrorCode
  at = 0

  constructor(text: string, options: CursorOptions) {
    this.text = text
    this.param = options.param
    this.code = options.code
  }

  get atEnd(): boolean {
    return this.at >= this.text.length
  }

  skipSpace(): void {
    // Usually none follows: a polygon of 1,000 corners asks 10,000 times.
    const code = this.text.charCodeAt(this.at)
    if (code > SPACE && code < ASCII_END) return
    this.match(/\s*/y)
  }

  startsWith(symbol: string): boolean {
    return this.text.startsWith(symbol, this.at)
  }

  /** Consumes `symbol` if it comes next. */
  eat(symbol: string): boolean {
    if (!this.startsWith(symbol)) return false
    this.at += symbol.length
    return true
  }

  /** Consumes the match of a sticky (`y`) pattern here. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    if (found !== undefined) this.at += found.length
    return found
  }

  /**
   * Reads up to the next match of a global (`g`) pattern or the end; surrounding space is trimmed.
   */
  readUntil(stop: RegExp): string {
    stop.lastIndex = this.at
    const end = stop.exec(this.text)?.index ?? this.text.length
    const read = this.text.slice(this.at, end).trim()
    this.at = end
    return read
  }

  /**
   * Reads a value in backticks or double quotes; undefined if none starts here. Inside, only the
   * closing quote is special, and a backslash before a quote or a backslash, which escapes it.
   */
  readQuoted(): string | undefined {
    const { text } = this
    const quote = text[this.at]
    if (quote !== '`' && quote !== '"') return undefined
    let read = ''
    let from = this.at + 1
    for (let i = from; i < text.length; i++) {
      if (text[i] === quote) {
        this.at = i + 1
        return read + text.slice(from, i)
      }
      if (text[i] === '\\' && ESCAPED.has(text[i + 1] ?? '')) {
        read += text.slice(from, i)
        from = ++i
      }
    }
    throw this.error(`the ${quote} is never closed`)
  }

  /** `filter_by, column 7: expected a value, found …` */
  expected(what: string, at = this.at): ApiError {
    return this.error(`expected ${what}, found ${this.#excerpt(at)}`, at)
  }

  error(problem: string, at = this.at, code = this.code): ApiError {
    return new ApiError(code, `${this.where(at)}: ${problem}.`, { param: this.param })
  }

  where(at = this.at): string {
    return `${this.param}, column ${at + 1}`
  }

  #excerpt(at: number): string {
    const rest = this.text.slice(at, at + 40).trim()
    return rest === '' ? 'the end' : `\`${[...rest].slice(0, 20).join('').toWellFormed()}\``
  }
}
