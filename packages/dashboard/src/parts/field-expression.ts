/** A field name for filter and facet expressions: unquoted if it is a plain word. */
export function fieldExpression(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : quotedValue(name)
}

/** A value or a name, quoted if necessary. */
export function quotedValue(value: string): string {
  return `"${value.replaceAll(/[\\"`]/g, '\\$&')}"`
}
