import type { SegmentView } from '../view/index-view.ts'
import type { ResolvedSlot } from '../words/resolved-slot.ts'

/** The list of an alternative in one segment. */
export interface SlotList {
  readonly list: number
  readonly group: number
  readonly quality: Float64Array | number
}

const bySlot = new WeakMap<ResolvedSlot, Map<SegmentView, readonly SlotList[]>>()

/**
 * The lists of a slot that a segment has. A beginning has thousands, and each is asked for by those
 * who find, score and count documents: it is looked up once.
 */
export function slotLists(slot: ResolvedSlot, segment: SegmentView): readonly SlotList[] {
  let bySegment = bySlot.get(slot)
  if (bySegment === undefined) bySlot.set(slot, (bySegment = new Map()))
  let lists = bySegment.get(segment)
  if (lists === undefined) bySegment.set(segment, (lists = lookUp(slot, segment)))
  return lists
}

function lookUp({ groups }: ResolvedSlot, { reader }: SegmentView): readonly SlotList[] {
  const lists: SlotList[] = []
  for (const { group, quality } of groups) {
    const list = reader.listOf(group)
    if (list >= 0) lists.push({ list, group, quality })
  }
  return lists
}
