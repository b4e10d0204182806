import type { FieldPacket } from 'mysql2'

/** Writes the text that MySQL sends for a value as JSON. */
export type ToJson = (bytes: Buffer) => string

/** Types of the protocol ("Column Definition Packet" in the manual of MySQL). */
const TYPES = {
  tiny: 1,
  timestamp: 7,
  date: 10,
  datetime: 12,
  varchar: 15,
  bit: 16,
  vector: 242,
  json: 245,
  newDate: 14,
  tinyBlob: 249,
  mediumBlob: 250,
  longBlob: 251,
  blob: 252,
  varString: 253,
  string: 254,
  geometry: 255,
} as const

/** DECIMAL, SMALLINT, INT, FLOAT, DOUBLE, BIGINT, MEDIUMINT, YEAR, and DECIMAL since version 5. */
const NUMBERS = new Set([0, 1, 2, 3, 4, 5, 8, 9, 13, 246])
const SET_FLAG = 2_048
/** Character set of binary values. */
const BINARY = 63

/**
 * How values of a column are written: numbers with all digits, `TINYINT(1)` and `BIT(1)` as flags,
 * JSON as it is, times in ISO 8601, binary values in base64, `SET` as a list, all others as text.
 */
export function toJsonOf(field: FieldPacket): ToJson {
  const type = field.columnType ?? field.type
  const { columnLength, characterSet, extendedFormat } = field
  if (type === TYPES.json || extendedFormat === 'json') return lineOfJson
  if (type === TYPES.tiny && columnLength === 1) return flagOrNumber
  if (NUMBERS.has(type ?? -1)) return numberJson
  switch (type) {
    case TYPES.bit:
      return columnLength === 1 ? (bytes) => String(bytes[0] === 1) : bitsJson
    case TYPES.timestamp:
    case TYPES.datetime:
      return timeJson
    case TYPES.date:
    case TYPES.newDate:
      return (bytes) => (isZero(bytes.toString()) ? 'null' : textJson(bytes))
    case TYPES.vector:
      return vectorJson
    case TYPES.geometry:
      return base64Json
    case TYPES.varchar:
    case TYPES.tinyBlob:
    case TYPES.mediumBlob:
    case TYPES.longBlob:
    case TYPES.blob:
    case TYPES.varString:
    case TYPES.string:
      if (characterSet === BINARY) return base64Json
      return isSet(field) ? setJson : textJson
    default:
      return textJson
  }
}

function isSet({ flags }: FieldPacket): boolean {
  return typeof flags === 'number' ? (flags & SET_FLAG) !== 0 : flags.includes('SET')
}

function textJson(bytes: Buffer): string {
  return JSON.stringify(bytes.toString('utf8'))
}

function setJson(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  return text === '' ? '[]' : JSON.stringify(text.split(','))
}

function base64Json(bytes: Buffer): string {
  return `"${bytes.toString('base64')}"`
}

/** `ZEROFILL` writes zeros in front, which JSON does not allow. */
function numberJson(bytes: Buffer): string {
  const text = bytes.toString('latin1')
  let zeros = 0
  while (text[zeros] === '0' && isDigit(text[zeros + 1])) zeros++
  return text.slice(zeros)
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9'
}

function flagOrNumber(bytes: Buffer): string {
  const text = bytes.toString('latin1')
  return text === '0' || text === '1' ? String(text === '1') : text
}

function bitsJson(bytes: Buffer): string {
  return BigInt(`0x${bytes.toString('hex')}`).toString()
}

/** `2026-03-01 09:30:00.5` is `2026-03-01T09:30:00.5Z`: sessions of readers are in UTC. */
function timeJson(bytes: Buffer): string {
  const text = bytes.toString('latin1')
  return isZero(text) ? 'null' : `"${text.replace(' ', 'T')}Z"`
}

/** MySQL has dates without a month or a day. */
function isZero(text: string): boolean {
  return text.startsWith('0000-') || text.slice(5, 7) === '00' || text.slice(8, 10) === '00'
}

function vectorJson(bytes: Buffer): string {
  const numbers: number[] = []
  for (let at = 0; at + 4 <= bytes.length; at += 4) numbers.push(bytes.readFloatLE(at))
  return JSON.stringify(numbers)
}

function lineOfJson(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll(/[\r\n]/g, ' ')
}
