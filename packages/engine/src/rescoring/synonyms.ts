import type { QuerySlot, SearchPlan, Synonym } from '../query/plan.ts'
import type { WordCatalog } from './word-catalog.ts'

/** A synonym that occurs in live documents. */
export interface LivingSynonym {
  readonly forms: readonly string[]
  /** One stem: its whole stem group is an alternative. Several: a phrase. */
  readonly stems: readonly string[]
  /** Documents with the group (in any searchable field), or with the phrase in a searched one. */
  readonly docFreq: number
}

/** The synonyms of a slot that exist, in its order: alternative 7 of docs/ranking.md. */
export function findSynonyms(
  plan: SearchPlan,
  slot: Pick<QuerySlot, 'stem' | 'synonyms'>,
  catalog: WordCatalog,
): LivingSynonym[] {
  const byStems = new Map<string, LivingSynonym>()
  for (const synonym of slot.synonyms) {
    const stems = synonym.words.map((word) => word.stem)
    // A document with "tv set" already has "tv".
    if (stems.includes(slot.stem) || byStems.has(stems.join(' '))) continue
    const docFreq = docFreqOf(synonym, plan, catalog)
    if (docFreq === 0) continue
    const forms = synonym.words.map((word) => word.form)
    byStems.set(stems.join(' '), { forms, stems, docFreq })
  }
  return [...byStems.values()]
}

function docFreqOf({ words }: Synonym, { fieldWeights }: SearchPlan, catalog: WordCatalog): number {
  if (words.length === 1) return catalog.groupDocFreq(words[0]!.stem)
  return catalog.rowDocFreq({ stems: words.map((word) => word.stem), fieldWeights })
}
