import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AppDependencies } from '../dependencies.ts'
import { FOREVER, sendFile } from '../page-file.ts'
import { pageHeaders } from '../page-policy.ts'

/** Paths of the dashboard. All of them return the same page, which shows the screen of its path. */
const PAGES = [
  '/',
  '/first-run',
  '/login',
  '/stores',
  '/stores/*',
  '/people',
  '/audit',
  '/service',
  '/snapshots',
  '/account',
  '/explorer',
  // The API reference, a page of the dashboard.
  '/docs/api',
]

/** Paths of programs and of separate pages; a path below one is never a page of the dashboard. */
const NOT_PAGES = /^\/(?:v1|api|analytics|assets|demo|docs|mcp)(?:\/|$)/

/** Serves the dashboard from the built files. Without them its paths do not exist. */
export function dashboardRoutes(app: FastifyInstance, { pages, options }: AppDependencies): void {
  if (pages === undefined) return
  const headers = pageHeaders(options.imageHosts ?? [])
  const config = { auth: 'none', hidden: true } as const
  for (const url of PAGES.flatMap((page) => (/[/*]$/.test(page) ? [page] : [page, `${page}/`]))) {
    app.get(url, { config }, (request, reply) => {
      void reply.headers(headers).header('cache-control', 'no-cache')
      return sendFile(request, reply, pages.find('index.html'))
    })
  }
  // A person who mistypes an address gets a page with a way back, not an error in JSON.
  app.notFound.drawPage = (request, reply) => {
    const page = pages.find('index.html')
    if (page === undefined || !isByPerson(request)) return false
    void reply.code(404).headers(headers).header('cache-control', 'no-cache')
    void sendFile(request, reply.header('vary', 'accept, accept-encoding'), page)
    return true
  }
  app.get<{ Params: { '*': string } }>('/assets/*', { config }, (request, reply) => {
    const file = pages.find(`assets/${request.params['*']}`)
    if (file !== undefined) void reply.header('cache-control', FOREVER)
    return sendFile(request, reply, file)
  })
}

function isByPerson({ method, url, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const path = url.split('?', 1)[0]!
  const isFile = path.slice(path.lastIndexOf('/')).includes('.')
  return (headers.accept ?? '').includes('text/html') && !isFile && !NOT_PAGES.test(path)
}
