/**
 * Parts of the state of a source: which documents it has written. An entry is the id of a document
 * and a digest of its text:
 *
 *     entry := id length:u16le id:utf8 digest:8 bytes
 *
 * The digest 0 says that the document may have been written, and its text is unknown.
 */
export const DIGEST_BYTES = 8
/** The digest of a document that was deleted since. */
export const DELETED_DIGEST = new Uint8Array(DIGEST_BYTES).fill(0xff)
/** A part describes no more documents. */
export const PART_DOCUMENTS_MAX = 8_192

export interface PartEntry {
  readonly id: string
  readonly digestAt: number
}

export function* partEntries(part: Uint8Array): Generator<PartEntry> {
  const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength)
  for (let at = 0; at < bytes.length;) {
    const idStart = at + 2
    const digestAt = idStart + bytes.readUInt16LE(at)
    yield { id: bytes.toString('utf8', idStart, digestAt), digestAt }
    at = digestAt + DIGEST_BYTES
  }
}

/** Writes a part, entry by entry. */
export class PartWriter {
  #bytes = Buffer.allocUnsafeSlow(4_096)
  #length = 0
  count = 0

  /** @returns where its digest is */
  add(id: string, digest: Uint8Array): number {
    const idBytes = Buffer.byteLength(id)
    const needed = this.#length + 2 + idBytes + DIGEST_BYTES
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2))
      this.#bytes.copy(larger, 0, 0, this.#length)
      this.#bytes = larger
    }
    this.#bytes.writeUInt16LE(idBytes, this.#length)
    this.#bytes.write(id, this.#length + 2)
    const digestAt = this.#length + 2 + idBytes
    this.#bytes.set(digest, digestAt)
    this.#length = digestAt + DIGEST_BYTES
    this.count++
    return digestAt
  }

  take(): Uint8Array {
    return new Uint8Array(this.#bytes.subarray(0, this.#length))
  }
}

/** A copy of a part in which these digests are unknown. */
export function withUnknown(part: Uint8Array, digestsAt: Iterable<number>): Uint8Array {
  const copy = new Uint8Array(part)
  for (const at of digestsAt) copy.fill(0, at, at + DIGEST_BYTES)
  return copy
}

export function isDeleted(digest: Uint8Array): boolean {
  return digest.every((byte) => byte === 0xff)
}
