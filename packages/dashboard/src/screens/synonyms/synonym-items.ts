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
  if (direction === 'one' && root.trim() === '') return { problem: 'Enter what visitors type' }
  if (synonyms.length < (direction === 'both' ? 2 : 1)) {
    return { problem: direction === 'both' ? 'Enter at least two' : 'Enter at least one' }
  }
  return {
    ...(id === undefined ? {} : { id }),
    synonyms,
    ...(direction === 'one' ? { root: root.trim() } : {}),
  }
}

export function itemWords({ root, synonyms }: SynonymItem): readonly string[] {
  return root === undefined ? synonyms : [root, ...synonyms]
}
