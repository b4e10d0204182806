import { AccessTable } from '../../domain/access/access-table.ts'
import type { UserRow } from '../../domain/access/access-table.ts'
import { matchesAudit } from '../../domain/access/audit.ts'
import type { AuditEntry } from '../../domain/access/audit.ts'
import type { AccessStore } from '../../ports/access-store.ts'

/**
 * Users, sessions and the audit log in one process: for tests, and to read what the port promises.
 */
export function createMemoryAccessStore(): AccessStore {
  const table = new AccessTable<UserRow>()
  let entries: AuditEntry[] = []
  let next = 1
  return {
    users: () => table.users(),
    sessions: () => table.sessions(),
    nextAuditId: () => next,
    oldestAudit: (fromId, limit) =>
      entries
        .filter(({ id }) => id >= fromId)
        .slice(0, limit)
        .map((entry) => ({ id: entry.id, entry })),
    page({ filter, before = Infinity, limit }) {
      const matching = entries
        .toReversed()
        .filter((entry) => entry.id < before && matchesAudit(entry, filter))
      const page = matching.slice(0, limit)
      return { entries: page, nextBefore: matching.length > limit ? page.at(-1)?.id : undefined }
    },
    async commit({ entries: added = [], removedEntries = [], ...change }) {
      table.apply(change)
      const byId = new Map(entries.map((entry) => [entry.id, entry]))
      for (const entry of added) byId.set(entry.id, entry)
      for (const id of removedEntries) byId.delete(id)
      entries = [...byId.values()].toSorted((a, b) => a.id - b.id)
      next = Math.max(next, ...added.slice(-1).map(({ id }) => id + 1))
    },
  }
}
