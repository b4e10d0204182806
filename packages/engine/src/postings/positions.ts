import { ELEMENT_STRIDE } from '../analysis/analyze-document.ts'
import type { GrowableF64, GrowableU32, GrowableU8 } from '../codec/growable.ts'

/** One occurrence of a stem group in a document. */
export interface Occurrence {
  /** Index into the searchable fields of the segment, not a field ordinal. */
  readonly textField: number
  readonly position: number
  /** Number of the form within its group; -1: the document has only one form. */
  readonly form: number
  /** Whether this is the last token of its value. */
  readonly endsValue: boolean
}

const LAST = 1
const NEW_FIELD = 2
const HAS_FORM = 4
const ENDS_VALUE = 8

/**
 * Common occurrences take one byte: the first byte covers all deltas below a bound with these
 * flags. Most words occur once in a document; 93 % of the occurrences of a catalog fit.
 */
const SHORT = [
  { flags: LAST | NEW_FIELD, firstByte: 0 },
  { flags: NEW_FIELD, firstByte: 160 },
  { flags: LAST, firstByte: 208 },
  { flags: 0, firstByte: 232 },
]
/** The end of the first bytes of occurrences that are alone in their posting. */
const SHORT_LAST_END = SHORT[1]!.firstByte
/** From here on, a byte has only the flags; delta and form follow. */
const LONG = 240
/** By first byte. */
const flagsOf = new Uint8Array(256)
const deltaOf = new Uint8Array(256)
/** By flags: the first byte for delta 0, and the end of the deltas that have a byte. */
const shortFrom = new Uint8Array(16)
const shortTo = new Uint8Array(16)
SHORT.forEach(({ flags, firstByte }, i) => {
  const end = SHORT[i + 1]?.firstByte ?? LONG
  shortFrom[flags] = firstByte
  shortTo[flags] = end - firstByte
  flagsOf.fill(flags, firstByte, end)
  for (let byte = firstByte; byte < end; byte++) deltaOf[byte] = byte - firstByte
})
for (let byte = LONG; byte < 256; byte++) flagsOf[byte] = byte - LONG

/**
 * Writes the occurrences of one posting, ordered by field, then position.
 *
 * @param fields, positions, forms, ends parallel arrays with `count` used entries; `ends` is 1
 *   at the end of a value, otherwise 0
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
    const delta = positions[i]! - previous
    if (delta < shortTo[flags]!) output.push(shortFrom[flags]! + delta)
    else {
      output.push(LONG + flags)
      output.pushVarint(delta)
      if (hasSeveralForms) output.push(forms[i]!)
    }
    field = fields[i]!
    previous = positions[i]!
  }
}

/** @returns the offset after the posting whose occurrences start at `at` */
export function skipPositions(bytes: Uint8Array, at: number): number {
  // One occurrence in one byte: most postings.
  if (bytes[at]! < SHORT_LAST_END) return at + 1
  for (;;) {
    const first = bytes[at++]!
    const flags = flagsOf[first]!
    if (first >= LONG) {
      while (bytes[at]! >= 0x80) at++
      at += (flags & HAS_FORM) === 0 ? 1 : 2
    }
    if ((flags & LAST) !== 0) return at
  }
}

/** @returns the offset after `count` postings from `at` on */
export function skipPostings(bytes: Uint8Array, start: number, count: number): number {
  let at = start
  let left = count
  // Byte by byte across postings, because their lengths are unpredictable.
  while (left > 0) {
    const first = bytes[at++]!
    const flags = flagsOf[first]!
    left -= flags & LAST
    if (first < LONG) continue
    while (bytes[at]! >= 0x80) at++
    at += (flags & HAS_FORM) === 0 ? 1 : 2
  }
  return at
}

/**
 * Appends the posting that starts at `at`; returns the offset after it. Fields keep their numbers.
 */
export function copyPositions(output: GrowableU8, bytes: Uint8Array, at: number): number {
  const end = skipPositions(bytes, at)
  output.reserve(end - at)
  const { data } = output
  // For a few bytes, a loop is faster than a view.
  let to = output.length
  for (let from = at; from < end; from++) data[to++] = bytes[from]!
  output.length = to
  return end
}

/**
 * Reads the occurrences of the posting that starts at `at`.
 *
 * @param impacts its impact tuple starts at `tuple` and tells which fields contain the word
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
    const first = bytes[at++]!
    const flags = flagsOf[first]!
    let delta = deltaOf[first]!
    if (first >= LONG) {
      let scale = 1
      while (bytes[at]! >= 0x80) {
        delta += (bytes[at++]! & 0x7f) * scale
        scale *= 128
      }
      delta += bytes[at++]! * scale
    }
    if ((flags & NEW_FIELD) !== 0) {
      do textField++
      while (impacts[tuple + textField] === 0)
      position = 0
    }
    position += delta
    const form = (flags & HAS_FORM) !== 0 ? bytes[at++]! : -1
    occurrences.push({ textField, position, form, endsValue: (flags & ENDS_VALUE) !== 0 })
    if ((flags & LAST) !== 0) return occurrences
  }
}

/** Filter of occurrences for `readPlaces`. */
export interface PlaceFilter {
  /** Numbers of the accepted forms, one bit each. */
  readonly formMask: number
  /** By text field: 1 if it is read. */
  readonly fields: Uint8Array
  /** Only at the start (end) of a value. */
  readonly startsOnly: boolean
  readonly endsOnly: boolean
}

/** Text field and position in one number: `textField * PLACES_PER_FIELD + position`. */
export const PLACES_PER_FIELD = 2 ** 33

/**
 * Like `readPositions`, without allocating an object per occurrence: writes the places that match
 * the filter to `places`, ascending, and returns their number.
 *
 * @param formMask of the posting; a single form is not stored in the positions
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
    const first = bytes[at++]!
    const flags = flagsOf[first]!
    let delta = deltaOf[first]!
    if (first >= LONG) {
      let scale = 1
      while (bytes[at]! >= 0x80) {
        delta += (bytes[at++]! & 0x7f) * scale
        scale *= 128
      }
      delta += bytes[at++]! * scale
    }
    if ((flags & NEW_FIELD) !== 0) {
      do textField++
      while (impacts[tuple + textField] === 0)
      position = 0
    }
    position += delta
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

/**
 * The positions of a posting in one of the fields of its impact tuple, ascending. Most postings
 * have one occurrence in one byte, which needs no loop.
 */
export function readFieldPositions(
  bytes: Uint8Array,
  start: number,
  impacts: Uint8Array,
  tuple: number,
  field: number,
  positions: GrowableU32,
): void {
  positions.length = 0
  let at = start
  if (bytes[at]! < SHORT_LAST_END) return positions.push(bytes[at]!)
  let textField = -1
  let position = 0
  for (;;) {
    const first = bytes[at++]!
    const flags = flagsOf[first]!
    let delta = deltaOf[first]!
    if (first >= LONG) {
      let scale = 1
      while (bytes[at]! >= 0x80) {
        delta += (bytes[at++]! & 0x7f) * scale
        scale *= 128
      }
      delta += bytes[at++]! * scale
      if ((flags & HAS_FORM) !== 0) at++
    }
    if ((flags & NEW_FIELD) !== 0) {
      do textField++
      while (impacts[tuple + textField] === 0)
      if (textField > field) return
      position = 0
    }
    position += delta
    if (textField === field) positions.push(position)
    if ((flags & LAST) !== 0) return
  }
}
