/** What differs each time a response is given. */
export interface Given {
  readonly cached: boolean
  readonly searchId: string
  readonly tookMs: number
}

/** Of most responses; larger ones have memory of their own. */
const MEMORY_BYTES = 65_536
/** Of the members that differ each time, more than they ever need. */
export const GIVEN_BYTES_MAX = 256
/** A UTF-16 code unit has at most so many bytes. */
const UNIT_BYTES_MAX = 3

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
    this.#makeRoom(text.length * UNIT_BYTES_MAX)
    this.#length += this.#bytes.write(text, this.#length)
  }

  bytes(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
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
