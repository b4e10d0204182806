const WHOLE = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 })
const COMPACT = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** `86,169` */
export function formatNumber(value: number, fractionDigits = 0): string {
  if (fractionDigits === 0) return WHOLE.format(value)
  return new Intl.NumberFormat(undefined, {
    minimumFractionDigits: fractionDigits,
    maximumFractionDigits: fractionDigits,
  }).format(value)
}

/** `86.2K`, for narrow places. */
export function formatCompact(value: number): string {
  return COMPACT.format(value)
}

/** `86,169 products`, `1 product`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
}

/**
 * `3.4%`, and `<0.1%` for what would read as nothing; "–" if there is nothing to divide by, which
 * is not 0%.
 */
export function formatPercent(ratio: number | null | undefined, fractionDigits = 1): string {
  if (ratio === null || ratio === undefined || !Number.isFinite(ratio)) return '–'
  const smallest = 10 ** -(fractionDigits + 2)
  const format = new Intl.NumberFormat(undefined, {
    style: 'percent',
    minimumFractionDigits: fractionDigits,
    maximumFractionDigits: fractionDigits,
  })
  return ratio > 0 && ratio < smallest / 2 ? `<${format.format(smallest)}` : format.format(ratio)
}

/** `12.4 MB`, in powers of 1,000. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1_000 && unit < UNITS.length - 1) {
    value /= 1_000
    unit++
  }
  return `${formatNumber(value, unit === 0 || value >= 100 ? 0 : 1)} ${UNITS[unit]}`
}

/**
 * `EUR 1,299.00`: `$` is the sign of a dozen currencies. Without one, a number with two digits.
 * Where it is too long, it breaks at the space, not within the number.
 */
export function formatMoney(amount: number, currency?: string): string {
  if (currency === undefined || !/^[A-Z]{3}$/.test(currency)) return formatNumber(amount, 2)
  return new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
  })
    .format(amount)
    .replaceAll('\u00a0', ' ')
}

/** `0.8 ms`, `124 ms`, `2.4 s`, `3 min`. */
export function formatDuration(ms: number): string {
  if (ms < 10) return `${formatNumber(ms, 1)} ms`
  if (ms < 1_000) return `${formatNumber(ms)} ms`
  if (ms < 60_000) return `${formatNumber(ms / 1_000, 1)} s`
  if (ms < 3_600_000) return `${formatNumber(ms / 60_000)} min`
  if (ms < 86_400_000) return `${formatNumber(ms / 3_600_000, 1)} h`
  return `${formatNumber(ms / 86_400_000)} days`
}
