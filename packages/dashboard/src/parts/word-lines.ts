import type { SynonymItem } from '@aisle/client'

/** One entry a line: blanks at its ends do not count, nor do empty lines and repeated entries. */
export function linesToWords(text: string): string[] {
  const words = text.split('\n').map((line) => line.trim())
  return [...new Set(words.filter((word) => word !== ''))]
}

export function wordsToLines(words: readonly string[]): string {
  return words.join('\n')
}

/**
 * Parses items, one per line: `tent, shelter` matches both ways, `couch => sofa, settee` one way.
 * People keep such lines in spreadsheets; cells of CSV and TSV are words too.
 *
 * @returns the items, and the numbers of lines that are not items
 */
export function parseItems(text: string): {
  readonly items: readonly SynonymItem[]
  readonly badLines: readonly number[]
} {
  const items: SynonymItem[] = []
  const badLines: number[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const [left = '', right] = line.split(/[=-]>|→/)
    const synonyms = cells(right ?? left)
    const [root, ...more] = right === undefined ? [] : cells(left)
    const isWhole =
      right === undefined ? synonyms.length > 1 : root !== undefined && more.length === 0
    if (!isWhole || synonyms.length === 0) badLines.push(index + 1)
    else items.push(root === undefined ? { synonyms } : { synonyms, root })
  }
  return { items, badLines }
}

function cells(line: string): string[] {
  return linesToWords(
    line
      .replaceAll(/[,;\t]/g, '\n')
      .replaceAll('"', '')
      .replaceAll('\r', ''),
  )
}

/** In the format of `parseItems`. */
export function itemLine({ root, synonyms }: SynonymItem): string {
  return `${root === undefined ? '' : `${root} => `}${synonyms.join(', ')}`
}
