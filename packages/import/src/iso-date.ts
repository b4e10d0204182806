const DATE =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?(?:[Zz]|[+-]\d\d(?::?\d\d)?)?)?$/
const LENGTH_MAX_CHARS = 40

/**
 * Whether a text is a day or a time in ISO 8601 that a date field accepts. A month alone
 * (`2026-01`) is not, because part numbers look like that.
 */
export function isIsoDate(text: string): boolean {
  const found = text.length > LENGTH_MAX_CHARS ? null : DATE.exec(text)
  if (found === null) return false
  const part = (index: number) => Number(found[index] ?? 0)
  const [month, day] = [part(2), part(3)]
  const date = new Date(0)
  date.setUTCFullYear(part(1), month - 1, day)
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isDay && part(4) <= 23 && part(5) <= 59 && part(6) <= 59
}
