import { timingSafeEqual } from 'node:crypto'
import { ApiError } from '@aisle/contract'
import type { FastifyRequest } from 'fastify'
import { mayActAs, type Rights, type Role } from '../../domain/access/roles.ts'
import { csrfTokenOf, isSessionOver } from '../../domain/access/session-rules.ts'
import { digestOf } from '../../domain/access/store-keys.ts'
import type { AccessDirectory } from '../../ports/access/access-directory.ts'
import type { Clock } from '../../ports/host/clock.ts'
import type { UseNotes } from '../../services/access/use-notes.ts'
import { sessionSecretOf } from '../session-cookie.ts'

export interface SessionPorts {
  readonly directory: AccessDirectory
  readonly clock: Clock
  readonly uses: UseNotes
}

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/**
 * Authenticates a request by its session cookie.
 *
 * @returns what its user may do
 * @throws ApiError missing_credentials, invalid_credentials, invalid_csrf_token
 */
export function checkSession(
  request: FastifyRequest,
  { directory, clock, uses }: SessionPorts,
): Rights {
  const secret = sessionSecretOf(request)
  if (secret === undefined || secret === '') {
    throw new ApiError('missing_credentials', 'No session: log in')
  }
  const nowMs = clock.now()
  const session = directory.session(digestOf(secret))
  const user = session === undefined ? undefined : directory.user(session.login)
  if (
    session === undefined ||
    user === undefined ||
    isSessionOver(session, nowMs, uses.lastSessionUse(session))
  ) {
    throw new ApiError('invalid_credentials', 'The session has ended: log in again')
  }
  if (!SAFE_METHODS.includes(request.method)) {
    refuseForeignPage(request)
    checkCsrfToken(request, secret)
  }
  request.actor = { kind: 'user', login: user.login, rights: user, session, secret }
  uses.noteSession(session, nowMs)
  return user
}

/** @param role undefined: of a member, who has no role in the service @throws ApiError forbidden */
export function requireRole(role: Role | undefined, needed: Role): void {
  if (role === undefined) {
    throw new ApiError('forbidden', 'This is about all stores, and you are a member of some')
  }
  if (mayActAs(role, needed)) return
  throw new ApiError('forbidden', `This needs the role \`${needed}\`, yours is \`${role}\``)
}

/**
 * Refuses requests from pages of other sites. Browsers name the origin (Fetch Metadata, W3C 2021);
 * other clients do not.
 */
export function refuseForeignPage({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return
  throw new ApiError('forbidden', 'Requests from pages of other sites are not allowed')
}

function checkCsrfToken({ headers }: FastifyRequest, secret: string): void {
  const expected = Buffer.from(csrfTokenOf(secret))
  const given = Buffer.from(String(headers['x-csrf-token'] ?? ''))
  if (given.length === expected.length && timingSafeEqual(given, expected)) return
  throw new ApiError(
    'invalid_csrf_token',
    'Send the header x-csrf-token with the csrf_token of the session',
  )
}
