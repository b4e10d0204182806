import type { SectionWriter, TypedArray } from '../codec/section-file.ts'
import { sectionName } from './column-sections.ts'
import { writeValues } from './column-values.ts'

/** A finished column, ready to be written. */
export interface ColumnParts {
  /** By docOrd. */
  readonly ords: Uint32Array
  /** Number of ordinals, 0 included: all of `ords` are below it. */
  readonly ordCount: number
  readonly values: TypedArray
  /** Array fields only. */
  readonly sets?: { readonly start: Uint32Array; readonly values: Uint32Array }
}

export function writeColumn(
  fieldOrdinal: number,
  { ords, ordCount, values, sets }: ColumnParts,
  sections: SectionWriter,
): void {
  if (ordCount <= 2 ** 8) sections.add(sectionName(fieldOrdinal, 'ords8'), new Uint8Array(ords))
  else if (ordCount <= 2 ** 16) {
    sections.add(sectionName(fieldOrdinal, 'ords16'), new Uint16Array(ords))
  } else sections.add(sectionName(fieldOrdinal, 'ords32'), ords)
  writeValues(fieldOrdinal, values, sections)
  if (sets === undefined) return
  sections.add(sectionName(fieldOrdinal, 'setStart'), sets.start)
  sections.add(sectionName(fieldOrdinal, 'setValues'), sets.values)
}
