import { SectionReader, SectionWriter } from '@aisle/engine'
import type { Visitor } from '@aisle/event-log'
import { identitiesOf, type ProfileItem } from '../history/profiles.ts'
import { placeIn } from '../index/place-in.ts'
import { addStrings, StringList } from '../index/string-list.ts'

const PROFILES_MAGIC = 0x50534941

/** Recent interests of visitors by identity, in shared memory; immutable. */
export function buildProfileIndex(
  profiles: Iterable<readonly [identity: number, items: readonly ProfileItem[]]>,
): SharedArrayBuffer {
  const sorted = [...profiles].toSorted(([a], [b]) => a - b)
  const items = sorted.flatMap(([, list]) => list)
  const keys = new Map<string, number>()
  for (const { key } of items) if (!keys.has(key)) keys.set(key, keys.size)
  const ends = new Uint32Array(sorted.length + 1)
  sorted.forEach(([, list], i) => (ends[i + 1] = ends[i]! + list.length))

  const writer = new SectionWriter()
  writer.add(
    'identity',
    Float64Array.from(sorted, ([identity]) => identity),
  )
  writer.add('ends', ends)
  addStrings(writer, 'key', [...keys.keys()])
  writer.add(
    'itemKey',
    Uint32Array.from(items, ({ key }) => keys.get(key)!),
  )
  writer.add(
    'itemAt',
    Float64Array.from(items, ({ atMs }) => atMs),
  )
  writer.add(
    'itemWeight',
    Uint8Array.from(items, ({ weight }) => WEIGHTS.indexOf(weight)),
  )
  return writer.finish(PROFILES_MAGIC, {})
}

const WEIGHTS: readonly ProfileItem['weight'][] = ['search', 'click', 'conversion']

export class ProfileIndex {
  readonly buffer: SharedArrayBuffer
  readonly #identity: Float64Array
  readonly #ends: Uint32Array
  readonly #keys: StringList
  readonly #itemKey: Uint32Array
  readonly #itemAt: Float64Array
  readonly #itemWeight: Uint8Array

  constructor(buffer: SharedArrayBuffer) {
    const reader = new SectionReader(buffer, PROFILES_MAGIC)
    this.buffer = buffer
    this.#identity = reader.f64('identity')
    this.#ends = reader.u32('ends')
    this.#keys = new StringList(reader, 'key')
    this.#itemKey = reader.u32('itemKey')
    this.#itemAt = reader.f64('itemAt')
    this.#itemWeight = reader.u8('itemWeight')
  }

  /** Interests of the first known identity: user, anonymous id, session. Newest last. */
  of(visitor: Visitor): ProfileItem[] {
    for (const identity of identitiesOf(visitor)) {
      const at = placeIn(this.#identity, identity)
      if (at >= 0) return this.#items(at)
    }
    return []
  }

  #items(at: number): ProfileItem[] {
    const items: ProfileItem[] = []
    for (let i = this.#ends[at]!; i < this.#ends[at + 1]!; i++) {
      items.push({
        key: this.#keys.get(this.#itemKey[i]!),
        atMs: this.#itemAt[i]!,
        weight: WEIGHTS[this.#itemWeight[i]!]!,
      })
    }
    return items
  }
}
