import { isObject } from '@aisle/contract'
import type { FastifyRequest } from 'fastify'

/** A path to which a stock client sends events, and how its body becomes that of `/v1/b`. */
export interface IngestAlias {
  readonly url: string
  readonly envelopeOf: (body: unknown, request: FastifyRequest) => unknown
}

/** Short names of event types in the paths of Segment's clients. */
const SHORT_TYPES = {
  t: 'track',
  p: 'page',
  i: 'identify',
  g: 'group',
  a: 'alias',
  s: 'screen',
} as const
const TYPES = Object.values(SHORT_TYPES)

/**
 * The fixed paths of stock clients (docs/operating.md says which client uses which):
 *
 * - `/v1/batch`, `/beacon/v1/batch`: a batch; Segment's and RudderStack's clients for servers, and
 *   RudderStack's for browsers.
 * - `/v1/track`, `/v1/t` and so on: one event, whose type the path names.
 * - `/api/s/track`, `/api/s/s2s/track` and so on: one event of Jitsu's client, with the key in a
 *   header.
 */
export const INGEST_ALIASES: readonly IngestAlias[] = [
  ...['/v1/batch', '/beacon/v1/batch'].map((url) => ({
    url,
    envelopeOf: (body: unknown): unknown => body,
  })),
  ...[...TYPES.map((type) => [type, type] as const), ...Object.entries(SHORT_TYPES)].map(
    ([name, type]) => ({
      url: `/v1/${name}`,
      envelopeOf: (event: unknown): unknown => singleEnvelope(event, type),
    }),
  ),
  ...TYPES.flatMap((type) =>
    ['/api/s', '/api/s/s2s'].map((prefix) => ({
      url: `${prefix}/${type}`,
      envelopeOf: (event: unknown, request: FastifyRequest): unknown =>
        jitsuEnvelope(event, type, request),
    })),
  ),
]

function singleEnvelope(event: unknown, type: string): unknown {
  if (!isObject(event)) return event
  return { batch: [{ type, ...event }], sentAt: event['sentAt'] }
}

/**
 * Jitsu's client requires keys of two parts, `id:secret`, and masks the second with asterisks in
 * the body; the header has the whole key. The first part is our key, the second may be anything.
 */
function jitsuEnvelope(event: unknown, type: string, { headers }: FastifyRequest): unknown {
  if (!isObject(event)) return event
  const { writeKey: _, ...rest } = event
  const key = headers['x-write-key']
  const envelope = singleEnvelope(rest, type) as object
  return typeof key === 'string' ? { ...envelope, writeKey: key.split(':', 1)[0] } : envelope
}
