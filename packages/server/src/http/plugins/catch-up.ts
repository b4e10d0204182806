import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import type { AppDependencies } from '../dependencies.ts'

/**
 * On a cluster, requests that administer or write wait until this node knows everything that other
 * nodes have answered: a proxy may send the next request of a client to any of them. Searches and
 * reads of documents don't wait; see `registerAuth` for those with a key that is unknown here.
 */
export function registerCatchUp(
  app: FastifyInstance,
  { catchUp }: Pick<AppDependencies, 'catchUp'>,
): void {
  if (catchUp === undefined) return
  app.addHook('onRequest', async (request) => {
    if (!request.is404 && mustBeCurrent(request.routeConfig!)) await catchUp()
  })
}

const CONTROL: readonly (FastifyContextConfig['auth'] | undefined)[] = [
  'write',
  'admin',
  'session',
  'login',
]

function mustBeCurrent({ auth, url = '' }: FastifyContextConfig & { url?: string }): boolean {
  if (CONTROL.includes(auth)) return true
  return auth === 'read' && url.startsWith('/api/') && !url.includes('/documents')
}
