import { GrowableU32 } from '../codec/growable.ts'
import type { SectionWriter, TypedArray } from '../codec/section-file.ts'
import type { DictionaryWriter } from '../dictionary/shared-dictionary.ts'
import type { ElementType, Field, FieldValue, Scalar } from '../schema/schema.ts'
import { elementType, isArrayType } from '../schema/schema.ts'
import { compareByCodePoint } from '../codec/code-point-order.ts'
import { sortInSteps } from '../codec/sort-in-steps.ts'
import type { ColumnId } from './column-sections.ts'
import { writeColumn } from './write-column.ts'
import { ValueSets } from './value-sets.ts'

/** Texts that are written to the dictionary at once: about a millisecond. */
const TEXTS_PER_STEP = 1_024

/**
 * Collects the values of one field of a new segment. Numbers values in order of arrival; `finish`
 * sorts the distinct ones and converts the numbers to ranks.
 */
export class ColumnBuilder {
  readonly #id: ColumnId
  readonly #type: ElementType
  readonly #isMulti: boolean
  readonly #dictionary: DictionaryWriter | undefined
  readonly #fold: (text: string) => string
  /** Number of a value, in order of first appearance. A Map treats -0 as 0. */
  readonly #numbers = new Map<Scalar, number>()
  /**
   * By docOrd, 0 = missing; otherwise 1 + number of the value, for arrays 1 + number of the list.
   */
  readonly #ords = new GrowableU32(64)
  /** Concatenated lists of value numbers, with repetitions. */
  readonly #lists = new GrowableU32(64)
  readonly #listEnds = new GrowableU32(64)

  /** @param dictionary of this field, for strings; only handles taken later contain new texts */
  constructor(
    field: Field,
    id: ColumnId,
    dictionary: DictionaryWriter | undefined,
    fold: (text: string) => string,
  ) {
    this.#id = id
    this.#type = elementType(field.type)
    this.#isMulti = isArrayType(field.type)
    this.#dictionary = dictionary
    this.#fold = fold
    if (this.#type === 'string' && dictionary === undefined) {
      throw new Error(
        `Cannot build the column of string field "${field.name}" without a dictionary`,
      )
    }
  }

  /**
   * Documents without the field may be skipped. Each other document is added once, in any order.
   */
  add(docOrd: number, value: FieldValue | undefined): void {
    if (value === undefined) return
    if (typeof value !== 'object') {
      this.#setOrd(docOrd, 1 + this.#numberOf(value))
      return
    }
    if (value.length === 0) return
    for (let i = 0; i < value.length; i++) this.#lists.push(this.#numberOf(value[i]!))
    this.#listEnds.push(this.#lists.length)
    this.#setOrd(docOrd, this.#listEnds.length)
  }

  /** Writes the column, or nothing if no document has a value. */
  finish(docCount: number, sections: SectionWriter): void {
    const steps = this.finishInSteps(docCount, sections)
    while (steps.next().done !== true);
  }

  *finishInSteps(docCount: number, sections: SectionWriter): Generator<void, void> {
    if (this.#numbers.size === 0) return
    const ords = new Uint32Array(docCount)
    ords.set(this.#ords.data.subarray(0, this.#ords.length))
    const { values, ranks } = yield* this.#sortValues()
    if (!this.#isMulti) {
      for (let doc = 0; doc < docCount; doc++) {
        const ord = ords[doc]!
        if (ord !== 0) ords[doc] = 1 + ranks[ord - 1]!
      }
      writeColumn(this.#id, { ords, ordCount: ranks.length + 1, values }, sections)
      return
    }
    const { sets, setOrds } = this.#makeSets(ranks)
    for (let doc = 0; doc < docCount; doc++) {
      const ord = ords[doc]!
      if (ord !== 0) ords[doc] = setOrds[ord - 1]!
    }
    writeColumn(this.#id, { ords, ordCount: sets.count, values, sets }, sections)
  }

  #numberOf(value: Scalar): number {
    let number = this.#numbers.get(value)
    if (number === undefined) {
      number = this.#numbers.size
      this.#numbers.set(value, number)
    }
    return number
  }

  #setOrd(docOrd: number, ord: number): void {
    const ords = this.#ords
    if (docOrd >= ords.length) {
      ords.reserve(docOrd + 1 - ords.length)
      ords.length = docOrd + 1
    }
    ords.data[docOrd] = ord
  }

  /** @returns the distinct values in order, and the rank of each value by number */
  *#sortValues(): Generator<void, { values: TypedArray; ranks: Uint32Array }> {
    const given = [...this.#numbers.keys()]
    let order = given.map((_, number) => number)
    let values: TypedArray
    switch (this.#type) {
      case 'string': {
        const texts = given as string[]
        const folded = texts.map((text) => this.#fold(text))
        const compare = (a: number, b: number): number =>
          compareByCodePoint(folded[a]!, folded[b]!) || compareByCodePoint(texts[a]!, texts[b]!)
        order = yield* sortInSteps(order, compare, () => true)
        values = new Uint32Array(order.length)
        for (let rank = 0; rank < order.length; rank++) {
          if (rank % TEXTS_PER_STEP === 0) yield
          values[rank] = this.#dictionary!.intern(texts[order[rank]!]!)
        }
        break
      }
      case 'int64':
      case 'geopoint': {
        const integers = given as bigint[]
        order.sort((a, b) => (integers[a]! < integers[b]! ? -1 : 1))
        values = BigInt64Array.from(order, (number) => integers[number]!)
        break
      }
      default: {
        const numbers = given.map(Number)
        order.sort((a, b) => numbers[a]! - numbers[b]!)
        values = Float64Array.from(order, (number) => numbers[number]!)
      }
    }
    const ranks = new Uint32Array(order.length)
    order.forEach((number, rank) => (ranks[number] = rank))
    return { values, ranks }
  }

  /** @returns the distinct sets, and the set ordinal of each list */
  #makeSets(ranks: Uint32Array): { sets: ValueSets; setOrds: Uint32Array } {
    const sets = new ValueSets()
    const setOrds = new Uint32Array(this.#listEnds.length)
    let start = 0
    for (let list = 0; list < setOrds.length; list++) {
      const end = this.#listEnds.data[list]!
      const set = this.#lists.data.slice(start, end)
      for (let i = 0; i < set.length; i++) set[i] = ranks[set[i]!]!
      set.sort()
      let length = 1
      for (let i = 1; i < set.length; i++) {
        if (set[i] !== set[i - 1]) set[length++] = set[i]!
      }
      setOrds[list] = sets.intern(set, length)
      start = end
    }
    return { sets, setOrds }
  }
}
