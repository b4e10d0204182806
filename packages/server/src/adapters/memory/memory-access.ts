import { AccessTable } from '../../domain/access-table.ts'
import type { UserRow } from '../../domain/access-table.ts'
import { matchesAudit } from '../../domain/audit.ts'
import type { AuditEntry } from '../../domain/audit.ts'
import type { AccessStore } from '../../ports/access-store.ts'

/** Users, sessions and the audit log in one process: for tests, and to read what the port promises. */
export function createMemoryAccessStore(): AccessStore {
  const table = new AccessTable<UserRow>()
  const entries: AuditEntry[] = []
  let next = 1
  return {
    users: () => table.users(),
    sessions: () => table.sessions(),
    auditRange: () => ({ first: next - entries.length, next }),
    page({ filter, before = Infinity, limit }) {
      const matching = entries
        .toReversed()
        .filter((entry) => entry.id < before && matchesAudit(entry, filter))
      const page = matching.slice(0, limit)
      return { entries: page, nextBefore: matching.length > limit ? page.at(-1)?.id : undefined }
    },
    async commit({ entries: added = [], removedEntries, ...change }) {
      table.apply(change)
      entries.push(...added)
      next += added.length
      if (removedEntries !== undefined) {
        entries.splice(0, removedEntries.to - removedEntries.from)
      }
    },
  }
}
