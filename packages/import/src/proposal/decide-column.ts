import type { SchemaFieldRequest } from '@aisle/client'
import { isPriceName, kindOfName } from '../cells/column-name.ts'
import type { DateOrder } from '../cells/date-text.ts'
import { NUMBER_FORMATS, type NumberFormat } from '../cells/number-text.ts'
import type { Reading } from '../cells/reading.ts'
import type { Family, Fault, ValueStats } from '../profile/value-stats.ts'

export type FieldType = SchemaFieldRequest['type']
/** The type of single values; lists append `[]`. */
export type ScalarType = 'string' | 'int32' | 'int64' | 'float' | 'bool' | 'date' | 'geopoint'

/** The type of a column, and why. */
export interface Decision {
  readonly type: ScalarType
  readonly why: string
  readonly reading: Reading
  /** Values that do not fit the type, or that made it text. */
  readonly faults: readonly Fault[]
  readonly faultCount: number
  readonly question: Question | undefined
}

/** A question that only the user can answer. */
export type Question =
  | { readonly kind: 'numbers'; readonly example: string }
  | { readonly kind: 'dates'; readonly example: string }
  /** Most values, but not all, are of that type. */
  | { readonly kind: 'mixed'; readonly type: ScalarType }

export interface DecideOptions {
  /** Cells of a table, which are all texts. */
  readonly isTable: boolean
  /** Values are stored unchanged, without conversion. */
  readonly asIs: boolean
  readonly type?: ScalarType | undefined
  /** Why it is this type. */
  readonly because?: string | undefined
  /** A format chosen by the user, or by unambiguous columns of the file. */
  readonly numbers?: NumberFormat | undefined
  readonly dates?: DateOrder | undefined
}

/** Minimum share of one type among the values of a mixed column with a neutral name. */
const MIXED_SHARE_MIN = 0.9
/** The same for a name that suggests numbers. */
const NAMED_SHARE_MIN = 0.5

/** Decides the narrowest type that fits all values, or checks them against a given type. */
export function decideColumn(name: string, stats: ValueStats, options: DecideOptions): Decision {
  const { type } = options
  if (type !== undefined) return decideGiven(type, stats, options)
  if (stats.nestedCount > 0) {
    return text('some values are objects or lists: kept as JSON text')
  }
  const meant = stats.count - stats.of('nothing')
  if (meant === 0) return text(stats.count === 0 ? 'no values' : 'text')
  const kind = kindOfName(name)
  if (kind === 'code' && !options.asIs && isNumeric(stats)) return code(stats)
  return (
    flags(kind === 'flag', kind === 'none', stats, options) ??
    numbers(kind === 'ratio' || isPriceName(name), stats, options) ??
    dates(stats, options) ??
    textOf(kind, stats, options)
  )
}

function text(why: string): Decision {
  return { type: 'string', why, reading: {}, faults: [], faultCount: 0, question: undefined }
}

function isNumeric(stats: ValueStats): boolean {
  return stats.of('digits') > 0 || stats.of('point') > 0
}

function code(stats: ValueStats): Decision {
  const cut = stats.of('scientific')
  const why = 'a code: kept as searchable text'
  if (cut === 0) return text(why)
  const warning = `${cut.toLocaleString('en-US')} ${cut === 1 ? 'value looks' : 'values look'} like 4.00638E+12: a spreadsheet has dropped digits`
  return text(`${why}; ${warning}`)
}

/**
 * Whether texts may become the numbers or dates that they spell: always in tables, rarely in JSON.
 */
function maySpell({ isTable, asIs }: DecideOptions): boolean {
  return isTable || !asIs
}

function flags(
  isNamed: boolean,
  isUnnamed: boolean,
  stats: ValueStats,
  options: DecideOptions,
): Decision | undefined {
  const { count, flagCount, numberCount } = stats
  const made = (why: string): Decision => ({
    ...text(why),
    type: 'bool',
    reading: nothingOf(stats),
  })
  if (flagCount === count) return made('yes or no')
  const meant = count - stats.of('nothing')
  if (stats.of('flag') !== meant || numberCount > 0 || !maySpell(options)) return undefined
  const hasBoth = stats.of('true') > 0 && stats.of('false') > 0
  const shown = stats.examples.slice(0, 2).map((one) => `"${one}"`)
  const why = `yes or no, written as ${shown.join(' and ')}`
  if (stats.of('bit') === meant) {
    const isFlag = isNamed || (hasBoth && isUnnamed && options.isTable)
    return isFlag ? made(why) : undefined
  }
  const isPlain = /^(true|false|yes)$/i.test(stats.examples[0] ?? '')
  return hasBoth || isNamed || isPlain ? made(why) : undefined
}

/** Words such as `N/A` are skipped where the type is not text. */
function nothingOf(stats: ValueStats): Reading {
  return stats.of('nothing') > 0 ? { skipsNothing: true } : {}
}

function numbers(
  isRatio: boolean,
  stats: ValueStats,
  options: DecideOptions,
): Decision | undefined {
  const { count, numberCount } = stats
  const nothing = stats.of('nothing')
  const meant = count - nothing
  if (numberCount < count && !options.isTable) {
    const isMoney = stats.of('money') * 2 >= meant
    if (options.asIs || !(isRatio || isMoney)) return undefined
  }
  const format = formatOf(stats, meant, options)
  if (format === undefined || stats.of(format.format) < meant) return undefined
  const isWhole = stats.of(`${format.format}Whole`) === meant
  const isSmall = stats.of(`${format.format}Int32`) === meant
  const isFloat = !isWhole || (!options.asIs && (isRatio || stats.of('money') > 0))
  const type = isFloat ? 'float' : isSmall ? 'int32' : 'int64'
  const what = !isWhole
    ? 'numbers with decimals'
    : isFloat
      ? 'whole numbers, but prices and ratios usually get decimals'
      : isSmall
        ? 'whole numbers'
        : 'whole numbers, some above 2 billion'
  return {
    ...text(what + notesOf(stats, format)),
    type,
    reading: { ...numbersReading(stats, format), ...nothingOf(stats) },
    question: format.question,
  }
}

interface ChosenFormat {
  readonly format: NumberFormat
  readonly question: Question | undefined
}

/** The format that fits all values; asks if both fit and mean different numbers. */
function formatOf(
  stats: ValueStats,
  meant: number,
  { numbers }: DecideOptions,
): ChosenFormat | undefined {
  const [isPoint, isComma] = [stats.of('point') === meant, stats.of('comma') === meant]
  if (numbers !== undefined && stats.of(numbers) === meant) {
    return { format: numbers, question: undefined }
  }
  if (isPoint && isComma && stats.of('marked') > 0) {
    const example = stats.markedExample
    return { format: numbers ?? 'point', question: { kind: 'numbers', example } }
  }
  if (isPoint) return { format: 'point', question: undefined }
  return isComma ? { format: 'comma', question: undefined } : undefined
}

function notesOf(stats: ValueStats, { format }: ChosenFormat): string {
  const notes: string[] = []
  if (stats.of('marked') > 0) notes.push(`written as ${NUMBER_FORMATS[format]}`)
  const currencies = [...stats.currencies.keys()].filter((one) => one !== '')
  if (currencies.length > 0) notes.push(`in ${currencies.slice(0, 3).join(', ')}`)
  if (stats.of('percent') > 0) notes.push('percent signs are dropped')
  const nothing = stats.of('nothing')
  if (nothing > 0)
    notes.push(
      `${nothing.toLocaleString('en-US')} ${nothing === 1 ? 'value' : 'values'} such as "N/A" left empty`,
    )
  return notes.map((note) => `; ${note}`).join('')
}

function numbersReading(stats: ValueStats, { format }: ChosenFormat): Reading {
  return stats.numberCount === stats.count ? {} : { numbers: format }
}

function dates(stats: ValueStats, options: DecideOptions): Decision | undefined {
  const meant = stats.count - stats.of('nothing')
  const made = (why: string, reading: Reading, question?: Question): Decision => ({
    ...text(why),
    type: 'date',
    reading: { ...reading, ...nothingOf(stats) },
    question,
  })
  if (stats.of('isoDate') === meant && stats.of('nothing') === 0) return made('dates', {})
  if (options.asIs) return undefined
  if (stats.of('isoDate') === meant) return made('dates', {})
  const [isDay, isMonth] = [stats.of('dmy') === meant, stats.of('mdy') === meant]
  if (!isDay && !isMonth) return undefined
  const isOpen = isDay && isMonth && stats.of('dayOrMonth') > 0
  const order = isOpen ? (options.dates ?? 'dmy') : isDay ? 'dmy' : 'mdy'
  const isAsked = isOpen && options.dates === undefined
  const why = `dates, ${order === 'dmy' ? 'day' : 'month'} first`
  return made(
    isDay && isMonth && !isOpen ? 'dates' : why,
    { dates: order },
    isAsked ? { kind: 'dates', example: stats.examples[0] ?? '' } : undefined,
  )
}

/** Text, with the values that prevent a narrower type if nearly all values have it. */
function textOf(
  kind: ReturnType<typeof kindOfName>,
  stats: ValueStats,
  options: DecideOptions,
): Decision {
  const plain = text(stats.of('address') * 2 > stats.count ? 'URLs' : 'text')
  const isJsonText = !options.isTable && stats.numberCount + stats.flagCount === 0
  if (options.asIs || (isJsonText && kind !== 'ratio')) return plain
  const meant = stats.count - stats.of('nothing')
  const share = kind === 'ratio' || kind === 'count' ? NAMED_SHARE_MIN : MIXED_SHARE_MIN
  const format = stats.of('point') >= stats.of('comma') ? 'point' : 'comma'
  const day = stats.of('dmy') >= stats.of('mdy') ? 'dmy' : 'mdy'
  const found = ([format, day, 'flag'] as const).find(
    (family) => kind !== 'code' && stats.of(family) >= meant * share && stats.of(family) > 1,
  )
  if (found === undefined) {
    const mixed = stats.numberCount + stats.flagCount
    return mixed > 0 ? text('numbers and text, kept as text') : plain
  }
  const faultCount = meant - stats.of(found)
  const type = found === 'flag' ? 'bool' : found === day ? 'date' : 'float'
  const isOne = faultCount === 1
  const what = {
    bool: 'yes or no',
    date: isOne ? 'a date' : 'dates',
    float: isOne ? 'a number' : 'numbers',
  }[type]
  const of = `${faultCount.toLocaleString('en-US')} of ${stats.count.toLocaleString('en-US')} values`
  return {
    ...text(`${of} ${isOne ? 'is' : 'are'} not ${what}, so the column is text`),
    faults: stats.faultsOf(found),
    faultCount,
    question: { kind: 'mixed', type },
  }
}

/** Decides, for a given type, how values are read, and which ones do not fit. */
function decideGiven(type: ScalarType, stats: ValueStats, options: DecideOptions): Decision {
  const why = options.because ?? 'as in the schema'
  if (type === 'string' || type === 'geopoint') return { ...text(why), type }
  const meant = stats.count - stats.of('nothing')
  const rest = { ...text(why), type }
  const fail = (family: Family, good: number): Pick<Decision, 'faults' | 'faultCount'> => ({
    faults: good < meant ? stats.faultsOf(family) : [],
    faultCount: Math.max(0, meant - good),
  })
  if (type === 'bool') {
    return {
      ...rest,
      reading: nothingOf(stats),
      ...fail('flag', stats.of('flag') + bitNumbers(stats)),
    }
  }
  if (type === 'date') {
    const isOpen =
      stats.of('dmy') === stats.of('mdy') &&
      stats.of('dayOrMonth') > 0 &&
      options.dates === undefined
    const order = options.dates ?? (stats.of('mdy') > stats.of('dmy') ? 'mdy' : 'dmy')
    const hasOther = stats.of('dmy') + stats.of('mdy') > 2 * stats.of('isoDate')
    return {
      ...rest,
      reading: { ...(hasOther ? { dates: order } : {}), ...nothingOf(stats) },
      question: isOpen ? { kind: 'dates', example: stats.examples[0] ?? '' } : undefined,
      // A number is seconds since 1970.
      ...fail(order, Math.max(stats.of(order), stats.numberCount)),
    }
  }
  const hasBoth = stats.of('point') === stats.of('comma') && stats.of('marked') > 0
  const isOpen = hasBoth && options.numbers === undefined
  const format = options.numbers ?? (stats.of('comma') > stats.of('point') ? 'comma' : 'point')
  const good =
    type === 'float'
      ? stats.of(format)
      : stats.of(type === 'int32' ? `${format}Int32` : `${format}Whole`)
  return {
    ...rest,
    why: why + notesOf(stats, { format, question: undefined }),
    reading: { ...numbersReading(stats, { format, question: undefined }), ...nothingOf(stats) },
    question: isOpen ? { kind: 'numbers', example: stats.markedExample } : undefined,
    ...fail(format, good),
  }
}

/** JSON numbers 0 and 1, which a bool field accepts. */
function bitNumbers({ numberCount, distinctCount }: ValueStats): number {
  return distinctCount <= 2 ? numberCount : 0
}
