import { isIsoDate } from '../iso-date.ts'

/** Whether the day or the month comes first in `03/04/2025`. */
export type DateOrder = 'dmy' | 'mdy'

export const DATE_ORDERS: Readonly<Record<DateOrder, string>> = {
  dmy: '31/12/2025',
  mdy: '12/31/2025',
}

const DATE =
  /^(\d{1,4})([./-])(\d{1,2})([./-])(\d{1,4})(?:,? (\d{1,2}):(\d\d)(?::(\d\d))?(?: ?([AaPp])\.?[Mm]\.?)?)?$/
const DATE_MAX_CHARS = 40

/**
 * Converts a date as people write it to ISO 8601. `24.12.2025` always begins with the day,
 * `2025/12/24` with the year. ISO 8601 stays as it is.
 *
 * @returns undefined if it is not a date
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

/** ` 2:30 pm` as `T14:30:00`; empty if there is none. */
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
