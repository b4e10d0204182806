import type { Visitor } from '@aisle/event-log'
import { RecentMap, type RecentState } from '../recent/recent-map.ts'
import { identitiesOf } from './profiles.ts'
import type { Step } from './together-table.ts'

/** Maximum of identities; the least recently seen are forgotten. */
const IDENTITIES_MAX = 100_000
/** Maximum of documents per visitor. */
const SEEN_DOCUMENTS_MAX = 20

/** A document that a visitor looked at or chose. */
export interface SeenDocument {
  readonly id: string
  /** The last time. */
  readonly atMs: number
  /** The strongest step: a purchase, else a cart, else a look. */
  readonly step: Step
}

/** From the weakest to the strongest. */
export const STEPS_BY_STRENGTH: readonly Step[] = ['look', 'cart', 'order']

/** Recently seen documents of each identity, newest last. Identities are stored as hashes. */
export class SeenDocuments {
  readonly identities: RecentMap<number, SeenDocument[]>

  constructor(state?: RecentState<number, SeenDocument[]>) {
    this.identities = new RecentMap(IDENTITIES_MAX, state)
  }

  add(visitor: Visitor, documentIds: readonly string[], step: Step, atMs: number): void {
    const added = [...new Set(documentIds)].map((id) => ({ id, step, atMs }))
    for (const identity of identitiesOf(visitor)) this.#add(identity, added)
  }

  /** Merges the anonymous visitor into this user. */
  link({ userId, anonymousId }: Visitor): void {
    if (userId === undefined || anonymousId === undefined) return
    const [user, anonymous] = identitiesOf({ userId, anonymousId })
    this.#add(user!, this.identities.get(anonymous!) ?? [])
  }

  #add(identity: number, added: readonly SeenDocument[]): void {
    if (added.length === 0) return
    const before = new Map((this.identities.get(identity) ?? []).map((one) => [one.id, one]))
    for (const one of added) {
      const known = before.get(one.id)
      // Deleted first, so that it moves to the end.
      before.delete(one.id)
      before.set(one.id, known === undefined ? one : stronger(known, one))
    }
    this.identities.set(identity, [...before.values()].slice(-SEEN_DOCUMENTS_MAX))
  }
}

function stronger(a: SeenDocument, b: SeenDocument): SeenDocument {
  const strength = ({ step }: SeenDocument): number => STEPS_BY_STRENGTH.indexOf(step)
  const { step } = strength(a) > strength(b) ? a : b
  return { id: a.id, step, atMs: Math.max(a.atMs, b.atMs) }
}
