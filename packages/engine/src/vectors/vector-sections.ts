/**
 * Sections of the vectors of a field, all named `vector.<field>.<part>`; those of a space have the
 * field `-<space>`. A segment without a vector of the field has none of them. A row is a vector, in
 * the order of the documents.
 *
 *     ords     u32 by docOrd: 0 = none, else 1 + row
 *     codes    i8, `strideOf(dimensions)` bytes a row: the codes, then zeros
 *     signs    u8, `signStrideOf(dimensions)` bytes a row: bit i is set if number i is above 0
 *     scales   f32 by row
 */
export function vectorSection(field: number, part: 'ords' | 'codes' | 'signs' | 'scales'): string {
  return `vector.${field}.${part}`
}

/** Bytes of the codes of a row: whole vectors of 128 bits. */
export function strideOf(dimensions: number): number {
  return Math.ceil(dimensions / 16) * 16
}

/** Bytes of the signs of a row. */
export function signStrideOf(dimensions: number): number {
  return Math.ceil(dimensions / 128) * 16
}
