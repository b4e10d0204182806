import { ELEMENT_STRIDE } from '../analysis/analyze-document.ts'
import type { GrowableF64, GrowableU8 } from '../codec/growable.ts'

/** One occurrence of a group in a document. */
export interface Occurrence {
  /** Index into the searchable fields of the segment, not a field ordinal. */
  readonly textField: number
  readonly position: number
  /** Number of the form within its group; -1: the only form of the document. */
  readonly form: number
  /** Whether this is the last token of its value. */
  readonly endsValue: boolean
}

const LAST = 1
const NEW_FIELD = 2
const HAS_FORM = 4
const ENDS_VALUE = 8
/** Deltas are multiplied by this to make room for the flags. */
const DELTA_STEP = 16

/**
 * Writes the occurrences of one posting, ordered by field, then position.
 *
 * @param fields, positions, forms, ends parallel arrays with `count` used entries; `ends` is 1
 *   where a value ends, else 0
 */
export function writePositions(
  output: GrowableU8,
  fields: Uint32Array,
  positions: Uint32Array,
  forms: Uint32Array,
  ends: Uint8Array,
  count: number,
  hasSeveralForms: boolean,
): void {
  let field = -1
  let previous = 0
  for (let i = 0; i < count; i++) {
    const isNew = fields[i] !== field
    if (isNew) previous = 0
    const flags =
      (i + 1 === count ? LAST : 0) |
      (isNew ? NEW_FIELD : 0) |
      (hasSeveralForms ? HAS_FORM : 0) |
      (ends[i]! * ENDS_VALUE)
    output.pushVarint((positions[i]! - previous) * DELTA_STEP + flags)
    if (hasSeveralForms) output.push(forms[i]!)
    field = fields[i]!
    previous = positions[i]!
  }
}

/** @returns the offset after the posting whose occurrences start at `at` */
export function skipPositions(bytes: Uint8Array, at: number): number {
  for (;;) {
    const flags = bytes[at]!
    while (bytes[at]! >= 0x80) at++
    at++
    if ((flags & HAS_FORM) !== 0) at++
    if ((flags & LAST) !== 0) return at
  }
}

/**
 * Appends the posting that starts at `at`; returns the offset after it. Fields keep their numbers.
 */
export function copyPositions(output: GrowableU8, bytes: Uint8Array, at: number): number {
  const end = skipPositions(bytes, at)
  output.reserve(end - at)
  const { data } = output
  // Only a handful of bytes: a loop is faster than creating a view.
  let to = output.length
  for (let from = at; from < end; from++) data[to++] = bytes[from]!
  output.length = to
  return end
}

/**
 * Reads the occurrences of the posting that starts at `at`.
 *
 * @param impacts its impact tuple starts at `tuple` and tells which fields have the word
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
    const flags = value & (DELTA_STEP - 1)
    if ((flags & NEW_FIELD) !== 0) {
      do textField++
      while (impacts[tuple + textField] === 0)
      position = 0
    }
    position += Math.floor(value / DELTA_STEP)
    const form = (flags & HAS_FORM) !== 0 ? bytes[at++]! : -1
    occurrences.push({ textField, position, form, endsValue: (flags & ENDS_VALUE) !== 0 })
    if ((flags & LAST) !== 0) return occurrences
  }
}

/** Which occurrences `readPlaces` looks for. */
export interface PlaceFilter {
  /** Numbers of the accepted forms, one bit each. */
  readonly formMask: number
  /** By text field: 1 if it is read. */
  readonly fields: Uint8Array
  /** Only at the start, or at the end, of a value. */
  readonly startsOnly: boolean
  readonly endsOnly: boolean
}

/** Text field and position in one number: `textField * PLACES_PER_FIELD + position`. */
export const PLACES_PER_FIELD = 2 ** 33

/**
 * Like `readPositions`, without allocating an object per occurrence: writes the places that pass
 * the filter to `places`, ascending, and returns how many there are.
 *
 * @param formMask of the posting; if it has a single form, the form is not stored in the positions
 */
export function readPlaces(
  bytes: Uint8Array,
  start: number,
  impacts: Uint8Array,
  tuple: number,
  formMask: number,
  filter: PlaceFilter,
  places: GrowableF64,
): number {
  let at = start
  let textField = -1
  let position = 0
  places.length = 0
  for (;;) {
    let value = 0
    let scale = 1
    while (bytes[at]! >= 0x80) {
      value += (bytes[at++]! & 0x7f) * scale
      scale *= 128
    }
    value += bytes[at++]! * scale
    const flags = value & (DELTA_STEP - 1)
    if ((flags & NEW_FIELD) !== 0) {
      do textField++
      while (impacts[tuple + textField] === 0)
      position = 0
    }
    position += Math.floor(value / DELTA_STEP)
    const forms = (flags & HAS_FORM) !== 0 ? 1 << bytes[at++]! : formMask
    if (
      (forms & filter.formMask) !== 0 &&
      filter.fields[textField] === 1 &&
      !(filter.startsOnly && position % ELEMENT_STRIDE !== 0) &&
      !(filter.endsOnly && (flags & ENDS_VALUE) === 0)
    ) {
      places.push(textField * PLACES_PER_FIELD + position)
    }
    if ((flags & LAST) !== 0) return places.length
  }
}
