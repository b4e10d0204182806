import type { IncomingMessage } from 'node:http'
import { BULK_BODY_MAX_BYTES } from '@aisle/contract'
import type { FastifyInstance } from 'fastify'
import type { Patience } from './patience.ts'

/** Maximum of bytes that are discarded after a refusal before the connection is cut. */
const UNREAD_BODY_MAX_BYTES = 2 * BULK_BODY_MAX_BYTES

/**
 * Lets a client whose request is refused before its body has arrived (413, 401, 415 …) read the
 * reason. Most clients send everything before they read anything; if the connection were closed
 * meanwhile, the kernel would reset it and the response would be lost.
 */
export function registerUnreadBody(
  app: FastifyInstance,
  { unreadMs }: Pick<Patience, 'unreadMs'>,
): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode >= 400 && isArriving(request.raw)) {
      // The framework closes the connection after a body that is too large.
      void reply.removeHeader('connection')
      discard(request.raw, unreadMs)
    }
    done(null, payload)
  })
  // Node would continue to read for as long as bytes arrive.
  app.addHook('onResponse', (request, _reply, done) => {
    if (isArriving(request.raw)) discard(request.raw, unreadMs)
    done()
  })
}

/** The body is incomplete. */
export function isArriving(raw: IncomingMessage): boolean {
  if (raw.complete || raw.destroyed) return false
  const { headers } = raw
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function discard(raw: IncomingMessage, unreadMs: number): void {
  let bytes = 0
  const timer = setTimeout(() => raw.destroy(), unreadMs).unref()
  raw.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length
    if (bytes > UNREAD_BODY_MAX_BYTES) raw.destroy()
  })
  raw.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
  raw.resume()
}
