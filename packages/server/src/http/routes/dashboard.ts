import type { FastifyInstance } from 'fastify'
import type { AppDependencies } from '../dependencies.ts'
import { FOREVER, sendFile } from '../page-file.ts'
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
