import { ApiError } from '@aisle/contract'
import type { FastifyInstance } from 'fastify'

/** A run of percent-encoded bytes. */
const ENCODED_BYTES = /(?:%[0-9a-fA-F]{2})+/g
const NAME_SHOWN_MAX_CHARS = 100

/**
 * Text in a URL must be UTF-8 (RFC 3986, section 2.5); other bytes would be searched for as
 * something else.
 */
export function registerUrlText(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const fault = unicodeFault(request.url)
    if (fault === undefined) done()
    else done(fault)
  })
}

/** The fault in the encoded bytes of a URL; a `%` that encodes no byte is ignored. */
export function unicodeFault(url: string): ApiError | undefined {
  if (isUtf8(url)) return undefined
  const [path = '', ...query] = url.split('?')
  if (!isUtf8(path)) return new ApiError('invalid_unicode', 'The path is not well-formed UTF-8')
  const parameter = query
    .join('?')
    .split('&')
    .find((one) => !isUtf8(one))!
  const [name = ''] = parameter.split('=', 1)
  if (!isUtf8(name)) {
    return new ApiError('invalid_unicode', 'The name of a parameter is not well-formed UTF-8')
  }
  const param = name.slice(0, NAME_SHOWN_MAX_CHARS).toWellFormed()
  return new ApiError('invalid_unicode', `Parameter \`${param}\` is not well-formed UTF-8`, {
    param,
  })
}

function isUtf8(text: string): boolean {
  if (!text.includes('%')) return true
  for (const [bytes] of text.matchAll(ENCODED_BYTES)) {
    try {
      decodeURIComponent(bytes)
    } catch {
      return false
    }
  }
  return true
}
