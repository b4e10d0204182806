import { FNV_START, fnvEnd, fnvNext } from '../codec/fnv.ts'
import { unitOrder } from '../codec/code-point-order.ts'

/**
 * An append-only set of strings in shared memory. Each string has a number (its **id**), dense from
 * 0. One writer interns; any number of readers find and read.
 *
 *     arena:   u16[]  UTF-16 code units of all strings, concatenated
 *     offsets: u32[]  string i is arena[offsets[i] .. offsets[i + 1])
 *     table:   i32[]  open addressing by FNV-1a of the code units, two numbers per slot: id + 1 (0 = free) and
 *                     the hash; at most two thirds full. Below 32,768 strings u16[], with only id + 1
 *
 * The stored hash avoids comparing strings that do not match (a cache miss or two each), and
 * rehashing all strings when the table grows. A small table fits in the caches without it.
 *
 * Thread safety: the writer writes arena and offsets, then the table slot, then posts `handles()`
 * with the new count. Readers ignore ids at or above the count they received, so they see only
 * complete strings. When an array is full, the writer moves to a copy that is a quarter larger (the
 * table doubles); old readers keep the old one.
 */
export interface DictionaryHandles {
  readonly count: number
  readonly arena: SharedArrayBuffer
  readonly offsets: SharedArrayBuffer
  readonly table: SharedArrayBuffer
  /** Whether the table has 16-bit ids without hashes. */
  readonly isNarrow: boolean
}

/** Maximum number of strings of a narrow table. */
const NARROW_STRINGS_MAX = 32_767

/** See `DictionaryHandles`: two numbers per slot; one in a narrow table. */
type Table = Int32Array | Uint16Array

function tableOf({ table, isNarrow }: DictionaryHandles): Table {
  return isNarrow ? new Uint16Array(table) : new Int32Array(table)
}

function widthOf(table: Table): number {
  return table instanceof Int32Array ? 2 : 1
}

/**
 * All strings of a dictionary as stored in a file: the strings without spare capacity, string i is
 * arena[offsets[i] .. offsets[i + 1]), and the table that finds them.
 */
export interface PackedStrings {
  readonly arena: Uint16Array
  readonly offsets: Uint32Array
  readonly table: Table
}

/** The strings counted by the handles, without those added since. */
export function packStrings(handles: DictionaryHandles): PackedStrings {
  const { count, arena, offsets } = handles
  const packed = new Uint32Array(offsets, 0, count + 1)
  return {
    arena: new Uint16Array(arena, 0, packed[count]!),
    offsets: packed,
    table: tableOfFirst(count, tableOf(handles)),
  }
}

/** Approximate bytes of `packStrings`, without making them. */
export function packedBytes({ count, offsets, table }: DictionaryHandles): number {
  const units = new Uint32Array(offsets, 0, count + 1)[count]!
  return units * 2 + (count + 1) * 4 + table.byteLength
}

/**
 * A copy of a table without the ids from `count` on. These were inserted last, into free slots, so
 * the remaining ones are found as before.
 */
function tableOfFirst(count: number, table: Table): Table {
  const first = table.slice()
  const width = widthOf(table)
  for (let slot = 0; slot < first.length; slot += width) {
    if (first[slot]! > count) first.fill(0, slot, slot + width)
  }
  return first
}

/** Finds and reads the strings counted by the handles. */
export class DictionaryReader {
  readonly count: number
  /** String i is arena[offsets[i] .. offsets[i + 1]), for loops that must not allocate strings. */
  readonly arena: Uint16Array
  readonly offsets: Uint32Array
  readonly #table: Table

  constructor(handles: DictionaryHandles) {
    this.count = handles.count
    this.arena = new Uint16Array(handles.arena)
    this.offsets = new Uint32Array(handles.offsets)
    this.#table = tableOf(handles)
  }

  /** @returns the id of the string, -1 if it is not in the dictionary */
  find(text: string): number {
    return findString(this.arena, this.offsets, this.#table, text, hashOf(text), this.count)
  }

  text(id: number): string {
    return textOfUnits(this.arena, this.offsets[id]!, this.offsets[id + 1]!)
  }

  /** Whether a dictionary has the same strings with the same ids, and perhaps more. */
  isBeginningOf(other: DictionaryReader): boolean {
    const units = this.offsets[this.count]!
    if (other.count < this.count || other.offsets[this.count] !== units) return false
    if (other.arena.buffer === this.arena.buffer) return true
    return (
      Buffer.compare(bytesOf(this.offsets, this.count), bytesOf(other.offsets, this.count)) === 0 &&
      Buffer.compare(bytesOf(this.arena, units), bytesOf(other.arena, units)) === 0
    )
  }

  /** Whether the string contains `part`, without materialising the string. */
  holds(id: number, part: string): boolean {
    const { arena, offsets } = this
    const last = offsets[id + 1]! - part.length
    const first = part.charCodeAt(0)
    for (let start = offsets[id]!; start <= last; start++) {
      if (arena[start] !== first) continue
      let i = 1
      while (i < part.length && arena[start + i] === part.charCodeAt(i)) i++
      if (i >= part.length) return true
    }
    return false
  }

  /** Compares two strings by code point, without materialising them. */
  compare(a: number, b: number): number {
    const { arena, offsets } = this
    const endA = offsets[a + 1]!
    const endB = offsets[b + 1]!
    let i = offsets[a]!
    let j = offsets[b]!
    while (i < endA && j < endB) {
      const left = arena[i++]!
      const right = arena[j++]!
      if (left !== right) return unitOrder(left) - unitOrder(right)
    }
    return endA - i - (endB - j)
  }
}

function bytesOf(numbers: Uint16Array | Uint32Array, length: number): Buffer {
  const { buffer, byteOffset, BYTES_PER_ELEMENT } = numbers
  return Buffer.from(buffer, byteOffset, length * BYTES_PER_ELEMENT)
}

/** Slots after its own in which most strings are found. */
const FETCH_PROBES = 3
/** Sink that keeps the fetches from being optimised away. */
let fetched = 0

/** Interns strings. One writer per dictionary. */
export class DictionaryWriter {
  #count = 0
  #arena: Uint16Array
  #offsets: Uint32Array
  #table: Table

  /** @param handles of a dictionary to continue, with no other writer; absent: starts empty */
  constructor(handles?: DictionaryHandles) {
    if (handles === undefined) {
      this.#arena = new Uint16Array(new SharedArrayBuffer(512))
      this.#offsets = new Uint32Array(new SharedArrayBuffer(17 * 4))
      this.#table = newTable(32, true)
    } else {
      this.#count = handles.count
      this.#arena = new Uint16Array(handles.arena)
      this.#offsets = new Uint32Array(handles.offsets)
      this.#table = tableOf(handles)
    }
  }

  get count(): number {
    return this.#count
  }

  /** Bytes of shared memory in use. */
  get bytes(): number {
    return this.#arena.byteLength + this.#offsets.byteLength + this.#table.byteLength
  }

  find(text: string): number {
    return findString(this.#arena, this.#offsets, this.#table, text, hashOf(text), this.#count)
  }

  text(id: number): string {
    return textOfUnits(this.#arena, this.#offsets[id]!, this.#offsets[id + 1]!)
  }

  /** @returns the id of the string, which is added if it is new */
  intern(text: string): number {
    const hash = hashOf(text)
    const known = findString(this.#arena, this.#offsets, this.#table, text, hash, this.#count)
    if (known >= 0) return known
    const start = this.#offsets[this.#count]!
    if (start + text.length > this.#arena.length) this.#growArena(start + text.length)
    for (let i = 0; i < text.length; i++) this.#arena[start + i] = text.charCodeAt(i)
    return this.#append(start + text.length, hash)
  }

  /** Adds the string `units[start .. end)`, which is new. @returns its id */
  addUnits(units: Uint16Array, start: number, end: number, hash: number): number {
    const to = this.#offsets[this.#count]!
    if (to + end - start > this.#arena.length) this.#growArena(to + end - start)
    for (let at = to, i = start; i < end; i++) this.#arena[at++] = units[i]!
    return this.#append(to + end - start, hash)
  }

  /**
   * The id of the string `units[start .. end)`, -1 if it is not in the dictionary.
   *
   * @param hash FNV-1a of the units
   */
  findUnits(units: Uint16Array, start: number, end: number, hash: number): number {
    const table = this.#table
    const width = widthOf(table)
    const mask = table.length / width - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = table[slot * width]! - 1
      if (id < 0) return -1
      if (width === 2 && table[slot * 2 + 1] !== hash) continue
      let at = this.#offsets[id]!
      if (this.#offsets[id + 1]! - at !== end - start) continue
      let i = start
      while (i < end && this.#arena[at] === units[i]) {
        i++
        at++
      }
      if (i === end) return id
    }
  }

  /**
   * Prefetches what `findUnits` will read for some strings. The processor fetches many addresses at
   * once if nothing waits for them: no jump in these loops does. A thousand separate look-ups would
   * wait three times each.
   *
   * @param hashes of which those from `from` to `to` are fetched
   * @param ids receives the probable id of each, or any other
   */
  fetch(hashes: Int32Array, from: number, to: number, ids: Uint32Array): void {
    const table = this.#table
    // A narrow table fits in the caches.
    if (table instanceof Uint16Array) return
    const [arena, offsets] = [this.#arena, this.#offsets]
    const mask = table.length / 2 - 1
    let read = 0
    for (let i = from; i < to; i++) read ^= table[(hashes[i]! & mask) * 2]!
    for (let i = from; i < to; i++) {
      const hash = hashes[i]!
      let slot = hash & mask
      for (let probe = 0; probe < FETCH_PROBES; probe++) {
        slot = (slot + (table[slot * 2 + 1] === hash ? 0 : 1)) & mask
      }
      const id = Math.max(0, table[slot * 2]! - 1)
      ids[i] = id
      read ^= offsets[id]!
    }
    for (let i = from; i < to; i++) read ^= arena[offsets[ids[i]!]!]!
    fetched ^= read
  }

  /** A dictionary with these strings, which accepts more. */
  static fromPacked({ arena, offsets, table }: PackedStrings): DictionaryWriter {
    const shared = {
      count: offsets.length - 1,
      arena: new SharedArrayBuffer(Math.max(512, arena.byteLength)),
      offsets: new SharedArrayBuffer(offsets.byteLength + 16 * 4),
      table: new SharedArrayBuffer(table.byteLength),
      isNarrow: table instanceof Uint16Array,
    }
    new Uint16Array(shared.arena).set(arena)
    new Uint32Array(shared.offsets).set(offsets)
    tableOf(shared).set(table)
    return new DictionaryWriter(shared)
  }

  /** Assigns an id to the units after the last string of the arena, up to `end`. */
  #append(end: number, hash: number): number {
    const id = this.#count
    if (id + 2 > this.#offsets.length) this.#growOffsets()
    const slots = this.#table.length / widthOf(this.#table)
    if ((id + 1) * 3 > slots * 2) this.#moveTable(slots * 2)
    else if (id === NARROW_STRINGS_MAX) this.#moveTable(slots)
    this.#offsets[id + 1] = end
    this.#count = id + 1
    insertId(this.#table, hash, id)
    return id
  }

  handles(): DictionaryHandles {
    return {
      count: this.#count,
      arena: this.#arena.buffer as SharedArrayBuffer,
      offsets: this.#offsets.buffer as SharedArrayBuffer,
      table: this.#table.buffer as SharedArrayBuffer,
      isNarrow: this.#table instanceof Uint16Array,
    }
  }

  #growArena(needed: number): void {
    const length = Math.max(roomFor(this.#arena.length), needed)
    const grown = new Uint16Array(new SharedArrayBuffer(length * 2))
    grown.set(this.#arena)
    this.#arena = grown
  }

  #growOffsets(): void {
    const grown = new Uint32Array(new SharedArrayBuffer(roomFor(this.#offsets.length) * 4))
    grown.set(this.#offsets)
    this.#offsets = grown
  }

  /** Moves the ids to a new table, a wide one if there may be too many. */
  #moveTable(slots: number): void {
    const table = this.#table
    const moved = newTable(slots, this.#count < NARROW_STRINGS_MAX)
    if (table instanceof Int32Array) {
      for (let slot = 0; slot < table.length; slot += 2) {
        if (table[slot] !== 0) insertId(moved, table[slot + 1]!, table[slot]! - 1)
      }
    } else {
      for (let id = 0; id < this.#count; id++) {
        const hash = hashOfUnits(this.#arena, this.#offsets[id]!, this.#offsets[id + 1]!)
        insertId(moved, hash, id)
      }
    }
    this.#table = moved
  }
}

function newTable(slots: number, isNarrow: boolean): Table {
  return isNarrow
    ? new Uint16Array(new SharedArrayBuffer(slots * 2))
    : new Int32Array(new SharedArrayBuffer(slots * 2 * 4))
}

/**
 * The next length of a full array. Copying at each step costs five times the final length in total,
 * microseconds compared with filling it; doubling would leave a quarter of all dictionaries empty.
 */
export function roomFor(length: number): number {
  return length + Math.max(16, length >>> 2)
}

/** Over UTF-16 code units. */
function hashOf(text: string): number {
  let hash = FNV_START
  for (let i = 0; i < text.length; i++) hash = fnvNext(hash, text.charCodeAt(i))
  return fnvEnd(hash)
}

/** `hashOf` of the string `arena[start .. end)`. */
function hashOfUnits(arena: Uint16Array, start: number, end: number): number {
  let hash = FNV_START
  for (let i = start; i < end; i++) hash = fnvNext(hash, arena[i]!)
  return fnvEnd(hash)
}

/** Writes the hash before the id, because the id makes the slot valid to readers. */
function insertId(table: Table, hash: number, id: number): void {
  const width = widthOf(table)
  const mask = table.length / width - 1
  let slot = hash & mask
  while (table[slot * width] !== 0) slot = (slot + 1) & mask
  if (width === 2) table[slot * 2 + 1] = hash
  Atomics.store(table, slot * width, id + 1)
}

function findString(
  arena: Uint16Array,
  offsets: Uint32Array,
  table: Table,
  text: string,
  hash: number,
  count: number,
): number {
  const width = widthOf(table)
  const mask = table.length / width - 1
  const length = text.length
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const id = table[slot * width]! - 1
    if (id < 0) return -1
    if (id >= count || (width === 2 && table[slot * 2 + 1] !== hash)) continue
    const start = offsets[id]!
    if (offsets[id + 1]! - start !== length) continue
    let i = 0
    while (i < length && arena[start + i] === text.charCodeAt(i)) i++
    if (i === length) return id
  }
}

/**
 * The code point at `at` of a string that ends at `end`, like `String.codePointAt`; -1 at the end.
 */
export function codePointAt(arena: Uint16Array, at: number, end: number): number {
  if (at >= end) return -1
  const unit = arena[at]!
  if ((unit & 0xfc00) !== 0xd800 || at + 1 === end) return unit
  const low = arena[at + 1]!
  return (low & 0xfc00) === 0xdc00 ? ((unit & 0x3ff) << 10) + (low & 0x3ff) + 0x10000 : unit
}

/** The string `arena[start .. end)`. */
export function textOfUnits(arena: Uint16Array, start: number, end: number): string {
  if (end - start <= 64) {
    let text = ''
    for (let i = start; i < end; i++) text += String.fromCharCode(arena[i]!)
    return text
  }
  const parts: string[] = []
  for (let i = start; i < end; i += 4096) {
    parts.push(String.fromCharCode(...arena.subarray(i, Math.min(end, i + 4096))))
  }
  return parts.join('')
}
