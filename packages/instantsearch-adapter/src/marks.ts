import type { Highlighted, HighlightTree } from './algolia-types.ts'

/** Tags around a highlighted part. */
export interface Tags {
  readonly pre: string
  readonly post: string
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/**
 * Converts highlighted text. The service escapes text for HTML and puts `<mark>` around matches, so
 * that a `<mark>` in the text itself is not taken for one; InstantSearch expects unescaped text and
 * its own tags.
 *
 * @param html text with marks, as in an answer of the service
 */
export function highlighted(html: string, tags: Tags): Highlighted {
  const matchedWords: string[] = []
  const value = html
    .split('<mark>')
    .map((part, i) => {
      if (i === 0) return unescaped(part)
      const [match = '', rest = ''] = part.split('</mark>')
      const word = unescaped(match)
      matchedWords.push(word.toLowerCase())
      return tags.pre + word + tags.post + unescaped(rest)
    })
    .join('')
  const words = Array.from(new Set(matchedWords))
  return { value, matchLevel: words.length > 0 ? 'full' : 'none', matchedWords: words }
}

/**
 * Adds highlights for all fields of a hit. A field without matches needs one too: InstantSearch
 * shows an empty text otherwise.
 *
 * @param marked fields with marks, as in an answer of the service
 * @param isWanted selects fields by name
 */
export function highlightTree(
  document: Readonly<Record<string, unknown>>,
  marked: Readonly<Record<string, unknown>>,
  tags: Tags,
  isWanted: (field: string) => boolean,
): HighlightTree {
  const tree: Record<string, HighlightTree[string]> = {}
  for (const field of new Set([...Object.keys(document), ...Object.keys(marked)])) {
    if (!isWanted(field)) continue
    const node = nodeOf(document[field], marked[field], tags)
    if (node !== undefined) tree[field] = node
  }
  return tree
}

function nodeOf(value: unknown, marked: unknown, tags: Tags): HighlightTree[string] | undefined {
  if (typeof marked === 'string') return highlighted(marked, tags)
  const elements = Array.isArray(value) ? value : Array.isArray(marked) ? marked : undefined
  if (elements !== undefined) {
    const marks: readonly unknown[] = Array.isArray(marked) ? marked : []
    return elements.map((one, i) => nodeOf(one, marks[i], tags))
  }
  if (value === undefined || value === null) return undefined
  if (typeof value === 'object') {
    return highlightTree(value as Readonly<Record<string, unknown>>, {}, tags, () => true)
  }
  return {
    value: typeof value === 'string' ? value : JSON.stringify(value),
    matchLevel: 'none',
    matchedWords: [],
  }
}

function unescaped(html: string): string {
  return html.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]!)
}
