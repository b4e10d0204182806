import { ApiError } from '@aisle/contract'
import { JsonScanner, kindOf, type JsonKind } from './json-scanner.ts'
import { refuseLargeObjects } from './object-sizes.ts'

const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c

/** The range of a value in the text: `bytes.subarray(start, end)` is its JSON. */
export interface JsonElement {
  readonly kind: JsonKind
  readonly start: number
  readonly end: number
}

/** One key of an object and its value. */
export interface JsonMember extends JsonElement {
  /** Decoded. */
  readonly key: string
  /** Offset of the opening quote of the key. */
  readonly keyStart: number
}

/** An element of an array, with the faults found inside it. */
export interface ScannedElement extends JsonElement {
  readonly tooDeep: boolean
  readonly badUnicode: boolean
}

/**
 * Checks one JSON value strictly, allowing white space around it.
 *
 * @returns the offset of its end
 * @throws ApiError malformed_json, json_too_deep, invalid_unicode
 */
export function scanValue(bytes: Uint8Array, start = 0, end = bytes.length): number {
  const scanner = new JsonScanner(bytes, start, end)
  scanner.skipValue()
  scanner.throwNoted()
  return scanner.position
}

/**
 * The members of the object that fills the range (white space around it allowed), in the order of
 * the text. Of members with the same key only the last counts, as for `JSON.parse`.
 *
 * @param keysMax of it and of each object in it
 * @throws ApiError malformed_json, json_too_deep, invalid_unicode, invalid_parameter (`keysMax`);
 * invalid_type if it is not an object
 */
export function scanMembers(
  bytes: Uint8Array,
  start = 0,
  end = bytes.length,
  keysMax = Infinity,
): JsonMember[] {
  const scanner = new JsonScanner(bytes, start, end)
  const members = readObject(scanner, keysMax)
  scanner.expectEnd()
  scanner.throwNoted()
  return members
}

/** Like `scanMembers`, but excessive depth and bad Unicode are only noted in the scanner. */
export function readMembers(scanner: JsonScanner): JsonMember[] {
  const members = readObject(scanner)
  scanner.expectEnd()
  return members
}

/**
 * The same for an object that may be followed by other text; moves past it, even if it has too many
 * keys.
 *
 * @param keysMax of it and of each object in it
 * @throws ApiError also invalid_parameter (`keysMax`)
 */
export function readObject(scanner: JsonScanner, keysMax = Infinity): JsonMember[] {
  if (scanner.peek() !== OPEN_BRACE) throwUnexpectedKind(scanner, 'an object')
  const start = scanner.position
  const members: JsonMember[] = []
  let isLarge = false
  if (beginContainer(scanner)) {
    do {
      if (members.length < keysMax) members.push(readMember(scanner))
      else {
        isLarge = true
        skipMember(scanner)
      }
    } while (moreFollow(scanner, 'object'))
  }
  if (isLarge || scanner.keyCount > keysMax) {
    refuseLargeObjects(scanner.bytes.subarray(start, scanner.position), keysMax)
  }
  return withoutRepeatedKeys(members)
}

/**
 * The elements of the array that fills the range, each with its own faults: one that is too deep or
 * not Unicode does not affect the others. Depth is counted within an element.
 *
 * @throws ApiError malformed_json; invalid_type if it is not an array
 */
export function scanElements(bytes: Uint8Array, start = 0, end = bytes.length): ScannedElement[] {
  const scanner = new JsonScanner(bytes, start, end)
  if (scanner.peek() !== OPEN_BRACKET) throwUnexpectedKind(scanner, 'an array')
  const elements: ScannedElement[] = []
  if (beginContainer(scanner)) {
    do {
      scanner.tooDeep = false
      scanner.badUnicodeAt = -1
      const { kind, start: elementStart, end: elementEnd } = readElement(scanner)
      elements.push({
        kind,
        start: elementStart,
        end: elementEnd,
        tooDeep: scanner.tooDeep,
        badUnicode: scanner.badUnicodeAt >= 0,
      })
    } while (moreFollow(scanner, 'array'))
  }
  scanner.expectEnd()
  return elements
}

/*
 * Walks over a container step by step, for callers that must not hold all of its parts at once:
 *
 *     if (beginContainer(scanner)) do readElement(scanner) while (moreFollow(scanner, 'array'))
 */

/** Moves past the opening bracket; past the closing one too if the container is empty. */
export function beginContainer(scanner: JsonScanner): boolean {
  const close = scanner.peek() === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET
  scanner.position++
  if (scanner.peek() !== close) return true
  scanner.position++
  return false
}

/** Moves past a comma or the closing bracket. @returns whether it was a comma */
export function moreFollow(scanner: JsonScanner, kind: 'object' | 'array'): boolean {
  if (scanner.peek() !== COMMA) {
    scanner.expect(kind === 'object' ? CLOSE_BRACE : CLOSE_BRACKET)
    return false
  }
  scanner.position++
  return true
}

function readMember(scanner: JsonScanner): JsonMember {
  const { key, keyStart } = readKey(scanner)
  const kind = kindOf(scanner.peek())
  const start = scanner.position
  scanner.skipValue(1)
  return { key, keyStart, kind, start, end: scanner.position }
}

/** Moves past the key of a member and the colon, to the value. */
export function readKey(scanner: JsonScanner): Pick<JsonMember, 'key' | 'keyStart'> {
  const keyStart = scanner.skipString()
  const key = decodeKey(scanner.bytes, keyStart, scanner.position)
  scanner.expect(COLON)
  return { key, keyStart }
}

/** Without reading its key. */
function skipMember(scanner: JsonScanner): void {
  scanner.skipString()
  scanner.expect(COLON)
  scanner.peek()
  scanner.skipValue(1)
}

/** Depth is counted within the element. */
export function readElement(scanner: JsonScanner): JsonElement {
  const kind = kindOf(scanner.peek())
  const start = scanner.position
  scanner.skipValue()
  return { kind, start, end: scanner.position }
}

/**
 * `JSON.parse` after the checks of `scanValue`, with integers beyond 2^53 as exact bigint. As fast
 * as `JSON.parse` unless the text has a number of 16 or more characters.
 *
 * A key `__proto__` becomes an ordinary own property: access keys with `Object.entries` or
 * `Object.hasOwn`, and never copy by assignment.
 *
 * @param keysMax of one object
 * @throws ApiError malformed_json, json_too_deep, invalid_unicode, invalid_parameter (`keysMax`)
 */
export function parseExact(json: Uint8Array | string, keysMax = Infinity): unknown {
  if (typeof json === 'string' && !json.isWellFormed()) {
    throw new ApiError('invalid_unicode', 'Cannot read JSON: it is not well-formed Unicode')
  }
  const bytes = typeof json === 'string' ? Buffer.from(json) : withoutByteOrderMark(json)
  const scanner = new JsonScanner(bytes)
  scanner.skipValue()
  scanner.expectEnd()
  scanner.throwNoted()
  if (scanner.keyCount > keysMax) refuseLargeObjects(bytes, keysMax)
  if (scanner.escapedKey) return parseParts(new JsonScanner(bytes))
  const text = typeof json === 'string' ? json : textOf(bytes, 0, bytes.length)
  return scanner.longNumber ? JSON.parse(text, exactInteger as Reviver) : JSON.parse(text)
}

const OWN = { configurable: true, enumerable: true, writable: true }

/**
 * The same, value by value. `JSON.parse` of V8 takes a key with an escape for another one that it
 * has read at the same place, and that ends with a backslash (nodejs/node#63785); another store may
 * have sent that one.
 */
function parseParts(scanner: JsonScanner): unknown {
  const first = scanner.peek()
  if (first === OPEN_BRACE) {
    const object: Record<string, unknown> = {}
    if (beginContainer(scanner)) {
      do {
        const { key } = readKey(scanner)
        const value = parseParts(scanner)
        if (key === '__proto__') Object.defineProperty(object, key, { ...OWN, value })
        else object[key] = value
      } while (moreFollow(scanner, 'object'))
    }
    return object
  }
  if (first === OPEN_BRACKET) {
    const elements: unknown[] = []
    if (beginContainer(scanner)) {
      do elements.push(parseParts(scanner))
      while (moreFollow(scanner, 'array'))
    }
    return elements
  }
  const { kind, start, end } = readElement(scanner)
  if (kind === 'string') return decodeString(scanner.bytes, start, end)
  if (kind !== 'number') return kind === 'null' ? null : kind === 'true'
  const source = textOf(scanner.bytes, start, end)
  return exactInteger('', Number(source), { source })
}

type Reviver = (key: string, value: unknown) => unknown

/** No field can hold a longer run of digits, and BigInt of a megabyte of digits would be slow. */
const INTEGER_CHARS_MAX = 64

function exactInteger(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const source = context.source ?? ''
  return source.length <= INTEGER_CHARS_MAX && /^-?\d+$/.test(source) ? BigInt(source) : value
}

/** Decodes the JSON string with quotes at `start` and `end - 1`. */
export function decodeString(bytes: Uint8Array, start: number, end: number): string {
  for (let p = start + 1; p < end - 1; p++) {
    if (bytes[p] === BACKSLASH) return JSON.parse(textOf(bytes, start, end)) as string
  }
  return textOf(bytes, start + 1, end - 1)
}

/**
 * Recently decoded keys, by a hash of their bytes: all documents of a bulk have the same few keys.
 */
const recentKeys: (string | undefined)[] = Array.from({ length: 512 })
const RECENT_KEY_CHARS_MAX = 64

/** `decodeString` for a key. Keys that repeat are not decoded again. */
function decodeKey(bytes: Uint8Array, start: number, end: number): string {
  const length = end - start - 2
  if (length > RECENT_KEY_CHARS_MAX) return decodeString(bytes, start, end)
  let hash = length
  for (let p = start + 1; p < end - 1; p++) {
    const byte = bytes[p]!
    if (byte === BACKSLASH || byte >= 0x80) return decodeString(bytes, start, end)
    hash = Math.imul(hash ^ byte, 0x01000193)
  }
  const slot = (hash ^ (hash >>> 15)) & (recentKeys.length - 1)
  const recent = recentKeys[slot]
  if (recent?.length === length) {
    let i = 0
    while (i < length && recent.charCodeAt(i) === bytes[start + 1 + i]) i++
    if (i === length) return recent
  }
  const key = textOf(bytes, start + 1, end - 1)
  recentKeys[slot] = key
  return key
}

/** The bytes of a range as text. */
export function textOf(bytes: Uint8Array, start: number, end: number): string {
  return asBuffer(bytes).toString('utf8', start, end)
}

/** The same bytes as a Buffer, without a copy. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Some editors put U+FEFF before the text; it is not part of the JSON. */
export function withoutByteOrderMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}

/** Up to this many members are compared with each other; for more, a Map is faster. */
const COMPARED_MEMBERS_MAX = 24

function withoutRepeatedKeys(members: JsonMember[]): JsonMember[] {
  if (members.length <= COMPARED_MEMBERS_MAX && !hasRepeatedKey(members)) return members
  const last = new Map<string, JsonMember>()
  for (const member of members) last.set(member.key, member)
  return last.size === members.length ? members : members.filter((m) => last.get(m.key) === m)
}

function hasRepeatedKey(members: readonly JsonMember[]): boolean {
  for (let i = 1; i < members.length; i++) {
    const { key } = members[i]!
    for (let j = 0; j < i; j++) if (members[j]!.key === key) return true
  }
  return false
}

function throwUnexpectedKind(scanner: JsonScanner, expected: string): never {
  const kind = kindOf(scanner.peek())
  const start = scanner.position
  scanner.skipValue()
  scanner.expectEnd()
  throw new ApiError(
    'invalid_type',
    `Cannot read JSON at byte ${start}: expected ${expected}, found ${kind}`,
  )
}
