/**
 * A block of bytes made of named, 8-byte aligned sections: the container of segments, tries and
 * dictionaries, the same in shared memory and on disk (`docs/formats/segment.md`).
 *
 *     magic:u32 version:u32 sectionCount:u32 metaBytes:u32
 *     sectionCount x { offset:f64 lengthBytes:f64 }     in the order of the writer
 *     meta: JSON, UTF-8: { names: string[], ...properties of the owner }
 *     sections, each at a multiple of 8
 *
 * Thread safety: written once, then only read.
 */
export type TypedArray =
  | Int8Array
  | Uint8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array
  | BigInt64Array

const HEADER_BYTES = 16
const FORMAT_VERSION = 1

/** Collects sections and writes them into one shared buffer. */
export class SectionWriter {
  readonly #sections: { readonly name: string; readonly data: TypedArray }[] = []

  /** Adds a section; `finish` copies the data. */
  add(name: string, data: TypedArray): void {
    this.#sections.push({ name, data })
  }

  /**
   * @param magic four characters as a number, see the format pages
   * @param properties JSON-serialisable; available as `SectionReader.properties`
   */
  finish(magic: number, properties: object): SharedArrayBuffer {
    const names = this.#sections.map((section) => section.name)
    const meta = new TextEncoder().encode(JSON.stringify({ names, properties }))
    const directoryBytes = this.#sections.length * 16
    let offset = align8(HEADER_BYTES + directoryBytes + meta.length)
    const offsets = this.#sections.map(({ data }) => {
      const start = offset
      offset = align8(offset + data.byteLength)
      return start
    })
    const buffer = new SharedArrayBuffer(offset)
    const header = new DataView(buffer)
    header.setUint32(0, magic, true)
    header.setUint32(4, FORMAT_VERSION, true)
    header.setUint32(8, this.#sections.length, true)
    header.setUint32(12, meta.length, true)
    const bytes = new Uint8Array(buffer)
    this.#sections.forEach(({ data }, i) => {
      header.setFloat64(HEADER_BYTES + i * 16, offsets[i]!, true)
      header.setFloat64(HEADER_BYTES + i * 16 + 8, data.byteLength, true)
      bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), offsets[i]!)
    })
    bytes.set(meta, HEADER_BYTES + directoryBytes)
    return buffer
  }
}

/** Reports corrupt bytes; the owner rebuilds them from the documents. */
export class CorruptDataError extends Error {
  override readonly name = 'CorruptDataError'
}

/**
 * Section numbers by name, in one map for all files with the same sections: thousands of small
 * segments are open at a time, and a map of 40 entries would take 4 KB for each.
 */
const numberings = new Map<string, ReadonlyMap<string, number>>()
const NUMBERINGS_MAX = 128

function numberingOf(names: readonly string[]): ReadonlyMap<string, number> {
  const key = names.join(' ')
  let numbers = numberings.get(key)
  if (numbers === undefined) {
    numbers = new Map(names.map((name, number) => [name, number]))
    if (numberings.size >= NUMBERINGS_MAX) numberings.clear()
    numberings.set(key, numbers)
  }
  return numbers
}

/** Reads the sections of a buffer as typed arrays, without copying. */
export class SectionReader {
  readonly buffer: SharedArrayBuffer
  /** The properties from the writer. Trusted, because the bytes passed their checksum. */
  readonly properties: unknown
  readonly #numbers: ReadonlyMap<string, number>

  /** @throws CorruptDataError if the directory does not fit the buffer */
  constructor(buffer: SharedArrayBuffer, magic: number) {
    this.buffer = buffer
    if (buffer.byteLength < HEADER_BYTES) throw new CorruptDataError('Shorter than the header')
    const header = new DataView(buffer)
    if (header.getUint32(0, true) !== magic) throw new CorruptDataError('Wrong magic number')
    const version = header.getUint32(4, true)
    if (version !== FORMAT_VERSION) throw new CorruptDataError(`Unknown format version ${version}`)
    const count = header.getUint32(8, true)
    const metaBytes = header.getUint32(12, true)
    const metaStart = HEADER_BYTES + count * 16
    if (metaStart + metaBytes > buffer.byteLength)
      throw new CorruptDataError('Directory past the end')
    const meta = JSON.parse(
      new TextDecoder().decode(new Uint8Array(buffer, metaStart, metaBytes).slice()),
    ) as { names: string[]; properties: unknown }
    this.properties = meta.properties
    for (let number = 0; number < count; number++) {
      const { offset, lengthBytes } = this.#placeOf(number)
      if (offset + lengthBytes > buffer.byteLength)
        throw new CorruptDataError('Section past the end')
    }
    this.#numbers = numberingOf(meta.names)
  }

  has(name: string): boolean {
    return this.#numbers.has(name)
  }

  /** Section sizes in bytes, by name. */
  get sizes(): ReadonlyMap<string, number> {
    return new Map(
      [...this.#numbers].map(([name, number]) => [name, this.#placeOf(number).lengthBytes]),
    )
  }

  i8(name: string): Int8Array {
    const { offset, lengthBytes } = this.#place(name)
    return new Int8Array(this.buffer, offset, lengthBytes)
  }

  u8(name: string): Uint8Array {
    const { offset, lengthBytes } = this.#place(name)
    return new Uint8Array(this.buffer, offset, lengthBytes)
  }

  u16(name: string): Uint16Array {
    const { offset, lengthBytes } = this.#place(name)
    return new Uint16Array(this.buffer, offset, lengthBytes / 2)
  }

  i16(name: string): Int16Array {
    const { offset, lengthBytes } = this.#place(name)
    return new Int16Array(this.buffer, offset, lengthBytes / 2)
  }

  u32(name: string): Uint32Array {
    const { offset, lengthBytes } = this.#place(name)
    return new Uint32Array(this.buffer, offset, lengthBytes / 4)
  }

  i32(name: string): Int32Array {
    const { offset, lengthBytes } = this.#place(name)
    return new Int32Array(this.buffer, offset, lengthBytes / 4)
  }

  f32(name: string): Float32Array {
    const { offset, lengthBytes } = this.#place(name)
    return new Float32Array(this.buffer, offset, lengthBytes / 4)
  }

  f64(name: string): Float64Array {
    const { offset, lengthBytes } = this.#place(name)
    return new Float64Array(this.buffer, offset, lengthBytes / 8)
  }

  i64(name: string): BigInt64Array {
    const { offset, lengthBytes } = this.#place(name)
    return new BigInt64Array(this.buffer, offset, lengthBytes / 8)
  }

  #place(name: string): { readonly offset: number; readonly lengthBytes: number } {
    const number = this.#numbers.get(name)
    if (number === undefined) throw new CorruptDataError(`No section "${name}"`)
    return this.#placeOf(number)
  }

  #placeOf(number: number): { readonly offset: number; readonly lengthBytes: number } {
    const directory = new DataView(this.buffer, HEADER_BYTES + number * 16, 16)
    return { offset: directory.getFloat64(0, true), lengthBytes: directory.getFloat64(8, true) }
  }
}

function align8(offset: number): number {
  return Math.ceil(offset / 8) * 8
}
