import { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'
import { etagOf } from '../domain/values/preconditions.ts'
import { giveBack } from '../services/search/answer-writer.ts'

/** Sends JSON text unchanged, without serialising it again. */
export function sendJson(reply: FastifyReply, json: string | Buffer): FastifyReply {
  return reply.header('content-type', 'application/json; charset=utf-8').send(json)
}

/** The same with an `ETag`, which a later write may name in `If-Match`. */
export function sendTagged(reply: FastifyReply, json: string, etag = etagOf(json)): FastifyReply {
  return sendJson(reply.header('etag', etag), json)
}

/**
 * Does what `sendJson` does for the response of a search, whose memory may be reused once the
 * kernel has it.
 */
export function sendAnswer(reply: FastifyReply, json: string | Buffer): FastifyReply {
  sendJson(reply, json)
  if (typeof json !== 'string' && isSent(reply)) giveBack(json)
  return reply
}

/**
 * Whether a response was written completely at once and no stream holds a part of it: it was not
 * deferred, no earlier response on the connection blocks it, and the reader is not slow.
 */
function isSent({ raw }: FastifyReply): boolean {
  return raw.socket instanceof Socket && raw.writableEnded && raw.writableLength === 0
}
