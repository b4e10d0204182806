import type { FastifyReply, FastifyRequest } from 'fastify'
import { DEVICE_AGE_MAX_SECONDS, SESSION_AGE_MAX_SECONDS } from '@aisle/contract'

/**
 * The prefix, possible only over TLS, prevents other hosts of the same domain from setting it (RFC
 * 6265bis, section 4.1.3.2).
 */
const SECURE_NAME = '__Host-aisle-session'
const PLAIN_NAME = 'aisle-session'
const SECURE_DEVICE_NAME = '__Host-aisle-device'
const PLAIN_DEVICE_NAME = 'aisle-device'

/** The secret of the session, as the browser sent it. */
export function sessionSecretOf(request: FastifyRequest): string | undefined {
  return cookieOf(request, isOverTls(request) ? SECURE_NAME : PLAIN_NAME)
}

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  secret: string,
): void {
  const name = isOverTls(request) ? SECURE_NAME : PLAIN_NAME
  sendCookie(request, reply, { name, value: secret, maxAgeSeconds: SESSION_AGE_MAX_SECONDS })
}

/** The cookie left by an earlier login in this browser. */
export function deviceOf(request: FastifyRequest): string | undefined {
  return cookieOf(request, isOverTls(request) ? SECURE_DEVICE_NAME : PLAIN_DEVICE_NAME)
}

export function setDeviceCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  device: string,
): void {
  const name = isOverTls(request) ? SECURE_DEVICE_NAME : PLAIN_DEVICE_NAME
  sendCookie(request, reply, { name, value: device, maxAgeSeconds: DEVICE_AGE_MAX_SECONDS })
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  const name = isOverTls(request) ? SECURE_NAME : PLAIN_NAME
  sendCookie(request, reply, { name, value: '', maxAgeSeconds: 0 })
}

/** `Strict`: no other site can make a browser send it, not even through a link. */
function sendCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, value, maxAgeSeconds }: { name: string; value: string; maxAgeSeconds: number },
): void {
  const isSecure = isOverTls(request)
  void reply.header(
    'set-cookie',
    `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`,
  )
}

/**
 * Whether the browser uses TLS, to us or to a proxy. The proxy need not be trusted for this: a
 * false claim harms only the sender's own cookie.
 */
function isOverTls({ headers, protocol }: FastifyRequest): boolean {
  const forwarded = headers['x-forwarded-proto']
  const first = typeof forwarded === 'string' ? forwarded.split(',', 1)[0] : undefined
  return protocol === 'https' || first?.trim().toLowerCase() === 'https'
}

function cookieOf({ headers }: FastifyRequest, name: string): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}
