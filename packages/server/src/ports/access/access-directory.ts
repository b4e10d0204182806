import type { AuditEntry, AuditFilter } from '../../domain/access/audit.ts'
import type { SessionRecord, UserRecord } from '../../domain/access/access-table.ts'

export type { AuditEntry, AuditFilter, SessionRecord, UserRecord }

/**
 * Users and sessions, as of the newest acknowledged change. Synchronous: each thread holds a copy.
 */
export interface AccessDirectory {
  user(login: string): UserRecord | undefined
  /** Ordered by login. */
  users(): readonly UserRecord[]
  /**
   * Returns a session that has not been ended; it may have expired
   * (domain/access/session-rules.ts).
   */
  session(digest: string): SessionRecord | undefined
  /** Oldest first. */
  sessionsOf(login: string): readonly SessionRecord[]
  /** SHA-256 of the admin token, 64 hex digits; empty: no token is valid. */
  adminTokenDigest(): string
  /**
   * Milliseconds since 1970 before which wrong admin tokens from a network
   * (domain/access/network.ts) are 429, neither counted nor recorded.
   */
  slowedUntilMs(network: string): number
}

/** The audit log, newest first. */
export interface AuditReader {
  page(request: AuditPageRequest): AuditEntries | Promise<AuditEntries>
}

export interface AuditPageRequest {
  readonly filter: AuditFilter
  /** Only entries with a lower id. */
  readonly before?: number | undefined
  readonly limit: number
}

export interface AuditEntries {
  readonly entries: readonly AuditEntry[]
  /** Value of `before` for the next page. A short or even empty page may have one. */
  readonly nextBefore: number | undefined
}
