import type { SectionWriter, TypedArray } from '../codec/section-file.ts'

/**
 * Sections of a column, all named `column.<fieldOrdinal>.<part>`. A segment in which no document
 * has a value of the field has none of them.
 *
 *     ords8 | ords16 | ords32   by docOrd: 0 = missing, else 1 + rank of the value
 *                               (array fields: the set ordinal, 0 = the empty set)
 *     values                    distinct values, ascending: strings as u32 dictionary ids, ordered by
 *                               folded text, then as written, by code point; int64 as i64; others
 *                               as f64 (bool 0 or 1)
 *     setStart, setValues       u32, array fields: set s = setValues[setStart[s] .. setStart[s + 1])
 */
export function sectionName(
  fieldOrdinal: number,
  part: 'ords8' | 'ords16' | 'ords32' | 'values' | 'setStart' | 'setValues',
): string {
  return `column.${fieldOrdinal}.${part}`
}

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
  sections.add(sectionName(fieldOrdinal, 'values'), values)
  if (sets === undefined) return
  sections.add(sectionName(fieldOrdinal, 'setStart'), sets.start)
  sections.add(sectionName(fieldOrdinal, 'setValues'), sets.values)
}
