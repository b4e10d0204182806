import type { IndexView } from '../view/index-view.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'

/**
 * Approximate number of postings to read for a slot, without those of deleted documents. The words
 * with a short prefix are not counted: it may match every document.
 */
export function postingsOf(
  { terms, docCount }: IndexView,
  { groups, phrases, shortPrefix, infix }: ResolvedSlot,
): number {
  let size = (shortPrefix === undefined ? 0 : docCount) + (infix?.docFreq ?? 0)
  for (let i = 0; i < groups.length; i++) size += terms.groupDocFreq(groups[i]!.group)
  for (const { documents } of phrases) {
    for (const { docOrds } of documents) size += docOrds.length
  }
  return size
}
