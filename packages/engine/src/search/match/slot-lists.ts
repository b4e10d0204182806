import { SINGLE_FORM } from '../../postings/postings-format.ts'
import { WEIGHT_STRONG_MIN } from '../../scoring/formula.ts'
import type { IndexView, SegmentView } from '../view/index-view.ts'
import type { GroupAlternative, ResolvedSlot } from '../words/resolved-slot.ts'
import { fewCount, FewPostingsBuilder, type FewPostings } from './few-postings.ts'
import type { ListCursor } from './list-cursor.ts'

/** The list of an alternative in one segment. */
export interface SlotList extends ListCursor {
  readonly group: number
  /** Whether every form in the catalog matches. */
  readonly isWhole: boolean
  /** Mask of the matching forms; undefined: all. 0: none. */
  forms: number | undefined
}

/** The lists of a slot in one segment. */
export interface SlotLists {
  /** Strong ones ("Evidence" in docs/ranking.md), regardless of the document's form, come first. */
  readonly lists: readonly SlotList[]
  readonly strongCount: number
  /** Whether some of the others have a strong form too: `tables` may be weak, `table` not. */
  readonly hasMixed: boolean
  /** Postings of the short lists, which are not in `lists`: of strong ones, and of the others. */
  readonly fewStrong: FewPostings | undefined
  readonly fewWeak: FewPostings | undefined
  /** The list with nearly all postings of the slot, if one has. */
  readonly main: SlotList | undefined
  /** Index of the longest matching list. -1: none, or not computed yet. */
  longest: number
  /** Whether `forms` are known. */
  isUnited: boolean
}

/** By the alternatives, which cached words share with everything derived from them. */
const byGroups = new WeakMap<readonly GroupAlternative[], Map<SegmentView, SlotLists>>()

/**
 * The lists of a slot in a segment. A prefix has thousands, and finding, scoring and counting
 * documents all need them: they are looked up once, while the word is cached.
 */
export function slotLists({ groups }: ResolvedSlot, segment: SegmentView): SlotLists {
  let bySegment = byGroups.get(groups)
  if (bySegment === undefined) byGroups.set(groups, (bySegment = new Map()))
  let lists = bySegment.get(segment)
  if (lists === undefined) bySegment.set(segment, (lists = lookUp(groups, segment)))
  return lists
}

/** The same for unscored use: with the forms of each list. */
export function unitedLists(view: IndexView, slot: ResolvedSlot, segment: SegmentView): SlotLists {
  const lists = slotLists(slot, segment)
  if (!lists.isUnited) unite(view, segment, lists)
  return lists
}

function lookUp(groups: readonly GroupAlternative[], segment: SegmentView): SlotLists {
  const lists: SlotList[] = []
  const fewStrong = open(groups, true, segment, lists)
  const strongCount = lists.length
  const fewWeak = open(groups, false, segment, lists)
  const fewPostings = fewCount(fewStrong) + fewCount(fewWeak)
  const main = mainOf(lists, fewPostings, segment)
  const hasMixed = groups.some(({ isStrong, best }) => !isStrong && best >= WEIGHT_STRONG_MIN)
  return { lists, strongCount, hasMixed, fewStrong, fewWeak, main, longest: -1, isUnited: false }
}

/** A list this many times as long as the others together is the main one. */
const MAIN_LIST_RATIO = 8

function mainOf(
  lists: readonly SlotList[],
  fewPostings: number,
  { reader: { listPosting } }: SegmentView,
): SlotList | undefined {
  let main: SlotList | undefined
  let longest = 0
  let total = fewPostings
  for (let i = 0; i < lists.length; i++) {
    const { list } = lists[i]!
    const postings = listPosting[list + 1]! - listPosting[list]!
    total += postings
    if (postings <= longest) continue
    longest = postings
    main = lists[i]
  }
  return (total - longest) * MAIN_LIST_RATIO > longest ? undefined : main
}

/**
 * Adds the lists of the strong alternatives, or of the others.
 * @returns the postings of the short ones
 */
function open(
  groups: readonly GroupAlternative[],
  strong: boolean,
  segment: SegmentView,
  lists: SlotList[],
): FewPostings | undefined {
  const { reader } = segment
  // The only list of a word needs no union.
  const few = groups.length > 1 ? new FewPostingsBuilder(segment) : undefined
  for (let i = 0; i < groups.length; i++) {
    const { group, quality, isStrong, isWhole } = groups[i]!
    if (isStrong !== strong) continue
    const list = reader.listOf(group)
    if (list < 0 || few?.add(list, quality) === true) continue
    lists.push({ list, quality, chunk: reader.listChunk[list]!, group, isWhole, forms: 0 })
  }
  return few?.finish()
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

/** Mask of all matching forms. */
function formsWith(quality: Float64Array): number {
  let forms = 0
  for (let number = 0; number < quality.length; number++) {
    if (quality[number]! > 0) forms |= 1 << number
  }
  return forms
}
