import type { ActorKind, AuditEntry } from '@aisle/contract'

export type { ActorKind, AuditEntry }

/** An entry without its number. */
export type NewAuditEntry = Omit<AuditEntry, 'id'>

/** Restricts the entries to return; absent members do not. */
export interface AuditFilter {
  readonly login?: string | undefined
  readonly actor?: ActorKind | undefined
  readonly action?: string | undefined
  readonly storeId?: string | undefined
  readonly target?: string | undefined
  readonly result?: AuditEntry['result'] | undefined
  /** Inclusive. */
  readonly fromMs?: number | undefined
  /** Exclusive. */
  readonly toMs?: number | undefined
}

export function matchesAudit(entry: AuditEntry, filter: AuditFilter): boolean {
  const is = <T>(wanted: T | undefined, value: T | undefined): boolean =>
    wanted === undefined || wanted === value
  const atMs = Date.parse(entry.at)
  return (
    is(filter.login, entry.login) &&
    is(filter.actor, entry.actor) &&
    is(filter.action, entry.action) &&
    is(filter.storeId, entry.store_id) &&
    is(filter.target, entry.target) &&
    is(filter.result, entry.result) &&
    atMs >= (filter.fromMs ?? -Infinity) &&
    atMs < (filter.toMs ?? Infinity)
  )
}
