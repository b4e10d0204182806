/** What a model has made of the text of a document, in one space of its schema. */
export interface OwnVector {
  /** The number of the space. */
  readonly space: number
  /** Of the text. */
  readonly digest: Uint8Array
  /** Its numbers as signed bytes; empty if the text has no vector, today and tomorrow. */
  readonly codes: Int8Array
}

/**
 * The vectors that were made of a document, as `operation` stores them, so that a write of the same
 * text keeps them:
 *
 *     2 bytes: the space; 2 bytes: the number of codes; 16 bytes: the digest; then the codes
 */
const DIGEST_BYTES = 16
const HEADER_BYTES = 4 + DIGEST_BYTES

/** @returns Base64; empty for none */
export function packOwnVectors(vectors: readonly OwnVector[]): string {
  return Buffer.concat(
    vectors.map(({ space, digest, codes }) => {
      const head = Buffer.alloc(4)
      head.writeUInt16BE(space, 0)
      head.writeUInt16BE(codes.length, 2)
      const bytes = new Uint8Array(codes.buffer, codes.byteOffset, codes.length)
      return Buffer.concat([head, digest, bytes])
    }),
  ).toString('base64')
}

export function unpackOwnVectors(base64: string): OwnVector[] {
  const packed = Buffer.from(base64, 'base64')
  const vectors: OwnVector[] = []
  for (let at = 0; at + HEADER_BYTES <= packed.length;) {
    const space = packed.readUInt16BE(at)
    const end = at + HEADER_BYTES + packed.readUInt16BE(at + 2)
    const digest = packed.subarray(at + 4, at + HEADER_BYTES)
    const codes = new Int8Array(packed.subarray(at + HEADER_BYTES, end))
    vectors.push({ space, digest, codes })
    at = end
  }
  return vectors
}
