import { ApiError } from '@aisle/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PAGE_ENCODINGS, type PageFile } from '../../ports/page-files.ts'
import type { AppDependencies } from '../dependencies.ts'
import { pageHeaders } from '../page-policy.ts'

/** Paths of the dashboard. All of them return the same page, which shows the screen of its path. */
const PAGES = [
  '/',
  '/first-run',
  '/stores',
  '/stores/*',
  '/people',
  '/audit',
  '/service',
  '/snapshots',
  '/account',
  '/explorer',
  // The API reference, a page of the dashboard.
  '/docs',
]
/** Names of these files contain a hash of their content. */
const FOREVER = 'public, max-age=31536000, immutable'

/** The dashboard, from the built files. Without them its paths do not exist. */
export function dashboardRoutes(app: FastifyInstance, { pages, options }: AppDependencies): void {
  if (pages === undefined) return
  const headers = pageHeaders(options.imageHosts ?? [])
  const config = { auth: 'none', hidden: true } as const
  for (const url of PAGES) {
    app.get(url, { config }, (request, reply) => {
      void reply.headers(headers).header('cache-control', 'no-cache')
      return sendFile(request, reply, pages.find('index.html'))
    })
  }
  app.get<{ Params: { '*': string } }>('/assets/*', { config }, (request, reply) => {
    const file = pages.find(`assets/${request.params['*']}`)
    if (file !== undefined) void reply.header('cache-control', FOREVER)
    return sendFile(request, reply, file)
  })
}

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: PageFile | undefined,
): FastifyReply {
  if (file === undefined) {
    throw new ApiError('route_not_found', 'There is no such file: load the page again')
  }
  void reply.header('etag', file.etag).header('vary', 'accept-encoding')
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send()
  const accepted = acceptedEncodings(request.headers['accept-encoding'])
  const encoding =
    PAGE_ENCODINGS.find((one) => file.encodings.has(one) && accepted.has(one)) ?? 'identity'
  if (encoding !== 'identity') void reply.header('content-encoding', encoding)
  return reply.header('content-type', file.contentType).send(file.read(encoding))
}

/** Names without weights, except those refused by `q=0`. */
function acceptedEncodings(header: string | undefined): ReadonlySet<string> {
  const entries = (header ?? '').toLowerCase().split(',')
  const accepted = entries.filter((entry) => !/;\s*q=0(?:\.0*)?\s*$/.test(entry))
  return new Set(accepted.map((entry) => entry.split(';', 1)[0]!.trim()))
}
