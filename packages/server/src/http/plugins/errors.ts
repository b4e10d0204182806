import type { Socket } from 'node:net'
import { ApiError, ERROR_STATUS, type ErrorCode } from '@aisle/contract'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { STATUS_CODES } from '../node-http.ts'
import { requestLog } from '../request-id.ts'
import { allowedMethods } from '../route-table.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly notFound: NotFound
  }
}

interface NotFound {
  /** Responds with a page if a person asked for one. @returns whether it did */
  drawPage: (request: FastifyRequest, reply: FastifyReply) => boolean
}

/**
 * The only place where an error becomes a status and a body: `ErrorResponse` on every path. An
 * unexpected error becomes `internal`: the cause is logged, not sent.
 */
export function registerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    countRefusal(app, request.storeId, error)
    return sendError(error, request, reply)
  })
  const notFound: NotFound = { drawPage: () => false }
  app.decorate('notFound', notFound)
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0]!
    const methods = allowedMethods(app, path)
    if (methods.length > 0 && !methods.includes(request.method)) {
      void reply.header('allow', methods.join(', '))
      throw new ApiError(
        'method_not_allowed',
        `Method ${request.method} is not allowed here; allowed: ${methods.join(', ')}`,
      )
    }
    if (notFound.drawPage(request, reply)) return reply
    throw new ApiError('route_not_found', `No route ${request.method} ${shortened(path)}`)
  })
}

/** Counts errors that operators want to notice. */
export function countRefusal(app: FastifyInstance, storeId: string, error: unknown): void {
  if (!(error instanceof ApiError) || error.code !== 'quota_exceeded') return
  app.metrics.overQuota.inc({ store: app.metrics.storeLabel(storeId) })
}

/** Sends an error. Also for errors of the framework before routing. */
export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const failure = toApiError(error, request.routeOptions.bodyLimit)
  if (failure.code === 'internal') requestLog(request).error({ err: error }, 'request failed')
  request.failureCode = failure.code
  if (failure.status >= 500 && failure.cause instanceof Error) {
    request.failureCause = codeOf(failure.cause)
  }
  if (failure.retryAfterSeconds !== undefined) {
    void reply.header('retry-after', String(Math.max(1, Math.ceil(failure.retryAfterSeconds))))
  }
  return reply
    .code(failure.status)
    .header('content-type', 'application/json; charset=utf-8')
    .header('x-request-id', request.id)
    .header('x-content-type-options', 'nosniff')
    .send(errorBody(failure, request.id))
}

/** A message may contain what somebody typed, which is not for the log. */
function codeOf(cause: Error & { readonly code?: unknown }): string {
  return typeof cause.code === 'string' ? cause.code : cause.name
}

/** The body of an error as JSON text. */
export function errorBody(failure: ApiError, requestId: string): string {
  const body = JSON.stringify({
    error: failure.message,
    code: failure.code,
    status: failure.status,
    ...(failure.param === undefined ? {} : { param: failure.param }),
    ...(failure.details.length === 0 ? {} : { details: failure.details }),
    ...(failure.resetAt === undefined ? {} : { reset_at: failure.resetAt }),
    request_id: requestId,
  })
  return failure.current === undefined ? body : `${body.slice(0, -1)},"current":${failure.current}}`
}

/** Fastify's own errors, in our words. */
const FRAMEWORK_ERRORS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported_media_type',
    'The body must be JSON: send content-type application/json',
  ],
  FST_ERR_CTP_EMPTY_TYPE: ['unsupported_media_type', 'The content-type header is empty'],
  FST_ERR_CTP_INVALID_TYPE: ['unsupported_media_type', 'The content-type header is not valid'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'malformed_request',
    'The length of the body differs from content-length',
  ],
  FST_ERR_BAD_URL: ['malformed_request', 'The path is not a well-formed URL'],
  FST_ERR_MAX_PARAM_LENGTH: ['invalid_parameter', 'A part of the path is too long'],
}

/**
 * Converts anything thrown into an error with a code of the registry.
 *
 * @param bodyMaxBytes limit of the route, for the message about a larger body
 */
export function toApiError(error: unknown, bodyMaxBytes?: number): ApiError {
  if (error instanceof ApiError) return error
  const { code = '', statusCode = 500 } = (error ?? {}) as Partial<FastifyError>
  const known = FRAMEWORK_ERRORS[code]
  if (known !== undefined) return new ApiError(known[0], known[1])
  if (statusCode === 413) return tooLarge(bodyMaxBytes)
  if (statusCode === 415) return new ApiError('unsupported_media_type', 'Unsupported content-type')
  if (statusCode === 503) {
    return new ApiError('unavailable', 'The service is stopping', { retryAfterSeconds: 1 })
  }
  if (statusCode >= 400 && statusCode < 500) {
    return new ApiError('malformed_request', 'Malformed request')
  }
  // After a failed write of its first pages, LMDB refuses reads as well, until the main thread ends
  // the process a few milliseconds later.
  if (error instanceof Error && error.message.includes('MDB_PANIC')) {
    const options = { retryAfterSeconds: 1, cause: error }
    return new ApiError('unavailable', 'The service restarts because its disk failed', options)
  }
  return new ApiError('internal', 'Internal error: the log of the service has the details', {
    cause: error,
  })
}

function tooLarge(bodyMaxBytes: number | undefined): ApiError {
  const limit = bodyMaxBytes === undefined ? '' : `: at most ${bodyMaxBytes} bytes`
  const message = `The body is larger than this route allows${limit}`
  return new ApiError('payload_too_large', message, {
    details: [{ code: 'payload_too_large', message }],
  })
}

/**
 * Responds on a connection whose bytes are not HTTP, too many or too slow. There is no request
 * then, so the response is written directly to the socket, which is then closed.
 */
export function answerBrokenConnection(
  error: Error & { code?: string },
  socket: Socket,
  requestId: string,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const code: ErrorCode =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'headers_too_large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'request_timeout'
        : 'malformed_request'
  const message = {
    headers_too_large: 'The headers are too large',
    request_timeout: 'The request took too long to arrive',
    malformed_request: 'The request is not well-formed HTTP',
  }[code]
  // A response that is being sent must not be interrupted by another one.
  const underWay = (socket as { _httpMessage?: { headersSent?: boolean } })._httpMessage
  if (!socket.writable || underWay?.headersSent === true) {
    socket.destroy()
    return
  }
  const body = errorBody(new ApiError(code, message), requestId)
  const status = ERROR_STATUS[code]
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n` +
      'content-type: application/json; charset=utf-8\r\n' +
      'x-content-type-options: nosniff\r\n' +
      `x-request-id: ${requestId}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n` +
      'connection: close\r\n\r\n' +
      body,
  )
}

function shortened(path: string): string {
  return path.length <= 200 ? path : `${path.slice(0, 200)}…`
}
