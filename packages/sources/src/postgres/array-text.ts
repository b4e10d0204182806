/** An array as PostgreSQL writes it: values, nulls, and arrays of further dimensions. */
export type ArrayText = readonly (string | null | ArrayText)[]

/**
 * Reads the text of an array, such as `{a,"b c",NULL,{d}}` or `[0:1]={a,b}`.
 *
 * @param delimiter `,` for all types but `box`
 * @returns `undefined` if the text is not an array
 */
export function readArray(text: string, delimiter = ','): ArrayText | undefined {
  const bounds = text.startsWith('[') ? text.indexOf('=') + 1 : 0
  const outer: (string | null | ArrayText)[] = []
  const open: (string | null | ArrayText)[][] = [outer]
  let at = bounds
  while (at < text.length) {
    const inner = open.at(-1)!
    const character = text[at]!
    if (character === '{') {
      const array: (string | null | ArrayText)[] = []
      inner.push(array)
      open.push(array)
      at++
    } else if (character === '}') {
      if (open.length === 1) return undefined
      open.pop()
      at++
    } else if (character === delimiter) {
      at++
    } else if (character === '"') {
      const quoted = readQuoted(text, at + 1)
      if (quoted === undefined) return undefined
      inner.push(quoted.value)
      at = quoted.end
    } else {
      let end = at
      while (end < text.length && text[end] !== delimiter && text[end] !== '}') end++
      const value = text.slice(at, end)
      inner.push(value === 'NULL' ? null : value)
      at = end
    }
  }
  const [array] = outer
  return open.length === 1 && outer.length === 1 && Array.isArray(array) ? array : undefined
}

function readQuoted(text: string, from: number): { value: string; end: number } | undefined {
  let value = ''
  let start = from
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') {
      value += text.slice(start, at)
      start = ++at
    } else if (text[at] === '"') {
      return { value: value + text.slice(start, at), end: at + 1 }
    }
  }
  return undefined
}
