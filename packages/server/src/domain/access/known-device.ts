import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { UserRecord } from './access-table.ts'

const NONCE_BYTES = 12

type Owner = Pick<UserRecord, 'login' | 'passwordChangedAt'>

/**
 * A token that a browser keeps after a login, so that it is recognised at the next one and guesses
 * by strangers do not slow it down ("device cookies", OWASP). It grants no access. Changing the
 * password invalidates it.
 *
 * @param key of the installation
 */
export function newDevice(key: string, user: Owner): string {
  const nonce = randomBytes(NONCE_BYTES).toString('base64url')
  return `${nonce}.${markOf(key, user, nonce)}`
}

/** @returns an id of the device; undefined if this user has not logged in with it */
export function knownDevice(
  key: string,
  user: Owner | undefined,
  text: string | undefined,
): string | undefined {
  const [nonce, mark, rest] = (text ?? '').slice(0, 200).split('.', 3)
  if (user === undefined || !nonce || !mark || rest !== undefined) return undefined
  const expected = Buffer.from(markOf(key, user, nonce))
  const given = Buffer.from(mark)
  return given.length === expected.length && timingSafeEqual(given, expected) ? nonce : undefined
}

function markOf(key: string, { login, passwordChangedAt }: Owner, nonce: string): string {
  return createHmac('sha256', key)
    .update(`device\0${login}\0${passwordChangedAt}\0${nonce}`)
    .digest('base64url')
}
