import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { BULK_BODY_MAX_BYTES, BulkRequest, BulkResponse, Type } from '@aisle/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { indexBulk, indexStream, type BulkPiece } from '../../services/documents/index-documents.ts'
import type { AppDependencies } from '../dependencies.ts'
import { refuseIfMatch } from '../if-match.ts'
import { route } from '../operation.ts'
import { bodyBytes } from '../plugins/body.ts'
import { toApiError } from '../plugins/errors.ts'
import { requestLog } from '../request-id.ts'

const NDJSON_TYPES = ['application/x-ndjson', 'application/ndjson', 'application/jsonl']

/**
 * Results waiting for a client that sends everything before it reads anything: about 800,000 of
 * them. A client with more has to read while it sends.
 */
const PENDING_RESULTS_MAX_BYTES = 64_000_000

/** Many documents in one request: a JSON body, or a stream of lines of any length. */
export function bulkRoutes(root: FastifyInstance, ports: AppDependencies): void {
  void root.register((app, _options, done) => {
    // A stream is forwarded unparsed: it has no limit, and is never completely in memory.
    app.addContentTypeParser(NDJSON_TYPES, (_request, payload, parsed) => parsed(null, payload))
    app.post(
      '/api/v1/stores/:id/documents/bulk',
      route('write', 'Documents', {
        bodyLimit: BULK_BODY_MAX_BYTES,
        audit: false,
        id: 'indexDocuments',
        summary: 'Index many documents',
        description:
          'Documents are independent: if one fails, the others are still indexed. JSON up to 100 MB, or NDJSON with one entry per line and no limit.',
        body: {
          'application/json': BulkRequest,
          'application/x-ndjson': Type.String({ description: 'One entry per line.' }),
        },
        example: {
          documents: [
            { id: '1', data: { title: 'Dome tent for two', brand: 'Northfold', price: 199 } },
            { id: '2', data: { title: 'Enamel mug', brand: 'Kettleby', price: 12.5 } },
          ],
        },
        success: {
          status: 207,
          description: 'A result for each document, in order.',
          content: { 'application/json': BulkResponse },
        },
        errors: ['schema_not_defined', 'disk_reserve'],
      }),
      (request, reply) => {
        refuseIfMatch(request)
        return sendPieces(app, request, reply, open(ports, request))
      },
    )
    done()
  })
}

function open(ports: AppDependencies, request: FastifyRequest): AsyncGenerator<BulkPiece> {
  const { body, pace, storeId } = request
  const isStream = typeof body === 'object' && body !== null && !(body instanceof Uint8Array)
  return isStream
    ? indexStream(ports, storeId, body as AsyncIterable<Uint8Array>, toApiError, pace.giveWay)
    : indexBulk(ports, storeId, bodyBytes(request), toApiError, pace.giveWay)
}

/**
 * Sends the head with the first piece, so that a request which fails as a whole gets its status.
 */
async function sendPieces(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  pieces: AsyncGenerator<BulkPiece>,
): Promise<FastifyReply> {
  const first = await pieces.next()
  const out = new PassThrough({ writableHighWaterMark: PENDING_RESULTS_MAX_BYTES })
  void reply.code(207).header('content-type', 'application/json; charset=utf-8').send(out)
  try {
    for (let piece = first; piece.done !== true; piece = await pieces.next()) {
      const { json, results } = piece.value
      for (const [result, count] of Object.entries(results)) {
        if (count > 0) app.metrics.documents.inc({ result }, count)
      }
      if (!out.write(json)) await Promise.race([once(out, 'drain'), once(out, 'close')])
      if (out.destroyed) break
    }
    out.end()
  } catch (error) {
    // The client closed the connection in the middle of its stream. All reported results are on
    // disk.
    requestLog(request).info({ err: error }, 'bulk ended early')
    out.destroy()
  } finally {
    app.metrics.bulkSeconds.observe(reply.elapsedTime / 1_000)
    await pieces.return(undefined)
  }
  return reply
}
