import { documentsWithForms, formMasks } from '../filters/form-union.ts'
import type { IndexView, SegmentView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { InfixForms } from '../words/resolved-slot.ts'

/**
 * The documents of a segment with a form that contains a word. A frequent infix leads to thousands
 * of lists, so their union is cached.
 */
export function infixBits(run: SearchRun, infix: InfixForms, segment: SegmentView): Uint32Array {
  const key = `*${infix.texts.join('*')} ${run.tables.key}`
  let bits = segment.wordBits.get(key)
  if (bits === undefined) {
    const masks = masksOf(run.view, infix)
    bits = documentsWithForms(run, segment, masks, run.tables.of(segment))
    segment.wordBits.set(key, bits)
  }
  return bits
}

/** Cached, because a search visits one segment after the other. */
const masksOfForms = new WeakMap<InfixForms, ReadonlyMap<number, number>>()

function masksOf(view: IndexView, infix: InfixForms): ReadonlyMap<number, number> {
  let masks = masksOfForms.get(infix)
  if (masks === undefined) masksOfForms.set(infix, (masks = formMasks(view, infix.forms)))
  return masks
}
