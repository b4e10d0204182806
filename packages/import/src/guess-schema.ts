import type { SchemaFieldRequest } from '@aisle/client'
import { isIsoDate } from './iso-date.ts'
import { isObject } from './map-fields.ts'

/** Statistics of the values of one column. */
export interface GuessedField {
  readonly field: SchemaFieldRequest
  /** Number of values present. */
  readonly valueCount: number
  readonly example: string
}

type Kind = 'bool' | 'int32' | 'int64' | 'float' | 'date' | 'string'

const INT32_MAX = 2n ** 31n - 1n
const INT64_MAX = 2n ** 63n - 1n
const INTEGER = /^-?(0|[1-9]\d{0,18})$/
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d{1,3})?$/
const LONG = /^-?\d{17,}$/
const ADDRESS = /^(https?:)?\/\/|^data:/i
const DISTINCT_KEPT_MAX = 2_000
/** Texts that repeat this often are worth filtering by. */
const FACET_SHARE_MAX = 0.5
const FACET_LENGTH_MAX_CHARS = 60

/** A column holds lists if this share of its cells has the separator. */
const LIST_SHARE_MIN = 0.1

/** An object with more members gets a pattern: documents bring the rest of them, and others. */
const MEMBERS_MAX = 60

/** Objects in objects, at most: what is deeper is taken as a value. */
const DEPTH_MAX = 8

interface GuessedObject {
  readonly isList: boolean
  /** Number of documents that have it. */
  readonly count: number
  readonly example: string
}

interface GuessOptions {
  readonly spelled: boolean
  readonly listSeparator?: string
}

/**
 * Learns the schema of documents from a sample: the narrowest type that all values have, and the
 * roles that such a field mostly has. A proposal, to be looked at before it is used.
 */
export class SchemaGuess {
  readonly #columns = new Map<string, Column>()
  readonly #objects = new Map<string, GuessedObject>()

  /**
   * @param values JSON values by field
   * @param options `spelled`: texts of a table count as what they spell, and are lists where the
   *   separator is between their parts
   */
  add(values: Readonly<Record<string, unknown>>, options: GuessOptions): void {
    for (const [name, value] of Object.entries(values)) {
      if (value === null || value === undefined || value === '') continue
      const objects = objectsIn(value)
      const isObjects = objects !== undefined && !objects.every(isPlace)
      if (isObjects && this.#depthOf(name) < DEPTH_MAX) {
        this.#addObjects(name, value, objects, options)
        continue
      }
      let column = this.#columns.get(name)
      if (column === undefined) this.#columns.set(name, (column = new Column()))
      column.add(value, options)
    }
  }

  /** Objects come before the fields that they hold, which are named `variants.color`. */
  fields(): GuessedField[] {
    const guessed = [...this.#columns].map(([name, column]) => column.guess(name))
    const objects = [...this.#objects].map(([name, { isList, count, example }]): GuessedField => {
      const field = { name, type: isList ? ('object[]' as const) : ('object' as const) }
      return { field, valueCount: count, example }
    })
    const lists = objects.filter(({ field }) => field.type === 'object[]')
    const isInList = (name: string) => lists.some(({ field }) => name.startsWith(`${field.name}.`))
    const guesses = [
      // A name that holds objects in some documents and values in others cannot be both.
      ...guessed.filter(({ field }) => !this.#objects.has(field.name) && !isInList(field.name)),
      ...objects,
      ...guessed
        .filter(({ field }) => isInList(field.name))
        .map(({ field: { sort: _, ...field }, ...rest }) => ({ field, ...rest })),
    ]
    return withPatterns(guesses)
  }

  #addObjects(
    name: string,
    value: unknown,
    objects: readonly Readonly<Record<string, unknown>>[],
    options: GuessOptions,
  ): void {
    const known = this.#objects.get(name)
    const isList = Array.isArray(value) || known?.isList === true
    const example = known?.example ?? (JSON.stringify(value) ?? '').slice(0, 60)
    this.#objects.set(name, { isList, count: (known?.count ?? 0) + 1, example })
    for (const object of objects) {
      const inside = Object.entries(object).map(([member, one]) => [`${name}.${member}`, one])
      this.add(Object.fromEntries(inside) as Record<string, unknown>, options)
    }
  }

  /** Objects that a name is inside of. */
  #depthOf(name: string): number {
    let depth = 0
    for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      if (this.#objects.has(name.slice(0, dot))) depth++
    }
    return depth
  }
}

/** With a pattern instead of the members of an object that has very many. */
function withPatterns(guesses: readonly GuessedField[]): GuessedField[] {
  const isObjects = ({ field }: GuessedField) => field.type.startsWith('object')
  const membersOf = (object: string) =>
    guesses.filter(({ field: { name } }) => name.startsWith(`${object}.`))
  const wide = guesses.filter(isObjects).filter(({ field }) => {
    const { length } = field.name
    const isOwn = (one: GuessedField) => !one.field.name.slice(length + 1).includes('.')
    return membersOf(field.name).filter(isOwn).length > MEMBERS_MAX
  })
  const isWithin = (name: string) => wide.some(({ field }) => name.startsWith(`${field.name}.`))
  const patterns = wide
    .filter(({ field }) => !isWithin(field.name))
    .map(({ field, ...rest }): GuessedField => {
      const name = `${field.name}.*`
      return { ...rest, field: { name, type: 'auto', searchable: true, facet: true } }
    })
  return [...guesses.filter(({ field }) => !isWithin(field.name)), ...patterns]
}

/** An object, or the elements of a list of objects; undefined for other values. */
function objectsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] | undefined {
  if (isObject(value)) return [value]
  return Array.isArray(value) && value.length > 0 && value.every(isObject) ? value : undefined
}

class Column {
  readonly #whole = new Shape()
  /** Statistics of the parts of cells between separators. */
  readonly #parts = new Shape()
  #valueCount = 0
  #hasLists = false
  #dividedCount = 0
  #hasPlaces = false
  #hasOthers = false
  #isSpaced = false

  add(value: unknown, { spelled, listSeparator = '' }: GuessOptions): void {
    this.#valueCount++
    const elements: unknown[] = [value].flat()
    if (!elements.every(isPlace)) this.#hasOthers = true
    else if (elements.length > 0) this.#hasPlaces = true
    if (Array.isArray(value)) this.#hasLists = true
    for (const element of elements) this.#whole.add(element, spelled)
    if (!spelled || typeof value !== 'string' || listSeparator === '') return
    const parts = value.split(listSeparator)
    for (const part of parts) if (part.trim() !== '') this.#parts.add(part.trim(), spelled)
    if (parts.length === 1) return
    this.#dividedCount++
    this.#isSpaced ||= parts.some((part, i) => /^\s/.test(part) && i > 0)
  }

  guess(name: string): GuessedField {
    const isDivided = this.#isDivided()
    const isList = this.#hasLists || isDivided
    const { kind, example, ...shape } = (isDivided ? this.#parts : this.#whole).summary()
    if (this.#hasPlaces && !this.#hasOthers) {
      const type = isList ? 'geopoint[]' : 'geopoint'
      return { field: { name, type }, valueCount: this.#valueCount, example: example.slice(0, 60) }
    }
    const type = isList ? (`${kind}[]` as const) : kind
    const field: SchemaFieldRequest = { name, type, ...rolesOf(kind, isList, shape) }
    return { field, valueCount: this.#valueCount, example: example.slice(0, 60) }
  }

  /**
   * URLs, or short parts. (A title with bars has spaces around them, and parts that do not repeat.)
   */
  #isDivided(): boolean {
    if (this.#dividedCount === 0) return false
    if (this.#dividedCount < this.#valueCount * LIST_SHARE_MIN) return false
    const { isShort, isAddress, repeats } = this.#parts.summary()
    return isAddress || (isShort && (repeats || !this.#isSpaced))
  }
}

/** `{"lat": 48.85, "lon": 2.35}`, and nothing else in it. Two numbers in a list may be anything. */
function isPlace(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { lat, lon, lng = lon, ...others } = value as Readonly<Record<string, unknown>>
  const isNumber = (one: unknown) => typeof one === 'number'
  return isNumber(lat) && isNumber(lng) && Object.keys(others).length === 0
}

/** The common type of values. */
class Shape {
  #kind: Kind | undefined
  #count = 0
  #longest = 0
  #addressCount = 0
  #example = ''
  readonly #distinct = new Set<string>()

  add(value: unknown, spelled: boolean): void {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    this.#kind = wider(this.#kind, kindOf(value, text, spelled))
    this.#count++
    this.#longest = Math.max(this.#longest, text.length)
    if (ADDRESS.test(text)) this.#addressCount++
    if (this.#example === '') this.#example = text
    if (this.#distinct.size < DISTINCT_KEPT_MAX) this.#distinct.add(text)
  }

  summary(): Readonly<Summary> {
    return {
      kind: this.#kind ?? 'string',
      example: this.#example,
      isShort: this.#longest <= FACET_LENGTH_MAX_CHARS,
      isAddress: this.#addressCount * 2 > this.#count,
      repeats: this.#distinct.size <= Math.max(1, this.#count * FACET_SHARE_MAX),
    }
  }
}

interface Summary {
  kind: Kind
  example: string
  isShort: boolean
  isAddress: boolean
  repeats: boolean
}

function rolesOf(
  kind: Kind,
  isList: boolean,
  { isShort, isAddress, repeats }: Pick<Summary, 'isShort' | 'isAddress' | 'repeats'>,
): { searchable?: true; facet?: true; sort?: true } {
  const sort = isList ? {} : { sort: true as const }
  if (kind === 'bool') return { facet: true }
  if (kind !== 'string') return { facet: true, ...sort }
  if (isAddress) return {}
  return { searchable: true, ...(repeats && isShort ? { facet: true } : {}) }
}

function kindOf(value: unknown, text: string, spelled: boolean): Kind {
  if (typeof value === 'boolean' || (spelled && /^(true|false)$/i.test(text))) return 'bool'
  if (typeof value === 'string' && isIsoDate(text)) return 'date'
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
