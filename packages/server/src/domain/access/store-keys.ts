import { hash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import {
  ApiError,
  KEY_GRACE_MAX_SECONDS,
  type KeyKind,
  STORE_ID_MAX_CHARS,
  STORE_NAME_MAX_CHARS,
} from '@aisle/contract'

export type { KeyKind }

/** A valid secret of a store. At most two per kind: the current one and the one it replaced. */
export interface ActiveKey {
  /** SHA-256 of the secret, 64 hex digits. */
  readonly digest: string
  /** Milliseconds since 1970; absent for keys from before this was stored. */
  readonly createdMs?: number
  /** Milliseconds since 1970, to the minute; absent until it is used. */
  readonly lastUsedMs?: number
  /** The secret itself, only for the kind `signing`: a digest cannot verify signatures. */
  readonly secret?: string
  /** Milliseconds since 1970 after which it is no longer valid; absent for the current one. */
  readonly validUntilMs?: number
}

/** The current secret of a kind, and the one it replaced. */
const KEYS_PER_KIND_MAX = 2
/** No secret has this digest. It stands in for missing keys, so that they take the same time. */
const NO_KEY: ActiveKey = { digest: '0'.repeat(64), validUntilMs: -Infinity }

const SECRET_BYTES = 32
const STORE_ID = /^[A-Za-z0-9_-]+$/

/** A new secret: 256 random bits after a prefix that scanners for leaked secrets recognise. */
function newSecret(prefix: 'rs_' | 'ws_' | 'ss_'): string {
  return prefix + randomBytes(SECRET_BYTES).toString('base64url')
}

/** Generates a new admin token. */
export function newAdminToken(): string {
  return `at_${randomBytes(SECRET_BYTES).toString('base64url')}`
}

/** Generates the secret of the link for creating the first owner. */
export function newFirstRunSecret(): string {
  return `fr_${randomBytes(SECRET_BYTES).toString('base64url')}`
}

/** A new secret of a kind. The events write key is a UUID, as event clients expect. */
export function newKey(kind: KeyKind): string {
  switch (kind) {
    case 'read':
      return newSecret('rs_')
    case 'write':
      return newSecret('ws_')
    case 'events':
      return randomUUID()
    case 'signing':
      return newSecret('ss_')
  }
}

/** SHA-256 of a secret, 64 hex digits. Secrets have full entropy, so no slow hash is needed. */
export function digestOf(secret: string): string {
  return hash('sha256', secret)
}

/**
 * The key with a given secret, if valid now. Digests are compared in constant time, always as many
 * as a store can have of a kind, with stand-ins for missing ones. A wrong secret always takes the
 * same time; one that was accepted before takes less, because its digest is cached.
 */
export function matchingKey(
  keys: readonly ActiveKey[] | undefined,
  secret: string,
  nowMs: number,
): ActiveKey | undefined {
  const given = goodSecrets.get(secret) ?? hash('sha256', secret, 'buffer')
  let match: ActiveKey | undefined
  for (let i = 0; i < KEYS_PER_KIND_MAX; i++) {
    const key = keys?.[i] ?? NO_KEY
    const isEqual = timingSafeEqual(given, digestBytes(key))
    match = isEqual && nowMs < (key.validUntilMs ?? Infinity) ? key : match
  }
  if (match !== undefined) remember(secret, given)
  return match
}

/**
 * Digests of secrets that were valid when they were sent, and of the absent one: a shop sends the
 * same secret with every search. Whether it still is valid is looked up each time.
 */
const goodSecrets = new Map<string, NonSharedBuffer>([['', hash('sha256', '', 'buffer')]])
const GOOD_SECRETS_MAX = 1_000

function remember(secret: string, digest: NonSharedBuffer): void {
  if (goodSecrets.has(secret)) return
  if (goodSecrets.size >= GOOD_SECRETS_MAX) {
    const [, oldest] = goodSecrets.keys()
    goodSecrets.delete(oldest!)
  }
  goodSecrets.set(secret, digest)
}

const digests = new WeakMap<ActiveKey, NonSharedBuffer>()

function digestBytes(key: ActiveKey): NonSharedBuffer {
  let bytes = digests.get(key)
  if (bytes === undefined) {
    bytes = Buffer.from(key.digest, 'hex')
    digests.set(key, bytes)
  }
  return bytes
}

/**
 * The keys of a kind after a rotation: the new one, and the previous one until its grace period
 * ends. An older key still in its grace period ends now.
 *
 * @throws ApiError invalid_parameter
 */
export function rotateKeys(
  keys: readonly ActiveKey[],
  newDigest: string,
  options: {
    readonly graceSeconds: number
    readonly nowMs: number
    /** The new secret, if it is stored in plain text. */
    readonly secret?: string | undefined
  },
): { readonly keys: readonly ActiveKey[]; readonly previousValidUntil: string } {
  const { graceSeconds, nowMs, secret } = options
  if (!(graceSeconds >= 0 && graceSeconds <= KEY_GRACE_MAX_SECONDS)) {
    throw new ApiError(
      'invalid_parameter',
      `"grace_seconds" must be 0 to ${KEY_GRACE_MAX_SECONDS}, received ${graceSeconds}`,
      { param: 'grace_seconds' },
    )
  }
  const validUntilMs = Math.floor(nowMs + graceSeconds * 1000)
  const current = keys.find((key) => key.validUntilMs === undefined)
  const previous =
    current === undefined || validUntilMs <= nowMs ? [] : [{ ...current, validUntilMs }]
  return {
    keys: [
      { digest: newDigest, createdMs: nowMs, ...(secret === undefined ? {} : { secret }) },
      ...previous,
    ],
    previousValidUntil: new Date(validUntilMs).toISOString(),
  }
}

/** A use of a key, on its way from the thread that saw it to the row of the store. */
export interface KeyUse {
  readonly storeId: string
  readonly digest: string
  /** Milliseconds since 1970. */
  readonly atMs: number
}

/** A store has no signing secret until the first rotation. */
export type StoreKeySet = Readonly<Record<Exclude<KeyKind, 'signing'>, readonly ActiveKey[]>> & {
  readonly signing?: readonly ActiveKey[]
}

/** Returns the keys with newer times of last use; the same object if none is newer. */
export function withKeyUses(keys: StoreKeySet, uses: readonly KeyUse[]): StoreKeySet {
  let isChanged = false
  const used = (key: ActiveKey): ActiveKey => {
    const atMs = Math.max(
      0,
      ...uses.filter((use) => use.digest === key.digest).map((use) => use.atMs),
    )
    if (atMs <= (key.lastUsedMs ?? 0)) return key
    isChanged = true
    return { ...key, lastUsedMs: atMs }
  }
  const after = {
    read: keys.read.map(used),
    write: keys.write.map(used),
    events: keys.events.map(used),
    ...(keys.signing === undefined ? {} : { signing: keys.signing.map(used) }),
  }
  return isChanged ? after : keys
}

/** An id for a store whose owner named none. */
export function newStoreId(): string {
  return `store_${randomBytes(8).toString('hex')}`
}

/** @throws ApiError invalid_parameter */
export function checkStoreId(id: string): string {
  if (id.length <= STORE_ID_MAX_CHARS && STORE_ID.test(id)) return id
  throw new ApiError(
    'invalid_parameter',
    `"id" must be 1 to ${STORE_ID_MAX_CHARS} letters, digits, "_" or "-"`,
    { param: 'id' },
  )
}

/** @throws ApiError invalid_parameter */
export function checkStoreName(name: string): string {
  const isGood = name.length > 0 && name.length <= STORE_NAME_MAX_CHARS && name.isWellFormed()
  if (isGood && name.trim() !== '' && !/\p{Cc}/u.test(name)) return name
  throw new ApiError(
    'invalid_parameter',
    `"name" must be 1 to ${STORE_NAME_MAX_CHARS} characters, without control characters`,
    { param: 'name' },
  )
}
