import { createHmac, timingSafeEqual } from 'node:crypto'
import { ApiError, TOKEN_MAX_CHARS, TokenScope } from '@aisle/contract'
import { literalReader } from '@aisle/contract/check'
import type { ActiveKey } from './store-keys.ts'

/** The content signed by a shop's server, and the key. docs/tokens.md defines the format. */
export interface ReadToken {
  readonly scope: TokenScope
  readonly key: ActiveKey
}

export const TOKEN_PREFIX = 'tk_'
const TOKEN = /^tk_([\w-]+)\.([\w-]{43})$/
/** Prefix of the signed payload: user ids, which the same secret signs, contain no newline. */
const SIGNED_PREFIX = 'aisle-token-1\n'
/** The current secret and the previous one. */
const KEYS_MAX = 2

/** A member that is `null` restricts nothing, so it must not pass as an absent one. */
const readScope = literalReader<TokenScope>(TokenScope)

/**
 * Reads a token if one of the signing keys has signed it. An invalid one takes the same time for
 * any fault, and whether or not the store exists; one that was read before takes less.
 *
 * @returns undefined if no valid key has signed it
 * @throws ApiError invalid_credentials if it is signed, but malformed
 */
export function readToken(
  token: string,
  keys: readonly ActiveKey[] = [],
  nowMs: number,
): ReadToken | undefined {
  const known = readTokens.get(token)
  const [, payload = '', signature = ''] =
    token.length <= TOKEN_MAX_CHARS && known === undefined ? (TOKEN.exec(token) ?? []) : []
  const given = Buffer.alloc(32)
  given.write(signature, 'base64url')
  let key: ActiveKey | undefined
  for (let i = 0; i < KEYS_MAX; i++) {
    const { secret = '', digest, validUntilMs = Infinity } = keys[i] ?? NO_KEY
    const isSigned =
      known === undefined
        ? timingSafeEqual(signatureOf(secret, payload), given) && payload !== '' && secret !== ''
        : known.digest === digest
    if (isSigned && nowMs < validUntilMs) key = keys[i]
  }
  if (key === undefined) return undefined
  if (known !== undefined) return { scope: known.scope, key }
  const scope = scopeOf(payload)
  remember(token, { scope, digest: key.digest })
  return { scope, key }
}

const NO_KEY: ActiveKey = { digest: '' }

function signatureOf(secret: string, payload: string): Buffer {
  return createHmac('sha256', secret)
    .update(SIGNED_PREFIX + payload)
    .digest()
}

function scopeOf(payload: string): TokenScope {
  try {
    return readScope(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')))
  } catch (error) {
    const reason = error instanceof ApiError ? error.message : 'its content is not JSON'
    throw new ApiError('invalid_credentials', `The token is signed, but malformed: ${reason}`)
  }
}

/** Tokens that were valid when they were sent. Whether the key still is, is looked up each time. */
const readTokens = new Map<string, { readonly scope: TokenScope; readonly digest: string }>()
const READ_TOKENS_MAX = 1_000

function remember(token: string, read: { scope: TokenScope; digest: string }): void {
  if (readTokens.size >= READ_TOKENS_MAX) {
    const [oldest] = readTokens.keys()
    readTokens.delete(oldest!)
  }
  readTokens.set(token, read)
}
