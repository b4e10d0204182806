import type { Analyzer } from '../../analysis/analyzer.ts'
import { compareByCodePoint } from '../../codec/code-point-order.ts'
import { ranksInArea } from '../../columns/area-ranks.ts'
import type { Column } from '../../columns/column-reader.ts'
import type { RankRange } from '../../columns/rank-search.ts'
import {
  firstFoldedRank,
  ranksEqual,
  ranksStarting,
  ranksWithin,
} from '../../columns/rank-search.ts'
import type { FilterLeaf } from '../../query/filter.ts'
import type { ValueIndex, WantedWord } from '../view/value-index.ts'
import { begunWord, wholeWord, wordsOf } from '../words/value-words.ts'

/** A leaf that tests the values of a column. */
export type ValueLeaf = Exclude<FilterLeaf, { kind: 'ids' }>

/** Values analysed between two deadline checks. */
const VALUES_PER_CHECK = 256

export interface LeafContext {
  readonly analyzer: Analyzer
  readonly checkDeadline: () => void
  /** The words of the texts of the column; undefined: each is analysed. */
  readonly valueIndex?: ValueIndex | undefined
}

/** @returns the ranks of the values that match a leaf, if they are certainly contiguous */
export function rankRangeOf(
  leaf: ValueLeaf,
  column: Column,
  { analyzer }: Pick<LeafContext, 'analyzer'>,
): RankRange | undefined {
  switch (leaf.kind) {
    case 'exists':
      return { from: 0, to: column.valueCount }
    case 'equals':
      return ranksEqual(column, leaf.value, analyzer.fold)
    case 'valuePrefix':
      return ranksStarting(column, leaf.prefix, analyzer.fold)
    case 'range':
      return ranksWithin(column, leaf)
    case 'within':
    case 'words':
    case 'wordPrefix':
      return undefined
  }
}

/**
 * Marks the ranks of values that match any of the leaves, all of one field.
 *
 * @param accepted by rank, 1 = yes
 */
export function acceptRanks(
  leaves: readonly ValueLeaf[],
  column: Column,
  context: LeafContext,
  accepted: Uint8Array,
): void {
  const texts: string[] = []
  for (const leaf of leaves) {
    if (leaf.kind === 'words') {
      const wanted = leaf.forms.map((form) => ({ form, isBegun: false }))
      acceptWords(wanted, column, context, accepted)
    } else if (leaf.kind === 'wordPrefix') {
      acceptWords([{ form: leaf.prefix, isBegun: true }], column, context, accepted)
    } else if (leaf.kind === 'within') {
      const ranges = ranksInArea(column, leaf.area, context.checkDeadline)
      for (let i = 0; i < ranges.length; i += 2) accepted.fill(1, ranges[i], ranges[i + 1])
    } else if (leaf.kind === 'equals' && column.type === 'string') {
      if (typeof leaf.value === 'string') texts.push(leaf.value)
    } else {
      const range = rankRangeOf(leaf, column, context)!
      if (range.from < range.to) accepted.fill(1, range.from, range.to)
    }
  }
  if (texts.length === 0) return
  texts.sort(compareByCodePoint)
  const { fold } = context.analyzer
  acceptTexts(texts, 0, texts.length, 0, column.valueCount, column, fold, accepted, context)
}

function acceptWords(
  words: readonly WantedWord[],
  column: Column,
  { analyzer, checkDeadline, valueIndex }: LeafContext,
  accepted: Uint8Array,
): void {
  if (valueIndex !== undefined) return acceptIds(valueIndex.idsWith(words), column, accepted)
  const wanted = words.map(({ form, isBegun }) => (isBegun ? begunWord(form) : wholeWord(form)))
  for (let rank = 0; rank < column.valueCount; rank++) {
    if (rank % VALUES_PER_CHECK === 0) checkDeadline()
    if (accepted[rank] === 1) continue
    const own = wordsOf(column.label(rank), analyzer)
    if (wanted.every((word) => own.includes(word))) accepted[rank] = 1
  }
}

/** @param ids of texts in the dictionary of the column */
function acceptIds(ids: Uint32Array, column: Column, accepted: Uint8Array): void {
  const [last] = ids.slice(-1)
  if (last === undefined) return
  const isWanted = new Uint8Array(last + 1)
  for (const id of ids) isWanted[id] = 1
  const { valueIds } = column
  for (let rank = 0; rank < valueIds.length; rank++)
    accepted[rank]! |= isWanted[valueIds[rank]!] ?? 0
}

/**
 * Looks up many folded texts: the middle one first, which halves the range for the others.
 *
 * @param texts ascending; `from .. to - 1` are looked up, among ranks `low .. high - 1`
 */
function acceptTexts(
  texts: readonly string[],
  from: number,
  to: number,
  low: number,
  high: number,
  column: Column,
  fold: (text: string) => string,
  accepted: Uint8Array,
  context: LeafContext,
): void {
  if (from >= to || low >= high) return
  if (to - from > VALUES_PER_CHECK) context.checkDeadline()
  const middle = (from + to) >>> 1
  const text = texts[middle]!
  const first = firstFoldedRank(column, text, false, fold, low, high)
  let behind = first
  while (behind < high && fold(column.text(behind)) === text) accepted[behind++] = 1
  acceptTexts(texts, from, middle, low, first, column, fold, accepted, context)
  acceptTexts(texts, middle + 1, to, behind, high, column, fold, accepted, context)
}
