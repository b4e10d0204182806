import type { SourceConnection } from '@aisle/contract'
import { shopifyWebhook } from './shopify-webhook.ts'
import type { WebhookReading, WebhookRequest } from './webhook-reading.ts'
import { woocommerceWebhook } from './woocommerce-webhook.ts'

/** Reads a webhook of a source. The signature comes first: nothing else of a forged one is read. */
export function readWebhook(
  connection: SourceConnection,
  secrets: Readonly<Record<string, string>>,
  request: WebhookRequest,
): WebhookReading {
  switch (connection.kind) {
    case 'shopify':
      return shopifyWebhook(secrets['client_secret'], request)
    case 'woocommerce':
      return woocommerceWebhook(secrets['webhook_secret'], request)
    default:
      return { kind: 'forged' }
  }
}
