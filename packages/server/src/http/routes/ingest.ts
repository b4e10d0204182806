import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import {
  ApiError,
  EVENT_BATCH_MAX_BYTES,
  EVENT_INFLATION_FREE_BYTES,
  EVENT_INFLATION_MAX,
  IngestError,
  IngestRequest,
  IngestResponse,
} from '@aisle/contract'
import { AddressHasher, EnvelopeError, writeKeyOf } from '@aisle/event-log'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ingestCanonical, parseEvents } from '../../services/events/ingest-events.ts'
import { SignedUsers } from '../../services/store/signed-users.ts'
import type { UseNotes } from '../../services/access/use-notes.ts'
import { WriteKeys } from '../../services/store/write-keys.ts'
import type { AppDependencies } from '../dependencies.ts'
import { jsonAnswer, route } from '../operation.ts'
import { bodyBytes } from '../plugins/body.ts'
import { preflightRoute } from '../plugins/cors-events.ts'
import { toApiError } from '../plugins/errors.ts'
import { requestLog } from '../request-id.ts'
import { userIdOf } from '../visitor.ts'
import { countEvents } from './analytics.ts'
import { INGEST_ALIASES, type IngestAlias } from './ingest-aliases.ts'

const inflate = promisify(gunzip)

/**
 * Ingests canonical events: the only public path, for stock clients of Segment and RudderStack.
 */
export function ingestRoutes(
  app: FastifyInstance,
  dependencies: AppDependencies,
  uses: UseNotes,
): void {
  const { registry, clock, addressKey, options } = dependencies
  const writeKeys = new WriteKeys(registry, clock, uses)
  const hasher = new AddressHasher(addressKey)
  const users = new SignedUsers(dependencies, uses)

  const ingest = async (
    request: FastifyRequest,
    reply: FastifyReply,
    alias: IngestAlias | undefined,
  ): Promise<FastifyReply> => {
    const json = parseEvents(await inflatedBody(request))
    const body = alias === undefined ? json : alias.envelopeOf(json, request)
    const owner = writeKeys.storeOf(writeKeyOf(body) ?? keyOfRequest(request))
    if (owner === undefined) throw new EnvelopeError('"writeKey" is missing or not known')
    const { answer, verdicts } = await ingestCanonical(dependencies, owner, body, {
      address: hasher.hash(request.ip, clock.now()),
      storeOf: (writeKey) => writeKeys.storeOf(writeKey),
      // The key is in every page, so a user named in the body is trusted only with a signature in
      // the headers.
      onlyUser: users.isRequired(owner.storeId)
        ? (userIdOf(request, owner.storeId, users) ?? '')
        : undefined,
      // Older stock clients send to their fixed paths, without `sentAt`: their clock is trusted.
      sentAtOptional: alias !== undefined,
    })
    countEvents(app, 'canonical', verdicts)
    return reply.send(answer)
  }

  const addRoute = (url: string, alias?: IngestAlias): void => {
    preflightRoute(app, url)
    app.post(
      url,
      route('events', 'Events', {
        bodyLimit: EVENT_BATCH_MAX_BYTES,
        errorHandler: sendIngestError,
        hidden: alias !== undefined,
        id: 'ingestEvents',
        summary: 'Send canonical events',
        description:
          'For stock clients of Segment and RudderStack: JSON with any content-type, optionally gzip, from any origin, with or without credentials. Events are independent: an invalid one is not counted in `okEvents`, and the others are accepted. Responds once they are on disk.',
        body: { 'application/json': IngestRequest },
        success: jsonAnswer(IngestResponse, 'Accepted events are durable.'),
        errorSchema: IngestError,
      }),
      (request, reply) => ingest(request, reply, alias),
    )
  }

  addRoute('/v1/b')
  if (options.ingestAliases !== true) return
  for (const alias of INGEST_ALIASES) addRoute(alias.url, alias)
  // Reports of the client about itself: accepted, so that it does not complain, and discarded.
  preflightRoute(app, '/v1/m')
  app.post('/v1/m', { config: { auth: 'events', hidden: true } }, (_request, reply) =>
    reply.send({ success: true }),
  )
}

/** `{error}` alone, as event clients expect; 429 and 503 say in two ways when to retry. */
function sendIngestError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const failure =
    error instanceof EnvelopeError
      ? new ApiError('invalid_event', error.message)
      : toApiError(error, request.routeOptions.bodyLimit)
  if (failure.code === 'internal') requestLog(request).error({ err: error }, 'request failed')
  if (failure.retryAfterSeconds !== undefined) {
    const seconds = String(Math.max(1, Math.ceil(failure.retryAfterSeconds)))
    void reply.header('retry-after', seconds).header('x-ratelimit-reset', seconds)
  }
  void reply
    .code(failure.status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify({ error: failure.message }))
}

async function inflatedBody(request: FastifyRequest): Promise<Uint8Array> {
  const encoding = (request.headers['content-encoding'] ?? '').trim().toLowerCase()
  if (encoding === '' || encoding === 'identity') return bodyBytes(request)
  if (encoding !== 'gzip' && encoding !== 'x-gzip') {
    throw new ApiError('unsupported_media_type', 'The content-encoding must be gzip or none')
  }
  const bytes = bodyBytes(request)
  const fairBytes = Math.max(EVENT_INFLATION_FREE_BYTES, EVENT_INFLATION_MAX * bytes.length)
  try {
    return await inflate(bytes, { maxOutputLength: Math.min(fairBytes, EVENT_BATCH_MAX_BYTES) })
  } catch (error) {
    if (error instanceof ApiError) throw error
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new ApiError(
        'payload_too_large',
        fairBytes < EVENT_BATCH_MAX_BYTES
          ? `The body inflates to more than ${EVENT_INFLATION_MAX} times its size: send it uncompressed, or in smaller batches`
          : `The body inflates to more than ${EVENT_BATCH_MAX_BYTES} bytes`,
      )
    }
    throw new ApiError('malformed_json', 'The body is not gzip')
  }
}

/** Clients that cannot put the key into the body send it as a user name, or in the URL. */
function keyOfRequest(request: FastifyRequest): string {
  const basic = /^basic +([A-Za-z0-9+/_=-]+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (basic !== undefined) {
    const key = Buffer.from(basic, 'base64').toString('utf8').split(':', 1)[0] ?? ''
    if (key !== '') return key
  }
  const { writeKey } = request.query as { writeKey?: unknown }
  return typeof writeKey === 'string' ? writeKey : ''
}
