import type { SynonymItem } from '@aisle/contract'

/** Synonyms as lines: `sofa, couch`, and one-way `sneakers -> trainers, running shoe`. */
export function linesOfSynonyms(items: readonly SynonymItem[]): string {
  return items
    .map(({ root, synonyms }) => {
      const words = synonyms.join(', ')
      return root === undefined ? words : `${root} -> ${words}`
    })
    .join('\n')
}

/** @returns items, and lines that are none */
export function synonymsOfLines(text: string): {
  readonly items: readonly SynonymItem[]
  readonly faults: readonly string[]
} {
  const items: SynonymItem[] = []
  const faults: string[] = []
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const [left = '', right] = line.split(/->|→/)
    const words = (right ?? left)
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '')
    const root = right === undefined ? undefined : left.trim()
    if (root === undefined ? words.length >= 2 : words.length >= 1 && root !== '') {
      items.push(root === undefined ? { synonyms: words } : { root, synonyms: words })
    } else faults.push(line.trim())
  }
  return { items, faults }
}
