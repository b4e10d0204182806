import { EVENT_ID_MAX_CHARS, EVENT_MAX_BYTES, JSON_DEPTH_MAX } from '@aisle/contract'

export type JsonObject = Readonly<Record<string, unknown>>

/** Describes a received value for a message: short, and without the text of a long value. */
export function received(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'string') return `"${value.slice(0, 40).toWellFormed()}"`
  return JSON.stringify(value)
}

export function isId(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= EVENT_ID_MAX_CHARS
}

/** Faults of an event as JSON, independent of its content. */
export function wholeFault(event: JsonObject): string | undefined {
  const bytesAtMost = measure(event, JSON_DEPTH_MAX)
  if (bytesAtMost === TOO_DEEP) return `The event is nested deeper than ${JSON_DEPTH_MAX} levels`
  if (bytesAtMost === NOT_UNICODE) return 'The event has a string that is not well-formed Unicode'
  // Nearly all events are so small that the estimate suffices.
  if (bytesAtMost <= EVENT_MAX_BYTES) return undefined
  return Buffer.byteLength(JSON.stringify(event)) <= EVENT_MAX_BYTES
    ? undefined
    : `The event is larger than ${EVENT_MAX_BYTES} bytes`
}

const TOO_DEEP = -1
const NOT_UNICODE = -2
/** `-1.2345678901234567e-308,` takes 25 bytes, a control character in a string six. */
const NUMBER_BYTES = 25
const CODE_UNIT_BYTES = 6

/**
 * Walks a value once. @returns the maximum bytes of its JSON, or what is wrong with it
 *
 * @param levels maximum nesting of objects and arrays
 */
function measure(value: unknown, levels: number): number {
  if (typeof value === 'string') {
    return value.isWellFormed() ? value.length * CODE_UNIT_BYTES + 3 : NOT_UNICODE
  }
  if (typeof value !== 'object' || value === null) return NUMBER_BYTES
  if (levels === 0) return TOO_DEEP
  let bytes = 3
  for (const key in value) {
    if (!key.isWellFormed()) return NOT_UNICODE
    const inner = measure((value as Record<string, unknown>)[key], levels - 1)
    if (inner < 0) return inner
    bytes += key.length * CODE_UNIT_BYTES + 3 + inner
  }
  return bytes
}
