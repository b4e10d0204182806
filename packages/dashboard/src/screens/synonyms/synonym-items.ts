import type { SynonymItem } from '@aisle/client'
import type { FieldView } from '../../parts/changed-meanwhile.tsx'
import type { QuerySet } from '../../parts/query-sets.ts'
import { requireUnchanged } from '../../parts/store-queries.ts'
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

/**
 * A set with one item replaced, wherever it is now: others may have changed the rest of the set.
 *
 * @param before undefined: `after` is added
 * @param after undefined: `before` is removed
 * @throws RefusedError if somebody else has changed `before`
 */
export function withItem(
  set: QuerySet<SynonymItem>,
  before: SynonymItem | undefined,
  after: SynonymItem | undefined,
): QuerySet<SynonymItem> {
  const wanted = JSON.stringify(before)
  const at =
    before === undefined
      ? set.entries.length
      : set.entries.findIndex((one) => JSON.stringify(one) === wanted)
  if (at < 0) requireUnchanged(undefined, before)
  return { ...set, entries: set.entries.toSpliced(at, 1, ...(after === undefined ? [] : [after])) }
}

const LABELS: Readonly<Record<string, string>> = {
  direction: 'Direction',
  root: 'A query for',
  words: 'Words',
}

export const ITEM_VIEW: FieldView<SynonymDraft> = {
  of: (draft) => ({ ...draft }),
  back: (fields, mine) => ({ ...mine, ...fields }),
  label: (name) => LABELS[name] ?? name,
  text: (value, name) =>
    name === 'direction'
      ? value === 'both'
        ? 'Both ways'
        : 'One way'
      : String(value).split('\n').join(', '),
}
