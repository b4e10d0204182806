import type { GrowableU8 } from '../codec/growable.ts'

/** One occurrence of a group in a document. */
export interface Occurrence {
  /** Index into the searchable fields of the segment, not a field ordinal. */
  readonly textField: number
  readonly position: number
  /** Number of the form within its group; -1: the only form of the document. */
  readonly form: number
}

const LAST = 1
const NEW_FIELD = 2
const HAS_FORM = 4

/**
 * Writes the occurrences of one posting, ordered by field, then position.
 *
 * @param fields, positions, forms parallel arrays of which the first `count` entries count
 */
export function writePositions(
  output: GrowableU8,
  fields: Uint32Array,
  positions: Uint32Array,
  forms: Uint32Array,
  count: number,
  hasSeveralForms: boolean,
): void {
  let field = -1
  let previous = 0
  for (let i = 0; i < count; i++) {
    const isNew = fields[i] !== field
    if (isNew) previous = 0
    const flags =
      (i + 1 === count ? LAST : 0) | (isNew ? NEW_FIELD : 0) | (hasSeveralForms ? HAS_FORM : 0)
    output.pushVarint((positions[i]! - previous) * 8 + flags)
    if (hasSeveralForms) output.push(forms[i]!)
    field = fields[i]!
    previous = positions[i]!
  }
}

/** @returns the byte behind the posting whose occurrences start at `at` */
export function skipPositions(bytes: Uint8Array, at: number): number {
  for (;;) {
    const flags = bytes[at]!
    while (bytes[at]! >= 0x80) at++
    at++
    if ((flags & HAS_FORM) !== 0) at++
    if ((flags & LAST) !== 0) return at
  }
}

/** Appends the posting that starts at `at`; returns the byte behind it. Fields keep their numbers. */
export function copyPositions(output: GrowableU8, bytes: Uint8Array, at: number): number {
  const end = skipPositions(bytes, at)
  output.reserve(end - at)
  output.data.set(bytes.subarray(at, end), output.length)
  output.length += end - at
  return end
}

/**
 * Reads the occurrences of the posting that starts at `at`.
 *
 * @param impacts its impact tuple starts at `tuple`: it tells which fields have the word
 */
export function readPositions(
  bytes: Uint8Array,
  at: number,
  impacts: Uint8Array,
  tuple: number,
): Occurrence[] {
  const occurrences: Occurrence[] = []
  let textField = -1
  let position = 0
  for (;;) {
    let value = 0
    let scale = 1
    while (bytes[at]! >= 0x80) {
      value += (bytes[at++]! & 0x7f) * scale
      scale *= 128
    }
    value += bytes[at++]! * scale
    const flags = value & 7
    if ((flags & NEW_FIELD) !== 0) {
      do textField++
      while (impacts[tuple + textField] === 0)
      position = 0
    }
    position += Math.floor(value / 8)
    const form = (flags & HAS_FORM) !== 0 ? bytes[at++]! : -1
    occurrences.push({ textField, position, form })
    if ((flags & LAST) !== 0) return occurrences
  }
}
