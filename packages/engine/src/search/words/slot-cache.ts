import type { QuerySlot } from '../../query/plan.ts'
import { FilterCache } from '../view/filter-cache.ts'
import type { IndexView } from '../view/index-view.ts'
import { COPIED_BELOW, COPIED_POSTING_BYTES } from '../view/list-bits.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { ResolvedSlot } from './resolved-slot.ts'
import { mayBeMeant } from './respelt.ts'

/**
 * Visitors repeat words: of the words in 6,200 real queries, three quarters occur in an earlier
 * one. The alternatives of a word are cached with the view of an index, as far as they do not
 * depend on the other words of a query.
 */
interface KeptSlot {
  readonly resolved: ResolvedSlot
  /** Approximate size. */
  readonly byteLength: number
}

/** Bytes of cached words with their alternatives per view and thread. */
const SLOTS_BYTES = 40 * 1024 * 1024

const slotsByView = new WeakMap<IndexView, FilterCache<KeptSlot>>()

/** The words cached with a view, by `slotKey`. */
export function keptSlots(view: IndexView): FilterCache<KeptSlot> {
  let slots = slotsByView.get(view)
  if (slots === undefined) slotsByView.set(view, (slots = new FilterCache(SLOTS_BYTES)))
  return slots
}

/**
 * Bytes of a slot, of an alternative, and of its list in a segment (`slotLists`), which is opened
 * again where only the best alternatives are needed (`wordBounds`). Postings of short lists are
 * copied.
 */
const SLOT_BYTES = 800
const GROUP_BYTES = 80
const LIST_BYTES = 192
const QUALITY_BYTES = 320

/**
 * Key of everything that determines the alternatives of a slot in one generation of an index,
 * except the influence of other words on its corrections. Spellings over neighbouring words count
 * only if the catalog has them: most joined words do not exist.
 *
 * @returns undefined for a word with synonyms, which is not cached
 */
export function slotKey({ view, plan, tables }: SearchRun, slot: QuerySlot): string | undefined {
  const { form, stem, weight, unitOf, prefix, infix, edits } = slot
  if (slot.synonyms.length > 0 || slot.explained.length > 0) return undefined
  let key = `${tables.number} ${form} ${stem} ${weight} ${unitOf ?? ''} ${slot.stopword}`
  key += ` ${prefix} ${infix} ${edits}`
  if (plan.without !== undefined) key += ` without ${plan.without.join()}`
  for (const spelling of slot.joined) {
    if (view.terms.find(spelling.stem) < 0) continue
    key += ` ${spelling.bare === true ? '-' : '+'}${spelling.form} ${spelling.stem}`
  }
  // Infix search uses all joined spellings.
  if (infix !== 'off') for (const { form: whole } of slot.joined) key += ` ^${whole}`
  for (const text of slot.pieces ?? []) key += ` *${text}`
  key += textOfSplits(slot.splits)
  for (const words of slot.apart) {
    key += ' /'
    for (const word of words) key += ` ${word.form} ${word.stem}`
  }
  for (const spelling of slot.respelt) {
    if (!mayBeMeant(view, spelling)) continue
    key += ` ~${spelling.form} ${spelling.stem} ${spelling.edits}`
    key += textOfSplits(spelling.splits)
  }
  return key
}

/** Plans share the splits of a word, of which there are as many as it has letters. */
const textBySplits = new WeakMap<QuerySlot['splits'], string>()

function textOfSplits(splits: QuerySlot['splits']): string {
  if (splits.length === 0) return ''
  let text = textBySplits.get(splits)
  if (text === undefined) {
    text = splits.map(({ left, right }) => ` ${left}|${right}`).join('')
    textBySplits.set(splits, text)
  }
  return text
}

/** A resolved slot with its approximate size, for the cache. */
export function keptSlot({ terms, segments }: IndexView, resolved: ResolvedSlot): KeptSlot {
  const { groups, phrases } = resolved
  let byteLength = SLOT_BYTES + groups.length * GROUP_BYTES
  for (const { group, quality } of groups) {
    const docFreq = terms.groupDocFreq(group)
    byteLength +=
      docFreq < COPIED_BELOW ? docFreq * 2 * COPIED_POSTING_BYTES : segments.length * LIST_BYTES
    if (typeof quality !== 'number') byteLength += QUALITY_BYTES
  }
  for (const { documents } of phrases) {
    for (const { docOrds, evidence } of documents) {
      byteLength += docOrds.byteLength + evidence.byteLength
    }
  }
  return { resolved, byteLength }
}
