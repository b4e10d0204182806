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
 * Writes the occurrences `from .. to - 1` of one posting.
 *
 * @param fields, positions, forms parallel arrays, ordered by field, then position
 */
export function writePositions(
  output: GrowableU8,
  fields: ArrayLike<number>,
  positions: ArrayLike<number>,
  forms: ArrayLike<number>,
  from: number,
  to: number,
  hasSeveralForms: boolean,
): void {
  let field = -1
  let previous = 0
  for (let i = from; i < to; i++) {
    const isNew = fields[i] !== field
    if (isNew) previous = 0
    const flags =
      (i + 1 === to ? LAST : 0) | (isNew ? NEW_FIELD : 0) | (hasSeveralForms ? HAS_FORM : 0)
    output.pushVarint((positions[i]! - previous) * 8 + flags)
    if (isNew) {
      output.pushVarint(fields[i]! - field)
      field = fields[i]!
    }
    if (hasSeveralForms) output.push(forms[i]!)
    previous = positions[i]!
  }
}

/** @returns the byte behind the posting whose occurrences start at `at` */
export function skipPositions(bytes: Uint8Array, at: number): number {
  for (;;) {
    const flags = bytes[at]!
    while (bytes[at]! >= 0x80) at++
    at++
    if ((flags & NEW_FIELD) !== 0) {
      while (bytes[at]! >= 0x80) at++
      at++
    }
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

/** Reads the occurrences of the posting that starts at `at`. */
export function readPositions(bytes: Uint8Array, at: number): Occurrence[] {
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
      let steps = 0
      scale = 1
      while (bytes[at]! >= 0x80) {
        steps += (bytes[at++]! & 0x7f) * scale
        scale *= 128
      }
      steps += bytes[at++]! * scale
      textField += steps
      position = 0
    }
    position += Math.floor(value / 8)
    const form = (flags & HAS_FORM) !== 0 ? bytes[at++]! : -1
    occurrences.push({ textField, position, form })
    if ((flags & LAST) !== 0) return occurrences
  }
}
