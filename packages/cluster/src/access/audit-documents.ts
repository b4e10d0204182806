import type { ControlDocument, StoredControl } from '../opensearch/control-document.ts'
import type { ControlIndex } from '../opensearch/control-index.ts'
import type { AuditEntry, AuditFilter } from '@aisle/server/domain'
import type { AuditEntries, AuditPageRequest, AuditRow } from '@aisle/server/ports'

const AUDIT_KIND = 'audit'

/** The audit log as control documents, one per entry, found by its words, number and time. */
export function auditDocument(entry: AuditEntry): ControlDocument {
  const { id, login, actor, action, store_id: storeId, target, result } = entry
  return {
    id: auditId(id),
    kind: AUDIT_KIND,
    json: JSON.stringify(entry),
    keys: keysOf({ login, actor, action, storeId, target, result }),
    number: id,
    atMs: Date.parse(entry.at),
  }
}

export function auditId(id: number): string {
  return `${AUDIT_KIND}:${id}`
}

export async function auditPage(
  index: ControlIndex,
  { filter, before, limit }: AuditPageRequest,
): Promise<AuditEntries> {
  const { fromMs, toMs } = filter
  const found = await index.find({
    kind: AUDIT_KIND,
    keys: keysOf(filter),
    beforeNumber: before,
    fromMs,
    toMs,
    order: 'descending',
    // Reads one more, to know whether there is a next page.
    limit: limit + 1,
  })
  const entries = found.slice(0, limit).map(entryOf)
  return { entries, nextBefore: found.length > limit ? entries.at(-1)?.id : undefined }
}

export async function oldestAudit(
  index: ControlIndex,
  fromNumber: number,
  limit: number,
): Promise<AuditRow[]> {
  const found = await index.find({ kind: AUDIT_KIND, fromNumber, order: 'ascending', limit })
  return found.map((document) => ({ id: document.number!, entry: entryOf(document) }))
}

/** Returns a number above all used so far; the first is 1. */
export async function nextAuditId(index: ControlIndex): Promise<number> {
  const [last] = await index.find({ kind: AUDIT_KIND, order: 'descending', limit: 1 })
  return (last?.number ?? 0) + 1
}

function entryOf({ json }: StoredControl): AuditEntry {
  return JSON.parse(json) as AuditEntry
}

type Words = Omit<AuditFilter, 'fromMs' | 'toMs'>

/** The filter terms of entries, as words: `login=ada`. */
function keysOf({ login, actor, action, storeId, target, result }: Words): string[] {
  const words = { login, actor, action, storeId, target, result }
  return Object.entries(words).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${value}`,
  )
}
