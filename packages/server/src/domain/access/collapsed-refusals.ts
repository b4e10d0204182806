import { AUDIT_REFUSALS_PER_MINUTE_MAX } from '@aisle/contract'
import type { NewAuditEntry } from './audit.ts'
import { networkOf } from './network.ts'

const MINUTE_MS = 60_000

export interface CollapsedRefusal {
  readonly entry: NewAuditEntry
  count: number
  /** Its number in the log, once written. */
  id?: number
}

/**
 * Refused requests. Those of one minute with the same actor, action, store, reason and network are
 * one entry, so a flood costs an occasional write, not one per request.
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
    // Many networks at once with a few refusals each would be a flood of entries, so they share
    // one.
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

  /** Entries that are new or changed since the last call. */
  take(): CollapsedRefusal[] {
    const taken = [...this.#dirty]
    this.#dirty.clear()
    return taken
  }

  /** Returns entries that could not be written, for the next attempt. */
  giveBack(taken: readonly CollapsedRefusal[]): void {
    for (const refusal of taken) this.#dirty.add(refusal)
  }
}

function keyOf({ actor, login, action, store_id: store, target, code, address }: NewAuditEntry) {
  // A known actor may invent any number of targets; targets of strangers are only names of users.
  const what = actor === 'nobody' ? target : undefined
  return JSON.stringify([actor, login, action, store, what, code, networkOf(address)])
}

function restOf({ at, actor, action, result, status, code, request_id }: NewAuditEntry) {
  const base = { at, actor, action, result, status, address: 'several', user_agent: '', request_id }
  return code === undefined ? base : { ...base, code }
}
