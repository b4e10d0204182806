/** A filter of Algolia without an equivalent. */
export class FilterError extends Error {
  override readonly name = 'FilterError'
}

const LENGTH_MAX_CHARS = 20_000
const DEPTH_MAX = 32
const OPERATORS = ['<=', '>=', '!=', '=', '<', '>'] as const

/**
 * Converts a filter of Algolia: `brand:"A B" AND (price > 10 OR NOT onSale:true)`. Its grammar:
 * https://www.algolia.com/doc/api-reference/api-parameters/filters/
 *
 * @param fieldOf the field that an attribute became
 * @throws FilterError
 */
export function filterOfAlgolia(filter: string, fieldOf: (attribute: string) => string): string {
  if (filter.length > LENGTH_MAX_CHARS) throw new FilterError('the filter is too long')
  return new FilterReader(filter, fieldOf).read()
}

class FilterReader {
  readonly #text: string
  readonly #fieldOf: (attribute: string) => string
  #at = 0

  constructor(text: string, fieldOf: (attribute: string) => string) {
    this.#text = text
    this.#fieldOf = fieldOf
  }

  read(): string {
    const all = this.#any(0)
    this.#skipSpaces()
    if (this.#at < this.#text.length) throw this.#error('expected AND, OR or the end')
    return all
  }

  #any(depth: number): string {
    if (depth > DEPTH_MAX) throw new FilterError('the filter is nested too deeply')
    const parts = [this.#all(depth)]
    while (this.#takeWord('OR')) parts.push(this.#all(depth))
    return parts.join(' || ')
  }

  #all(depth: number): string {
    const parts = [this.#one(depth)]
    while (this.#takeWord('AND')) parts.push(this.#one(depth))
    return parts.join(' && ')
  }

  #one(depth: number): string {
    if (this.#takeWord('NOT')) return `!${this.#one(depth + 1)}`
    if (depth > DEPTH_MAX) throw new FilterError('the filter is nested too deeply')
    if (this.#take('(')) {
      const inner = this.#any(depth + 1)
      if (!this.#take(')')) throw this.#error('expected ")"')
      return `(${inner})`
    }
    return this.#condition()
  }

  #condition(): string {
    const first = this.#value(':<>=!')
    if (first === 'AND' || first === 'OR') throw this.#error('expected an attribute')
    const operator = OPERATORS.find((one) => this.#take(one))
    if (operator !== undefined) {
      const value = this.#value('')
      return `${this.#fieldOf(first)}:${operator}${value}`
    }
    // A value without an attribute is a tag.
    if (!this.#take(':')) return `${this.#fieldOf('_tags')}:=${quoted(first)}`
    const value = withoutScore(this.#value(''))
    if (!this.#takeWord('TO')) return `${this.#fieldOf(first)}:=${quoted(value)}`
    return `${this.#fieldOf(first)}:[${value}..${this.#value('')}]`
  }

  /** A word or quoted text. @param ends characters that end a word */
  #value(ends: string): string {
    this.#skipSpaces()
    const quote = this.#text[this.#at]
    if (quote === '"' || quote === "'") {
      let value = ''
      for (this.#at++; this.#at < this.#text.length; this.#at++) {
        const char = this.#text[this.#at]!
        if (char === quote) {
          this.#at++
          return value
        }
        if (char === '\\' && this.#at + 1 < this.#text.length) this.#at++
        value += this.#text[this.#at]!
      }
      throw this.#error('a quote is never closed')
    }
    const start = this.#at
    while (this.#at < this.#text.length && !` \t\n()${ends}`.includes(this.#text[this.#at]!)) {
      this.#at++
    }
    if (this.#at === start) throw this.#error('expected a value')
    return this.#text.slice(start, this.#at)
  }

  #takeWord(word: string): boolean {
    this.#skipSpaces()
    const next = this.#text[this.#at + word.length] ?? ' '
    return ' \t\n("\''.includes(next) && this.#take(word)
  }

  #take(text: string): boolean {
    this.#skipSpaces()
    if (!this.#text.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  #skipSpaces(): void {
    while (' \t\n'.includes(this.#text[this.#at] ?? 'x')) this.#at++
  }

  #error(what: string): FilterError {
    return new FilterError(`column ${this.#at + 1}: ${what}`)
  }
}

/** Strips scores of optional filters: `brand:A<score=2>`. */
function withoutScore(value: string): string {
  const at = value.indexOf('<score=')
  return at < 0 ? value : value.slice(0, at)
}

/** Numbers and booleans stay bare, so that they fit fields of these types. */
function quoted(value: string): string {
  if (/^(true|false|-?\d+(\.\d+)?)$/.test(value)) return value
  return `"${value.replaceAll(/["`\\]/g, '\\$&')}"`
}
