import { newBitset, setBit } from '../codec/bitset.ts'
import { CorruptDataError, type SectionReader } from '../codec/section-file.ts'
import type { VectorShape } from '../schema/schema.ts'
import { dotProduct, type QueryVector } from './quantise.ts'
import { signStrideOf, strideOf, vectorSection } from './vector-sections.ts'

/** The vectors of one field of a segment (layout: `vector-sections.ts`). Immutable. */
export class VectorColumn {
  readonly dimensions: number
  /** Bytes of a row of `codes`, of `signs`. */
  readonly stride: number
  readonly signStride: number
  /** By docOrd: 0 = none, else 1 + row. */
  readonly ords: Uint32Array
  readonly codes: Int8Array
  readonly signs: Uint8Array
  /** By row. */
  readonly scales: Float32Array
  #presence: Uint32Array | undefined

  /** @throws CorruptDataError if the sections are inconsistent */
  constructor(sections: SectionReader, field: number, shape: VectorShape, docCount: number) {
    this.dimensions = shape.dimensions
    this.stride = strideOf(shape.dimensions)
    this.signStride = signStrideOf(shape.dimensions)
    this.ords = sections.u32(vectorSection(field, 'ords'))
    this.codes = sections.i8(vectorSection(field, 'codes'))
    this.signs = sections.u8(vectorSection(field, 'signs'))
    this.scales = sections.f32(vectorSection(field, 'scales'))
    const { length: rows } = this.scales
    if (
      this.ords.length !== docCount ||
      this.codes.length !== rows * this.stride ||
      this.signs.length !== rows * this.signStride
    ) {
      throw new CorruptDataError(`Vectors of field ${field}: the sections do not fit each other`)
    }
  }

  get rowCount(): number {
    return this.scales.length
  }

  /** Documents with a vector, by docOrd; shared: do not modify. */
  get presence(): Uint32Array {
    if (this.#presence === undefined) {
      const bits = newBitset(this.ords.length)
      this.ords.forEach((ord, docOrd) => {
        if (ord !== 0) setBit(bits, docOrd)
      })
      this.#presence = bits
    }
    return this.#presence
  }

  /** @param row of a vector; see `similarity` in quantise.ts */
  similarityOf(row: number, query: QueryVector): number {
    const start = row * this.stride
    const codes = this.codes.subarray(start, start + this.dimensions)
    return dotProduct(codes, query.codes) * this.scales[row]! * query.scale
  }
}

/** @returns undefined if no document of the segment has a vector */
export function openVectors(
  sections: SectionReader,
  field: number,
  shape: VectorShape,
  docCount: number,
): VectorColumn | undefined {
  if (!sections.has(vectorSection(field, 'ords'))) return undefined
  return new VectorColumn(sections, field, shape, docCount)
}
