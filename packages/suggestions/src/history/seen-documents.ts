import type { Visitor } from '@aisle/event-log'
import { RecentMap, type RecentState } from '../recent/recent-map.ts'
import { identitiesOf } from './profiles.ts'

/** Maximum of identities; the least recently seen are forgotten. */
const IDENTITIES_MAX = 100_000
/** Maximum of documents per visitor. */
const SEEN_DOCUMENTS_MAX = 20

/** Recently seen documents of each identity, newest last. Identities are stored as hashes. */
export class SeenDocuments {
  readonly identities: RecentMap<number, string[]>

  constructor(state?: RecentState<number, string[]>) {
    this.identities = new RecentMap(IDENTITIES_MAX, state)
  }

  add(visitor: Visitor, documentIds: readonly string[]): void {
    for (const identity of identitiesOf(visitor)) this.#add(identity, documentIds)
  }

  /** Merges the anonymous visitor into this user. */
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
