import type { QuerySlot, SearchPlan, Synonym } from '../query/plan.ts'
import { standInRow } from './naive-document.ts'
import type { WordSource } from './naive-statistics.ts'

/** A synonym that some live document holds. */
export interface LivingSynonym {
  readonly forms: readonly string[]
  /** One stem: its whole stem group is an alternative. Several: a phrase. */
  readonly stems: readonly string[]
  /** Documents with the group (in any searchable field), or with the phrase in a searched one. */
  readonly docKeys: ReadonlySet<number>
}

/** The synonyms of a slot that exist, in its order: alternative 7 of docs/ranking.md. */
export function findSynonyms(
  plan: SearchPlan,
  slot: Pick<QuerySlot, 'stem' | 'synonyms'>,
  source: WordSource,
): LivingSynonym[] {
  const byStems = new Map<string, LivingSynonym>()
  for (const synonym of slot.synonyms) {
    const stems = synonym.words.map((word) => word.stem)
    // A document with "tv set" has "tv".
    if (stems.includes(slot.stem) || byStems.has(stems.join(' '))) continue
    const docKeys = documentsWith(synonym, plan, source)
    if (docKeys.size === 0) continue
    const forms = synonym.words.map((word) => word.form)
    byStems.set(stems.join(' '), { forms, stems, docKeys })
  }
  return [...byStems.values()]
}

function documentsWith(
  { words }: Synonym,
  plan: SearchPlan,
  { documents, statistics }: WordSource,
): ReadonlySet<number> {
  if (words.length === 1) return statistics.docKeysOfGroup(words[0]!.stem)
  return documentsWithPhrase(
    words.map((word) => word.stem),
    plan,
    documents,
  )
}

/** Documents with words of these stems side by side in a searched field. */
export function documentsWithPhrase(
  stems: readonly string[],
  plan: SearchPlan,
  documents: WordSource['documents'],
): ReadonlySet<number> {
  const holding = documents.filter((document) =>
    plan.fieldWeights.some((weight, field) => weight > 0 && standInRow(document, field, stems)),
  )
  return new Set(holding.map((document) => document.docKey))
}
