import { DATE_ORDERS, NUMBER_FORMATS } from '@aisle/import'
import type { DateOrder, NumberFormat, ProposeOptions } from '@aisle/import'
import { readPair } from '../commands/command.ts'
import { CommandError } from '../exit-codes.ts'

/** The user's choices for columns; anything not chosen is detected. */
export interface ColumnChoices {
  readonly numberFormat?: readonly string[]
  readonly dateFormat?: readonly string[]
  readonly type?: readonly string[]
  readonly keepHtml?: boolean
}

const SCALARS = ['string', 'int32', 'int64', 'float', 'bool', 'date', 'geopoint']
const TYPES = [...SCALARS, ...SCALARS.map((type) => `${type}[]`)]

/** @throws CommandError */
export function readColumnChoices(
  choices: ColumnChoices,
): Pick<ProposeOptions, 'numbers' | 'dates' | 'types' | 'keepHtml'> {
  const types = new Map((choices.type ?? []).map(readPair))
  for (const type of types.values()) {
    if (!TYPES.includes(type)) {
      throw new CommandError('usage', `--type must be field=type, with one of ${TYPES.join(', ')}`)
    }
  }
  return {
    numbers: byColumn(choices.numberFormat, readNumberFormat),
    dates: byColumn(choices.dateFormat, readDateFormat),
    types: types as NonNullable<ProposeOptions['types']>,
    keepHtml: choices.keepHtml === true,
  }
}

/** `1.234,56` is for all columns, `Price=1.234,56` for one. */
function byColumn<Format>(
  texts: readonly string[] | undefined,
  read: (text: string) => Format,
): Map<string, Format> {
  return new Map(
    (texts ?? []).map((text) => {
      const at = text.lastIndexOf('=')
      return [text.slice(0, Math.max(0, at)), read(text.slice(at + 1))]
    }),
  )
}

/** A number as it is written: its last mark is the decimal one. */
function readNumberFormat(text: string): NumberFormat {
  const found = (['point', 'comma'] as const).find(
    (format) => NUMBER_FORMATS[format] === text || format === text,
  )
  if (found !== undefined) return found
  const formats = Object.values(NUMBER_FORMATS).join(' or ')
  throw new CommandError('usage', `--number-format must be ${formats}: received "${text}"`)
}

function readDateFormat(text: string): DateOrder {
  const found = (['dmy', 'mdy'] as const).find((order) => order === text.toLowerCase())
  if (found !== undefined) return found
  const orders = Object.entries(DATE_ORDERS).map(([order, example]) => `${order} (${example})`)
  throw new CommandError(
    'usage',
    `--date-format must be ${orders.join(' or ')}: received "${text}"`,
  )
}
