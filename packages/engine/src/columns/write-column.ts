import type { SectionWriter, TypedArray } from '../codec/section-file.ts'
import { sectionName, type ColumnId } from './column-sections.ts'
import { writeValues } from './column-values.ts'

/** A finished column, ready to be written. */
export interface ColumnParts {
  /** By docOrd. */
  readonly ords: Uint32Array
  /** Number of ordinals, 0 included: the upper bound of `ords`. */
  readonly ordCount: number
  readonly values: TypedArray
  /** Array fields only. */
  readonly sets?: { readonly start: Uint32Array; readonly values: Uint32Array }
}

/** Writes a column with the narrowest ordinals, see `column-sections.ts`. */
export function writeColumn(
  column: ColumnId,
  { ords, ordCount, values, sets }: ColumnParts,
  sections: SectionWriter,
): void {
  if (ordCount <= 2 ** 8) sections.add(sectionName(column, 'ords8'), new Uint8Array(ords))
  else if (ordCount <= 2 ** 16) {
    sections.add(sectionName(column, 'ords16'), new Uint16Array(ords))
  } else sections.add(sectionName(column, 'ords32'), ords)
  writeValues(column, values, sections)
  if (sets === undefined) return
  sections.add(sectionName(column, 'setStart'), sets.start)
  sections.add(sectionName(column, 'setValues'), sets.values)
}
