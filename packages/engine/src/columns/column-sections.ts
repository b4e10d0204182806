/**
 * Identifies a column: the field ordinal or, with `.element`, the values of a field of an
 * `object[]` field by element instead of by document (`../segment/element-space.ts`).
 */
export type ColumnId = number | `${number}.element`

/**
 * Sections of a column, all named `column.<ColumnId>.<part>`. A segment in which no document
 * has a value of the field has none of them.
 *
 *     ords8 | ords16 | ords32   by docOrd: 0 = missing, else 1 + rank of the value
 *                               (array fields: the set ordinal, 0 = the empty set)
 *     values                    distinct values, ascending: strings as u32 dictionary ids, ordered by
 *                               folded text, then as written, by code point; int64 as i64; others
 *                               as f64 (bool 0 or 1)
 *     base, offsets             instead of `values`, for numbers: i64 base, or f64 base and scale, and
 *                               u32 offsets; a value is (base + offset) / scale
 *     setStart, setValues       u32, array fields: set s = setValues[setStart[s] .. setStart[s + 1])
 */
export function sectionName(
  column: ColumnId,
  part: 'ords8' | 'ords16' | 'ords32' | 'values' | 'base' | 'offsets' | 'setStart' | 'setValues',
): string {
  return `column.${column}.${part}`
}
