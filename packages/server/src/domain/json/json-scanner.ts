import { ApiError, JSON_DEPTH_MAX } from '@aisle/contract'

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'true' | 'false' | 'null'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const MINUS = 0x2d
const PLUS = 0x2b
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** A number with this many digits may be beyond 2^53. */
const LONG_NUMBER_BYTES = 16
const OUTER_LEVELS = 32
const NONE_DEEPER = new Uint32Array(0)

/**
 * Walks over JSON text (RFC 8259) in bytes and finds where values end, without parsing them. It
 * accepts exactly what `JSON.parse` accepts, byte for byte. Malformed text throws `malformed_json`.
 * Two further faults do not hide where a value ends, so they are only recorded and the caller
 * decides what they affect: text nested too deeply, and strings that are not Unicode.
 *
 * Depth is counted without recursion: hostile text cannot exhaust the stack, and costs one bit of
 * memory per level. The loops are plain code over bytes, without allocation, on purpose.
 */
export class JsonScanner {
  readonly bytes: Uint8Array
  readonly end: number
  position: number
  /** Some container nested deeper than `depthMax`. */
  tooDeep = false
  /** Start of the first string with a lone surrogate or bytes that are not UTF-8; -1: none. */
  badUnicodeAt = -1
  /** Some number has 16 or more characters. */
  longNumber = false
  /** Keys of all objects. */
  keyCount = 0
  /** Some key within a value has an escape. */
  escapedKey = false
  #escapes = 0
  readonly #depthMax: number
  /** Containers that are open within the value that `skipPart` has left unfinished. */
  #openCount = 0
  /**
   * One bit per open container: 1 = object. A number holds the outer ones, because an array for
   * each of a bulk's thousand scanners would cost more than its content.
   */
  #outer = 0
  #deeper = NONE_DEEPER

  constructor(bytes: Uint8Array, start = 0, end = bytes.length, depthMax: number = JSON_DEPTH_MAX) {
    this.bytes = bytes
    this.position = start
    this.end = end
    this.#depthMax = depthMax
  }

  /** Skips white space. @returns the byte there, or -1 at the end */
  peek(): number {
    return this.#byteAt((this.position = this.#space(this.position)))
  }

  /** Moves past `byte`, which must come next. */
  expect(byte: number): void {
    if (this.peek() !== byte) this.#fail(this.position, `expected "${String.fromCharCode(byte)}"`)
    this.position++
  }

  /** Moves past a string. @returns the offset of its opening quote */
  skipString(): number {
    if (this.peek() !== QUOTE) this.#fail(this.position, 'expected a string')
    const start = this.position
    this.position = this.#string(start)
    return start
  }

  /** Only white space may follow. */
  expectEnd(): void {
    if (this.peek() !== -1) this.#fail(this.position, 'expected nothing more')
  }

  /**
   * Moves past one value and the white space before it.
   * @param levelsAround containers that the caller has opened around it
   */
  skipValue(levelsAround = 0): void {
    this.skipPart(Infinity, levelsAround)
  }

  /**
   * `skipValue` in parts: moves on to the first value that begins at `stop` or later.
   *
   * @returns whether the value has ended; if not, call it again, and nothing else before
   */
  skipPart(stop: number, levelsAround = 0): boolean {
    const depthLeft = this.#depthMax - levelsAround
    let depth = this.#openCount
    let p = this.position
    for (;;) {
      if (p >= stop) {
        this.position = p
        this.#openCount = depth
        return false
      }
      // A value begins at p, after white space.
      p = this.#space(p)
      const c = this.#byteAt(p)
      if (c === QUOTE) {
        p = this.#string(p)
      } else if (c === OPEN_BRACE) {
        if (depth >= depthLeft) this.tooDeep = true
        this.#open(depth++, true)
        p = this.#space(p + 1)
        if (this.#byteAt(p) !== CLOSE_BRACE) {
          p = this.#key(p)
          continue
        }
        p++
        depth--
      } else if (c === OPEN_BRACKET) {
        if (depth >= depthLeft) this.tooDeep = true
        this.#open(depth++, false)
        p = this.#space(p + 1)
        if (this.#byteAt(p) !== CLOSE_BRACKET) continue
        p++
        depth--
      } else if (c === MINUS || (c >= ZERO && c <= NINE)) {
        p = this.#number(p)
      } else {
        p = this.#literal(p, c)
      }
      // A value ended at p: close the containers that end here, or continue with the next value.
      for (;;) {
        if (depth === 0) {
          this.position = p
          this.#openCount = 0
          return true
        }
        p = this.#space(p)
        const next = this.#byteAt(p)
        const level = depth - 1
        if (this.#isObject(level)) {
          if (next === COMMA) {
            p = this.#key(this.#space(p + 1))
            break
          }
          if (next !== CLOSE_BRACE) this.#fail(p, 'expected "," or "}"')
        } else {
          if (next === COMMA) {
            p++
            break
          }
          if (next !== CLOSE_BRACKET) this.#fail(p, 'expected "," or "]"')
        }
        p++
        depth--
      }
    }
  }

  /** Throws the recorded faults: `json_too_deep`, then `invalid_unicode`. */
  throwNoted(): void {
    if (this.tooDeep) throw jsonTooDeep(this.#depthMax)
    if (this.badUnicodeAt >= 0) throw invalidUnicode(this.badUnicodeAt)
  }

  #byteAt(p: number): number {
    return p < this.end ? this.bytes[p]! : -1
  }

  #space(p: number): number {
    const { bytes, end } = this
    while (p < end) {
      const c = bytes[p]!
      if (c > 0x20 || (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09)) break
      p++
    }
    return p
  }

  #isObject(level: number): boolean {
    const word = level < OUTER_LEVELS ? this.#outer : this.#deeper[level >>> 5]!
    return ((word >>> (level & 31)) & 1) === 1
  }

  #open(level: number, isObject: boolean): void {
    const bit = 1 << (level & 31)
    if (level < OUTER_LEVELS) {
      this.#outer = isObject ? this.#outer | bit : this.#outer & ~bit
      return
    }
    const word = level >>> 5
    if (word >= this.#deeper.length) {
      const grown = new Uint32Array(word * 2)
      grown.set(this.#deeper)
      this.#deeper = grown
    }
    if (isObject) this.#deeper[word]! |= bit
    else this.#deeper[word]! &= ~bit
  }

  /** A key and its colon. */
  #key(p: number): number {
    if (this.#byteAt(p) !== QUOTE) this.#fail(p, 'expected a key in double quotes')
    this.keyCount++
    const escapes = this.#escapes
    p = this.#space(this.#string(p))
    if (this.#escapes !== escapes) this.escapedKey = true
    if (this.#byteAt(p) !== COLON) this.#fail(p, 'expected ":"')
    return p + 1
  }

  #number(p: number): number {
    const start = p
    if (this.#byteAt(p) === MINUS) p++
    if (this.#byteAt(p) === ZERO) p++
    else p = this.#digits(p)
    if (this.#byteAt(p) === POINT) p = this.#digits(p + 1)
    const e = this.#byteAt(p)
    if (e === 0x65 || e === 0x45) {
      const sign = this.#byteAt(++p)
      if (sign === MINUS || sign === PLUS) p++
      p = this.#digits(p)
    }
    if (p - start >= LONG_NUMBER_BYTES) this.longNumber = true
    return p
  }

  /** One digit or more. */
  #digits(p: number): number {
    const { bytes, end } = this
    const start = p
    while (p < end && bytes[p]! >= ZERO && bytes[p]! <= NINE) p++
    if (p === start) this.#fail(p, 'expected a digit')
    return p
  }

  #literal(p: number, first: number): number {
    const word = first === 0x74 ? 'true' : first === 0x66 ? 'false' : first === 0x6e ? 'null' : ''
    if (word === '') this.#fail(p, 'expected a value')
    for (let i = 1; i < word.length; i++) {
      if (this.#byteAt(p + i) !== word.charCodeAt(i)) this.#fail(p, 'expected a value')
    }
    return p + word.length
  }

  /** Scans from the opening quote to past the closing one. */
  #string(start: number): number {
    const { bytes, end } = this
    let p = start + 1
    while (p < end) {
      const c = bytes[p]!
      if (c === QUOTE) return p + 1
      if (c === BACKSLASH) p = this.#escape(p, start)
      else if (c >= 0x80) p = this.#multibyte(p, c, start)
      else if (c < 0x20) this.#fail(p, 'expected control characters to be escaped')
      else p++
    }
    return this.#fail(end, 'expected the string to end')
  }

  #escape(p: number, stringStart: number): number {
    this.#escapes++
    const c = this.#byteAt(p + 1)
    if (c !== 0x75) {
      // " \ / b f n r t
      if (c === 0x22 || c === 0x5c || c === 0x2f || c === 0x62) return p + 2
      if (c === 0x66 || c === 0x6e || c === 0x72 || c === 0x74) return p + 2
      this.#fail(p, 'expected a known escape')
    }
    const unit = this.#hex4(p + 2)
    if (unit < 0xd800 || unit > 0xdfff) return p + 6
    if (unit < 0xdc00 && this.#byteAt(p + 6) === BACKSLASH && this.#byteAt(p + 7) === 0x75) {
      const low = this.#hex4(p + 8)
      if (low >= 0xdc00 && low <= 0xdfff) return p + 12
    }
    if (this.badUnicodeAt < 0) this.badUnicodeAt = stringStart
    return p + 6
  }

  #hex4(p: number): number {
    let unit = 0
    for (let i = 0; i < 4; i++) {
      const c = this.#byteAt(p + i)
      const lower = c | 0x20
      if (c >= ZERO && c <= NINE) unit = unit * 16 + c - ZERO
      else if (c > 0 && lower >= 0x61 && lower <= 0x66) unit = unit * 16 + lower - 0x57
      else this.#fail(p + i, 'expected 4 hexadecimal digits')
    }
    return unit
  }

  /** One UTF-8 sequence (Unicode 17, table 3-7). A wrong byte is recorded and skipped. */
  #multibyte(p: number, lead: number, stringStart: number): number {
    const second = this.#byteAt(p + 1)
    if (lead >= 0xc2 && lead <= 0xdf) {
      if ((second & 0xc0) === 0x80 && second > 0) return p + 2
    } else if (lead >= 0xe0 && lead <= 0xf4) {
      const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
      const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
      const third = this.#byteAt(p + 2)
      if (second >= low && second <= high && third > 0 && (third & 0xc0) === 0x80) {
        if (lead < 0xf0) return p + 3
        const fourth = this.#byteAt(p + 3)
        if (fourth > 0 && (fourth & 0xc0) === 0x80) return p + 4
      }
    }
    if (this.badUnicodeAt < 0) this.badUnicodeAt = stringStart
    return p + 1
  }

  #fail(position: number, expected: string): never {
    const found = position >= this.end ? 'the end' : `byte 0x${this.bytes[position]!.toString(16)}`
    throw new ApiError(
      'malformed_json',
      `Cannot read JSON at byte ${position}: ${expected}, found ${found}`,
    )
  }
}

/** @returns the kind of a well-formed value, by its first byte */
export function kindOf(firstByte: number): JsonKind {
  if (firstByte === QUOTE) return 'string'
  if (firstByte === OPEN_BRACE) return 'object'
  if (firstByte === OPEN_BRACKET) return 'array'
  if (firstByte === 0x74) return 'true'
  if (firstByte === 0x66) return 'false'
  if (firstByte === 0x6e) return 'null'
  return 'number'
}

function jsonTooDeep(depthMax: number = JSON_DEPTH_MAX): ApiError {
  return new ApiError('json_too_deep', `Cannot read JSON: it is deeper than ${depthMax} levels`)
}

function invalidUnicode(position: number): ApiError {
  return new ApiError(
    'invalid_unicode',
    `Cannot read JSON: the string at byte ${position} is not well-formed Unicode`,
  )
}
