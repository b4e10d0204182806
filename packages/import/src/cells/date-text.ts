import { isIsoDate } from '../iso-date.ts'

/** Which comes first in `03/04/2025`, the day or the month. */
export type DateOrder = 'dmy' | 'mdy'

export const DATE_ORDERS: Readonly<Record<DateOrder, string>> = {
  dmy: '31/12/2025',
  mdy: '12/31/2025',
}

const DATE =
  /^(\d{1,4})([./-])(\d{1,2})([./-])(\d{1,4})(?:,? (\d{1,2}):(\d\d)(?::(\d\d))?(?: ?([AaPp])\.?[Mm]\.?)?)?$/
const DATE_MAX_CHARS = 40

/**
 * A date as people write it, as ISO 8601: `24.12.2025` is a day first always, `2025/12/24` a year.
 * What is ISO 8601 already stays as it is.
 *
 * @returns undefined when it is none
 */
export function readDate(text: string, order: DateOrder): string | undefined {
  if (text.length > DATE_MAX_CHARS) return undefined
  if (isIsoDate(text)) return text
  const found = DATE.exec(text)
  if (found === null) return undefined
  const [, first = '', mark, second = '', otherMark, third = ''] = found
  if (mark !== otherMark) return undefined
  const isDayFirst = mark === '.' || order === 'dmy'
  const [year, month, day] =
    first.length === 4
      ? [first, second, third]
      : isDayFirst
        ? [third, second, first]
        : [third, first, second]
  if (year.length !== 4 || day.length > 2) return undefined
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const time = timeOf(found.slice(6))
  if (time === undefined) return undefined
  const iso = date + time
  return isIsoDate(iso) ? iso : undefined
}

/** ` 2:30 pm` as `T14:30:00`; empty when there is none. */
function timeOf(parts: readonly (string | undefined)[]): string | undefined {
  const [hour, minute = '00', second = '00', half] = parts
  if (hour === undefined) return ''
  let hours = Number(hour)
  if (half !== undefined) {
    if (hours < 1 || hours > 12) return undefined
    hours = (hours % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  }
  return `T${String(hours).padStart(2, '0')}:${minute}:${second}`
}
