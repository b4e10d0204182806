import { readDate } from '../cells/date-text.ts'
import { readFlag, saysNothing } from '../cells/flag-text.ts'
import { readNumber, type NumberFormat } from '../cells/number-text.ts'
import { isIsoDate } from '../iso-date.ts'

/** The types that a value can be read as. A column counts each trait. */
export const TRAITS = [
  'point',
  'pointWhole',
  'pointInt32',
  'comma',
  'commaWhole',
  'commaInt32',
  /** A number that contains a point or comma, so that the format matters. */
  'marked',
  'money',
  'percent',
  'flag',
  'true',
  'false',
  /** The flags 0 and 1. */
  'bit',
  'dmy',
  'mdy',
  /** A date that would be a different one with the month first. */
  'dayOrMonth',
  'isoDate',
  'nothing',
  'html',
  'address',
  /** Only digits, including leading zeros. */
  'digits',
  /** `4.00638E+12`: a spreadsheet has dropped digits. */
  'scientific',
  'long',
] as const
export type Trait = (typeof TRAITS)[number]

const INT32_MAX = 2n ** 31n - 1n
const INT64_MAX = 2n ** 63n - 1n
/** Longer texts are not numbers, dates, flags or facet values. */
export const SHORT_MAX_CHARS = 60
const ADDRESS = /^(https?:)?\/\/|^data:/i

/** @param seen called with every trait of the text */
export function traitsOfText(
  text: string,
  seen: (trait: Trait) => void,
  seenCurrency: (currency: string) => void,
): void {
  if (ADDRESS.test(text)) return seen('address')
  if (hasTag(text)) return seen('html')
  if (text.length > SHORT_MAX_CHARS) return seen('long')
  if (saysNothing(text)) seen('nothing')
  const flag = readFlag(text)
  if (flag !== undefined) {
    seen('flag')
    seen(flag ? 'true' : 'false')
    if (text === '0' || text === '1') seen('bit')
  }
  if (!/\d/.test(text)) return
  if (/^\d+$/.test(text)) seen('digits')
  numberTraits(text, seen, seenCurrency)
  if (isIsoDate(text)) seen('isoDate')
  const [dayFirst, monthFirst] = [readDate(text, 'dmy'), readDate(text, 'mdy')]
  if (dayFirst !== undefined) seen('dmy')
  if (monthFirst !== undefined) seen('mdy')
  if (dayFirst !== undefined && monthFirst !== undefined && dayFirst !== monthFirst) {
    seen('dayOrMonth')
  }
}

function numberTraits(
  text: string,
  seen: (trait: Trait) => void,
  seenCurrency: (currency: string) => void,
): void {
  const [point, comma] = [readNumber(text, 'point'), readNumber(text, 'comma')]
  const either = point ?? comma
  if (either === undefined) return
  for (const [format, read] of [['point', point] as const, ['comma', comma] as const]) {
    if (read !== undefined) sizeTraits(format, read.json, read.isWhole, seen)
  }
  if (/[.,]/.test(text.replace(/[.,]$/, ''))) seen('marked')
  if (/^-?\d+(\.\d+)?[eE]\+?\d\d?$/.test(text)) seen('scientific')
  if (either.isPercent) seen('percent')
  if (either.currency === undefined) return
  seen('money')
  seenCurrency(either.currency)
}

function sizeTraits(
  format: NumberFormat,
  json: string,
  isWhole: boolean,
  seen: (trait: Trait) => void,
): void {
  if (!isWhole) return seen(format)
  const number = BigInt(json)
  if (number < -INT64_MAX - 1n || number > INT64_MAX) return
  seen(format)
  seen(`${format}Whole`)
  if (number >= -INT32_MAX - 1n && number <= INT32_MAX) seen(`${format}Int32`)
}

/** A number of JSON is the same in every format. @param text as JSON writes it */
export function traitsOfNumber(text: string, seen: (trait: Trait) => void): void {
  if (!Number.isFinite(Number(text))) return
  if (/^-?\d{1,19}$/.test(text)) {
    sizeTraits('point', text, true, seen)
    sizeTraits('comma', text, true, seen)
    // More than an int64 holds is a float to JSON.
    if (/^-?\d{19}$/.test(text)) {
      const number = BigInt(text)
      if (number > INT64_MAX || number < -INT64_MAX - 1n) seenFloat(seen)
    }
    if (!text.startsWith('-')) seen('digits')
  } else seenFloat(seen)
}

function seenFloat(seen: (trait: Trait) => void): void {
  seen('point')
  seen('comma')
}

const TAGS = new Set(
  'p br b i u em strong ul ol li div span h1 h2 h3 h4 h5 h6 table tbody tr td th a img hr font small sup sub'.split(
    ' ',
  ),
)

/** Whether a text has a tag of HTML, such as `<br />`. */
function hasTag(text: string): boolean {
  // The last `>`: a `<` after it opens nothing.
  const lastClose = text.lastIndexOf('>')
  for (let at = text.indexOf('<'); at >= 0 && at < lastClose; at = text.indexOf('<', at + 1)) {
    const start = text[at + 1] === '/' ? at + 2 : at + 1
    let end = start
    while (end - start < 7 && /[a-z0-9]/i.test(text[end] ?? '')) end++
    if (/[\s/>]/.test(text[end] ?? '') && TAGS.has(text.slice(start, end).toLowerCase()))
      return true
  }
  return false
}
