import { unitWeightMax } from '../../scoring/formula.ts'
import type { QuerySlot, SlotExpansion } from '../../query/plan.ts'

/** A stem group as an alternative for a word. */
export interface GroupAlternative {
  readonly group: number
  /** q by form number; 0 = this form does not match. Or one q for every form of the group. */
  readonly quality: Float64Array | number
  /** The largest q. */
  readonly best: number
  /**
   * Whether any matching form is strong, so that the document's form does not matter ("Evidence" in
   * docs/ranking.md).
   */
  readonly isStrong: boolean
  /** Whether every form in the catalog matches. */
  readonly isWhole: boolean
}

/** Documents of one segment with words side by side. */
export interface PhraseDocuments {
  /** docOrds, ascending. */
  readonly docOrds: Uint32Array
  /** The smallest evidence of the words, by the same index. */
  readonly evidence: Float32Array
  /** q of the phrase. */
  readonly quality: number
}

/** A phrase as an alternative for a word: the parts of the word, or a synonym of several words. */
export interface PhraseAlternative {
  readonly variant: 'split' | 'synonym'
  readonly words: readonly string[]
  /** By segment; deleted documents included. */
  readonly documents: readonly PhraseDocuments[]
}

/**
 * The live forms that contain a word, or a joined spelling of it: alternative 8 of docs/ranking.md.
 */
export interface InfixForms {
  readonly texts: readonly string[]
  readonly forms: readonly number[]
  /** Sum over the forms, at most N; 0 without such a form. */
  readonly docFreq: number
}

/**
 * A query term, bound to one generation of an index ("Alternatives of a slot" in docs/ranking.md).
 */
export interface ResolvedSlot {
  readonly slot: QuerySlot
  readonly known: boolean
  /** n */
  readonly docFreq: number
  /** `slotWeight(W, n, N)`; for a unit at most `unitWeightMax` of its number's weight */
  readonly weight: number
  /** Whether its corrections are neighbours (see `countedMin`). */
  readonly hasNeighbours: boolean
  readonly groups: readonly GroupAlternative[]
  /** Cost of the edits, by the group of the correction. */
  readonly typoCosts: ReadonlyMap<number, number>
  /** Phrases in the catalog. */
  readonly phrases: readonly PhraseAlternative[]
  /** Set if the typed form is too short to weigh its continuations. */
  readonly shortPrefix: { readonly prefix: string; readonly quality: number } | undefined
  /** The forms that contain it, if the infix alternative is used and there are any. */
  readonly infix: InfixForms | undefined
  /** Groups whose tokens can earn the pair bonus. */
  readonly bonusGroups: readonly number[]
  readonly expansion: SlotExpansion
}

/** The slots, with the weight of each unit bounded by that of its number. */
export function boundUnits(slots: readonly ResolvedSlot[]): ResolvedSlot[] {
  return slots.map((unit) => {
    const { unitOf } = unit.slot
    const number = unitOf === undefined ? undefined : slots.find(({ slot }) => slot.stem === unitOf)
    if (number?.known !== true) return unit
    return { ...unit, weight: Math.min(unit.weight, unitWeightMax(number.weight)) }
  })
}

/** The largest quality among the forms of a mask. */
export function bestQuality(quality: Float64Array, formMask: number): number {
  let best = 0
  for (let rest = formMask; rest !== 0; rest &= rest - 1) {
    const q = quality[31 - Math.clz32(rest & -rest)]!
    if (q > best) best = q
  }
  return best
}
