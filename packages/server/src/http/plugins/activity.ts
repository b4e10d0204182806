import type { ErrorCode, SlowSearch } from '@aisle/contract'
import type { FastifyInstance } from 'fastify'
import type { ActivityKeeper, RefusalNote } from '../../ports/host/activity-keeper.ts'

/** Notes are sent in batches, so that many refusals cost one message. */
const SEND_AFTER_MS = 500
/** Maximum of notes per message; further ones of this interval are dropped. */
const SLOW_MAX = 50
const REFUSALS_MAX = 200
/**
 * Codes of refusals by the service or one of its limits, rather than for a fault of the request.
 */
const REFUSED: ReadonlySet<number> = new Set([429, 503, 507])

declare module 'fastify' {
  interface FastifyInstance {
    /** Slow searches and refused requests of this thread, on their way to the others. */
    readonly activity: ActivityRecorder
  }
}

interface ActivityRecorder {
  noteSlow(search: SlowSearch): void
}

/** Notes slow searches and refused requests for `GET /api/v1/admin/activity`. */
export function registerActivity(app: FastifyInstance, keeper: ActivityKeeper): void {
  let slow: SlowSearch[] = []
  let refusals = new Map<string, RefusalNote>()
  let sending: NodeJS.Timeout | undefined

  const send = (): void => {
    sending = undefined
    const notes = { slow, refusals: [...refusals.values()] }
    slow = []
    refusals = new Map()
    // Lost when the service stops, which ends the book too.
    keeper.note(notes).catch(() => undefined)
  }
  const sendSoon = (): void => {
    sending ??= setTimeout(send, SEND_AFTER_MS).unref()
  }
  app.decorate('activity', {
    noteSlow(search) {
      if (slow.length < SLOW_MAX) slow.push(search)
      sendSoon()
    },
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (REFUSED.has(reply.statusCode) && request.failureCode !== '') {
      const reason = request.failureCode as ErrorCode
      const key = `${reason} ${request.storeId}`
      const count = (refusals.get(key)?.count ?? 0) + 1
      if (count > 1 || refusals.size < REFUSALS_MAX) {
        refusals.set(key, { reason, storeId: request.storeId, count })
      }
      sendSoon()
    }
    done()
  })
  app.addHook('onClose', (_app, done) => {
    clearTimeout(sending)
    done()
  })
}
