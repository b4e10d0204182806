import type { Visitor } from '@aisle/event-log'
import { RecentMap, type RecentState } from '../recent/recent-map.ts'
import { identitiesOf } from './profiles.ts'

/** Identities that are remembered; those not seen for longest are forgotten. */
const IDENTITIES_MAX = 100_000
/** Documents of a visitor that are remembered. */
const SEEN_DOCUMENTS_MAX = 20

/** What each identity looked at lately, newest last. Identities are kept as hashes. */
export class SeenDocuments {
  readonly identities: RecentMap<number, string[]>

  constructor(state?: RecentState<number, string[]>) {
    this.identities = new RecentMap(IDENTITIES_MAX, state)
  }

  add(visitor: Visitor, documentIds: readonly string[]): void {
    for (const identity of identitiesOf(visitor)) this.#add(identity, documentIds)
  }

  /** The anonymous visitor is this user: what one saw, the other saw too. */
  link({ userId, anonymousId }: Visitor): void {
    if (userId === undefined || anonymousId === undefined) return
    const [user, anonymous] = identitiesOf({ userId, anonymousId })
    this.#add(user!, this.identities.get(anonymous!) ?? [])
  }

  #add(identity: number, added: readonly string[]): void {
    if (added.length === 0) return
    const before = this.identities.get(identity) ?? []
    const others = before.filter((id) => !added.includes(id))
    this.identities.set(identity, [...others, ...new Set(added)].slice(-SEEN_DOCUMENTS_MAX))
  }
}
