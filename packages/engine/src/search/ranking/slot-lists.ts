import { SINGLE_FORM } from '../../postings/postings-format.ts'
import type { IndexView, SegmentView } from '../view/index-view.ts'
import type { GroupAlternative, ResolvedSlot } from '../words/resolved-slot.ts'
import { KEPT_LISTS_MAX } from '../words/slot-cache.ts'
import type { ListCursor } from './list-cursor.ts'

/** The list of an alternative in one segment. */
export interface SlotList extends ListCursor {
  readonly group: number
  /** Mask of the forms that match; undefined: all do. 0: none does. */
  forms: number | undefined
}

/** The lists of a slot in one segment. */
export interface SlotLists {
  /** Strong ones ("Evidence" in docs/ranking.md), whatever form a document has, come first. */
  readonly lists: readonly SlotList[]
  readonly strongCount: number
  /** Index of the longest of those that match. -1: there is none, or nobody has asked. */
  longest: number
  /** `forms` are known. */
  isUnited: boolean
}

/** Words with many alternatives whose lists are kept per segment, while a search needs them. */
const LARGE_SLOTS_MAX = 4

/** By the alternatives, which words that are kept have in common with what is made of them. */
const byGroups = new WeakMap<readonly GroupAlternative[], Map<SegmentView, SlotLists>>()
const largeBySegment = new WeakMap<SegmentView, Map<readonly GroupAlternative[], SlotLists>>()

/**
 * The lists of a slot that a segment has. A beginning has thousands, and each is asked for by those
 * who find, score and count documents: it is looked up once, for as long as the word is kept.
 */
export function slotLists({ groups }: ResolvedSlot, segment: SegmentView): SlotLists {
  if (groups.length > KEPT_LISTS_MAX) return largeSlotLists(groups, segment)
  let bySegment = byGroups.get(groups)
  if (bySegment === undefined) byGroups.set(groups, (bySegment = new Map()))
  let lists = bySegment.get(segment)
  if (lists === undefined) bySegment.set(segment, (lists = lookUp(groups, segment)))
  return lists
}

function largeSlotLists(groups: readonly GroupAlternative[], segment: SegmentView): SlotLists {
  let large = largeBySegment.get(segment)
  if (large === undefined) largeBySegment.set(segment, (large = new Map()))
  let lists = large.get(groups)
  if (lists === undefined) {
    lists = lookUp(groups, segment)
    if (large.size >= LARGE_SLOTS_MAX) large.clear()
    large.set(groups, lists)
  }
  return lists
}

/** The same as documents without scores: with the forms of each list. */
export function unitedLists(view: IndexView, slot: ResolvedSlot, segment: SegmentView): SlotLists {
  const lists = slotLists(slot, segment)
  if (!lists.isUnited) unite(view, segment, lists)
  return lists
}

function lookUp(groups: readonly GroupAlternative[], { reader }: SegmentView): SlotLists {
  const lists: SlotList[] = []
  const weak: SlotList[] = []
  for (const { group, quality, isStrong } of groups) {
    const list = reader.listOf(group)
    if (list < 0) continue
    const cursor = { list, quality, chunk: reader.listChunk[list]!, group, forms: 0 }
    if (isStrong) lists.push(cursor)
    else weak.push(cursor)
  }
  const strongCount = lists.length
  for (const list of weak) lists.push(list)
  return { lists, strongCount, longest: -1, isUnited: false }
}

function unite({ terms }: IndexView, { reader }: SegmentView, united: SlotLists): void {
  const { listMasks, listPosting } = reader
  let size = 0
  for (let i = 0; i < united.lists.length; i++) {
    const of = united.lists[i]!
    const { list, group, quality } = of
    const wanted = typeof quality === 'number' ? -1 : formsWith(quality)
    const masks = listMasks[list]!
    const isSingle = masks >= SINGLE_FORM
    if (isSingle && ((wanted >>> (masks & 31)) & 1) === 0) continue
    const isWhole =
      isSingle ||
      wanted === -1 ||
      terms.formsOf(group).every((form) => ((wanted >>> terms.numberOf(form)) & 1) === 1)
    of.forms = isWhole ? undefined : wanted
    const postings = listPosting[list + 1]! - listPosting[list]!
    if (postings <= size) continue
    size = postings
    united.longest = i
  }
  united.isUnited = true
}

/** Mask of the forms that match at all. */
function formsWith(quality: Float64Array): number {
  let forms = 0
  for (let number = 0; number < quality.length; number++) {
    if (quality[number]! > 0) forms |= 1 << number
  }
  return forms
}
