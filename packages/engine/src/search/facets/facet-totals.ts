import type { DictionaryReader } from '../../dictionary/shared-dictionary.ts'
import type { FacetOutcome } from '../../query/plan.ts'
import type { ElementType } from '../../schema/schema.ts'
import { borrowCounts, giveBackCounts } from './count-arrays.ts'
import type { SegmentCounts } from './segment-counts.ts'

/** Distinct values of a field with their counts over all segments, numbered from 0. */
export interface ValueCounts {
  readonly length: number
  /** By number. */
  readonly counts: ArrayLike<number>
  label(i: number): string
  /**
   * What tells a value from others: the number of a text in its dictionary, or the number itself.
   */
  identity(i: number): number | bigint
  /** Values by number, texts by code point. */
  compare(i: number, j: number): number
  /** Whether `compare(i, j) < 0` for all `i < j`. */
  readonly isSorted: boolean
  stats(): FacetOutcome['stats']
}

/** Adds up the counts of a field over segments. */
export interface FacetTotals {
  /** Takes the counts, which are zeroed or released afterwards. */
  add(counts: SegmentCounts): void
  /** The values are valid until `release`. */
  finish(): ValueCounts
  release(): void
}

export function newTotals(type: ElementType): FacetTotals {
  return type === 'string' ? new TextTotals() : new NumberTotals(type)
}

const NO_COUNTS = new Uint32Array(0)

/** Texts of a field for each of a segment, from which on only the counted ones are looked at. */
const DICTIONARY_RATIO = 16

/**
 * Texts are identified by their number in the dictionary of the field, which all segments share.
 */
class TextTotals implements FacetTotals {
  /** By id, borrowed with the first counts. */
  #totals = NO_COUNTS
  /** Those with a total, in no order; borrowed. */
  #ids = NO_COUNTS
  #idCount = 0
  /** So many have totals that they are not listed until the end. */
  #isDense = false
  #dictionary: DictionaryReader | undefined

  add(counts: SegmentCounts): void {
    // A newer dictionary contains everything an older one does.
    const dictionary = counts.column.dictionary!
    if (this.#dictionary === undefined || dictionary.count > this.#dictionary.count) {
      this.#enlarge(dictionary)
    }
    const isSparse =
      counts.isListed || counts.column.valueCount * DICTIONARY_RATIO < dictionary.count
    if (!this.#isDense && isSparse) {
      this.#idCount = counts.moveListed(this.#totals, this.#ids, this.#idCount)
    } else {
      this.#isDense = true
      counts.moveAll(this.#totals)
    }
  }

  finish(): ValueCounts {
    if (this.#isDense) this.#listIds()
    const ids = this.#ids
    const totals = this.#totals
    const dictionary = this.#dictionary
    return {
      length: this.#idCount,
      counts: gather(totals, ids, this.#idCount),
      label: (i) => dictionary!.text(ids[i]!),
      identity: (i) => ids[i]!,
      compare: (i, j) => dictionary!.compare(ids[i]!, ids[j]!),
      isSorted: false,
      stats: () => undefined,
    }
  }

  release(): void {
    if (this.#dictionary === undefined) return
    const [totals, ids, idCount] = [this.#totals, this.#ids, this.#idCount]
    if (this.#isDense) totals.fill(0)
    else for (let i = 0; i < idCount; i++) totals[ids[i]!] = 0
    giveBackCounts(totals)
    giveBackCounts(ids.fill(0, 0, idCount + 1))
  }

  #enlarge(dictionary: DictionaryReader): void {
    const [totals, ids] = [this.#totals, this.#ids]
    this.#dictionary = dictionary
    this.#totals = borrowCounts(dictionary.count)
    this.#totals.set(totals)
    // One more: an id is written before it is known to be new.
    this.#ids = borrowCounts(dictionary.count + 1)
    this.#ids.set(ids)
    if (totals === NO_COUNTS) return
    giveBackCounts(totals.fill(0))
    giveBackCounts(ids.fill(0))
  }

  #listIds(): void {
    const [totals, ids] = [this.#totals, this.#ids]
    let count = 0
    for (let id = 0; id < totals.length; id++) {
      ids[count] = id
      // 1 unless it is 0, without a branch.
      count += -(totals[id]! | 0) >>> 31
    }
    this.#idCount = count
  }
}

function gather(totals: Uint32Array, ids: Uint32Array, count: number): Uint32Array {
  const gathered = new Uint32Array(count)
  for (let i = 0; i < count; i++) gathered[i] = totals[ids[i]!]!
  return gathered
}

type Numeric = number | bigint

/** Values ascending, with their counts. */
interface NumberRun {
  readonly values: readonly Numeric[]
  readonly counts: ArrayLike<number>
}

/** The numbers of each segment are sorted, so several segments are merged. */
class NumberTotals implements FacetTotals {
  readonly #type: ElementType
  readonly #runs: NumberRun[] = []

  constructor(type: ElementType) {
    this.#type = type
  }

  add(given: SegmentCounts): void {
    const { column } = given
    const { ranks, counts } = given.takeNumbers()
    const values: Numeric[] = []
    if (this.#type === 'int64') {
      for (let i = 0; i < ranks.length; i++) values.push(column.bigint(ranks[i]!))
    } else for (let i = 0; i < ranks.length; i++) values.push(column.number(ranks[i]!))
    this.#runs.push({ values, counts })
  }

  finish(): ValueCounts {
    let runs = this.#runs
    while (runs.length > 1) {
      const halved: NumberRun[] = []
      for (let i = 0; i + 1 < runs.length; i += 2) halved.push(mergeRuns(runs[i]!, runs[i + 1]!))
      if (runs.length % 2 === 1) halved.push(runs.at(-1)!)
      runs = halved
    }
    const type = this.#type
    const { values, counts } = runs[0] ?? { values: [], counts: [] }
    return {
      length: counts.length,
      counts,
      label: (i) => (type === 'bool' ? String(values[i] === 1) : String(values[i])),
      identity: (i) => values[i]!,
      compare: (i, j) => i - j,
      isSorted: true,
      stats: () => computeStats(type, values, counts),
    }
  }

  release(): void {
    this.#runs.length = 0
  }
}

function mergeRuns(a: NumberRun, b: NumberRun): NumberRun {
  const values: Numeric[] = []
  const counts: number[] = []
  let i = 0
  let j = 0
  while (i < a.values.length || j < b.values.length) {
    const left = a.values[i]
    const right = b.values[j]
    const takesLeft = right === undefined || (left !== undefined && left <= right)
    const takesRight = left === undefined || (right !== undefined && right <= left)
    values.push(takesLeft ? left! : right!)
    counts.push((takesLeft ? a.counts[i++]! : 0) + (takesRight ? b.counts[j++]! : 0))
  }
  return { values, counts }
}

function computeStats(
  type: ElementType,
  values: readonly Numeric[],
  counts: ArrayLike<number>,
): FacetOutcome['stats'] {
  if (type === 'bool' || values.length === 0) return undefined
  let count = 0
  let sum: Numeric
  if (type === 'int64') {
    sum = 0n
    for (let i = 0; i < values.length; i++) {
      sum += (values[i] as bigint) * BigInt(counts[i]!)
      count += counts[i]!
    }
  } else {
    sum = 0
    for (let i = 0; i < values.length; i++) {
      sum += (values[i] as number) * counts[i]!
      count += counts[i]!
    }
  }
  return { min: values[0]!, max: values.at(-1)!, sum, avg: Number(sum) / count }
}
