/** A date as ISO 8601 writes it. */
export interface IsoDate {
  /** Milliseconds since 1970 of the same date and time in UTC, whole seconds. */
  readonly wallMs: number
  /** Its last part. */
  readonly unit: 'year' | 'month' | 'day' | 'minute' | 'second' | 'fraction'
  /** Digits of the fraction of a second; mostly empty. */
  readonly fraction: string
  /** Minutes ahead of UTC. Absent if the text has no offset. */
  readonly offsetMinutes: number | undefined
}

const DATE =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:([Zz])|([+-])(\d\d):?(\d\d)?)?)?)?)?$/

/**
 * `2024`, `2024-05`, `2024-05-31`, `2024-05-31T12:30`, `2024-05-31T12:30:05.25+02:00`.
 *
 * @returns undefined if the text has another form, or the day or time does not exist
 */
export function parseIsoDate(text: string): IsoDate | undefined {
  const found = DATE.exec(text)
  if (found === null) return undefined
  const part = (index: number, absent = 0) => Number(found[index] ?? absent)
  const [year, month, day] = [part(1), part(2, 1), part(3, 1)]
  const [hour, minute, second] = [part(4), part(5), part(6)]
  const [offsetHours, offsetMinutes] = [part(10), part(11)]
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  if (!isReal || hour > 23 || minute > 59 || second > 59) return undefined
  if (offsetHours > 23 || offsetMinutes > 59) return undefined
  const hasOffset = found[8] !== undefined || found[9] !== undefined
  const offset = (found[9] === '-' ? -1 : 1) * (offsetHours * 60 + offsetMinutes)
  const last = [2, 3, 4, 6, 7].findIndex((index) => found[index] === undefined)
  return {
    wallMs: date.getTime() + (hour * 3600 + minute * 60 + second) * 1000,
    unit: UNITS[last] ?? 'fraction',
    fraction: found[7] ?? '',
    offsetMinutes: hasOffset ? offset : undefined,
  }
}

/** Units by the first part that is absent: month, day, hour, second, fraction. */
const UNITS = ['year', 'month', 'day', 'minute', 'second'] as const
