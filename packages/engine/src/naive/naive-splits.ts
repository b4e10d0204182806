import type { QuerySlot, SearchPlan } from '../query/plan.ts'
import { WEIGHT_SPLIT } from '../scoring/formula.ts'
import type { NaiveDocument } from './naive-document.ts'
import { tokensOf } from './naive-document.ts'
import type { WordSource } from './naive-statistics.ts'
import { documentsWithPhrase } from './naive-synonyms.ts'

export interface PhraseAlternative {
  readonly variant: 'split' | 'synonym'
  readonly words: readonly string[]
  readonly stems: readonly string[]
  readonly quality: number
  /** Documents with the words side by side in a searched field. Never empty. */
  readonly docKeys: ReadonlySet<number>
}

/** The cuts of a word whose halves stand side by side in some document without the word itself. */
export function findSplitPairs(
  plan: SearchPlan,
  slot: QuerySlot,
  splits: QuerySlot['splits'],
  source: WordSource,
  quality = WEIGHT_SPLIT,
): PhraseAlternative[] {
  const { documents, statistics, analyzer } = source
  const pairs: PhraseAlternative[] = []
  for (const { left, right } of splits) {
    const leftStem = analyzer.stem(left)
    const rightStem = analyzer.stem(right)
    if (statistics.formDocFreq(left) === 0 || statistics.groupDocFreq(rightStem) === 0) continue
    const stems = [leftStem, rightStem]
    const docKeys = documentsWithPhrase(stems, plan, without(slot, plan, documents))
    if (docKeys.size === 0) continue
    pairs.push({ variant: 'split', words: [left, right], stems, quality, docKeys })
  }
  return pairs
}

/** The documents that do not hold the word in a searched field. */
function without(
  { stem }: QuerySlot,
  { fieldWeights }: SearchPlan,
  documents: readonly NaiveDocument[],
): readonly NaiveDocument[] {
  const holds = (document: NaiveDocument) =>
    fieldWeights.some(
      (weight, field) =>
        weight > 0 && tokensOf(document, field).some((token) => token.stem === stem),
    )
  return documents.filter((document) => !holds(document))
}

/** The letters and digits of a word, where documents write them apart. */
export function findApart(
  plan: SearchPlan,
  slot: QuerySlot,
  { documents }: WordSource,
): PhraseAlternative[] {
  return slot.apart
    .map((words): PhraseAlternative => {
      const stems = words.map((word) => word.stem)
      const docKeys = documentsWithPhrase(stems, plan, without(slot, plan, documents))
      const forms = words.map((word) => word.form)
      return { variant: 'split', words: forms, stems, quality: WEIGHT_SPLIT, docKeys }
    })
    .filter(({ docKeys }) => docKeys.size > 0)
}
