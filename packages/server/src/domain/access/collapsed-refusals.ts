import { AUDIT_REFUSALS_PER_MINUTE_MAX } from '@aisle/contract'
import type { NewAuditEntry } from './audit.ts'
import { networkOf } from './network.ts'

const MINUTE_MS = 60_000

export interface CollapsedRefusal {
  readonly entry: NewAuditEntry
  count: number
  /** The number that it was written under, once it was. */
  id?: number
}

/**
 * Requests that were refused, those of a minute that are alike as one: who, what, which store, why,
 * from which network. A flood costs a write now and then, not one each.
 */
export class CollapsedRefusals {
  readonly #current = new Map<string, CollapsedRefusal>()
  readonly #dirty = new Set<CollapsedRefusal>()
  #minute = 0

  add(entry: NewAuditEntry, nowMs: number): void {
    const minute = Math.floor(nowMs / MINUTE_MS)
    if (minute !== this.#minute) this.#current.clear()
    this.#minute = minute
    const full = this.#current.size >= AUDIT_REFUSALS_PER_MINUTE_MAX
    const key = keyOf(entry)
    // Many networks at once, each with a few: told apart they would be a flood of entries.
    const isRest = full && !this.#current.has(key)
    const name = isRest ? entry.actor : key
    const fresh: CollapsedRefusal = { entry: isRest ? restOf(entry) : entry, count: 0 }
    const refusal = this.#current.get(name) ?? fresh
    refusal.count++
    this.#current.set(name, refusal)
    this.#dirty.add(refusal)
  }

  get isEmpty(): boolean {
    return this.#dirty.size === 0
  }

  /** What was added or has changed since the last time. */
  take(): CollapsedRefusal[] {
    const taken = [...this.#dirty]
    this.#dirty.clear()
    return taken
  }

  /** What was taken could not be written: it waits for the next time. */
  giveBack(taken: readonly CollapsedRefusal[]): void {
    for (const refusal of taken) this.#dirty.add(refusal)
  }
}

function keyOf({ actor, login, action, store_id: store, target, code, address }: NewAuditEntry) {
  // Who is known may name targets without end; strangers' targets are names of users only.
  const what = actor === 'nobody' ? target : undefined
  return JSON.stringify([actor, login, action, store, what, code, networkOf(address)])
}

function restOf({ at, actor, action, result, status, code, request_id }: NewAuditEntry) {
  const base = { at, actor, action, result, status, address: 'several', user_agent: '', request_id }
  return code === undefined ? base : { ...base, code }
}
