import type { FastifyInstance } from 'fastify'
import { search } from '../../services/search/search.ts'
import type { AppDependencies } from '../dependencies.ts'
import { sendAnswer } from '../json-text.ts'
import { FOREVER, sendFile } from '../page-file.ts'
import { pageHeaders } from '../page-policy.ts'

const BASE = '/docs'
const QUERY_MAX_CHARS = 200
/** The parameters of a search of the docs, besides its query. */
const SEARCH = {
  per_page: 10,
  field_weights: { title: 4, heading: 8, text: 1 },
  search_timeout_ms: 1_000,
  highlight: false,
  include_snippets: true,
  full_snippet_fields: ['title', 'heading'],
  snippet_fields: ['title', 'heading', 'text'],
  snippet_token_limit: 24,
  return_fields: ['id'],
}

/**
 * Serves the site of docs/ from the built files, and its search. Aisle itself answers that search,
 * with the code of a store search, from an index of the sections that each thread builds on its
 * first search. Without the built files, `/docs` leads to the API reference.
 */
export function docsRoutes(app: FastifyInstance, ports: AppDependencies): void {
  const { documentation, options } = ports
  const headers = { ...pageHeaders(options.imageHosts ?? []), 'cache-control': 'no-cache' }
  const config = { auth: 'none', hidden: true } as const
  app.get(BASE, { config }, (_request, reply) =>
    reply.redirect(documentation === undefined ? `${BASE}/api` : `${BASE}/`, 302),
  )
  if (documentation === undefined) return
  const { pages, catalog } = documentation

  app.get<{ Querystring: { q?: string | string[] } }>(
    `${BASE}/find`,
    { config },
    async (request, reply) => {
      const q = [request.query.q ?? ''].flat()[0]!.slice(0, QUERY_MAX_CHARS)
      const { backend, reader } = await catalog()
      const docs = { ...ports, backend, reader: { ...ports.reader, ...reader }, usage: UNCOUNTED }
      // The first request of a thread waits for the index, which does not count as its search.
      const pace = { ...request.pace, startMs: performance.now() }
      const { json } = await search(docs, 'docs', { ...SEARCH, q }, pace)
      return sendAnswer(reply, json)
    },
  )
  app.get<{ Params: { '*': string } }>(`${BASE}/assets/*`, { config }, (request, reply) => {
    const file = pages.find(`assets/${request.params['*']}`)
    if (file !== undefined) void reply.header('cache-control', FOREVER)
    return sendFile(request, reply, file)
  })
  app.get<{ Params: { '*': string } }>(`${BASE}/*`, { config }, (request, reply) => {
    const path = request.params['*'].replace(/\.html$/, '')
    const page = pages.find(`${path === '' ? 'index' : path}.html`)
    void reply.headers(headers)
    return sendFile(
      request,
      page === undefined ? reply.code(404) : reply,
      page ?? pages.find('404.html'),
    )
  })
}

/** A search of the docs belongs to no store. */
const UNCOUNTED: AppDependencies['usage'] = { take: () => true, used: () => 0 }
