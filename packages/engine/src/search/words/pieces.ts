import { idsWithInfix, idsWithPrefix } from '../../dictionary/term-walks.ts'
import { isPieceOf, mayBeInside } from '../../query/pieces.ts'
import type { QuerySlot } from '../../query/plan.ts'
import { WEIGHT_PREFIX_KNOWN, WEIGHT_PREFIX_UNKNOWN } from '../../scoring/formula.ts'
import type { SearchRun } from '../view/search-run.ts'

/** Longer numbers that hold a word or a joined spelling of it. */
interface HeldPieces {
  /** The pieces that some form holds. */
  readonly texts: readonly string[]
  /** q by form. */
  readonly forms: ReadonlyMap<number, number>
  /** Sum over the forms, at most N. */
  readonly docFreq: number
}

/** Alternative 5 of docs/ranking.md: pieces of numbers. */
export function findPieces(run: SearchRun, { form: own, pieces = [] }: QuerySlot): HeldPieces {
  const { terms, trie, docCount } = run.view
  const texts: string[] = []
  const forms = new Map<number, number>()
  for (const text of pieces) {
    const id = terms.find(text)
    const isKnown = id >= 0 && terms.formDocFreq(id) > 0
    if (isKnown && text === own) continue
    run.checkDeadline()
    const quality = isKnown ? WEIGHT_PREFIX_KNOWN : WEIGHT_PREFIX_UNKNOWN
    const like = mayBeInside(text, own)
      ? idsWithInfix(terms, trie, text)
      : idsWithPrefix(terms, trie, text)
    let isHeld = false
    for (const form of like) {
      if (terms.formDocFreq(form) === 0 || !isPieceOf(terms.text(form), text)) continue
      forms.set(form, Math.max(quality, forms.get(form) ?? 0))
      isHeld = true
    }
    if (isHeld) texts.push(text)
  }
  let docFreq = 0
  for (const form of forms.keys()) docFreq += terms.formDocFreq(form)
  return { texts, forms, docFreq: Math.min(docCount, docFreq) }
}
