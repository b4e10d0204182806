interface SynonymItem {
  readonly synonyms: readonly string[]
  readonly root?: string
}

/**
 * Parses synonyms in Solr's notation, which OpenSearch uses: `tv, television` find each other;
 * `telly, tube => tv` only finds the words after the arrow.
 */
export function synonymItems(lines: readonly string[]): {
  readonly items: readonly SynonymItem[]
  readonly unread: readonly string[]
} {
  const items: SynonymItem[] = []
  const unread: string[] = []
  for (const line of lines) {
    const sides = line.split('=>').map(wordsOf)
    const [left = [], right] = sides
    if (sides.length > 2 || left.length === 0) unread.push(line)
    else if (right === undefined) {
      if (left.length > 1) items.push({ synonyms: left })
      else unread.push(line)
    } else if (right.length === 0) unread.push(line)
    else for (const root of left) items.push({ root, synonyms: right })
  }
  return { items, unread }
}

function wordsOf(side: string): string[] {
  return side
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}
