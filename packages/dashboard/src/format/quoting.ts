/** Texts as parts of shell commands and of the filter language. */

/** One word of a POSIX shell, whatever is in it. */
export function shellText(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** A field name for filter and facet expressions: unquoted if it is a plain word. */
export function fieldExpression(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : quotedValue(name)
}

/** A value or a name, quoted if necessary. */
export function quotedValue(value: string): string {
  return `"${value.replaceAll(/[\\"`]/g, '\\$&')}"`
}

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
