import type { AccessChange, SessionRecord, UserRow } from '../domain/access-table.ts'
import type { AuditEntry } from '../domain/audit.ts'
import type { AuditReader } from './access-directory.ts'

export type { AccessChange, UserRow }

/** Users, sessions and the audit log on disk, as the one writer of them sees them. One call at a time. */
export interface AccessStore extends AuditReader {
  users(): UserRow[]
  sessions(): SessionRecord[]
  /** Ids of the audit log: it has every entry from `first` to below `next`. */
  auditRange(): AuditRange
  /**
   * Makes a change durable, all or none. Rejects with ApiError `unavailable` when nothing was changed.
   */
  commit(change: StoredAccessChange): Promise<void>
}

export interface StoredAccessChange extends AccessChange<UserRow> {
  readonly entries?: readonly AuditEntry[]
  /** Ids of the oldest entries of the audit log, `to` exclusive. */
  readonly removedEntries?: { readonly from: number; readonly to: number }
}

export interface AuditRange {
  readonly first: number
  readonly next: number
}
