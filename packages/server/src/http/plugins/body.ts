import { ApiError, OBJECT_KEYS_MAX, type TObject } from '@aisle/contract'
import { parameterReader } from '@aisle/contract/check'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parseExact } from '../../domain/json/json-scan.ts'

/**
 * Bodies arrive as bytes, within the limit of their route; the use case decides how to parse them.
 * A body without a content type is treated as JSON. Any other type is refused with 415.
 */
export function registerBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body)
  })
  app.addHook('onRequest', (request, _reply, done) => {
    // An unknown path accepts any body, so that the response is 404.
    if (request.is404) {
      request.raw.headers['content-type'] = 'application/json'
      return done()
    }
    // Event clients send JSON as text, as a form or without a content type, and may compress it;
    // a signature is over the bytes.
    const { auth, takesAnyBody } = request.routeConfig!
    if (auth === 'events' || takesAnyBody === true) {
      request.raw.headers['content-type'] = 'application/json'
      return done()
    }
    request.raw.headers['content-type'] ??= 'application/json'
    const encoding = request.headers['content-encoding'] ?? 'identity'
    if (encoding.toLowerCase() === 'identity' || encoding === '') return done()
    done(
      new ApiError(
        'unsupported_media_type',
        'Compressed bodies are not accepted: send the body without content-encoding',
      ),
    )
  })
}

/** @throws ApiError malformed_json when there is no body */
export function bodyBytes(request: FastifyRequest): Uint8Array {
  const { body } = request
  if (body instanceof Uint8Array && body.length > 0) return body
  throw new ApiError('malformed_json', 'The body is empty: expected JSON')
}

/** The JSON of the body, integers beyond 2^53 exact. */
export function bodyJson(request: FastifyRequest): unknown {
  return parseExact(bodyBytes(request), OBJECT_KEYS_MAX)
}

/** A reader of small JSON bodies that match a schema. */
export function bodyReader<T extends object>(schema: TObject): (request: FastifyRequest) => T {
  const read = parameterReader<T>(schema)
  return (request) => read(bodyJson(request))
}
