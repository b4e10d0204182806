import { AddressHasher, isId, type Visitor } from '@aisle/events'
import type { FastifyRequest } from 'fastify'
import type { AppDependencies } from './dependencies.ts'

/** Who sent a request, by the identity headers and the address. Ids of a wrong form are left out. */
export function visitorReader({
  addressKey,
  clock,
}: Pick<AppDependencies, 'addressKey' | 'clock'>): (request: FastifyRequest) => Visitor {
  const hasher = new AddressHasher(addressKey)
  return (request) => {
    const userId = headerId(request, 'x-user-id')
    const anonymousId = headerId(request, 'x-anon-id')
    const sessionId = headerId(request, 'x-session-id')
    return {
      ...(userId === undefined ? {} : { userId }),
      ...(anonymousId === undefined ? {} : { anonymousId }),
      ...(sessionId === undefined ? {} : { sessionId }),
      ...hasher.hash(request.ip, clock.now()),
    }
  }
}

/** Node reads headers as Latin-1; a client that writes UTF-8 means UTF-8. */
function headerId(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  if (typeof value !== 'string') return undefined
  const text = /^[\0-\x7f]*$/.test(value) ? value : Buffer.from(value, 'latin1').toString('utf8')
  return isId(text) ? text : undefined
}
