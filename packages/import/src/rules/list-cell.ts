/*
 * Several values in one cell: `p-1; p-2`. A semicolon, a backslash, and a space at either end of a
 * value are written with a backslash before them.
 */

export function listCell(values: readonly string[]): string {
  return values.map(escaped).join('; ')
}

function escaped(value: string): string {
  let text = ''
  for (const [i, character] of [...value].entries()) text += mark(character, i) + character
  const last = value.at(-1)
  const isPlainEnd = value.length > 1 && last !== undefined && isSpace(last)
  return isPlainEnd ? `${text.slice(0, -1)}\\${last}` : text
}

function mark(character: string, at: number): string {
  if (character === ';' || character === '\\') return '\\'
  return at === 0 && isSpace(character) ? '\\' : ''
}

export function cellList(cell: string): string[] {
  const values: string[] = []
  let value = ''
  /** Up to where spaces at the end are part of the value. */
  let kept = 0
  const end = (): void => {
    const trimmed = trimmedEnd(value, kept)
    if (trimmed !== '') values.push(trimmed)
    value = ''
    kept = 0
  }
  for (let at = 0; at < cell.length; at++) {
    const character = cell[at]!
    if (character === '\\' && at + 1 < cell.length) {
      value += cell[++at]!
      kept = value.length
    } else if (character === ';') end()
    else if (value !== '' || !isSpace(character)) value += character
  }
  end()
  return values
}

function trimmedEnd(value: string, kept: number): string {
  let end = value.length
  while (end > kept && isSpace(value[end - 1]!)) end--
  return value.slice(0, end)
}

function isSpace(character: string): boolean {
  return character.trim() === ''
}
