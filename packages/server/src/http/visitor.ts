import { AddressHasher, isId, type Visitor } from '@aisle/event-log'
import type { FastifyRequest } from 'fastify'
import { SignedUsers } from '../services/store/signed-users.ts'
import type { UseNotes } from '../services/access/use-notes.ts'
import type { AppDependencies } from './dependencies.ts'

/**
 * Identifies the sender of a request by the identity headers and the address. Malformed ids are
 * dropped, and so is an unsigned user id where a signature is required. The user of a scoped token
 * wins: a shop's server has signed it.
 */
export function visitorReader(
  {
    addressKey,
    clock,
    ...ports
  }: Pick<AppDependencies, 'addressKey' | 'clock' | 'registry' | 'resources'>,
  uses: Pick<UseNotes, 'noteKey'>,
): (request: FastifyRequest) => Visitor {
  const hasher = new AddressHasher(addressKey)
  const users = new SignedUsers({ ...ports, clock }, uses)
  return (request) => {
    const signed = request.scope?.user_id
    const userId = isId(signed) ? signed : userIdOf(request, request.storeId, users)
    const anonymousId = headerId(request, 'x-anon-id')
    const sessionId = headerId(request, 'x-session-id')
    const address = hasher.hash(request.ip, clock.now())
    // Most searches have only an address.
    if (userId === undefined && anonymousId === undefined && sessionId === undefined) return address
    return {
      ...(userId === undefined ? {} : { userId }),
      ...(anonymousId === undefined ? {} : { anonymousId }),
      ...(sessionId === undefined ? {} : { sessionId }),
      ...address,
    }
  }
}

/** The user that a request names, if the name counts. */
export function userIdOf(
  request: FastifyRequest,
  storeId: string,
  users: SignedUsers,
): string | undefined {
  const userId = headerId(request, 'x-user-id')
  if (userId === undefined) return undefined
  const signature = request.headers['x-user-signature']
  return users.counts(storeId, userId, typeof signature === 'string' ? signature : '')
    ? userId
    : undefined
}

/** Node reads headers as Latin-1; a client that writes UTF-8 means UTF-8. */
function headerId(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  if (typeof value !== 'string') return undefined
  const text = /^[\0-\x7f]*$/.test(value) ? value : Buffer.from(value, 'latin1').toString('utf8')
  return isId(text) ? text : undefined
}
