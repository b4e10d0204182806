import type { Visitor } from '@aisle/event-log'
import { RecentMap, type RecentState } from '../recent/recent-map.ts'
import { hashText } from '../text/hash.ts'

/** Identities that are remembered; those not seen for longest are forgotten. */
const PROFILES_MAX = 200_000
/** Queries of a visitor that are remembered. */
const PROFILE_ITEMS_MAX = 12

export interface ProfileItem {
  readonly key: string
  readonly atMs: number
  readonly weight: ProfileWeight
}

/** How much was meant by it. */
export type ProfileWeight = 'search' | 'click' | 'conversion'

const STRENGTH: Readonly<Record<ProfileWeight, number>> = { search: 0, click: 1, conversion: 2 }

/** What each identity was looking for lately, newest last. Identities are kept as hashes. */
export class Profiles {
  readonly items: RecentMap<number, ProfileItem[]>

  constructor(state?: RecentState<number, ProfileItem[]>) {
    this.items = new RecentMap(PROFILES_MAX, state)
  }

  add(visitor: Visitor, item: ProfileItem): void {
    for (const identity of identitiesOf(visitor)) this.#add(identity, [item])
  }

  /** The anonymous visitor is this user: what one did, the other did too. */
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

/**
 * Hashes of who a visitor is, in the order in which they are asked: user, anonymous id, session.
 */
export function identitiesOf({ userId, anonymousId, sessionId }: Visitor): number[] {
  return [
    ...(userId === undefined ? [] : [hashText(`user ${userId}`)]),
    ...(anonymousId === undefined ? [] : [hashText(`anonymous ${anonymousId}`)]),
    ...(sessionId === undefined ? [] : [hashText(`session ${sessionId}`)]),
  ]
}
