import type { SchemaFieldRequest } from '@aisle/client'

/** What the values of one column look like. */
export interface GuessedField {
  readonly field: SchemaFieldRequest
  /** Values that were there. */
  readonly valueCount: number
  readonly example: string
}

type Kind = 'bool' | 'int32' | 'int64' | 'float' | 'string'

const INT32_MAX = 2n ** 31n - 1n
const INT64_MAX = 2n ** 63n - 1n
const INTEGER = /^-?(0|[1-9]\d{0,18})$/
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d{1,3})?$/
const LONG = /^-?\d{17,}$/
const ADDRESS = /^(https?:)?\/\/|^data:/i
const DISTINCT_KEPT_MAX = 2_000
/** A text that repeats as often as this is a thing to filter by. */
const FACET_SHARE_MAX = 0.5
const FACET_LENGTH_MAX_CHARS = 60

/**
 * Learns the schema of documents from a sample: the narrowest type that all values have, and the roles
 * that such a field mostly has. A proposal, to be looked at before it is used.
 */
export class SchemaGuess {
  readonly #columns = new Map<string, Column>()

  /** @param values JSON values by field; texts of a table count as what they spell */
  add(values: Readonly<Record<string, unknown>>, options: { spelled: boolean }): void {
    for (const [name, value] of Object.entries(values)) {
      if (value === null || value === undefined || value === '') continue
      let column = this.#columns.get(name)
      if (column === undefined) this.#columns.set(name, (column = new Column()))
      column.add(value, options.spelled)
    }
  }

  fields(): GuessedField[] {
    return [...this.#columns].map(([name, column]) => column.guess(name))
  }
}

class Column {
  #kind: Kind | undefined
  #isList = false
  #valueCount = 0
  #elementCount = 0
  #longest = 0
  #addressCount = 0
  #example = ''
  readonly #distinct = new Set<string>()

  add(value: unknown, spelled: boolean): void {
    this.#valueCount++
    if (Array.isArray(value)) this.#isList = true
    for (const element of [value].flat()) this.#addElement(element, spelled)
  }

  #addElement(element: unknown, spelled: boolean): void {
    const text = typeof element === 'string' ? element : (JSON.stringify(element) ?? '')
    this.#kind = wider(this.#kind, kindOf(element, text, spelled))
    this.#elementCount++
    this.#longest = Math.max(this.#longest, text.length)
    if (ADDRESS.test(text)) this.#addressCount++
    if (this.#example === '') this.#example = text
    if (this.#distinct.size < DISTINCT_KEPT_MAX) this.#distinct.add(text)
  }

  guess(name: string): GuessedField {
    const kind = this.#kind ?? 'string'
    const type = this.#isList ? (`${kind}[]` as const) : kind
    const field: SchemaFieldRequest = { name, type, ...this.#roles(kind) }
    return { field, valueCount: this.#valueCount, example: this.#example.slice(0, 60) }
  }

  #roles(kind: Kind): { searchable?: true; facet?: true; sort?: true } {
    const sort = this.#isList ? {} : { sort: true as const }
    if (kind === 'bool') return { facet: true }
    if (kind !== 'string') return { facet: true, ...sort }
    if (this.#addressCount * 2 > this.#elementCount) return {}
    const repeats = this.#distinct.size <= Math.max(1, this.#elementCount * FACET_SHARE_MAX)
    const isShort = this.#longest <= FACET_LENGTH_MAX_CHARS
    return { searchable: true, ...(repeats && isShort ? { facet: true } : {}) }
  }
}

function kindOf(value: unknown, text: string, spelled: boolean): Kind {
  if (typeof value === 'boolean' || (spelled && /^(true|false)$/i.test(text))) return 'bool'
  if (typeof value !== 'number' && !spelled) return 'string'
  // 00123 is a code, not a number.
  if (INTEGER.test(text)) {
    const number = BigInt(text)
    if (number >= -INT32_MAX - 1n && number <= INT32_MAX) return 'int32'
    if (number >= -INT64_MAX - 1n && number <= INT64_MAX) return 'int64'
  }
  // So many digits are a code as well: as a float the last of them would be lost.
  if (spelled && LONG.test(text)) return 'string'
  return NUMBER.test(text) ? 'float' : 'string'
}

const NUMBERS: readonly Kind[] = ['int32', 'int64', 'float']

function wider(a: Kind | undefined, b: Kind): Kind {
  if (a === undefined || a === b) return b
  const [i, j] = [NUMBERS.indexOf(a), NUMBERS.indexOf(b)]
  return i === -1 || j === -1 ? 'string' : NUMBERS[Math.max(i, j)]!
}
