/**
 * The values of one row in the text format of COPY, without its line end: separated by tabs, `\N`
 * is null.
 */
export function copiedValues(line: string): (string | null)[] {
  const values: (string | null)[] = line.split('\t')
  if (!line.includes('\\')) return values
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    if (value === '\\N') values[i] = null
    else if (value.includes('\\')) values[i] = unescaped(value)
  }
  return values
}

const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

function unescaped(value: string): string {
  let text = ''
  let from = 0
  for (let at = value.indexOf('\\'); at !== -1; at = value.indexOf('\\', from)) {
    const character = value[at + 1] ?? ''
    text += value.slice(from, at) + (ESCAPES[character] ?? character)
    from = at + 2
  }
  return text + value.slice(from)
}
