import { isPieceOf, mayBeInside } from '../query/pieces.ts'
import type { QuerySlot } from '../query/plan.ts'
import { WEIGHT_PREFIX_KNOWN, WEIGHT_PREFIX_UNKNOWN } from '../scoring/formula.ts'
import type { WordCatalog } from './word-catalog.ts'

/** Alternative 5: longer numbers that hold the word or a joined spelling of it. */
export interface HeldPieces {
  /** The pieces that some form holds. */
  readonly texts: readonly string[]
  /** q by form. */
  readonly forms: ReadonlyMap<string, number>
}

export function findPieces(
  { form: own, pieces = [] }: QuerySlot,
  catalog: WordCatalog,
): HeldPieces {
  const texts: string[] = []
  const forms = new Map<string, number>()
  for (const text of pieces) {
    const isKnown = catalog.formDocFreq(text) > 0
    if (isKnown && text === own) continue
    const isInside = mayBeInside(text, own)
    const holding = catalog
      .formsLike(isInside ? { kind: 'inside', texts: [text] } : { kind: 'beginning', text })
      .filter(
        (form) =>
          (isInside || form.startsWith(text)) &&
          isPieceOf(form, text) &&
          catalog.formDocFreq(form) > 0,
      )
    if (holding.length === 0) continue
    texts.push(text)
    const quality = isKnown ? WEIGHT_PREFIX_KNOWN : WEIGHT_PREFIX_UNKNOWN
    for (const form of holding) forms.set(form, Math.max(quality, forms.get(form) ?? 0))
  }
  return { texts, forms }
}
