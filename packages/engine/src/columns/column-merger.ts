import type { SectionWriter, TypedArray } from '../codec/section-file.ts'
import { type Field, elementType, isArrayType } from '../schema/schema.ts'
import { compareByCodePoint } from '../codec/code-point-order.ts'
import type { Column } from './column-reader.ts'
import type { ColumnId } from './column-sections.ts'
import { writeColumn } from './write-column.ts'
import { ValueSets } from './value-sets.ts'

/** One segment of a merge. */
export interface ColumnSource {
  /** Undefined if no document of the segment has a value. */
  readonly column: Column | undefined
  /** Old docOrd to new docOrd, -1 = dropped. */
  readonly docMap: Int32Array
  readonly docCount: number
}

/**
 * Writes the column of a merged segment. Moves documents according to `docMap` and drops values
 * that only dropped documents had. Linear in documents and sets; merges values in order. Strings
 * keep their ids, because all sources share the dictionary of the field. Writes nothing if no
 * document has a value.
 */
export function mergeColumns(
  field: Field,
  id: ColumnId,
  sources: readonly ColumnSource[],
  newDocCount: number,
  fold: (text: string) => string,
  sections: SectionWriter,
): void {
  const lists: ValueList[] = []
  for (const { column, docMap } of sources) {
    if (column !== undefined) lists.push(new ValueList(column, docMap, fold))
  }
  const order = mergeValues(lists, elementType(field.type) === 'string' ? compareTexts : compare)
  if (order.count === 0) return
  const values = order.values(elementType(field.type))
  const ords = new Uint32Array(newDocCount)
  if (!isArrayType(field.type)) {
    for (const { column, docMap, newRanks } of lists) moveOrds(column, docMap, newRanks, 1, ords)
    writeColumn(id, { ords, ordCount: order.count + 1, values }, sections)
    return
  }
  const sets = new ValueSets()
  for (const list of lists) {
    moveOrds(list.column, list.docMap, moveSets(list, sets), 0, ords)
  }
  writeColumn(id, { ords, ordCount: sets.count, values, sets }, sections)
}

/** The sort keys of the values of a source: strings as a pair, folded and as written. */
type MergeValue = number | bigint | FoldedText
interface FoldedText {
  readonly folded: string
  readonly text: string
}

/** The values of one source in live documents, in order, with a cursor for the merge. */
class ValueList {
  readonly column: Column
  readonly docMap: Int32Array
  /** By old ordinal (1 + rank, or set): 1 if a surviving document has it. */
  readonly usedOrds: Uint8Array
  /** By old rank. */
  readonly newRanks: Uint32Array
  rank = -1
  head: MergeValue = 0
  readonly #usedRanks: Uint8Array
  readonly #fold: (text: string) => string

  constructor(column: Column, docMap: Int32Array, fold: (text: string) => string) {
    this.column = column
    this.docMap = docMap
    this.#fold = fold
    this.newRanks = new Uint32Array(column.valueCount)
    const usedOrds = new Uint8Array(column.ordCount)
    const ords = column.ords
    for (let doc = 0; doc < column.docCount; doc++) {
      if (docMap[doc]! >= 0) usedOrds[ords[doc]!] = 1
    }
    this.usedOrds = usedOrds
    this.#usedRanks = column.isMulti ? ranksOfSets(column, usedOrds) : usedOrds.subarray(1)
    this.advance()
  }

  /** @returns false past the last value */
  advance(): boolean {
    const { column } = this
    do this.rank++
    while (this.rank < column.valueCount && this.#usedRanks[this.rank] === 0)
    if (this.rank >= column.valueCount) return false
    if (column.type === 'string') {
      const text = column.text(this.rank)
      this.head = { folded: this.#fold(text), text }
    } else this.head = column.numeric(this.rank)
    return true
  }

  get isDone(): boolean {
    return this.rank >= this.column.valueCount
  }
}

function ranksOfSets(column: Column, usedSets: Uint8Array): Uint8Array {
  const used = new Uint8Array(column.valueCount)
  const { setStart, setValues } = column
  for (let set = 0; set < usedSets.length; set++) {
    if (usedSets[set] === 0) continue
    for (let i = setStart[set]!; i < setStart[set + 1]!; i++) used[setValues[i]!] = 1
  }
  return used
}

/** The merged order: the first source and rank of each distinct value. */
class MergedOrder {
  readonly #columns: Column[] = []
  readonly #ranks: number[] = []

  get count(): number {
    return this.#ranks.length
  }

  push(column: Column, rank: number): void {
    this.#columns.push(column)
    this.#ranks.push(rank)
  }

  values(type: ReturnType<typeof elementType>): TypedArray {
    const columns = this.#columns
    switch (type) {
      case 'string':
        return Uint32Array.from(this.#ranks, (rank, i) => columns[i]!.valueIds[rank]!)
      case 'int64':
      case 'geopoint':
        return BigInt64Array.from(this.#ranks, (rank, i) => columns[i]!.bigint(rank))
      default:
        return Float64Array.from(this.#ranks, (rank, i) => columns[i]!.number(rank))
    }
  }
}

/** Merges the lists with a binary heap of their heads, and fills in `newRanks`. */
function mergeValues(
  lists: readonly ValueList[],
  compareValues: (a: MergeValue, b: MergeValue) => number,
): MergedOrder {
  const order = new MergedOrder()
  const heap = lists.filter((list) => !list.isDone)
  for (let i = (heap.length >> 1) - 1; i >= 0; i--) siftDown(heap, i, compareValues)
  let last: MergeValue | undefined
  while (heap.length > 0) {
    const list = heap[0]!
    if (last === undefined || compareValues(last, list.head) !== 0) {
      order.push(list.column, list.rank)
      last = list.head
    }
    list.newRanks[list.rank] = order.count - 1
    if (!list.advance()) {
      const moved = heap.pop()!
      if (heap.length === 0) break
      heap[0] = moved
    }
    siftDown(heap, 0, compareValues)
  }
  return order
}

function siftDown(
  heap: ValueList[],
  start: number,
  compareValues: (a: MergeValue, b: MergeValue) => number,
): void {
  const moving = heap[start]!
  let at = start
  for (;;) {
    let child = at * 2 + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && compareValues(heap[child + 1]!.head, heap[child]!.head) < 0) {
      child++
    }
    if (compareValues(heap[child]!.head, moving.head) >= 0) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = moving
}

function compare(a: MergeValue, b: MergeValue): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function compareTexts(a: MergeValue, b: MergeValue): number {
  const left = a as FoldedText
  const right = b as FoldedText
  return compareByCodePoint(left.folded, right.folded) || compareByCodePoint(left.text, right.text)
}

/**
 * @param newOrds by old ordinal - `base`; old ordinal 0 stays 0
 * @param base 1: `newOrds` is by rank and holds ranks; 0: it is by set and holds set ordinals
 */
function moveOrds(
  column: Column,
  docMap: Int32Array,
  newOrds: Uint32Array,
  base: 0 | 1,
  target: Uint32Array,
): void {
  const ords = column.ords
  for (let doc = 0; doc < column.docCount; doc++) {
    const newDoc = docMap[doc]!
    const ord = ords[doc]!
    if (newDoc >= 0 && ord !== 0) target[newDoc] = base + newOrds[ord - base]!
  }
}

/**
 * New ranks are in the order of the old ones, so sets stay ascending.
 *
 * @returns set ordinals by old set
 */
function moveSets({ column, usedOrds, newRanks }: ValueList, sets: ValueSets): Uint32Array {
  const newSets = new Uint32Array(column.ordCount)
  const { setStart, setValues } = column
  let scratch = new Uint32Array(16)
  for (let set = 1; set < column.ordCount; set++) {
    if (usedOrds[set] === 0) continue
    const start = setStart[set]!
    const length = setStart[set + 1]! - start
    if (length > scratch.length) scratch = new Uint32Array(length * 2)
    for (let i = 0; i < length; i++) scratch[i] = newRanks[setValues[start + i]!]!
    newSets[set] = sets.intern(scratch, length)
  }
  return newSets
}
