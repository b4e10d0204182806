import type { SynonymItem } from '@aisle/client'
import { linesToWords } from '../../parts/word-lines.ts'

/** An item being edited. */
export interface SynonymDraft {
  readonly direction: 'both' | 'one'
  readonly root: string
  /** One per line. */
  readonly words: string
}

export const NEW_ITEM: SynonymDraft = { direction: 'both', root: '', words: '' }

export function draftOf({ root, synonyms }: SynonymItem): SynonymDraft {
  return {
    direction: root === undefined ? 'both' : 'one',
    root: root ?? '',
    words: synonyms.join('\n'),
  }
}

/** @returns the item, or what it still lacks */
export function itemOf(
  { direction, root, words }: SynonymDraft,
  id: string | undefined,
): SynonymItem | { readonly problem: string } {
  const synonyms = linesToWords(words)
  if (direction === 'one' && root.trim() === '') return { problem: 'Say what visitors type' }
  if (synonyms.length < (direction === 'both' ? 2 : 1)) {
    return { problem: direction === 'both' ? 'At least two are needed' : 'At least one is needed' }
  }
  return {
    ...(id === undefined ? {} : { id }),
    synonyms,
    ...(direction === 'one' ? { root: root.trim() } : {}),
  }
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
    const arrow = line.indexOf('=>')
    const synonyms = cells(arrow < 0 ? line : line.slice(arrow + 2))
    const [root, ...more] = arrow < 0 ? [] : cells(line.slice(0, arrow))
    const isWhole = arrow < 0 ? synonyms.length > 1 : root !== undefined && more.length === 0
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

export function itemWords({ root, synonyms }: SynonymItem): readonly string[] {
  return root === undefined ? synonyms : [root, ...synonyms]
}

/** In the format of `parseItems`. */
export function itemLine({ root, synonyms }: SynonymItem): string {
  return `${root === undefined ? '' : `${root} => `}${synonyms.join(', ')}`
}
