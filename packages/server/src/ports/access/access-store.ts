import type { AccessChange, SessionRecord, UserRow } from '../../domain/access/access-table.ts'
import type { AuditEntry } from '../../domain/access/audit.ts'
import type { AuditReader } from './access-directory.ts'

export type { AccessChange, UserRow }

/** Users, sessions and the audit log as stored, for who decides on changes. One call at a time. */
export interface AccessStore extends AuditReader {
  users(): UserRow[]
  sessions(): SessionRecord[]
  /** Above every id of the audit log; from 1. */
  nextAuditId(): number
  /** Entries of the audit log from an id on, ascending, at most `limit`. */
  oldestAudit(fromId: number, limit: number): AuditRow[] | Promise<AuditRow[]>
  /**
   * Makes a change durable, all or none. Rejects with ApiError `unavailable` when nothing was
   * changed, and with StaleAccessError when another node has changed the same: then it is to be
   * decided anew.
   */
  commit(change: StoredAccessChange): Promise<void>
  /** The other nodes that decide on changes; absent where there is only one. */
  readonly others?: OtherNodes
}

/** What other nodes change. */
export interface OtherNodes {
  /**
   * What they have changed since this was called last, if anything. From then on, `commit` takes it
   * for known.
   */
  catchUp(): AccessChange<UserRow> | undefined
  /** Calls back when there is something to catch up with. */
  onChange(listener: () => void): void
}

/** A change was decided on a state that is no longer in force; nothing was changed. */
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
  /** Absent: damaged. */
  readonly entry: AuditEntry | undefined
}
