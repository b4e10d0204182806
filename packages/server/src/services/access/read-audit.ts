import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError, AUDIT_PAGE_DEFAULT, type AuditPage, type AuditQuery } from '@aisle/contract'
import type { AuditEntry } from '../../domain/access/audit.ts'
import { normalLogin } from '../../domain/access/login-name.ts'
import type { AuditReader } from '../../ports/access/access-directory.ts'

/** Parts of the log that are read for one page. */
const READS_MAX = 20

/** Matches a date, or a time with its offset. */
const ISO_TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/

/** @throws ApiError invalid_parameter */
export async function readAudit(audit: AuditReader, query: AuditQuery): Promise<AuditPage> {
  const { login, actor, action, store_id: storeId, target, result } = query
  const filter = {
    login: login === undefined ? undefined : normalLogin(login),
    actor,
    action,
    storeId,
    target,
    result,
    fromMs: readTime('from', query.from),
    toMs: readTime('to', query.to),
  }
  const limit = query.limit ?? AUDIT_PAGE_DEFAULT
  const entries: AuditEntry[] = []
  let { before } = query
  for (let reads = 0; reads < READS_MAX && entries.length < limit; reads++) {
    // Each reads a part of the log, so searches on this thread go first.
    if (reads > 0) await nextTurn()
    const page = await audit.page({ filter, before, limit: limit - entries.length })
    entries.push(...page.entries)
    before = page.nextBefore
    if (before === undefined) return { entries }
  }
  return { entries, ...(before === undefined ? {} : { next_before: before }) }
}

function readTime(param: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = ISO_TIME.test(text) ? Date.parse(text) : NaN
  if (!Number.isNaN(ms)) return ms
  throw new ApiError(
    'invalid_parameter',
    `\`${param}\` must be an ISO 8601 date, or time with offset, like 2026-01-31T12:00:00Z`,
    { param },
  )
}
