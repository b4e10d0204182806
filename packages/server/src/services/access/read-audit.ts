import { ApiError, AUDIT_PAGE_DEFAULT, type AuditPage, type AuditQuery } from '@aisle/contract'
import { normalLogin } from '../../domain/access/login-name.ts'
import type { AuditReader } from '../../ports/access/access-directory.ts'

/** Matches a date, or a time with its offset. */
const ISO_TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/

/** @throws ApiError invalid_parameter */
export async function readAudit(audit: AuditReader, query: AuditQuery): Promise<AuditPage> {
  const { login, actor, action, store_id: storeId, target, result } = query
  const { entries, nextBefore } = await audit.page({
    filter: {
      login: login === undefined ? undefined : normalLogin(login),
      actor,
      action,
      storeId,
      target,
      result,
      fromMs: readTime('from', query.from),
      toMs: readTime('to', query.to),
    },
    before: query.before,
    limit: query.limit ?? AUDIT_PAGE_DEFAULT,
  })
  return {
    entries: [...entries],
    ...(nextBefore === undefined ? {} : { next_before: nextBefore }),
  }
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
