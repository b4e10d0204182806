import type { Visitor } from '@aisle/event-log'
import { RecentMap, type RecentState } from '../recent/recent-map.ts'
import { hashText } from '../text/hash.ts'

/** Maximum of identities; the least recently seen are forgotten. */
const PROFILES_MAX = 200_000
/** Maximum of queries per visitor. */
const PROFILE_ITEMS_MAX = 12

export interface ProfileItem {
  readonly key: string
  readonly atMs: number
  readonly weight: ProfileWeight
}

/** The strength of the interest. */
export type ProfileWeight = 'search' | 'click' | 'conversion'

const STRENGTH: Readonly<Record<ProfileWeight, number>> = { search: 0, click: 1, conversion: 2 }

/** Recent queries of each identity, newest last. Identities are stored as hashes. */
export class Profiles {
  readonly items: RecentMap<number, ProfileItem[]>

  constructor(state?: RecentState<number, ProfileItem[]>) {
    this.items = new RecentMap(PROFILES_MAX, state)
  }

  add(visitor: Visitor, item: ProfileItem): void {
    for (const identity of identitiesOf(visitor)) this.#add(identity, [item])
  }

  /** Merges the anonymous visitor into this user. */
  link({ userId, anonymousId }: Visitor): void {
    if (userId === undefined || anonymousId === undefined) return
    const [user, anonymous] = identitiesOf({ userId, anonymousId })
    this.#add(user!, this.items.get(anonymous!) ?? [])
  }

  #add(identity: number, added: readonly ProfileItem[]): void {
    if (added.length === 0) return
    const items = this.items.get(identity) ?? []
    for (const item of added) {
      const at = items.findIndex(({ key }) => key === item.key)
      const before = at < 0 ? undefined : items.splice(at, 1)[0]
      const isWeaker = before !== undefined && STRENGTH[before.weight] > STRENGTH[item.weight]
      items.push(isWeaker ? { ...item, weight: before.weight } : item)
    }
    if (items.length > PROFILE_ITEMS_MAX) items.splice(0, items.length - PROFILE_ITEMS_MAX)
    this.items.set(identity, items)
  }
}

/** Hashes of a visitor's ids, in order of precedence: user, anonymous id, session. */
export function identitiesOf({ userId, anonymousId, sessionId }: Visitor): number[] {
  return [
    ...(userId === undefined ? [] : [hashText(`user ${userId}`)]),
    ...(anonymousId === undefined ? [] : [hashText(`anonymous ${anonymousId}`)]),
    ...(sessionId === undefined ? [] : [hashText(`session ${sessionId}`)]),
  ]
}
