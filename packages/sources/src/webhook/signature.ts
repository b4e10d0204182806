import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Whether a header has the HMAC-SHA256 of a body in base64, as both Shopify and WooCommerce sign.
 * The comparison takes the same time for every signature.
 */
export function isSigned(
  body: Uint8Array,
  secret: string | undefined,
  signature: string | readonly string[] | undefined,
): boolean {
  if (secret === undefined || secret === '' || typeof signature !== 'string') return false
  const expected = createHmac('sha256', secret).update(body).digest()
  const given = Buffer.from(signature, 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** The only value of a header, or an empty text. */
export function headerOf(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value : ''
}
