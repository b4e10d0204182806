import { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'
import { giveBack } from '../services/search/answer-writer.ts'

/** Sends JSON text as it is, without serialising it again. */
export function sendJson(reply: FastifyReply, json: string | Buffer): FastifyReply {
  return reply.header('content-type', 'application/json; charset=utf-8').send(json)
}

/** The same for the response of a search, whose memory may be used again once the kernel has it. */
export function sendAnswer(reply: FastifyReply, json: string | Buffer): FastifyReply {
  sendJson(reply, json)
  if (typeof json !== 'string' && isSent(reply)) giveBack(json)
  return reply
}

/**
 * Whether all of a response was written at once, and no stream holds on to a part of it: nobody
 * sent it on later, no response before it is in its way, the reader is not slow.
 */
function isSent({ raw }: FastifyReply): boolean {
  return raw.socket instanceof Socket && raw.writableEnded && raw.writableLength === 0
}
