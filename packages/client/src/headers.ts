import type { Call, ClientOptions, Visitor } from './call.ts'
import { MissingSecretError } from './errors.ts'

/** @throws MissingSecretError */
export function headersOf(call: Call, options: ClientOptions): Record<string, string> {
  const { secret, storeId, body, contentType, ifMatch } = call
  const headers: Record<string, string> = {}
  if (body !== undefined) headers['content-type'] = contentType ?? 'application/json'
  if (ifMatch !== undefined) headers['if-match'] = ifMatch
  if (storeId !== undefined) headers['x-storeid'] = storeId
  if (secret === undefined) return headers
  const { adminToken, readSecret, writeSecret, csrfToken } = options
  if (secret === 'read') Object.assign(headers, visitorHeaders(call.visitor ?? options.visitor?.()))
  if (csrfToken !== undefined) {
    headers['x-csrf-token'] = csrfToken
  } else if (secret === 'admin' && adminToken !== undefined) {
    headers['authorization'] = `Bearer ${adminToken}`
  } else if (secret === 'read' && readSecret !== undefined) {
    headers['x-storesecret'] = readSecret
  } else if (secret !== 'admin' && writeSecret !== undefined) {
    // The write secret also opens read routes.
    headers['x-store-write-secret'] = writeSecret
  } else {
    throw new MissingSecretError(secret)
  }
  return headers
}

function visitorHeaders(visitor: Visitor = {}): Record<string, string> {
  const { userId, userSignature, anonymousId, sessionId } = visitor
  const named = [
    ['x-user-id', userId],
    ['x-user-signature', userSignature],
    ['x-anon-id', anonymousId],
    ['x-session-id', sessionId],
  ] as const
  return Object.fromEntries(
    named.flatMap(([name, id]) => (id === undefined ? [] : [[name, asHeader(id)]])),
  )
}

/** A header holds bytes, one per character: the service reads them as UTF-8. */
function asHeader(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text))
}
