import { ApiError, nearestName, type TObject } from '@aisle/contract'
import type { FastifyInstance } from 'fastify'
import type { Operation } from '../operation.ts'

const NAME_SHOWN_MAX_CHARS = 100

/**
 * Refuses a parameter of the URL that the operation does not have: it was meant to do something,
 * and a change may not be undone. Searches, suggestions and reports name such parameters in their
 * warnings instead, and routes without a key are called with additions of probes and scrapers.
 */
export function registerUnknownParameters(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404 || !request.url.includes('?')) return done()
    const { auth, operation } = request.routeConfig!
    const isOpen = auth === 'none' || auth === 'local' || auth === 'events'
    if (isOpen || operation === undefined || warnsOfUnknown(request.method, operation))
      return done()
    const known = Object.keys((operation.query as TObject | undefined)?.properties ?? {})
    const unknown = Object.keys(request.query as object).find((name) => !known.includes(name))
    if (unknown === undefined) return done()
    const param = unknown.slice(0, NAME_SHOWN_MAX_CHARS).toWellFormed()
    const near = nearestName(unknown, known)
    const hint = near === undefined ? '' : `, did you mean \`${near}\`?`
    done(
      new ApiError('invalid_parameter', `Unknown parameter \`${param}\`${hint}`, {
        param,
      }),
    )
  })
}

function warnsOfUnknown(method: string, { tag, query, success }: Operation): boolean {
  if (tag === 'Search') return true
  const answer = success.content['application/json'] as TObject | undefined
  const isReport = query !== undefined && Object.hasOwn(answer?.properties ?? {}, 'warnings')
  return isReport && (method === 'GET' || method === 'HEAD')
}
