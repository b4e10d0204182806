import { hash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { ApiError } from '@aisle/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { PAGE_ENCODINGS, type PageEncoding, type PageFile } from '../ports/host/page-files.ts'

/** Names of built files contain a hash of their content. */
export const FOREVER = 'public, max-age=31536000, immutable'

/** @throws ApiError route_not_found */
export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: PageFile | undefined,
): FastifyReply {
  if (file === undefined) {
    throw new ApiError('route_not_found', 'File not found: reload the page')
  }
  void reply.header('etag', file.etag).header('vary', 'accept-encoding')
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send()
  const accepted = acceptedEncodings(request)
  const encoding =
    PAGE_ENCODINGS.find((one) => file.encodings.has(one) && accepted.has(one)) ?? 'identity'
  if (encoding !== 'identity') void reply.header('content-encoding', encoding)
  return reply.header('content-type', file.contentType).send(file.read(encoding))
}

/** A page that is made while the service runs: compressed once, not for each request. */
export function htmlFile(html: string): PageFile {
  return fileOf('text/html; charset=utf-8', html)
}

/** JSON text that is made while the service runs, in the same way. */
export function jsonFile(json: string): PageFile {
  return fileOf('application/json; charset=utf-8', json)
}

function fileOf(contentType: string, text: string): PageFile {
  const identity = Buffer.from(text)
  const gzip = gzipSync(identity)
  return {
    contentType,
    etag: `"${hash('sha256', identity, 'base64url').slice(0, ETAG_CHARS)}"`,
    encodings: GZIP_ONLY,
    read: (encoding) => (encoding === 'gzip' ? gzip : identity),
  }
}

const GZIP_ONLY: ReadonlySet<PageEncoding> = new Set(['gzip'] as const)
const ETAG_CHARS = 22

/** Names without weights, except those refused by `q=0`. */
function acceptedEncodings({ headers }: FastifyRequest): ReadonlySet<string> {
  const entries = (headers['accept-encoding'] ?? '').toLowerCase().split(',')
  const accepted = entries.filter((entry) => !/;\s*q=0(?:\.0*)?\s*$/.test(entry))
  return new Set(accepted.map((entry) => entry.split(';', 1)[0]!.trim()))
}
