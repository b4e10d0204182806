import { headerOf, isSigned } from './signature.ts'
import type { WebhookReading, WebhookRequest } from './webhook-reading.ts'

const TOPICS = new Set(['products/create', 'products/update', 'products/delete'])

/** A webhook of Shopify. The changes of stocks that orders make are updates of products too. */
export function shopifyWebhook(
  secret: string | undefined,
  { headers, body }: WebhookRequest,
): WebhookReading {
  if (!isSigned(body, secret, headers['x-shopify-hmac-sha256'])) return { kind: 'forged' }
  const id = TOPICS.has(headerOf(headers['x-shopify-topic'])) ? idOf(body) : undefined
  if (id === undefined) return { kind: 'ignored' }
  return { kind: 'changed', ids: [id], delivery: headerOf(headers['x-shopify-webhook-id']) }
}

/** The member `id`, digit by digit: it may be larger than a number holds exactly. */
function idOf(body: Uint8Array): string | undefined {
  const exact = (key: string, value: unknown, context?: { source?: string }): unknown =>
    key === 'id' && typeof value === 'number' ? context?.source : value
  let product: unknown
  try {
    product = JSON.parse(Buffer.from(body).toString(), exact)
  } catch {
    return undefined
  }
  const { id } = (product ?? {}) as { id?: unknown }
  return typeof id === 'string' && /^\d{1,20}$/.test(id) ? id : undefined
}
