import { unitOrder } from '../codec/code-point-order.ts'

/**
 * An append-only set of strings in shared memory: each string has a number (its **id**), dense from 0.
 * One writer interns; any number of readers find and read.
 *
 *     arena:   u16[]  UTF-16 code units of all strings, one after the other
 *     offsets: u32[]  string i is arena[offsets[i] .. offsets[i + 1])
 *     table:   i32[]  open addressing by FNV-1a of the code units: id + 1, 0 = free; at most half full
 *
 * Thread safety: the writer writes arena and offsets, then the table slot, then posts `handles()` with the
 * new count. Readers ignore ids at or above the count they were handed, so they see whole strings only.
 * When an array is full the writer moves to a copy of twice the size; old readers keep the old one.
 */
export interface DictionaryHandles {
  readonly count: number
  readonly arena: SharedArrayBuffer
  readonly offsets: SharedArrayBuffer
  readonly table: SharedArrayBuffer
}

/** All strings of a dictionary without room to grow: string i is arena[offsets[i] .. offsets[i + 1]). */
export interface PackedStrings {
  readonly arena: Uint16Array
  readonly offsets: Uint32Array
}

export function packStrings({ count, arena, offsets }: DictionaryHandles): PackedStrings {
  const packed = new Uint32Array(offsets, 0, count + 1)
  return { arena: new Uint16Array(arena, 0, packed[count]!), offsets: packed }
}

export class DictionaryReader {
  readonly count: number
  protected arena: Uint16Array
  protected offsets: Uint32Array
  protected table: Int32Array

  constructor(handles: DictionaryHandles) {
    this.count = handles.count
    this.arena = new Uint16Array(handles.arena)
    this.offsets = new Uint32Array(handles.offsets)
    this.table = new Int32Array(handles.table)
  }

  /** @returns the id of the string, -1 when it is not there */
  find(text: string): number {
    return findString(this.arena, this.offsets, this.table, text, this.count)
  }

  text(id: number): string {
    return readString(this.arena, this.offsets[id]!, this.offsets[id + 1]!)
  }

  /** Ids of all strings longer than `ending` that end so, ascending: a scan, some nanoseconds for each string. */
  idsEndingWith(ending: string): number[] {
    const { arena, offsets, count } = this
    const ids: number[] = []
    const length = ending.length
    for (let id = 0; id < count; id++) {
      const end = offsets[id + 1]!
      if (end - offsets[id]! <= length) continue
      let i = 1
      while (i <= length && arena[end - i] === ending.charCodeAt(length - i)) i++
      if (i > length) ids.push(id)
    }
    return ids
  }

  /** Does the string hold `part`? Without making it. */
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

  /** Orders two strings by code point, without making them. */
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

export class DictionaryWriter {
  #count = 0
  #arena: Uint16Array
  #offsets: Uint32Array
  #table: Int32Array

  /** @param handles continue these (they must not be written by anyone else), or start empty */
  constructor(handles?: DictionaryHandles) {
    if (handles === undefined) {
      this.#arena = new Uint16Array(new SharedArrayBuffer(512))
      this.#offsets = new Uint32Array(new SharedArrayBuffer(17 * 4))
      this.#table = new Int32Array(new SharedArrayBuffer(32 * 4))
    } else {
      this.#count = handles.count
      this.#arena = new Uint16Array(handles.arena)
      this.#offsets = new Uint32Array(handles.offsets)
      this.#table = new Int32Array(handles.table)
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
    return findString(this.#arena, this.#offsets, this.#table, text, this.#count)
  }

  text(id: number): string {
    return readString(this.#arena, this.#offsets[id]!, this.#offsets[id + 1]!)
  }

  /** @returns the id of the string, which is added when it is new */
  intern(text: string): number {
    const known = this.find(text)
    if (known >= 0) return known
    const id = this.#count
    const start = this.#offsets[id]!
    if (start + text.length > this.#arena.length) this.#growArena(start + text.length)
    if (id + 2 > this.#offsets.length) this.#growOffsets()
    if ((id + 1) * 2 > this.#table.length) this.#growTable()
    for (let i = 0; i < text.length; i++) this.#arena[start + i] = text.charCodeAt(i)
    this.#offsets[id + 1] = start + text.length
    this.#count = id + 1
    insertId(this.#table, hashOf(text), id)
    return id
  }

  /** A dictionary with these strings, in this order. */
  static fromPacked({ arena, offsets }: PackedStrings): DictionaryWriter {
    const writer = new DictionaryWriter()
    for (let id = 0; id + 1 < offsets.length; id++) {
      writer.intern(readString(arena, offsets[id]!, offsets[id + 1]!))
    }
    return writer
  }

  handles(): DictionaryHandles {
    return {
      count: this.#count,
      arena: this.#arena.buffer as SharedArrayBuffer,
      offsets: this.#offsets.buffer as SharedArrayBuffer,
      table: this.#table.buffer as SharedArrayBuffer,
    }
  }

  #growArena(needed: number): void {
    const length = Math.max(this.#arena.length * 2, needed)
    const grown = new Uint16Array(new SharedArrayBuffer(length * 2))
    grown.set(this.#arena)
    this.#arena = grown
  }

  #growOffsets(): void {
    const grown = new Uint32Array(new SharedArrayBuffer(this.#offsets.length * 2 * 4))
    grown.set(this.#offsets)
    this.#offsets = grown
  }

  #growTable(): void {
    const grown = new Int32Array(new SharedArrayBuffer(this.#table.length * 2 * 4))
    for (let id = 0; id < this.#count; id++) insertId(grown, hashOf(this.text(id)), id)
    this.#table = grown
  }
}

/** FNV-1a (Fowler, Noll, Vo) over UTF-16 code units, finished with a shift so that low bits are mixed. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}

function insertId(table: Int32Array, hash: number, id: number): void {
  const mask = table.length - 1
  let slot = hash & mask
  while (table[slot] !== 0) slot = (slot + 1) & mask
  Atomics.store(table, slot, id + 1)
}

function findString(
  arena: Uint16Array,
  offsets: Uint32Array,
  table: Int32Array,
  text: string,
  count: number,
): number {
  const mask = table.length - 1
  const length = text.length
  for (let slot = hashOf(text) & mask; ; slot = (slot + 1) & mask) {
    const id = table[slot]! - 1
    if (id < 0) return -1
    if (id >= count) continue
    const start = offsets[id]!
    if (offsets[id + 1]! - start !== length) continue
    let i = 0
    while (i < length && arena[start + i] === text.charCodeAt(i)) i++
    if (i === length) return id
  }
}

function readString(arena: Uint16Array, start: number, end: number): string {
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
