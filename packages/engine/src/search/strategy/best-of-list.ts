import { TIER_STEP, WEIGHT_STRONG_MIN } from '../../scoring/formula.ts'
import { BitDocuments } from '../match/document-set.ts'
import { chunkAt, openCursor, type ListCursor } from '../match/list-cursor.ts'
import { scratch } from '../match/window-scratch.ts'
import { markReaching } from '../model/word-bounds.ts'
import type { SegmentReader } from '../../segment/segment-reader.ts'
import type { EvidenceTable, IndexView } from '../view/index-view.ts'
import type { GroupAlternative, ResolvedSlot } from '../words/resolved-slot.ts'
import type { Choice, Strategy } from './strategy.ts'

/** Share of the documents of a long list that are left out, roughly. */
const LEFT_OUT_SHARE = 7 / 8

/** A list of a word whose documents score by this list alone, but for few. */
export interface LongList {
  readonly alternative: GroupAlternative
  /** The slot with its other alternatives; undefined: it has none. */
  readonly others: ResolvedSlot | undefined
  /** Number of documents that need no score, roughly. */
  readonly leftOut: number
}

/**
 * The longest of the strong lists of a word that match whole, if all strong alternatives are main
 * ones: weak ones do not add to it.
 *
 * @param main the slot with only its main alternatives
 */
export function longListOf(
  { terms }: IndexView,
  slot: ResolvedSlot,
  main: ResolvedSlot,
): LongList | undefined {
  let longest: GroupAlternative | undefined
  let size = 0
  for (const alternative of main.groups) {
    const { isStrong, isWhole, group } = alternative
    const postings = isStrong && isWhole ? terms.groupDocFreq(group) : 0
    if (postings <= size) continue
    size = postings
    longest = alternative
  }
  if (longest === undefined || hasStrongBeside(slot, main)) return undefined
  const groups = main.groups.filter((alternative) => alternative !== longest)
  const { phrases, shortPrefix, infix } = main
  const hasOthers = groups.length + phrases.length > 0 || (shortPrefix ?? infix) !== undefined
  const others = hasOthers ? { ...main, groups } : undefined
  return { alternative: longest, others, leftOut: size * LEFT_OUT_SHARE }
}

/** Whether a strong alternative of a slot is not among its main ones, or is not a list. */
function hasStrongBeside(slot: ResolvedSlot, main: ResolvedSlot): boolean {
  const { shortPrefix, groups, phrases } = slot
  if (shortPrefix !== undefined && shortPrefix.quality >= WEIGHT_STRONG_MIN) return true
  if (main.phrases.length < phrases.length) return true
  return groups.some(({ best, group }) => {
    return best >= WEIGHT_STRONG_MIN && !main.groups.some((one) => one.group === group)
  })
}

/**
 * The documents of a long list that may be among the best by their impacts, and all documents with
 * the other alternatives.
 */
export class BestOfList implements Strategy {
  readonly missedMax: number
  readonly narrows = false
  readonly #choice: Choice
  readonly #slot: ResolvedSlot
  readonly #long: LongList
  #segmentIndex = -1
  #list: OpenList | undefined

  /** @param slot with the main alternatives */
  constructor(choice: Choice, slot: ResolvedSlot, long: LongList, missedMax: number) {
    this.#choice = choice
    this.#slot = slot
    this.#long = long
    this.missedMax = missedMax
  }

  candidates(segmentIndex: number, window: number, scoreMin: number): number {
    const { sets, matches } = this.#choice
    const { found } = matches.in(segmentIndex)
    if (!(found instanceof BitDocuments)) return 0
    if (segmentIndex !== this.#segmentIndex) {
      this.#list = this.#open(segmentIndex)
      this.#segmentIndex = segmentIndex
    }
    const bytes = sets.bytesOf(segmentIndex, window)
    const admitted = sets.inWindow(found.set, window)
    const { others } = this.#long
    let count = 0
    if (others !== undefined) {
      const set = sets.inWindow(sets.of(others, segmentIndex), window)
      sets.kernels.and(sets.scratch(0), set, admitted, bytes)
      count = sets.touch(sets.scratch(0), bytes)
    }
    if (this.#list === undefined) return count
    return this.#list.touch(window, count, scoreMin, sets.words(admitted, bytes))
  }

  #open(segmentIndex: number): OpenList | undefined {
    const { run, exactValues } = this.#choice
    const segment = run.view.segments[segmentIndex]!
    const { group, best } = this.#long.alternative
    const list = segment.reader.listOf(group)
    if (list < 0) return undefined
    const table = run.tables.of(segment)
    const exact = exactValues.in(segment)
    const cursor = openCursor(segment.reader, list, best)
    return new OpenList(this.#slot, segment.reader, cursor, best, table, exact?.codes)
  }
}

/** The long list in one segment. */
class OpenList {
  readonly #slot: ResolvedSlot
  readonly #reader: SegmentReader
  readonly #cursor: ListCursor
  readonly #quality: number
  readonly #saturated: Float32Array
  readonly #exactCodes: Uint8Array | undefined
  /** By impact code: 1 if a document with it may reach `#scoreMin`. */
  readonly #reaches: Uint8Array
  #scoreMin = -Infinity

  /** @param exactCodes by code: not 0 if a document may rank above all others */
  constructor(
    slot: ResolvedSlot,
    reader: SegmentReader,
    cursor: ListCursor,
    quality: number,
    { saturated, isAllSearched }: EvidenceTable,
    exactCodes: Uint8Array | undefined,
  ) {
    this.#slot = slot
    this.#reader = reader
    this.#cursor = cursor
    this.#quality = quality
    this.#saturated = saturated
    this.#exactCodes = exactCodes
    this.#reaches = new Uint8Array(saturated.length).fill(1)
    if (!isAllSearched) this.#setReaches(-Infinity)
  }

  /**
   * Adds the documents of a window that may reach a score to those of the scratch memory.
   *
   * @param count of these so far
   * @param admitted the documents found in the window, one bit each
   * @returns their new number
   */
  touch(window: number, count: number, scoreMin: number, admitted: Uint32Array): number {
    const reader = this.#reader
    const chunk = chunkAt(reader, this.#cursor, window)
    if (chunk < 0) return count
    const { ids, codes } = reader
    const from = reader.chunkStart(chunk)
    const to = reader.chunkEnd[chunk]!
    // Marking the codes costs about as much as reading this many postings.
    if (scoreMin > this.#scoreMin && to - from > this.#reaches.length) this.#setReaches(scoreMin)
    const { seen, touched } = scratch
    return touchReaching(ids, codes, from, to, this.#reaches, admitted, seen, touched, count)
  }

  #setReaches(scoreMin: number): void {
    this.#scoreMin = scoreMin
    // All documents of the list are in the upper tier.
    const pointsMin = scoreMin - TIER_STEP
    const reaches = this.#reaches
    markReaching(this.#slot, this.#quality, this.#saturated, pointsMin, reaches)
    const exactCodes = this.#exactCodes
    if (exactCodes === undefined) return
    for (let code = 0; code < reaches.length; code++) reaches[code]! |= exactCodes[code]!
  }
}

/**
 * Appends the admitted documents of some of the postings that are not in the set, and adds them to
 * it. Branch-free but for the impact, which few documents have.
 *
 * @param reaches by impact code: not 0 if a posting counts
 */
function touchReaching(
  ids: Uint16Array,
  codes: Uint16Array | Uint32Array,
  from: number,
  to: number,
  reaches: Uint8Array,
  admitted: Uint32Array,
  seen: Uint32Array,
  touched: Uint16Array,
  touchedCount: number,
): number {
  let count = touchedCount
  for (let i = from; i < to; i++) {
    if (reaches[codes[i]!] === 0) continue
    const id = ids[i]!
    const at = id >>> 5
    const before = seen[at]!
    const bit = admitted[at]! & ~before & (1 << (id & 31))
    touched[count] = id
    count += bit === 0 ? 0 : 1
    seen[at] = before | bit
  }
  return count
}
