import { GrowableU32 } from '../codec/growable.ts'
import type { SectionReader, SectionWriter } from '../codec/section-file.ts'
import type { DictionaryReader } from './shared-dictionary.ts'

/**
 * Which strings of a dictionary may contain a text: for every three neighbouring UTF-16 code units
 * (a **gram**), the ids of the strings that contain it, after Cox, "Regular Expression Matching
 * with a Trigram Index" (2012). Code units can stand in for code points: a well-formed text
 * contains another exactly when its units do.
 *
 *     gramKeys:   f64[gram]      u0 * 2^32 + u1 * 2^16 + u2, ascending
 *     gramStarts: u32[gram + 1]  where the ids of the gram start
 *     gramIds:    u8[]           ids ascending, each as the varint of its distance from the one before (or from -1)
 *
 * A varint has 7 bits per byte, low ones first; bit 7 is set in all bytes but the last. The
 * sections are part of the trie's buffer, because both cover the same strings and are built
 * together.
 */
export const GRAM_LENGTH = 3

/** String number `id` is `arena[offsets[id] .. offsets[id + 1])`, in UTF-16 code units. */
type Strings = Pick<DictionaryReader, 'arena' | 'offsets' | 'count'>

export class GramIndex {
  readonly #keys: Float64Array
  readonly #starts: Uint32Array
  readonly #ids: Uint8Array

  constructor(sections: SectionReader) {
    this.#keys = sections.f64('gramKeys')
    this.#starts = sections.u32('gramStarts')
    this.#ids = sections.u8('gramIds')
  }

  /**
   * Ids, ascending, of the strings that contain the rarest gram of a text; every string that
   * contains the text is among them. For a text of one gram the result is exact.
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
    return this.#starts[gram + 1]! - this.#starts[gram]!
  }

  #find(key: number): number {
    let low = 0
    let high = this.#keys.length - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      const other = this.#keys[middle]!
      if (other === key) return middle
      if (other < key) low = middle + 1
      else high = middle - 1
    }
    return -1
  }

  #read(gram: number): number[] {
    const bytes = this.#ids
    const end = this.#starts[gram + 1]!
    const found: number[] = []
    let id = -1
    for (let at = this.#starts[gram]!; at < end;) {
      let delta = 0
      let shift = 0
      let byte: number
      do {
        byte = bytes[at++]!
        delta |= (byte & 0x7f) << shift
        shift += 7
      } while (byte >= 0x80)
      id += delta
      found.push(id)
    }
    return found
  }
}

/** Adds the gram sections of the strings of a dictionary. */
export function addGrams(sections: SectionWriter, strings: Strings): void {
  const { arena, offsets, count } = strings
  // First the grams in order of appearance: a running number for each, and the bytes of its ids.
  const numbers = new Map<number, number>()
  const occurrences = new GrowableU32(offsets[count]! + 1)
  const bytes = new GrowableU32()
  const lastIds = new GrowableU32()
  for (let id = 0; id < count; id++) {
    const last = offsets[id + 1]! - GRAM_LENGTH
    for (let at = offsets[id]!; at <= last; at++) {
      const key = keyOf(arena[at]!, arena[at + 1]!, arena[at + 2]!)
      let number = numbers.get(key)
      if (number === undefined) {
        number = numbers.size
        numbers.set(key, number)
        bytes.push(0)
        lastIds.push(0)
      }
      occurrences.push(number)
      // Plus one, so that 0 stands for the position before the first id.
      const delta = id + 1 - lastIds.data[number]!
      bytes.data[number]! += varintBytes(delta)
      lastIds.data[number] = id + 1
    }
  }

  // Then the grams sorted by key, each with its ids.
  const keys = Float64Array.from(numbers.keys()).sort()
  const starts = new Uint32Array(keys.length + 1)
  const ends = new Uint32Array(keys.length)
  keys.forEach((key, place) => {
    const number = numbers.get(key)!
    ends[number] = starts[place]!
    starts[place + 1] = starts[place]! + bytes.data[number]!
  })
  const ids = new Uint8Array(starts[keys.length]!)
  lastIds.data.fill(0)
  let occurrence = 0
  for (let id = 0; id < count; id++) {
    const last = offsets[id + 1]! - GRAM_LENGTH
    for (let start = offsets[id]!; start <= last; start++) {
      const number = occurrences.data[occurrence++]!
      let rest = id + 1 - lastIds.data[number]!
      lastIds.data[number] = id + 1
      // "banana" has "ana" twice; the second time the difference is 0 and nothing is written.
      if (rest === 0) continue
      let at = ends[number]!
      while (rest >= 0x80) {
        ids[at++] = (rest & 0x7f) | 0x80
        rest >>>= 7
      }
      ids[at++] = rest
      ends[number] = at
    }
  }
  sections.add('gramKeys', keys)
  sections.add('gramStarts', starts)
  sections.add('gramIds', ids)
}

function keyAt(text: string, at: number): number {
  return keyOf(text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2))
}

function keyOf(first: number, second: number, third: number): number {
  return first * 0x100000000 + second * 0x10000 + third
}

/** Bytes of the difference between two ids; 0 for a difference of 0, which is not written. */
function varintBytes(delta: number): number {
  if (delta === 0) return 0
  return delta < 0x80 ? 1 : delta < 0x4000 ? 2 : delta < 0x200000 ? 3 : delta < 0x10000000 ? 4 : 5
}
