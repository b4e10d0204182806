import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { NewAuditEntry } from '../../domain/access/audit.ts'
import type { AccessKeeper } from '../../ports/access/access-keeper.ts'
import type { Clock } from '../../ports/host/clock.ts'
import { requestLog } from '../request-id.ts'
import { isAudited } from '../route-table.ts'

const TEXT_MAX_CHARS = 256

/**
 * Records who did what before the response is sent, so every answered request is in the log.
 * Rejected requests are not recorded, except logins and wrong admin tokens. If the log cannot be
 * written, the response is sent anyway, because the change has been made; the entry then goes to
 * the service's own log.
 */
export function registerAudit(app: FastifyInstance, access: AccessKeeper, clock: Clock): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const entry = entryOf(request, reply, clock)
    if (entry === undefined) return done(null, payload)
    access
      .record(entry)
      .catch((error: unknown) => {
        requestLog(request).error({ err: error, entry }, 'The audit log could not be written')
      })
      .finally(() => done(null, payload))
  })
}

function entryOf(
  request: FastifyRequest,
  { statusCode }: FastifyReply,
  clock: Clock,
): NewAuditEntry | undefined {
  if (request.is404) return undefined
  const config = request.routeConfig
  if (config === null) return undefined
  const { operation } = config
  const { actor, failureCode, auditSubject, hasWrongAdminToken } = request
  if (operation === undefined) return undefined
  if (!hasWrongAdminToken && !isAudited(config, request.method)) return undefined
  if (actor === null && config.auth !== 'login' && !hasWrongAdminToken) return undefined
  const { id, ...rest } = request.params as Record<string, string>
  // A path from a stranger is not recorded, because it may not name a store of ours.
  const storeId = hasWrongAdminToken ? '' : (auditSubject?.storeId ?? id ?? request.storeId)
  const target = hasWrongAdminToken ? '' : (auditSubject?.target ?? Object.values(rest).join(' '))
  return {
    at: new Date(clock.now()).toISOString(),
    actor: actor?.kind ?? 'nobody',
    ...(actor?.kind === 'user' ? { login: actor.login } : {}),
    action: operation.id,
    ...(storeId === '' ? {} : { store_id: shortened(storeId) }),
    ...(target === '' ? {} : { target: shortened(target) }),
    result: statusCode < 400 ? 'done' : statusCode < 500 ? 'refused' : 'failed',
    status: statusCode,
    ...(failureCode === '' ? {} : { code: failureCode }),
    address: request.ip,
    user_agent: shortened(request.headers['user-agent'] ?? ''),
    request_id: request.id,
  }
}

function shortened(text: string): string {
  return text.slice(0, TEXT_MAX_CHARS).toWellFormed()
}
