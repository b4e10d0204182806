import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { REQUEST_ID_MAX_CHARS } from '@aisle/contract'

const REQUEST_ID = new RegExp(`^[A-Za-z0-9._-]{1,${REQUEST_ID_MAX_CHARS}}$`)

/** An incoming request id is kept if it is well-formed. */
export function requestIdOf(
  raw: IncomingMessage | { headers: IncomingMessage['headers'] },
): string {
  const incoming = raw.headers['x-request-id']
  return typeof incoming === 'string' && REQUEST_ID.test(incoming) ? incoming : randomUUID()
}
