/** Where catalogs come from: readers of product feeds and other sources. */
export { isNetwork, SourceNetworks } from './networks.ts'
export { openReader } from './open-reader.ts'
export { sendJson } from './send-json.ts'
export { SourceError } from './source-error.ts'
export type { SourceBatch, SourceChanges, SourceReader } from './source-reader.ts'
export { isWooCommercePing } from './webhook/woocommerce-webhook.ts'
export { readWebhook } from './webhook/webhook.ts'
