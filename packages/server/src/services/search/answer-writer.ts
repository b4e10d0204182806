import { escapeHtml } from '@aisle/engine'
import { asBuffer } from '../../domain/json/json-scan.ts'

/** What differs each time a response is given. */
export interface Given {
  readonly cached: boolean
  readonly searchId: string
  readonly tookMs: number
}

/** Characters or bytes that are written one by one. */
const SHORT = 24
/** Of most responses; larger ones have memory of their own. */
const MEMORY_BYTES = 65_536
/** Of the members that differ each time, more than they ever need. */
export const GIVEN_BYTES_MAX = 256
/** A UTF-16 code unit has at most so many bytes. */
const UNIT_BYTES_MAX = 3

const BACKSLASH = 0x5c
const LOWER_U = 0x75
/** `\u00e9` */
const UNIT_ESCAPE_BYTES = 6
/** In UTF-8: where bytes outside of ASCII begin, those that begin a character, and a long one. */
const ASCII_END = 0x80
const LEAD_BYTE = 0xc0
const FOUR_BYTES = 0xf0

/** What stands for a character of HTML. */
const ENTITIES = new Map(
  [...`&<>"'`].map((character) => [character.charCodeAt(0), escapeHtml(character)]),
)
const ENTITY_BYTES_MAX = 6
/** 1: a byte that stands for itself in JSON and in HTML. */
const IS_COPIED = new Uint8Array(256).fill(1, 0, ASCII_END)
for (const code of [BACKSLASH, ...ENTITIES.keys()]) IS_COPIED[code] = 0

/** The code unit of an escape in JSON that may stand for a character of HTML. */
function escapedCode(json: Uint8Array, at: number): number {
  if (json[at + 1] !== LOWER_U) return json[at + 1]!
  return Number(`0x${asBuffer(json).toString('latin1', at + 2, at + UNIT_ESCAPE_BYTES)}`)
}

/**
 * Memory for the next response; undefined: that is still in use. V8 collects garbage the sooner
 * the more memory there is outside of its heap, so that allocating it for each response took a
 * fifth of the time of cached ones.
 */
let free: Buffer | undefined
/** The same, or the memory that was lent last. */
let memory: Buffer | undefined

/** Lets the next response have the memory of this one, which nothing reads any more. */
export function giveBack({ buffer }: Uint8Array): void {
  if (buffer === memory?.buffer) free = memory
}

/** A response as text, for whoever makes it part of another; its memory is given back. */
export function takeText(json: string | Uint8Array): string {
  if (typeof json === 'string') return json
  const text = Buffer.from(json.buffer, json.byteOffset, json.length).toString()
  giveBack(json)
  return text
}

/**
 * Writes a response as the bytes that go to the socket. Stored documents are bytes already, and are
 * copied: as text, a response was put together from pieces, measured, and turned into bytes again.
 *
 * Who has sent the bytes may give them back (`giveBack`).
 */
export class AnswerWriter {
  #bytes: Buffer
  #length = 0

  /** @param bytes that are known to be needed */
  constructor(bytes = 0) {
    if (bytes > MEMORY_BYTES) {
      this.#bytes = Buffer.allocUnsafeSlow(bytes)
      return
    }
    memory = free ?? Buffer.allocUnsafeSlow(MEMORY_BYTES)
    free = undefined
    this.#bytes = memory
  }

  /** Bytes so far. */
  get length(): number {
    return this.#length
  }

  text(text: string): void {
    const { length } = text
    this.#makeRoom(length * UNIT_BYTES_MAX)
    if (length <= SHORT && this.#shortText(text)) return
    this.#length += this.#bytes.write(text, this.#length)
  }

  /** Most texts are so short that a call of what Node has for them takes longer than this. */
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

  /** Copies them. Out of shared memory V8's `set` may take thirty times as long as this. */
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
   * The characters of a JSON string, escaped so that they can stand in HTML, between tags and in
   * quoted attributes (`escapeHtml`). They are a JSON string again.
   *
   * @param json they stand between quotes there, from `from` to `to`
   * @returns UTF-16 code units written
   */
  html(json: Uint8Array, from: number, to: number): number {
    let units = 0
    this.#makeRoom(to - from)
    let target = this.#bytes
    let length = this.#length
    // Inner loop: nearly every byte is copied.
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
      // What is written in place of a character may be longer, whatever follows it.
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

  /** Takes back what was written behind an offset. */
  cut(length: number): void {
    this.#length = length
  }

  /** The members that differ each time. */
  given({ cached, searchId, tookMs }: Given): void {
    const shownMs = Math.round(tookMs * 100) / 100
    this.text(`,"cached":${cached},"search_id":"${searchId}","search_time_ms":${shownMs}`)
  }

  /** What was written from an offset on, without a copy: valid until more is written. */
  written(from = 0): Buffer {
    return this.#bytes.subarray(from, this.#length)
  }

  #makeRoom(bytes: number): void {
    const needed = this.#length + bytes
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2))
    larger.set(this.written())
    giveBack(this.#bytes)
    this.#bytes = larger
  }
}
