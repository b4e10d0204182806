import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { REQUEST_ID_MAX_CHARS } from '@aisle/contract'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'

const REQUEST_ID = /^[A-Za-z0-9._-]+$/

/** Creates a log whose lines carry the id of the request, for rare lines. */
export function requestLog({ log, id }: Pick<FastifyRequest, 'log' | 'id'>): FastifyBaseLogger {
  return log.child({ reqId: id })
}

/** An incoming request id is kept if it is well-formed. */
export function requestIdOf(
  raw: IncomingMessage | { headers: IncomingMessage['headers'] },
): string {
  const incoming = raw.headers['x-request-id']
  const isGood =
    typeof incoming === 'string' &&
    incoming.length <= REQUEST_ID_MAX_CHARS &&
    REQUEST_ID.test(incoming)
  return isGood ? incoming : randomUUID()
}
