import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

/** Cost parameters of a hash. */
export interface PasswordCost {
  readonly memoryKib: number
  readonly passes: number
  readonly parallelism: number
}

/** OWASP, "Password Storage Cheat Sheet" (2023): 19 MiB, two passes; about 0.1 s. */
export const PASSWORD_COST: PasswordCost = { memoryKib: 19_456, passes: 2, parallelism: 1 }

const SALT_BYTES = 16
const TAG_BYTES = 32
const VERSION = 19
/** The string format of the Password Hashing Competition: `$argon2id$v=19$m=…,t=…,p=…$salt$tag`. */
const PHC =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]{1,86})\$([A-Za-z0-9+/]{1,86})$/

const derive = promisify(argon2)

/**
 * Hashes a password with argon2id (RFC 9106) and a new salt, into a text that includes the
 * parameters.
 */
export async function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  return phcText(cost, salt, await tagOf(password, salt, cost))
}

/**
 * Whether a password has this hash. Without a hash (no such user) it does the same work, so that
 * the time reveals nothing.
 *
 * @param hash from `hashPassword`, at any cost
 */
export async function matchesPassword(
  hash: string | undefined,
  password: string,
  cost: PasswordCost,
): Promise<boolean> {
  const known = readPhc(hash ?? dummyOf(cost))
  const tag = await tagOf(password, known.salt, known.cost)
  return timingSafeEqual(tag, known.tag) && hash !== undefined
}

/** Whether a hash has another cost than new ones. */
export function isOutdated(
  hash: string,
  { memoryKib, passes, parallelism }: PasswordCost,
): boolean {
  const { cost } = readPhc(hash)
  return cost.memoryKib !== memoryKib || cost.passes !== passes || cost.parallelism !== parallelism
}

function tagOf(password: string, salt: Buffer, cost: PasswordCost): Promise<Buffer> {
  return derive('argon2id', {
    // The same characters may be typed as different code points.
    message: password.normalize('NFC'),
    nonce: salt,
    parallelism: cost.parallelism,
    tagLength: TAG_BYTES,
    memory: cost.memoryKib,
    passes: cost.passes,
  })
}

function phcText(cost: PasswordCost, salt: Buffer, tag: Buffer): string {
  const { memoryKib, passes, parallelism } = cost
  return `$argon2id$v=${VERSION}$m=${memoryKib},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`
}

function readPhc(hash: string): {
  readonly cost: PasswordCost
  readonly salt: Buffer
  readonly tag: Buffer
} {
  const [, m, t, p, salt, tag] = PHC.exec(hash) ?? []
  if (salt === undefined || tag === undefined) throw new Error('A password hash is not in PHC form')
  return {
    cost: { memoryKib: Number(m), passes: Number(t), parallelism: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

/** No password has this hash. */
function dummyOf(cost: PasswordCost): string {
  return phcText(cost, Buffer.alloc(SALT_BYTES), Buffer.alloc(TAG_BYTES))
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
