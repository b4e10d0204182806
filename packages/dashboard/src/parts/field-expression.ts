/**
 * A field as filter and facet expressions take it: by itself when it is a plain word, else quoted.
 */
export function fieldExpression(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : quotedValue(name)
}

/** A value, or a name, whatever is in it. */
export function quotedValue(value: string): string {
  return `"${value.replaceAll(/[\\"`]/g, '\\$&')}"`
}
