import { ApiError, WEBHOOKS_PER_SECOND_MAX, type WebhookAnswer } from '@aisle/contract'
import type { WebhookRequest } from '../../ports/catalog/source-readings.ts'
import type { SourcePorts } from './source-ports.ts'
import type { SourceRecord } from './source-record.ts'
import { secretsOf } from './source-secrets.ts'
import { findSource } from './sources.ts'
import { enqueue } from './webhook-queue.ts'

/** Webhooks at once, after a time without any. */
const BURST = WEBHOOKS_PER_SECOND_MAX * 10

/**
 * Receives a webhook of a shop: what has changed is queued, and read from the shop by the
 * runner that follows the source. A store or a source that does not exist is answered like a
 * wrong signature.
 *
 * @throws ApiError invalid_credentials, rate_limited, unavailable
 */
export async function receiveWebhook(
  ports: SourcePorts,
  rates: WebhookRates,
  storeId: string,
  name: string,
  request: WebhookRequest,
): Promise<WebhookAnswer> {
  if (ports.sources.isPing(request.body)) return { status: 'ignored' }
  const source = await findSource(ports, storeId, name).catch(notFound)
  const secrets = source === undefined ? {} : openSecrets(ports, source)
  const reading = source && ports.sources.readWebhook(source.connection, secrets, request)
  if (source === undefined || reading === undefined || reading.kind === 'forged') {
    throw new ApiError('invalid_credentials', 'The signature of the webhook is not valid')
  }
  rates.take(source.id, ports.clock.now())
  if (reading.kind === 'ignored') return { status: 'ignored' }
  const isNew = await enqueue(ports, source, reading.ids, reading.delivery)
  return { status: isNew ? 'accepted' : 'repeated' }
}

/** Without the key of the installation no signature is right. */
function openSecrets(ports: SourcePorts, source: SourceRecord): Readonly<Record<string, string>> {
  try {
    return secretsOf(ports, source)
  } catch (error) {
    if (error instanceof ApiError) return {}
    throw error
  }
}

function notFound(error: unknown): undefined {
  const { code } = error as ApiError
  if (code !== 'source_not_found' && code !== 'store_not_found') throw error
}

/** How often each source may be told something by signed webhooks. */
export class WebhookRates {
  readonly #buckets = new Map<string, { tokens: number; atMs: number }>()

  /** @throws ApiError rate_limited */
  take(sourceId: string, nowMs: number): void {
    const bucket = this.#buckets.get(sourceId) ?? { tokens: BURST, atMs: nowMs }
    const seconds = Math.max(0, nowMs - bucket.atMs) / 1_000
    const tokens = Math.min(BURST, bucket.tokens + seconds * WEBHOOKS_PER_SECOND_MAX)
    if (tokens < 1) {
      throw new ApiError('rate_limited', 'Too many webhooks for this source: send it again later', {
        retryAfterSeconds: 1,
      })
    }
    this.#buckets.set(sourceId, { tokens: tokens - 1, atMs: nowMs })
  }
}
