import { escapeHtml } from '@aisle/engine'
import { asBuffer } from '../../domain/json/json-scan.ts'

/** The members that differ each time a response is sent. */
export interface Given {
  readonly cached: boolean
  readonly searchId: string
  readonly tookMs: number
}

/** Maximum number of characters or bytes that are written one by one. */
const SHORT = 24
/** Size that fits most responses; larger ones allocate separate memory. */
const MEMORY_BYTES = 65_536
/** Memory of a large response grows by this at most, so that little of it is unused. */
const GROWTH_MAX_BYTES = 8_000_000
/** Size of the members that differ each time; more than they ever need. */
export const GIVEN_BYTES_MAX = 256
/** Maximum number of bytes of a UTF-16 code unit. */
const UNIT_BYTES_MAX = 3

const BACKSLASH = 0x5c
const LOWER_U = 0x75
/** `\u00e9` */
const UNIT_ESCAPE_BYTES = 6
/**
 * Bounds of UTF-8: the first byte outside of ASCII, the first lead byte, and the first lead byte of
 * a long sequence.
 */
const ASCII_END = 0x80
const LEAD_BYTE = 0xc0
const FOUR_BYTES = 0xf0

/** The escape of a character of HTML. */
const ENTITIES = new Map(
  [...`&<>"'`].map((character) => [character.charCodeAt(0), escapeHtml(character)]),
)
const ENTITY_BYTES_MAX = 6
/** 1: a byte that needs no escape in JSON or HTML. */
const IS_COPIED = new Uint8Array(256).fill(1, 0, ASCII_END)
for (const code of [BACKSLASH, ...ENTITIES.keys()]) IS_COPIED[code] = 0

/** The code unit of a JSON escape that may be a character of HTML. */
function escapedCode(json: Uint8Array, at: number): number {
  if (json[at + 1] !== LOWER_U) return json[at + 1]!
  return Number(`0x${asBuffer(json).toString('latin1', at + 2, at + UNIT_ESCAPE_BYTES)}`)
}

/**
 * Memory for the next response; undefined while it is in use. V8 collects garbage more often if
 * there is more memory outside of its heap, so allocating it for each response took a fifth of the
 * time of cached ones.
 */
let free: Buffer | undefined
/** The same memory, even while it is lent. */
let memory: Buffer | undefined

/** Passes the memory of this response to the next one; nothing may read it after that. */
export function giveBack({ buffer }: Uint8Array): void {
  if (buffer === memory?.buffer) free = memory
}

/** Returns a response as text, for use in another response, and frees its memory. */
export function takeText(json: string | Uint8Array): string {
  if (typeof json === 'string') return json
  const text = Buffer.from(json.buffer, json.byteOffset, json.length).toString()
  giveBack(json)
  return text
}

/**
 * Writes a response as the bytes that go to the socket. Stored documents are bytes already and are
 * copied; a response as text would be concatenated, measured, and converted to bytes again.
 *
 * The sender may return the bytes after sending (`giveBack`).
 */
export class AnswerWriter {
  readonly #hold: (bytes: number) => void
  #bytes: Buffer
  #length = 0

  /**
   * @param hold called before memory is allocated; it throws if there is too little
   * @param bytes minimum number of bytes
   */
  constructor(hold: (bytes: number) => void = () => undefined, bytes = 0) {
    this.#hold = hold
    if (bytes > MEMORY_BYTES) {
      hold(bytes)
      this.#bytes = Buffer.allocUnsafeSlow(bytes)
      return
    }
    memory = free ?? Buffer.allocUnsafeSlow(MEMORY_BYTES)
    free = undefined
    this.#bytes = memory
  }

  /** Number of bytes so far. */
  get length(): number {
    return this.#length
  }

  text(text: string): void {
    const { length } = text
    this.#makeRoom(length * UNIT_BYTES_MAX)
    if (length <= SHORT && this.#shortText(text)) return
    this.#length += this.#bytes.write(text, this.#length)
  }

  /** Most texts are so short that a call of Node's function takes longer than this loop. */
  #shortText(text: string): boolean {
    const target = this.#bytes
    const at = this.#length
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code >= ASCII_END) return false
      target[at + i] = code
    }
    this.#length = at + text.length
    return true
  }

  /** Copies the bytes. From shared memory, V8's `set` may take thirty times as long. */
  bytes(bytes: Uint8Array): void {
    const { length } = bytes
    this.#makeRoom(length)
    if (length <= SHORT) {
      for (let i = 0; i < length; i++) this.#bytes[this.#length++] = bytes[i]!
      return
    }
    this.#length += Buffer.prototype.copy.call(bytes as Buffer, this.#bytes, this.#length)
  }

  /**
   * Writes the characters of a JSON string, escaped for HTML between tags and in quoted attributes
   * (`escapeHtml`). The result is a JSON string again.
   *
   * @param json text with the characters, between quotes, from `from` to `to`
   * @returns UTF-16 code units written
   */
  html(json: Uint8Array, from: number, to: number): number {
    let units = 0
    this.#makeRoom(to - from)
    let target = this.#bytes
    let length = this.#length
    // Inner loop: copies nearly every byte.
    for (let i = from; i < to; i++) {
      const byte = json[i]!
      if (IS_COPIED[byte] === 1) {
        target[length++] = byte
        units++
        continue
      }
      if (byte >= ASCII_END) {
        target[length++] = byte
        if (byte >= LEAD_BYTE) units += byte >= FOUR_BYTES ? 2 : 1
        continue
      }
      // An escape may be longer than its character.
      this.#length = length
      this.#makeRoom(ENTITY_BYTES_MAX + to - i)
      target = this.#bytes
      const bytes = byte !== BACKSLASH ? 1 : json[i + 1] === LOWER_U ? UNIT_ESCAPE_BYTES : 2
      const entity = ENTITIES.get(bytes === 1 ? byte : escapedCode(json, i))
      if (entity !== undefined) length += target.write(entity, length, 'latin1')
      else for (let at = i; at < i + bytes; at++) target[length++] = json[at]!
      units += length - this.#length
      i += bytes - 1
    }
    this.#length = length
    return units
  }

  /** Discards what was written after an offset. */
  cut(length: number): void {
    this.#length = length
  }

  /** Gives up the response, and frees a large one at once. */
  discard(): void {
    this.#length = 0
    if (this.isLarge) (this.#bytes.buffer as ArrayBuffer).transfer(0)
    else giveBack(this.#bytes)
    this.#bytes = Buffer.alloc(0)
  }

  /** The members that differ each time. */
  given({ cached, searchId, tookMs }: Given): void {
    const shownMs = Math.round(tookMs * 100) / 100
    this.text(`,"cached":${cached},"search_id":"${searchId}","search_time_ms":${shownMs}`)
  }

  /** Returns what was written from an offset on, without a copy; valid until more is written. */
  written(from = 0): Buffer {
    return this.#bytes.subarray(from, this.#length)
  }

  /** Whether the response has outgrown the memory that is used again for the next one. */
  get isLarge(): boolean {
    return this.#bytes.length > MEMORY_BYTES
  }

  /** Allocates memory for further bytes at once, and not little by little. */
  expect(bytes: number): void {
    const needed = this.#length + bytes
    if (needed > MEMORY_BYTES && needed > this.#bytes.length) this.#grow(needed)
  }

  #makeRoom(bytes: number): void {
    const needed = this.#length + bytes
    const { length } = this.#bytes
    if (needed > length) this.#grow(Math.max(needed, length + Math.min(length, GROWTH_MAX_BYTES)))
  }

  #grow(size: number): void {
    this.#hold(this.isLarge ? size - this.#bytes.length : size)
    const larger = Buffer.allocUnsafeSlow(size)
    larger.set(this.written())
    // Freed now: the collector would notice megabytes late.
    if (this.isLarge) (this.#bytes.buffer as ArrayBuffer).transfer(0)
    else giveBack(this.#bytes)
    this.#bytes = larger
  }
}
