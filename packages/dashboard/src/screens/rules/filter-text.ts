/** A filter built from values, in the language of `filter_by`. */

const BARE = /^[\p{L}\p{M}\p{N}_]+$/u

export function valuesFilter(field: string, values: readonly string[]): string {
  const [first, ...others] = values.map(quoted)
  if (first === undefined) return ''
  return `${quoted(field)}:=${others.length === 0 ? first : `[${[first, ...others].join(', ')}]`}`
}

/** Both ends are included; an absent end is open. */
export function rangeFilter(field: string, min: number, max: number): string {
  const [from, to] = [min, max].map((end) => (Number.isFinite(end) ? String(end) : ''))
  return from === '' && to === '' ? '' : `${quoted(field)}:[${from}..${to}]`
}

function quoted(text: string): string {
  return BARE.test(text) ? text : `"${text.replace(/["`\\]/g, String.raw`\$&`)}"`
}
