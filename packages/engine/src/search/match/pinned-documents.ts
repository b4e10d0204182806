import { clearBit, fillBits, hasBit, newBitset } from '../../codec/bitset.ts'
import { allowedDocuments } from '../filters/conditions.ts'
import type { SearchRun } from '../view/search-run.ts'

/** A document with a fixed position in the plan. */
export interface PinnedDocument {
  readonly segmentIndex: number
  readonly docOrd: number
  /** From 1. */
  readonly position: number
  readonly byId?: true
}

/**
 * "Pins" in docs/ranking.md: the documents with fixed positions. They are looked up one by one and
 * removed from the searched documents, so that no other code needs to know them.
 */
export class PinnedDocuments {
  /** The live ones that meet the conditions, by position. */
  readonly all: readonly PinnedDocument[]

  constructor(run: SearchRun) {
    this.all = run.plan.pins.length === 0 ? NONE : findPinned(run)
  }

  /** Those of a segment, by position. */
  in(segmentIndex: number): readonly PinnedDocument[] {
    if (this.all.length === 0) return NONE
    return this.all.filter((pin) => pin.segmentIndex === segmentIndex)
  }

  /** @param allowed documents of a segment; undefined: all @returns those that are not pinned */
  takenOut(
    segmentIndex: number,
    docCount: number,
    allowed: Uint32Array | undefined,
  ): Uint32Array | undefined {
    const pinned = this.in(segmentIndex)
    if (pinned.length === 0) return allowed
    const rest = allowed?.slice() ?? newBitset(docCount)
    if (allowed === undefined) fillBits(rest, docCount)
    for (const { docOrd } of pinned) clearBit(rest, docOrd)
    return rest
  }
}

const NONE: readonly PinnedDocument[] = []

function findPinned(run: SearchRun): PinnedDocument[] {
  const { view, plan, resolveId } = run
  const allowed: (Uint32Array | undefined)[] = []
  return plan.pins.flatMap(({ id, ...pin }): PinnedDocument[] => {
    const docKey = resolveId(id)
    if (docKey === undefined) return []
    for (const [segmentIndex, segment] of view.segments.entries()) {
      const docOrd = segment.reader.docOrdOf(docKey)
      if (docOrd < 0) continue
      if (!(segmentIndex in allowed)) {
        allowed[segmentIndex] = allowedDocuments(run, segment)
      }
      const bits = allowed[segmentIndex]
      return bits === undefined || hasBit(bits, docOrd) ? [{ ...pin, segmentIndex, docOrd }] : []
    }
    return []
  })
}

/**
 * The ranks of pinned documents, from 0: their positions, or the end without enough others. Of
 * those that share a position, the later ones follow the first.
 *
 * @param pinned by position
 */
export function pinnedRanks(pinned: readonly PinnedDocument[], otherCount: number): number[] {
  let last = -1
  return pinned.map(({ position }, i) => {
    last = Math.min(Math.max(position - 1, last + 1), otherCount + i)
    return last
  })
}
