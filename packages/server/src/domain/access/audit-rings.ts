import {
  AUDIT_ENTRIES_MAX,
  AUDIT_STORE_ENTRIES_MAX,
  AUDIT_STRANGER_ENTRIES_MAX,
} from '@aisle/contract'
import type { AuditEntry } from './audit.ts'

/** Ids of entries, the oldest first. */
interface Ring {
  ids: number[]
  /** The number of removed `ids`. */
  gone: number
}

interface RingGroup {
  readonly entriesMax: number
  readonly rings: Map<string, Ring>
  count: number
}

/**
 * Decides which entries of the audit log are removed when there are too many. Entries of store
 * keys, of strangers, and all others (administration, users) never evict each other; nor does one
 * store evict another: the store with the most entries loses its oldest one.
 */
export class AuditRings {
  readonly #administration = groupOf(AUDIT_ENTRIES_MAX)
  readonly #stores = groupOf(AUDIT_STORE_ENTRIES_MAX)
  readonly #strangers = groupOf(AUDIT_STRANGER_ENTRIES_MAX)

  /** @param entry with a higher id than any before */
  add({ id, actor, store_id: storeId }: AuditEntry): void {
    const group = this.#groupOf(actor)
    const name = actor === 'store_key' ? (storeId ?? '') : ''
    const ring = group.rings.get(name) ?? { ids: [], gone: 0 }
    ring.ids.push(id)
    group.rings.set(name, ring)
    group.count++
  }

  /** Removes excess entries. @returns their ids, at most `limit` */
  overflow(limit: number): number[] {
    const ids: number[] = []
    for (const group of [this.#administration, this.#stores, this.#strangers]) {
      while (group.count > group.entriesMax && ids.length < limit) {
        ids.push(takeOldest(group, largestOf(group)))
      }
    }
    return ids
  }

  /** Removes all entries up to this id. */
  removeUpTo(id: number): void {
    for (const group of [this.#administration, this.#stores, this.#strangers]) {
      for (const name of group.rings.keys()) {
        let ring = group.rings.get(name)
        while (ring !== undefined && ring.ids[ring.gone]! <= id) {
          takeOldest(group, name)
          ring = group.rings.get(name)
        }
      }
    }
  }

  #groupOf(actor: AuditEntry['actor']): RingGroup {
    if (actor === 'store_key') return this.#stores
    return actor === 'nobody' ? this.#strangers : this.#administration
  }
}

function groupOf(entriesMax: number): RingGroup {
  return { entriesMax, rings: new Map(), count: 0 }
}

function largestOf({ rings }: RingGroup): string {
  let largest = ''
  let most = 0
  for (const [name, { ids, gone }] of rings) {
    if (ids.length - gone <= most) continue
    most = ids.length - gone
    largest = name
  }
  return largest
}

function takeOldest(group: RingGroup, name: string): number {
  const ring = group.rings.get(name)!
  const id = ring.ids[ring.gone++]!
  group.count--
  if (ring.gone === ring.ids.length) group.rings.delete(name)
  else if (ring.gone * 2 > ring.ids.length) {
    // Done only occasionally, so that each removal is cheap.
    ring.ids = ring.ids.slice(ring.gone)
    ring.gone = 0
  }
  return id
}
