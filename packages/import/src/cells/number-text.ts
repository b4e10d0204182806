import { currencyOf } from './currency.ts'

/** The decimal mark of a column: point or comma. The other one groups thousands. */
export type NumberFormat = 'point' | 'comma'

/** An example of each format, as shown to users. */
export const NUMBER_FORMATS: Readonly<Record<NumberFormat, string>> = {
  point: '1,234.56',
  comma: '1.234,56',
}

export interface ReadNumber {
  /** The number in JSON, with all digits. */
  readonly json: string
  readonly isWhole: boolean
  /** ISO 4217 code; empty if the amount does not name its currency. */
  readonly currency: string | undefined
  readonly isPercent: boolean
}

/** Longer texts are not numbers. */
const NUMBER_MAX_CHARS = 40
const PLAIN = /^-?(0|[1-9]\d{0,18})(\.\d{1,30})?$/
const SCIENTIFIC = /^-?\d{1,20}(\.\d{1,20})?[eE][+-]?\d{1,3}$/
/**
 * Separators of thousands in any format: apostrophes and spaces, including narrow and non-breaking.
 */
const GROUP_MARKS = " \u00a0\u2009\u202f'’"
/** Swiss and Dutch shops write `12.-` and `12,–`. */
const NO_CENTS = /[.,][-–—]$/

/**
 * Parses a number as people write it: `1.299,00`, `1 299`, `$1,000.00`, `9.99 USD`, `-5 %`,
 * `1,00,000`. Digits with a leading zero are a code, unless a decimal mark follows the zero.
 *
 * @returns undefined if it is not a number
 */
export function readNumber(text: string, format: NumberFormat): ReadNumber | undefined {
  if (text.length > NUMBER_MAX_CHARS) return undefined
  if (format === 'point' || !text.includes('.')) {
    if (PLAIN.test(text)) return { ...PLAIN_NUMBER, json: text, isWhole: !text.includes('.') }
  }
  const body = bodyOf(text)
  if (body === undefined) return undefined
  const before = readBeside(text.slice(0, body.start))
  const after = readBeside(text.slice(body.end))
  if (before === undefined || after === undefined || after.sign !== '') return undefined
  if (before.isPercent || (before.currency !== undefined && after.currency !== undefined)) {
    return undefined
  }
  const { start, end } = body
  const digits = withoutMarks(text.slice(start, end), format)
  if (digits === undefined) return undefined
  return {
    json: (before.sign === '-' ? '-' : '') + digits.json,
    isWhole: digits.isWhole,
    currency: before.currency ?? after.currency,
    isPercent: after.isPercent,
  }
}

const PLAIN_NUMBER = { currency: undefined, isPercent: false } as const

/** The part from the first digit, or the mark in front of it, to the last one. */
function bodyOf(text: string): { start: number; end: number } | undefined {
  let start = 0
  while (start < text.length && !isDigit(text, start)) start++
  if (start === text.length) return undefined
  let end = text.length
  while (!isDigit(text, end - 1)) end--
  const hasMark = start > 0 && (text[start - 1] === '.' || text[start - 1] === ',')
  // `.5`; but `Rs.500` has the point of a word.
  const isWord = start > 1 && /\p{L}/u.test(text[start - 2]!)
  return { start: hasMark && !isWord ? start - 1 : start, end }
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}

/** Parses what precedes or follows the digits: a sign, a currency, a percent sign, or nothing. */
function readBeside(
  text: string,
): { sign: string; currency: string | undefined; isPercent: boolean } | undefined {
  let rest = text.replace(NO_CENTS, '').trim()
  const first = rest[0] ?? ''
  const last = rest.at(-1) ?? ''
  let sign = ''
  if (SIGNS.has(first)) [sign, rest] = [first, rest.slice(1).trim()]
  else if (SIGNS.has(last)) [sign, rest] = [last, rest.slice(0, -1).trim()]
  if (sign !== '+' && sign !== '') sign = '-'
  if (rest === '') return { sign, currency: undefined, isPercent: false }
  if (rest === '%') return { sign, currency: undefined, isPercent: true }
  const currency = currencyOf(rest)
  return currency === undefined ? undefined : { sign, currency, isPercent: false }
}

const SIGNS = new Set(['-', '+', '−'])

/** Converts digits with the marks of a format to JSON. */
function withoutMarks(
  body: string,
  format: NumberFormat,
): { json: string; isWhole: boolean } | undefined {
  if (SCIENTIFIC.test(body)) {
    return format === 'point' && Number.isFinite(Number(body))
      ? { json: String(Number(body)), isWhole: false }
      : undefined
  }
  const [decimalMark, groupMark] = format === 'point' ? ['.', ','] : [',', '.']
  const at = body.indexOf(decimalMark)
  const whole = at < 0 ? body : body.slice(0, at)
  const decimals = at < 0 ? undefined : body.slice(at + 1)
  if (decimals !== undefined && !/^\d{1,30}$/.test(decimals)) return undefined
  const digits = whole === '' ? '0' : withoutGroups(whole, groupMark)
  if (digits === undefined || (digits.length > 1 && digits.startsWith('0'))) return undefined
  return {
    json: decimals === undefined ? digits : `${digits}.${decimals}`,
    isWhole: decimals === undefined,
  }
}

/** `1.299` and `1 299`: one mark, and three digits after each; in India two, then three. */
function withoutGroups(whole: string, groupMark: string): string | undefined {
  let mark = ''
  let digits = ''
  const sizes: number[] = []
  let size = 0
  for (const character of whole) {
    if (character >= '0' && character <= '9') {
      digits += character
      size++
      continue
    }
    if (character !== groupMark && !GROUP_MARKS.includes(character)) return undefined
    if (mark !== '' && mark !== character) return undefined
    mark = character
    sizes.push(size)
    size = 0
  }
  sizes.push(size)
  if (digits.length > 19) return undefined
  if (sizes.length === 1) return digits
  const [first = 0, ...others] = sizes
  const last = others.pop()
  if (digits.startsWith('0') || first < 1 || first > 3 || last !== 3) return undefined
  const isThousands = others.every((one) => one === 3)
  const isIndian = mark === ',' && first <= 2 && others.every((one) => one === 2)
  return isThousands || isIndian ? digits : undefined
}
