/** The field name of a filter by collections: `_collection:summer`. */
export const COLLECTION_FIELD = '_collection'

/**
 * The collections that a filter expression names, without parsing all of it: a filter that the
 * schema no longer suits still names them.
 */
export function collectionsIn(expression: string): string[] {
  const names = new Set<string>()
  let at = expression.indexOf(COLLECTION_FIELD)
  for (; at >= 0; at = expression.indexOf(COLLECTION_FIELD, at + 1)) {
    // It must be a whole name, not the end or the beginning of another.
    if (/[^\s(!&|"`{]/.test(expression.charAt(at - 1))) continue
    const reader = { expression, at: at + COLLECTION_FIELD.length }
    if (!eat(reader, '"')) eat(reader, '`')
    if (!eat(reader, ':')) continue
    if (!eat(reader, '!=')) eat(reader, '=')
    if (eat(reader, '[')) {
      do names.add(readName(reader, ITEM_END))
      while (eat(reader, ','))
    } else names.add(readName(reader, VALUE_END))
  }
  names.delete('')
  return [...names]
}

/** A filter for one collection, whatever the characters of its name. */
export function collectionFilter(name: string): string {
  return `${COLLECTION_FIELD}:${/^[\p{L}\p{N}_-]+$/u.test(name) ? name : `\`${name}\``}`
}

interface Reader {
  readonly expression: string
  at: number
}

const VALUE_END = /&&|\|\||[()}]|\s(?:and|or)\s/gi
const ITEM_END = /[,\]]/g

/** Whether this follows, after blanks; then reads on after it. */
function eat(reader: Reader, symbol: string): boolean {
  const { expression } = reader
  let at = reader.at
  while (/\s/.test(expression.charAt(at))) at++
  if (!expression.startsWith(symbol, at)) return false
  reader.at = at + symbol.length
  return true
}

function readName(reader: Reader, end: RegExp): string {
  const { expression } = reader
  while (expression[reader.at] === ' ') reader.at++
  const quote = expression[reader.at]
  if (quote === '`' || quote === '"') {
    const close = expression.indexOf(quote, reader.at + 1)
    const to = close < 0 ? expression.length : close
    const name = expression.slice(reader.at + 1, to)
    reader.at = to + 1
    while (expression[reader.at] === ' ') reader.at++
    return name
  }
  end.lastIndex = reader.at
  const to = end.exec(expression)?.index ?? expression.length
  const name = expression.slice(reader.at, to).trim()
  reader.at = to
  return name
}
