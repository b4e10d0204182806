import { headerOf, isSigned } from './signature.ts'
import type { WebhookReading, WebhookRequest } from './webhook-reading.ts'

const TOPICS = new Set([
  'product.created',
  'product.updated',
  'product.deleted',
  'product.restored',
])

/** A webhook of WooCommerce. */
export function woocommerceWebhook(
  secret: string | undefined,
  { headers, body }: WebhookRequest,
): WebhookReading {
  if (!isSigned(body, secret, headers['x-wc-webhook-signature'])) return { kind: 'forged' }
  const isProduct = TOPICS.has(headerOf(headers['x-wc-webhook-topic']))
  const ids = isProduct ? idsOf(body) : []
  if (ids.length === 0) return { kind: 'ignored' }
  return { kind: 'changed', ids, delivery: headerOf(headers['x-wc-webhook-delivery-id']) }
}

/** The product; of a variation, the product that it belongs to. */
function idsOf(body: Uint8Array): readonly string[] {
  let product: unknown
  try {
    product = JSON.parse(Buffer.from(body).toString())
  } catch {
    return []
  }
  const { id, parent_id: parent, type } = (product ?? {}) as Record<string, unknown>
  const changed = type === 'variation' ? parent : id
  return Number.isSafeInteger(changed) && (changed as number) > 0 ? [String(changed)] : []
}

/** What WooCommerce sends, unsigned, when somebody saves a webhook, to see whether it arrives. */
export function isWooCommercePing(body: Uint8Array): boolean {
  return body.length <= 40 && /^webhook_id=\d+$/.test(Buffer.from(body).toString())
}
