import { createHash, randomBytes } from 'node:crypto'
import { SESSION_AGE_MAX_SECONDS, SESSION_IDLE_MAX_SECONDS } from '@aisle/contract'
import type { SessionRecord } from './access-table.ts'
import { digestOf } from './store-keys.ts'

const SECRET_BYTES = 32

/** The secret in a cookie: 256 random bits. */
export function newSessionSecret(): string {
  return `sn_${randomBytes(SECRET_BYTES).toString('base64url')}`
}

export function newSession(
  secret: string,
  about: Pick<SessionRecord, 'login' | 'address' | 'userAgent'>,
  nowMs: number,
): SessionRecord {
  return {
    digest: digestOf(secret),
    sessionId: `session_${randomBytes(8).toString('hex')}`,
    createdMs: nowMs,
    lastUsedMs: nowMs,
    ...about,
  }
}

/** Returns when a session ends, even if it is in use. */
export function sessionEndMs({ createdMs }: Pick<SessionRecord, 'createdMs'>): number {
  return createdMs + SESSION_AGE_MAX_SECONDS * 1_000
}

/** @param lastUsedMs as far as this thread knows; it may be newer than the stored value */
export function isSessionOver(
  session: SessionRecord,
  nowMs: number,
  lastUsedMs: number = session.lastUsedMs,
): boolean {
  return nowMs >= sessionEndMs(session) || nowMs >= lastUsedMs + SESSION_IDLE_MAX_SECONDS * 1_000
}

/**
 * The token that must accompany every change: only our own pages can read it, while any page can
 * make a browser send the cookie. It is derived from the secret, so nothing more has to be stored,
 * and reveals nothing about the secret.
 */
export function csrfTokenOf(secret: string): string {
  return createHash('sha256').update(`csrf\0${secret}`).digest('base64url')
}
