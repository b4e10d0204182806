import type { SectionWriter } from '../codec/section-file.ts'
import type { VectorShape } from '../schema/schema.ts'
import { storedVector } from './quantise.ts'
import type { VectorColumn } from './vector-column.ts'
import { signStrideOf, strideOf, vectorSection } from './vector-sections.ts'

/**
 * Writes the vectors of a new segment; nothing if there are none.
 *
 * @param vectors by docOrd
 */
export function writeVectors(
  field: number,
  { dimensions, metric }: VectorShape,
  vectors: readonly (ArrayLike<number> | undefined)[],
  sections: SectionWriter,
): void {
  const rows = new VectorRows(vectors.length, vectors.filter(Boolean).length, dimensions)
  vectors.forEach((values, docOrd) => {
    if (values === undefined) return
    const { codes, scale } = storedVector(values, metric)
    const row = rows.add(docOrd, scale)
    rows.codes.set(codes, row * rows.stride)
    for (let i = 0; i < values.length; i++) {
      if (values[i]! > 0) rows.signs[row * rows.signStride + (i >>> 3)]! |= 1 << (i & 7)
    }
  })
  rows.finish(field, sections)
}

/** One segment of a merge. */
export interface VectorSource {
  /** Undefined: no document of the segment has a vector. */
  readonly column: VectorColumn | undefined
  /** Old docOrd to new docOrd, -1 = dropped; ascending. */
  readonly docMap: Int32Array
}

/** Writes the vectors of a merged segment: the rows of the documents that are kept. */
export function mergeVectors(
  field: number,
  { dimensions }: VectorShape,
  sources: readonly VectorSource[],
  docCount: number,
  sections: SectionWriter,
): void {
  let rowCount = 0
  for (const { column, docMap } of sources) {
    column?.ords.forEach((ord, docOrd) => {
      if (ord !== 0 && docMap[docOrd]! >= 0) rowCount++
    })
  }
  const rows = new VectorRows(docCount, rowCount, dimensions)
  const { stride, signStride } = rows
  for (const { column, docMap } of sources) {
    column?.ords.forEach((ord, docOrd) => {
      const to = docMap[docOrd]!
      if (ord === 0 || to < 0) return
      const from = ord - 1
      const row = rows.add(to, column.scales[from]!)
      rows.codes.set(column.codes.subarray(from * stride, (from + 1) * stride), row * stride)
      rows.signs.set(
        column.signs.subarray(from * signStride, (from + 1) * signStride),
        row * signStride,
      )
    })
  }
  rows.finish(field, sections)
}

/** The sections of a field being filled, row by row. */
class VectorRows {
  readonly stride: number
  readonly signStride: number
  readonly codes: Int8Array
  readonly signs: Uint8Array
  readonly #ords: Uint32Array
  readonly #scales: Float32Array
  #count = 0

  constructor(docCount: number, rowCount: number, dimensions: number) {
    this.stride = strideOf(dimensions)
    this.signStride = signStrideOf(dimensions)
    this.codes = new Int8Array(rowCount * this.stride)
    this.signs = new Uint8Array(rowCount * this.signStride)
    this.#ords = new Uint32Array(docCount)
    this.#scales = new Float32Array(rowCount)
  }

  /** @returns the row of the document */
  add(docOrd: number, scale: number): number {
    const row = this.#count++
    this.#ords[docOrd] = row + 1
    this.#scales[row] = scale
    return row
  }

  finish(field: number, sections: SectionWriter): void {
    if (this.#count === 0) return
    sections.add(vectorSection(field, 'ords'), this.#ords)
    sections.add(vectorSection(field, 'codes'), this.codes)
    sections.add(vectorSection(field, 'signs'), this.signs)
    sections.add(vectorSection(field, 'scales'), this.#scales)
  }
}
