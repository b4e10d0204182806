import type { Analyzer } from '../../analysis/analyzer.ts'
import { compareByCodePoint } from '../../codec/code-point-order.ts'
import type { Column } from '../../columns/column-reader.ts'
import type { RankRange } from '../../columns/rank-search.ts'
import {
  firstFoldedRank,
  ranksEqual,
  ranksStarting,
  ranksWithin,
} from '../../columns/rank-search.ts'
import type { FilterLeaf } from '../../query/filter.ts'
import { pause, type Pace, type Steps } from '../view/steps.ts'
import type { ValueIndex, WordList } from '../view/value-index.ts'
import type { ValueWords } from '../view/value-words.ts'
import { WordsQuery } from '../view/words-query.ts'
import { rangesInArea } from './area-bits.ts'

/** A leaf that tests the values of a column. */
export type ValueLeaf = Exclude<FilterLeaf, { kind: 'ids' } | { kind: 'near' }>

/** Values analysed between two looks at the clock. */
const VALUES_PER_CHECK = 256

export interface LeafContext extends Pace {
  readonly analyzer: Analyzer
  readonly valueWords: ValueWords
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
export function* acceptRanks(
  leaves: readonly ValueLeaf[],
  column: Column,
  context: LeafContext,
  accepted: Uint8Array,
): Steps {
  const texts: string[] = []
  const words: WordList[] = []
  for (const leaf of leaves) {
    if (leaf.kind === 'words') {
      words.push(leaf.forms.map((form) => ({ form, isBegun: false })))
    } else if (leaf.kind === 'wordPrefix') {
      words.push([{ form: leaf.prefix, isBegun: true }])
    } else if (leaf.kind === 'within') {
      const ranges = yield* rangesInArea(column, leaf.area, context)
      for (let i = 0; i < ranges.length; i += 2) accepted.fill(1, ranges[i], ranges[i + 1])
    } else if (leaf.kind === 'equals' && column.type === 'string') {
      if (typeof leaf.value === 'string') texts.push(leaf.value)
    } else {
      const range = rankRangeOf(leaf, column, context)!
      if (range.from < range.to) accepted.fill(1, range.from, range.to)
    }
  }
  if (words.length > 0) yield* acceptWords(words, column, context, accepted)
  if (texts.length === 0) return
  texts.sort(compareByCodePoint)
  const { fold } = context.analyzer
  yield* acceptTexts(texts, 0, texts.length, 0, column.valueCount, column, fold, accepted, context)
}

function* acceptWords(
  lists: readonly WordList[],
  column: Column,
  context: LeafContext,
  accepted: Uint8Array,
): Steps {
  const { analyzer, valueWords, valueIndex } = context
  if (valueIndex !== undefined) {
    const ids = yield* valueIndex.idsWithAny(lists, context)
    return ids.markIn(column.valueIds, accepted)
  }
  const query = new WordsQuery(lists)
  for (let rank = 0; rank < column.valueCount; rank++) {
    if (rank % VALUES_PER_CHECK === 0) yield* pause(context)
    if (accepted[rank] === 1) continue
    if (query.matches(valueWords.formsOf(column.label(rank), analyzer))) accepted[rank] = 1
  }
}

/**
 * Looks up many folded texts: the middle one first, which halves the range for the others.
 *
 * @param texts ascending; `from .. to - 1` are looked up, among ranks `low .. high - 1`
 */
function* acceptTexts(
  texts: readonly string[],
  from: number,
  to: number,
  low: number,
  high: number,
  column: Column,
  fold: (text: string) => string,
  accepted: Uint8Array,
  context: LeafContext,
): Steps {
  if (from >= to || low >= high) return
  if (to - from > VALUES_PER_CHECK) yield* pause(context)
  const middle = (from + to) >>> 1
  const text = texts[middle]!
  const first = firstFoldedRank(column, text, false, fold, low, high)
  let behind = first
  while (behind < high && fold(column.text(behind)) === text) accepted[behind++] = 1
  yield* acceptTexts(texts, from, middle, low, first, column, fold, accepted, context)
  yield* acceptTexts(texts, middle + 1, to, behind, high, column, fold, accepted, context)
}
