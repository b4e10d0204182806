import { readDate } from './date-text.ts'
import { readFlag, saysNothing } from './flag-text.ts'
import { readNumber, type NumberFormat } from './number-text.ts'
import type { Reading } from './reading.ts'
import { vectorJson } from './vector-text.ts'

const WHOLE = /^[+-]?\d+$/
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$/
/** `48.85, 2.35`: latitude and longitude. */
const PLACE = /^\(?([+-]?\d{1,3}(?:\.\d+)?)\s{0,9}[,;]\s{0,9}([+-]?\d{1,3}(?:\.\d+)?)\)?$/

/** Treats words such as `N/A` as no value, if the column was decided so. */
export function isNothing(text: string, reading: Reading | undefined): boolean {
  return reading?.skipsNothing === true && saysNothing(text)
}

/**
 * Converts a text to the JSON of a value of the given type, by the decisions for its column.
 *
 * @param type of one value
 * @returns undefined if the text is not of that type
 */
export function jsonOfText(text: string, type: string, reading: Reading = {}): string | undefined {
  switch (type) {
    case 'bool':
      return readFlag(text)?.toString()
    case 'date': {
      if (NUMBER.test(text)) return String(Number(text))
      // `01/02/2026` is ambiguous until the column is decided.
      const date =
        reading.dates === undefined ? dateOfOneOrder(text) : readDate(text, reading.dates)
      return JSON.stringify(date ?? text)
    }
    case 'geopoint': {
      const [, lat, lon] = PLACE.exec(text) ?? []
      return lat === undefined ? undefined : `[${Number(lat)},${Number(lon)}]`
    }
    case 'float': {
      const isPlain = reading.numbers !== 'comma' && NUMBER.test(text)
      const number = isPlain ? text : readNumber(text, reading.numbers ?? 'point')?.json
      if (number === undefined || !Number.isFinite(Number(number))) return undefined
      return String(Number(number))
    }
    case 'int32':
    case 'int64': {
      if (WHOLE.test(text)) return text.replace(/^\+/, '').replace(/^(-?)0+(\d)/, '$1$2')
      const number = readNumber(text, reading.numbers ?? 'point')
      return number?.isWhole === true ? number.json : undefined
    }
    case 'vector':
      return vectorJson(text)
    default:
      return JSON.stringify(text)
  }
}

function dateOfOneOrder(text: string): string | undefined {
  const date = readDate(text, 'dmy')
  return date === readDate(text, 'mdy') ? date : undefined
}

/** The currency that an amount names. */
export function currencyOfText(text: string, format: NumberFormat = 'point'): string | undefined {
  const currency = readNumber(text.trim(), format)?.currency
  return currency === '' ? undefined : currency
}
