import type { AccessChange, SessionRecord, UserRow } from '../domain/access/access-table.ts'
import type { AuditEntry } from '../domain/access/audit.ts'
import type { AuditReader } from './access-directory.ts'

export type { AccessChange, UserRow }

/** Users, sessions and the audit log on disk, for their only writer. One call at a time. */
export interface AccessStore extends AuditReader {
  users(): UserRow[]
  sessions(): SessionRecord[]
  /** Above every id of the audit log; from 1. */
  nextAuditId(): number
  /** Entries of the audit log from an id on, ascending, at most `limit`. */
  oldestAudit(fromId: number, limit: number): AuditRow[]
  /**
   * Makes a change durable, all or none. Rejects with ApiError `unavailable` when nothing was
   * changed.
   */
  commit(change: StoredAccessChange): Promise<void>
}

export interface StoredAccessChange extends AccessChange<UserRow> {
  /** An entry with an existing id replaces it. */
  readonly entries?: readonly AuditEntry[]
  /** Ids. */
  readonly removedEntries?: readonly number[]
}

export interface AuditRow {
  readonly id: number
  /** Absent: damaged. */
  readonly entry: AuditEntry | undefined
}
