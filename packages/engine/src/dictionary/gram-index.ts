import type { SectionReader, SectionWriter } from '../codec/section-file.ts'
import type { DictionaryReader } from './shared-dictionary.ts'

/**
 * Finds the strings of a dictionary that may contain a text: for every three adjacent UTF-16 code
 * units (a **gram**), the ids of the strings that contain it, after Cox, "Regular Expression
 * Matching with a Trigram Index" (2012). Code units serve as code points: a well-formed text
 * contains another exactly if its units do.
 *
 *     gramKeys:   f64[gram]      u0 * 2^32 + u1 * 2^16 + u2, ascending
 *     gramStarts: u32[gram + 1]  where the ids of the gram start
 *     gramIds:    u8[]           ids ascending, each as the varint of its delta to the previous one (or to -1)
 *
 * A varint has 7 bits per byte, low ones first; bit 7 is set in all bytes but the last. The
 * sections are part of the trie's buffer, because both cover the same strings and are built
 * together.
 */
export const GRAM_LENGTH = 3

/** String `id` is `arena[offsets[id] .. offsets[id + 1])`, in UTF-16 code units. */
type Strings = Pick<DictionaryReader, 'arena' | 'offsets' | 'count'>

/** The grams of a trie, in its buffer. */
export class GramIndex {
  readonly keys: Float64Array
  readonly starts: Uint32Array
  readonly ids: Uint8Array

  constructor(sections: SectionReader) {
    this.keys = sections.f64('gramKeys')
    this.starts = sections.u32('gramStarts')
    this.ids = sections.u8('gramIds')
  }

  /**
   * Ids, ascending, of the strings with the rarest gram of a text: a superset of those that contain
   * the text, exact for a text of one gram.
   *
   * @param text at least GRAM_LENGTH code units
   */
  candidates(text: string): number[] {
    let rarest = -1
    for (let i = 0; i + GRAM_LENGTH <= text.length; i++) {
      const gram = this.#find(keyAt(text, i))
      if (gram < 0) return []
      if (rarest < 0 || this.#bytesOf(gram) < this.#bytesOf(rarest)) rarest = gram
    }
    return rarest < 0 ? [] : this.#read(rarest)
  }

  #bytesOf(gram: number): number {
    return this.starts[gram + 1]! - this.starts[gram]!
  }

  #find(key: number): number {
    let low = 0
    let high = this.keys.length - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      const other = this.keys[middle]!
      if (other === key) return middle
      if (other < key) low = middle + 1
      else high = middle - 1
    }
    return -1
  }

  #read(gram: number): number[] {
    const bytes = this.ids
    const end = this.starts[gram + 1]!
    const found: number[] = []
    let id = -1
    for (let at = this.starts[gram]!; at < end;) {
      const delta = varintAt(bytes, at)
      at += varintBytes(delta)
      id += delta
      found.push(id)
    }
    return found
  }
}

/** The contents of the sections of a gram index. */
interface GramLists {
  readonly keys: Float64Array
  readonly starts: Uint32Array
  readonly ids: Uint8Array
}

const NO_GRAMS: GramLists = {
  keys: new Float64Array(0),
  starts: new Uint32Array(1),
  ids: new Uint8Array(0),
}

/**
 * Adds the gram sections of the strings of a dictionary.
 *
 * @param old the grams of its first `oldCount` strings. Newer strings have higher ids, so each old
 * list is a prefix of a new one.
 */
export function addGrams(
  sections: SectionWriter,
  strings: Strings,
  old: GramLists = NO_GRAMS,
  oldCount = 0,
): void {
  const fresh = readGrams(strings, oldCount)
  const freshKeys = fresh.keys.slice(0, fresh.count).sort()
  const keys = new Float64Array(old.keys.length + fresh.count)
  /** By index in `keys`: the gram in the old lists, or -1; by number: the index of a new gram. */
  const oldGrams = new Int32Array(keys.length)
  const places = new Uint32Array(fresh.count)
  /** By number: the previous id plus one, so that 0 means none. */
  const lastIds = new Uint32Array(fresh.count)
  let count = 0
  for (let o = 0, f = 0; o < old.keys.length || f < freshKeys.length; count++) {
    const oldKey = o < old.keys.length ? old.keys[o]! : Infinity
    const freshKey = f < freshKeys.length ? freshKeys[f]! : Infinity
    keys[count] = Math.min(oldKey, freshKey)
    oldGrams[count] = oldKey <= freshKey ? o++ : -1
    if (freshKey > oldKey) continue
    f++
    const number = fresh.numberOf(freshKey)
    places[number] = count
    if (oldKey === freshKey) lastIds[number] = 1 + lastIdOf(old, oldGrams[count]!)
  }

  const starts = new Uint32Array(count + 1)
  for (let place = 0; place < count; place++) {
    const gram = oldGrams[place]!
    if (gram >= 0) starts[place + 1] = old.starts[gram + 1]! - old.starts[gram]!
  }
  const lastIdsOfOld = lastIds.slice()
  forEachId(strings, oldCount, fresh.occurrences, lastIds, (number, delta) => {
    starts[places[number]! + 1]! += varintBytes(delta)
  })
  for (let place = 0; place < count; place++) starts[place + 1]! += starts[place]!

  const ids = new Uint8Array(starts[count]!)
  const ends = starts.slice(0, count)
  for (let place = 0; place < count; place++) {
    const gram = oldGrams[place]!
    if (gram < 0) continue
    let at = ends[place]!
    for (let from = old.starts[gram]!; from < old.starts[gram + 1]!; from++) {
      ids[at++] = old.ids[from]!
    }
    ends[place] = at
  }
  forEachId(strings, oldCount, fresh.occurrences, lastIdsOfOld, (number, delta) => {
    let rest = delta
    let at = ends[places[number]!]!
    while (rest >= 0x80) {
      ids[at++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    ids[at++] = rest
    ends[places[number]!] = at
  })
  sections.add('gramKeys', keys.subarray(0, count))
  sections.add('gramStarts', starts)
  sections.add('gramIds', ids)
}

/** The distinct grams of some strings, numbered in order of appearance. */
class GramNumbers {
  count = 0
  keys = new Float64Array(1_024)
  /** The number of each gram of each string, concatenated. */
  readonly occurrences: Uint32Array
  /** Open addressing: number + 1, 0 = free; at most half full. */
  #table = new Int32Array(2_048)

  /** @param length number of `occurrences` */
  constructor(length: number) {
    this.occurrences = new Uint32Array(length)
  }

  numberOf(key: number): number {
    let slot = slotOf(key) & (this.#table.length - 1)
    for (; this.#table[slot] !== 0; slot = (slot + 1) & (this.#table.length - 1)) {
      const number = this.#table[slot]! - 1
      if (this.keys[number] === key) return number
    }
    const number = this.count++
    this.keys[number] = key
    this.#table[slot] = number + 1
    if (this.count === this.keys.length) this.#grow()
    return number
  }

  #grow(): void {
    const { keys, count } = this
    this.keys = new Float64Array(count * 2)
    this.keys.set(keys)
    this.#table = new Int32Array(count * 4)
    const mask = this.#table.length - 1
    for (let number = 0; number < count; number++) {
      let slot = slotOf(keys[number]!) & mask
      while (this.#table[slot] !== 0) slot = (slot + 1) & mask
      this.#table[slot] = number + 1
    }
  }
}

function slotOf(key: number): number {
  const high = Math.floor(key / 0x100000000)
  const mixed = Math.imul((key - high * 0x100000000) ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b)
  return mixed ^ (mixed >>> 15)
}

function readGrams({ arena, offsets, count }: Strings, from: number): GramNumbers {
  const grams = new GramNumbers(offsets[count]! - offsets[from]!)
  const { occurrences } = grams
  let occurrence = 0
  for (let id = from; id < count; id++) {
    const last = offsets[id + 1]! - GRAM_LENGTH
    for (let at = offsets[id]!; at <= last; at++) {
      const key = keyOf(arena[at]!, arena[at + 1]!, arena[at + 2]!)
      occurrences[occurrence++] = grams.numberOf(key)
    }
  }
  return grams
}

/**
 * Visits the ids of all grams, each as the delta to the previous one in its list ("banana" has
 * "ana" twice, but the list has it once).
 */
function forEachId(
  { offsets, count }: Strings,
  from: number,
  occurrences: Uint32Array,
  lastIds: Uint32Array,
  visit: (number: number, delta: number) => void,
): void {
  let occurrence = 0
  for (let id = from; id < count; id++) {
    const grams = offsets[id + 1]! - offsets[id]! - GRAM_LENGTH + 1
    for (let i = 0; i < grams; i++) {
      const number = occurrences[occurrence++]!
      const delta = id + 1 - lastIds[number]!
      if (delta === 0) continue
      lastIds[number] = id + 1
      visit(number, delta)
    }
  }
}

function lastIdOf({ starts, ids }: GramLists, gram: number): number {
  let id = -1
  for (let at = starts[gram]!; at < starts[gram + 1]!;) {
    const value = varintAt(ids, at)
    id += value
    at += varintBytes(value)
  }
  return id
}

/** The varint at an offset. */
function varintAt(bytes: Uint8Array, start: number): number {
  let value = 0
  let shift = 0
  let at = start
  let byte: number
  do {
    byte = bytes[at++]!
    value |= (byte & 0x7f) << shift
    shift += 7
  } while (byte >= 0x80)
  return value
}

function keyAt(text: string, at: number): number {
  return keyOf(text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2))
}

function keyOf(first: number, second: number, third: number): number {
  return first * 0x100000000 + second * 0x10000 + third
}

/** Length of the varint of a number, in bytes. */
function varintBytes(delta: number): number {
  return delta < 0x80 ? 1 : delta < 0x4000 ? 2 : delta < 0x200000 ? 3 : delta < 0x10000000 ? 4 : 5
}
