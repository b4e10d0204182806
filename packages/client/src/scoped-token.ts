import type { TokenScope } from '@aisle/contract'

/** Before the payload in what is signed, so that no other signature of the secret is a token. */
const SIGNED_PREFIX = 'aisle-token-1\n'

/**
 * A token that opens the searches of a store as far as `scope` says, to be used as its read secret.
 * Made without asking the service, which needs the signing secret only to check it: on a shop's own
 * server, never in a page.
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
