import {
  BLOCK_COUNTERS,
  countKernelsOver,
  LANES,
  type CountKernels,
} from '../../codec/count-kernels.ts'
import { LISTED_BEYOND_BYTES, SET_ALIGN } from '../../codec/set-kernels.ts'
import { newMemory, PAGE_BYTES, type WasmMemory } from '../../codec/wasm-memory.ts'
import type { Column } from '../../columns/column-reader.ts'
import { CopiedColumns } from '../../columns/copied-columns.ts'
import { WINDOW_BITS, WINDOW_SIZE } from '../../postings/postings-format.ts'

/** Bytes of columns per thread, at 2 bytes per document: 3 facets of 10 million documents. */
const COLUMN_BYTES_MAX = 64 * 1024 * 1024
/** Counters of a search in all facets, 4 bytes each: 8 facets with the most values. */
const COUNTERS_MAX = 2 ** 19
/** A column of this memory has 16 bits per document. */
const NUMBERS_MAX = 2 ** 16

const SET_AT = 0
const LIST_AT = SET_AT + WINDOW_SIZE / 8
const MAXIMA_AT = LIST_AT + aligned(2 * WINDOW_SIZE + LISTED_BEYOND_BYTES)
const TABLES_AT = MAXIMA_AT + aligned((4 * COUNTERS_MAX * LANES) / BLOCK_COUNTERS)

/** Counters by number, for one search. */
export interface CountTable {
  readonly at: number
  /** Upper bound of the numbers. */
  readonly length: number
  readonly search: number
}

/** A column, see `FacetMemory.place`, with its table of counters. */
export interface CountedColumn {
  readonly place: number
  readonly table: CountTable
}

/**
 * Columns of facets for WebAssembly kernels, which count in 1 to 1.5 ns per document and facet.
 * JavaScript takes 4, because it checks the bounds of three arrays for each, and 7 to list the
 * document.
 *
 * Texts are numbered by their id in the dictionary of the field plus one, so that one table serves
 * all segments and no counts need to be added up; everything else by ordinal, see `Column`. A
 * column is copied on its first count. What does not fit is counted elsewhere.
 */
export class FacetMemory {
  readonly #countersMax: number
  readonly #memory: WasmMemory
  readonly #kernels: CountKernels
  #words: Uint32Array
  #halves: Uint16Array
  readonly #columns: CopiedColumns
  #counters = 0
  #search = 0

  /**
   * Tests lower the limits.
   *
   * @param columnBytesMax for all columns
   * @param countersMax per search, at most `COUNTERS_MAX`
   */
  constructor(columnBytesMax = COLUMN_BYTES_MAX, countersMax = COUNTERS_MAX) {
    this.#countersMax = countersMax
    const columnsAt = TABLES_AT + 4 * countersMax
    this.#memory = newMemory(Math.ceil(columnsAt / PAGE_BYTES))
    this.#columns = new CopiedColumns(this.#memory, columnsAt, columnBytesMax)
    this.#kernels = countKernelsOver(this.#memory)
    this.#words = new Uint32Array(this.#memory.buffer)
    this.#halves = new Uint16Array(this.#memory.buffer)
  }

  /** Bytes of columns. */
  get columnBytes(): number {
    return this.#columns.bytes
  }

  /** Invalidates the tables of the previous search, finished or not. */
  beginSearch(): void {
    this.#search++
    this.#words.fill(0, TABLES_AT >>> 2, (TABLES_AT >>> 2) + this.#counters)
    this.#counters = 0
    this.#columns.beginUse()
  }

  /**
   * Lists the documents of a set of one window, for `count`.
   *
   * @param set one bit per document
   * @returns number of documents
   */
  list(set: Uint32Array): number {
    const bytes = aligned(set.byteLength)
    const first = SET_AT >>> 2
    this.#words.set(set, first)
    this.#words.fill(0, first + set.length, first + (bytes >>> 2))
    return this.#kernels.list(SET_AT, bytes, LIST_AT)
  }

  /**
   * Lists the documents that are in the window of the first.
   *
   * @param docs docOrds of a segment, from `from` to `to`
   * @returns number of documents
   */
  listDocs(docs: Uint32Array, from: number, to: number): number {
    const numbers = this.#halves
    const window = docs[from]! >>> WINDOW_BITS
    const end = Math.min(to, from + WINDOW_SIZE)
    let at = from
    for (; at < end && docs[at]! >>> WINDOW_BITS === window; at++) {
      numbers[(LIST_AT >>> 1) + at - from] = docs[at]! & (WINDOW_SIZE - 1)
    }
    return at - from
  }

  /** Copies the list. @param docs receives docOrds of the segment */
  copyList(listed: number, window: number, docs: Uint32Array): void {
    const numbers = this.#halves
    const base = window << WINDOW_BITS
    for (let i = 0; i < listed; i++) docs[i] = base + numbers[(LIST_AT >>> 1) + i]!
  }

  /** @returns a zeroed table; undefined without space */
  takeTable(length: number): CountTable | undefined {
    const size = Math.ceil(length / BLOCK_COUNTERS) * BLOCK_COUNTERS
    if (this.#counters + size > this.#countersMax) return undefined
    const at = TABLES_AT + 4 * this.#counters
    this.#counters += size
    return { at, length, search: this.#search }
  }

  /** Whether numbers by id fit. */
  canNumberIds({ type, isMulti, dictionary }: Column): boolean {
    return type === 'string' && !isMulti && dictionary!.count < NUMBERS_MAX
  }

  /**
   * @param isById texts are numbered by id plus one, not by ordinal; see `canNumberIds`
   * @returns address of the column until the next search; undefined without space
   */
  place(column: Column, isById: boolean): number | undefined {
    const kind = isById ? 'ids' : 'ordinals'
    return this.#columns.find(column, kind) ?? this.#copy(column, kind)
  }

  /** Counts the listed documents of a window in several columns, three at once. */
  count(listed: number, window: number, columns: readonly CountedColumn[]): void {
    const kernels = this.#kernels
    const before = 2 * (window << WINDOW_BITS)
    for (const { table } of columns) this.#check(table)
    for (let i = 0; i < columns.length; i += 3) {
      const [a, b, c] = [columns[i]!, columns[i + 1], columns[i + 2]]
      const [place, table] = [a.place + before, a.table.at]
      if (b === undefined) kernels.count(LIST_AT, listed, place, table)
      else {
        const [placeB, tableB] = [b.place + before, b.table.at]
        if (c === undefined) kernels.countTwo(LIST_AT, listed, place, table, placeB, tableB)
        else {
          const [placeC, tableC] = [c.place + before, c.table.at]
          kernels.countThree(LIST_AT, listed, place, table, placeB, tableB, placeC, tableC)
        }
      }
    }
  }

  /** The counters of a table. Valid until another column is copied. */
  counters(table: CountTable): Uint32Array {
    this.#check(table)
    return this.#words.subarray(table.at >>> 2, (table.at >>> 2) + table.length)
  }

  /**
   * @returns number of nonzero counters of a table, and the maximum of each lane of its blocks (see
   * `CountKernels.most`), valid until the next call
   */
  most(table: CountTable): { readonly counted: number; readonly maxima: Uint32Array } {
    this.#check(table)
    const blocks = Math.ceil(table.length / BLOCK_COUNTERS)
    const zeros = this.#kernels.most(table.at, 4 * BLOCK_COUNTERS * blocks, MAXIMA_AT)
    const first = MAXIMA_AT >>> 2
    return {
      counted: blocks * BLOCK_COUNTERS - zeros,
      maxima: this.#words.subarray(first, first + blocks * LANES),
    }
  }

  /**
   * The numbers of the counters with at least this count, ascending; call `most` for this table
   * first. Valid until the next list.
   *
   * @param least >= 1
   */
  atLeast(table: CountTable, least: number): Uint16Array {
    this.#check(table)
    const bytes = 4 * BLOCK_COUNTERS * Math.ceil(table.length / BLOCK_COUNTERS)
    const listed = this.#kernels.atLeast(table.at, bytes, MAXIMA_AT, least, LIST_AT)
    return this.#halves.subarray(LIST_AT >>> 1, (LIST_AT >>> 1) + listed)
  }

  #check({ search }: CountTable): void {
    if (search !== this.#search) throw new Error('Facets counted after the next search began')
  }

  #copy(column: Column, kind: 'ids' | 'ordinals'): number | undefined {
    if (column.ordCount > NUMBERS_MAX) return undefined
    const at = this.#columns.take(column, kind, aligned(2 * column.docCount))
    if (at === undefined) return undefined
    if (this.#memory.buffer !== this.#words.buffer) this.#open()
    const numbers = this.#halves.subarray(at >>> 1, (at >>> 1) + column.docCount)
    if (kind === 'ids') numberById(column, numbers)
    else numbers.set(column.ords)
    return at
  }

  #open(): void {
    this.#words = new Uint32Array(this.#memory.buffer)
    this.#halves = new Uint16Array(this.#memory.buffer)
  }
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / SET_ALIGN) * SET_ALIGN
}

function numberById(column: Column, numbers: Uint16Array): void {
  const { valueIds } = column
  const byOrd = new Uint16Array(column.ordCount)
  for (let ord = 1; ord < byOrd.length; ord++) byOrd[ord] = valueIds[ord - 1]! + 1
  const { ords8, ords16 } = column
  if (column.ordBits === 8) {
    for (let doc = 0; doc < ords8.length; doc++) numbers[doc] = byOrd[ords8[doc]!]!
  } else {
    for (let doc = 0; doc < ords16.length; doc++) numbers[doc] = byOrd[ords16[doc]!]!
  }
}
