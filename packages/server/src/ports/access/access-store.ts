import type { AccessChange, SessionRecord, UserRow } from '../../domain/access/access-table.ts'
import type { AuditEntry } from '../../domain/access/audit.ts'
import type { AuditReader } from './access-directory.ts'

export type { AccessChange, UserRow }

/**
 * Storage of users, sessions and the audit log, for the code that decides on changes. One call at a
 * time.
 */
export interface AccessStore extends AuditReader {
  users(): UserRow[]
  sessions(): SessionRecord[]
  /** Next id of the audit log, from 1. */
  nextAuditId(): number
  /** Entries of the audit log from an id on, ascending, at most `limit`. */
  oldestAudit(fromId: number, limit: number): AuditRow[] | Promise<AuditRow[]>
  /**
   * Commits a change completely or not at all. Rejects with ApiError `unavailable` if nothing was
   * changed, and with StaleAccessError if another node has changed the same data: the caller must
   * decide again.
   */
  commit(change: StoredAccessChange): Promise<void>
  /** The other nodes that decide on changes; absent if there is only one node. */
  readonly others?: OtherNodes
}

/** Changes that other nodes make. */
export interface OtherNodes {
  /**
   * Returns what they have changed since the last call, if anything. After that, `commit` assumes
   * that the caller knows it.
   */
  catchUp(): AccessChange<UserRow> | undefined
  /** Calls the listener when other nodes have changed something. */
  onChange(listener: () => void): void
}

/** Thrown for a change that was decided on an outdated state; nothing was changed. */
export class StaleAccessError extends Error {
  override readonly name = 'StaleAccessError'
}

export interface StoredAccessChange extends AccessChange<UserRow> {
  /** An entry with an existing id replaces it. */
  readonly entries?: readonly AuditEntry[]
  /** Ids. */
  readonly removedEntries?: readonly number[]
}

export interface AuditRow {
  readonly id: number
  /** Absent if the entry is damaged. */
  readonly entry: AuditEntry | undefined
}
