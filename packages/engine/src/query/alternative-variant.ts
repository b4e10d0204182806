import type { AlternativeVariant } from './explanation.ts'
import type { QuerySlot } from './plan.ts'

/**
 * The kind of alternative by which a form matches a word.
 *
 * @param kind kind implied by the quality (`kindOfQuality`); a correction may also start like the
 * word
 */
export function variantOf(
  { form, stem, joined, synonyms, explained }: QuerySlot,
  found: { readonly form: string; readonly stem: string },
  kind: 'compound' | 'prefix' | undefined,
  isNeighbour: boolean,
): AlternativeVariant {
  if (found.form === form) return 'exact'
  if (found.stem === stem) return 'stem'
  const spelling = joined.find((one) => one.stem === found.stem)
  if (spelling !== undefined) return spelling.bare === true ? 'bare' : 'joined'
  if (kind !== undefined) return kind
  const all = [...synonyms, ...explained.flatMap((word) => word.synonyms)]
  const isSynonym = all.some(({ words }) => words.length === 1 && words[0]!.stem === found.stem)
  if (isSynonym) return 'synonym'
  return isNeighbour ? 'neighbour' : 'typo'
}
