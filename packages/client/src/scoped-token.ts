import type { TokenScope } from '@aisle/contract'

/** Signed before the payload, so that no other signature with the secret is a valid token. */
const SIGNED_PREFIX = 'aisle-token-1\n'

/**
 * Creates a token that opens the searches of a store as far as `scope` allows, used in place of the
 * read secret. Needs no request: the service uses the signing secret only to verify the token. For
 * a shop's own server, never in a page.
 *
 * @param signingSecret of the store, `ss_…`
 */
export async function makeScopedToken(signingSecret: string, scope: TokenScope): Promise<string> {
  const utf8 = new TextEncoder()
  const payload = base64url(utf8.encode(JSON.stringify(scope)))
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const secret = utf8.encode(signingSecret)
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign'])
  const signed = utf8.encode(SIGNED_PREFIX + payload)
  const signature = await crypto.subtle.sign('HMAC', key, signed)
  return `tk_${payload}.${base64url(new Uint8Array(signature))}`
}

function base64url(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
