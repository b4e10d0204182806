import type { Schema } from '../schema/schema.ts'

/** `AISG`: a segment, see docs/formats/segment.md. */
export const SEGMENT_MAGIC = 0x47534941

/** Properties in the directory of a segment. */
export interface SegmentProperties {
  readonly docCount: number
  /** Ordinals of the searchable fields, ascending: the "text fields" of postings and impacts. */
  readonly textFields: readonly number[]
}

/** Ordinals of the searchable fields. */
export function textFieldsOf(schema: Schema): number[] {
  return schema.fields.flatMap((field, ordinal) => (field.searchable ? [ordinal] : []))
}

/** Section names of a field. */
export function lengthSection(field: number): string {
  return `length.${field}`
}

export function presenceSection(field: number): string {
  return `presence.${field}`
}
