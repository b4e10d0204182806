import { kindOfQuality, WEIGHT_BARE, WEIGHT_JOINED, WEIGHT_NEIGHBOUR } from '../scoring/formula.ts'
import type { AlternativeVariant } from './explanation.ts'
import type { QuerySlot } from './plan.ts'

/**
 * The kind of alternative by which a form matches a word.
 *
 * @param quality of the form: that of the best kind, if it is of several
 * @param hasNeighbours whether forms near a known word match too
 */
export function variantOf(
  { form, stem, joined, synonyms, explained }: QuerySlot,
  found: { readonly form: string; readonly stem: string },
  quality: number,
  hasNeighbours: boolean,
): AlternativeVariant {
  if (found.form === form) return 'exact'
  if (found.stem === stem) return 'stem'
  const all = [...synonyms, ...explained.flatMap((word) => word.synonyms)]
  const isSynonym = all.some(({ words }) => words.length === 1 && words[0]!.stem === found.stem)
  const spelling = joined.find((one) => one.stem === found.stem)
  if (spelling !== undefined) {
    if (spelling.bare !== true) return 'joined'
    const isOfBare = quality === WEIGHT_BARE || quality === WEIGHT_JOINED
    return isSynonym && !isOfBare ? 'synonym' : 'bare'
  }
  // A correction may also start like the word.
  const kind = kindOfQuality(quality)
  if (kind !== undefined) return kind
  if (isSynonym) return 'synonym'
  return hasNeighbours && quality <= WEIGHT_NEIGHBOUR ? 'neighbour' : 'typo'
}
