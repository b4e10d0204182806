import type { BatchForms } from './batch-forms.ts'
import type { DictionaryHandles, PackedStrings } from './shared-dictionary.ts'
import {
  DictionaryReader,
  DictionaryWriter,
  packStrings,
  roomFor,
  textOfUnits,
} from './shared-dictionary.ts'

/**
 * The single term dictionary of an index: every form and every stem is a string in it. A **group**
 * is the set of forms with the same stem; its number is the id of the stem's string. Each string
 * also has a row of six integers, of 16 bits while all of them fit, then of 32:
 *
 *     GROUP      group of the form, -1 while the string is only a stem
 *     NUMBER     number of the form within its group, 0..30
 *     NEXT       next form of the same group, -1 = last
 *     FIRST      first form of the group that this string names, -1 = names none
 *     FORM_DF    live documents with the form in a searchable field
 *     GROUP_DF   live documents with a form of the group that this string names
 *
 * Thread safety: as for SharedDictionary. When the writer publishes, it updates the frequencies in
 * place, each a single integer.
 */
const STRIDE = 6
const GROUP = 0
const NUMBER = 1
const NEXT = 2
const FIRST = 3
const FORM_DF = 4
const GROUP_DF = 5

/**
 * Forms per group that a 32-bit mask can distinguish; each further form becomes a separate group.
 */
export const FORMS_PER_GROUP_MAX = 31

/** Shared memory of the terms, ready to be posted to another thread. */
export interface TermHandles {
  readonly strings: DictionaryHandles
  readonly rows: SharedArrayBuffer
  /** Whether rows have 16 bits. */
  readonly isNarrow: boolean
}

/** Maximum number in a 16-bit row. */
const NARROW_MAX = 0x7fff

type Rows = Int16Array<SharedArrayBuffer> | Int32Array<SharedArrayBuffer>

function rowsOf({ rows, isNarrow }: TermHandles): Rows {
  return isNarrow ? new Int16Array(rows) : new Int32Array(rows)
}

/** Terms without spare capacity, as stored in a file. */
export interface PackedTerms {
  readonly strings: PackedStrings
  readonly rows: Int16Array | Int32Array
}

/** @param handles of `TermWriter.frozen` */
export function packTerms(terms: TermHandles): PackedTerms {
  return { strings: packStrings(terms.strings), rows: rowsOf(terms) }
}

/** Look-ups cached per reader, and the maximum length of their texts in code units. */
const FOUND_MAX = 4096
const FOUND_LENGTH_MAX = 32

/** Reads the terms counted by the handles, with their current frequencies. */
export class TermReader {
  readonly strings: DictionaryReader
  readonly #rows: Rows
  /** A search looks up each of its words several times. */
  readonly #found = new Map<string, number>()

  constructor(handles: TermHandles) {
    this.strings = new DictionaryReader(handles.strings)
    this.#rows = rowsOf(handles)
  }

  get count(): number {
    return this.strings.count
  }

  find(text: string): number {
    let id = this.#found.get(text)
    if (id === undefined) {
      id = this.strings.find(text)
      if (this.#found.size >= FOUND_MAX) this.#found.clear()
      if (text.length <= FOUND_LENGTH_MAX) this.#found.set(text, id)
    }
    return id
  }

  text(id: number): string {
    return this.strings.text(id)
  }

  /** @returns -1 for a string that is only a stem */
  groupOf(form: number): number {
    return this.#rows[form * STRIDE + GROUP]!
  }

  numberOf(form: number): number {
    return this.#rows[form * STRIDE + NUMBER]!
  }

  formDocFreq(form: number): number {
    return this.#rows[form * STRIDE + FORM_DF]!
  }

  groupDocFreq(group: number): number {
    return this.#rows[group * STRIDE + GROUP_DF]!
  }

  /** Mask of the numbers of a group's forms in live documents. */
  liveForms(group: number): number {
    const rows = this.#rows
    let forms = 0
    for (let id = rows[group * STRIDE + FIRST]!; id >= 0; id = rows[id * STRIDE + NEXT]!) {
      if (id < this.count && rows[id * STRIDE + FORM_DF]! > 0) {
        forms |= 1 << rows[id * STRIDE + NUMBER]!
      }
    }
    return forms
  }

  /**
   * Ids of the forms of a group, newest first, without those interned after this reader was
   * created.
   */
  formsOf(group: number): number[] {
    return linkedForms(this.#rows, group).filter((id) => id < this.count)
  }
}

/** Forms of a batch whose memory is fetched together: they fit into the caches. */
const FETCHED_AT_ONCE = 128
/** Sink that keeps the fetches from being optimised away. */
let fetched = 0

/** Interns terms and maintains their frequencies. One writer per index. */
export class TermWriter {
  #strings: DictionaryWriter
  #rows: Rows
  #isNarrow = true

  constructor() {
    this.#strings = new DictionaryWriter()
    this.#rows = newRows(16, true)
  }

  static fromPacked({ strings, rows }: PackedTerms): TermWriter {
    const terms = new TermWriter()
    terms.#strings = DictionaryWriter.fromPacked(strings)
    terms.#isNarrow = rows instanceof Int16Array
    terms.#rows = newRows(Math.max(16, terms.count), terms.#isNarrow)
    terms.#rows.set(rows)
    return terms
  }

  get count(): number {
    return this.#strings.count
  }

  /** Number of strings that live documents use, as a form or as a stem. Scans all of them. */
  usedCount(): number {
    const rows = this.#rows
    let used = 0
    for (let row = 0; row < this.count * STRIDE; row += STRIDE) {
      if (rows[row + FORM_DF]! > 0 || rows[row + GROUP_DF]! > 0) used++
    }
    return used
  }

  get bytes(): number {
    return this.#strings.bytes + this.#rows.byteLength
  }

  /** @returns id of the form, -1 if it is unknown */
  find(form: string): number {
    const id = this.#strings.find(form)
    return id >= 0 && this.#rows[id * STRIDE + GROUP]! >= 0 ? id : -1
  }

  text(id: number): string {
    return this.#strings.text(id)
  }

  /**
   * @param stemOf called once per new form
   * @returns the id of the form; adds it to the group of its stem if it is new
   */
  intern(form: string, stemOf: (form: string) => string): number {
    const id = this.#intern(form)
    if (this.#rows[id * STRIDE + GROUP]! < 0) this.#link(id, form, stemOf(form))
    return id
  }

  /**
   * `intern` of all forms of a batch, in the order of their numbers, in steps.
   *
   * @returns their ids
   */
  *internBatch(forms: BatchForms, stemOf: (form: string) => string): Generator<void, Uint32Array> {
    const ids = new Uint32Array(forms.count)
    for (let from = 0; from < ids.length; from += FETCHED_AT_ONCE) {
      this.#internSome(forms, stemOf, from, ids)
      yield
    }
    return ids
  }

  /** @param ids receives the result */
  #internSome(
    { arena, offsets, hashes }: BatchForms,
    stemOf: (form: string) => string,
    from: number,
    ids: Uint32Array,
  ): void {
    const to = Math.min(ids.length, from + FETCHED_AT_ONCE)
    this.#fetch(hashes, from, to, ids)
    for (let form = from; form < to; form++) {
      const start = offsets[form]!
      const end = offsets[form + 1]!
      let id = this.#strings.findUnits(arena, start, end, hashes[form]!)
      if (id < 0) id = this.#added(this.#strings.addUnits(arena, start, end, hashes[form]!))
      if (this.#rows[id * STRIDE + GROUP]! < 0) {
        const text = textOfUnits(arena, start, end)
        this.#link(id, text, stemOf(text))
      }
      ids[form] = id
    }
  }

  /** @param ids receives the result */
  #fetch(hashes: Int32Array, from: number, to: number, ids: Uint32Array): void {
    this.#strings.fetch(hashes, from, to, ids)
    const rows = this.#rows
    let read = 0
    for (let i = from; i < to; i++) read ^= rows[ids[i]! * STRIDE + GROUP]!
    fetched ^= read
  }

  groupOf(form: number): number {
    return this.#rows[form * STRIDE + GROUP]!
  }

  numberOf(form: number): number {
    return this.#rows[form * STRIDE + NUMBER]!
  }

  /** Ids of the forms of a group, in no particular order. */
  formsOf(group: number): number[] {
    return linkedForms(this.#rows, group)
  }

  addFormDocFreq(form: number, change: number): void {
    this.#add(form * STRIDE + FORM_DF, change)
  }

  addGroupDocFreq(group: number, change: number): void {
    this.#add(group * STRIDE + GROUP_DF, change)
  }

  handles(): TermHandles {
    const isNarrow = this.#isNarrow
    return { strings: this.#strings.handles(), rows: this.#rows.buffer, isNarrow }
  }

  /** A snapshot of the terms, unaffected by later additions and counts. */
  frozen(): TermHandles {
    const strings = this.#strings.handles()
    const rows = newRows(strings.count, this.#isNarrow)
    rows.set(this.#rows.subarray(0, rows.length))
    return { strings, rows: rows.buffer, isNarrow: this.#isNarrow }
  }

  #add(at: number, change: number): void {
    const sum = this.#rows[at]! + change
    if (sum > NARROW_MAX && this.#isNarrow) this.#moveRows(this.#rows.length / STRIDE, false)
    this.#rows[at] = sum
  }

  #moveRows(capacity: number, isNarrow: boolean): void {
    const moved = newRows(capacity, isNarrow)
    moved.set(this.#rows)
    this.#rows = moved
    this.#isNarrow = isNarrow
  }

  /** Makes a string a form: adds it to the group of its stem. */
  #link(id: number, form: string, stem: string): void {
    let group = stem === form ? id : this.#intern(stem)
    let number = this.#nextNumber(group)
    if (number >= FORMS_PER_GROUP_MAX) {
      group = id
      number = this.#nextNumber(group)
    }
    const row = id * STRIDE
    this.#rows[row + NUMBER] = number
    this.#rows[row + NEXT] = this.#rows[group * STRIDE + FIRST]!
    this.#rows[row + GROUP] = group
    this.#rows[group * STRIDE + FIRST] = id
  }

  #nextNumber(group: number): number {
    const rows = this.#rows
    let next = 0
    for (let id = rows[group * STRIDE + FIRST]!; id >= 0; id = rows[id * STRIDE + NEXT]!) {
      next = Math.max(next, rows[id * STRIDE + NUMBER]! + 1)
    }
    return next
  }

  #intern(text: string): number {
    const before = this.#strings.count
    const id = this.#strings.intern(text)
    return id < before ? id : this.#added(id)
  }

  /** Gives a new string its row. */
  #added(id: number): number {
    const capacity = this.#rows.length / STRIDE
    const isWide = id > NARROW_MAX
    if (id >= capacity || (isWide && this.#isNarrow)) {
      const needed = id < capacity ? capacity : roomFor(capacity)
      this.#moveRows(needed, this.#isNarrow && !isWide)
    }
    const row = id * STRIDE
    this.#rows[row + GROUP] = -1
    this.#rows[row + NEXT] = -1
    this.#rows[row + FIRST] = -1
    return id
  }
}

/** Ids of the forms of a group, newest first. */
function linkedForms(rows: Rows, group: number): number[] {
  const forms: number[] = []
  for (let id = rows[group * STRIDE + FIRST]!; id >= 0; id = rows[id * STRIDE + NEXT]!) {
    forms.push(id)
  }
  return forms
}

function newRows(capacity: number, isNarrow: boolean): Rows {
  const length = capacity * STRIDE
  return isNarrow
    ? new Int16Array(new SharedArrayBuffer(length * 2))
    : new Int32Array(new SharedArrayBuffer(length * 4))
}
