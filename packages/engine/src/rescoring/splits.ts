import type { QuerySlot, SearchPlan } from '../query/plan.ts'
import { WEIGHT_SPLIT } from '../scoring/formula.ts'
import type { WordRow, WordSource } from './word-catalog.ts'

export interface PhraseAlternative {
  readonly variant: 'split' | 'synonym'
  readonly words: readonly string[]
  readonly row: WordRow
  readonly quality: number
  /** Documents with the words side by side. Never 0. */
  readonly docFreq: number
}

/** The splits of a word whose halves are side by side in some document without the word itself. */
export function findSplitPairs(
  { fieldWeights }: SearchPlan,
  slot: QuerySlot,
  splits: QuerySlot['splits'],
  { catalog, analyzer }: WordSource,
  quality = WEIGHT_SPLIT,
): PhraseAlternative[] {
  const pairs: PhraseAlternative[] = []
  for (const { left, right } of splits) {
    const leftStem = analyzer.stem(left)
    const rightStem = analyzer.stem(right)
    if (catalog.formDocFreq(left) === 0 || catalog.groupDocFreq(rightStem) === 0) continue
    const row = { stems: [leftStem, rightStem], fieldWeights, without: slot.stem }
    const docFreq = catalog.rowDocFreq(row)
    if (docFreq === 0) continue
    pairs.push({ variant: 'split', words: [left, right], row, quality, docFreq })
  }
  return pairs
}

/** The letters and digits of a word, if documents write them apart. */
export function findApart(
  { fieldWeights }: SearchPlan,
  slot: QuerySlot,
  { catalog }: WordSource,
): PhraseAlternative[] {
  return slot.apart
    .map((words): PhraseAlternative => {
      const row = { stems: words.map((word) => word.stem), fieldWeights, without: slot.stem }
      const docFreq = catalog.rowDocFreq(row)
      const forms = words.map((word) => word.form)
      return { variant: 'split', words: forms, row, quality: WEIGHT_SPLIT, docFreq }
    })
    .filter(({ docFreq }) => docFreq > 0)
}
