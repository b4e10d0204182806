import type { FastifyRequest } from 'fastify'
import { mayActAs, roleIn } from '../domain/access/roles.ts'
import { isSessionOver } from '../domain/access/session-rules.ts'
import type { Actor } from './actor.ts'
import type { AppDependencies } from './dependencies.ts'
import { roleOf } from './route-table.ts'

/** A stream ends at most this long after the right to it. */
export const STREAM_RIGHTS_CHECK_MS = 5_000

type RightsPorts = Pick<AppDependencies, 'registry' | 'directory' | 'clock'>

/**
 * Checks periodically whether the caller could still start this stream: the store exists, the key
 * has not been replaced or revoked, the session has not ended, the role is sufficient.
 *
 * @param end called once, if it could not
 * @returns stops the checks; call it when the stream is over
 */
export function whileAllowed(
  request: FastifyRequest,
  ports: RightsPorts,
  end: () => void,
): () => void {
  const timer = setInterval(() => {
    if (isStillAllowed(request, ports)) return
    clearInterval(timer)
    end()
  }, STREAM_RIGHTS_CHECK_MS)
  timer.unref()
  return () => clearInterval(timer)
}

function isStillAllowed(request: FastifyRequest, ports: RightsPorts): boolean {
  const { actor, storeId } = request
  const store = ports.registry.find(storeId)
  if (actor === null || store === undefined) return false
  const nowMs = ports.clock.now()
  switch (actor.kind) {
    case 'store_key':
      return Object.values(store.keys)
        .flat()
        .some(
          ({ digest, validUntilMs = Infinity }) => digest === actor.digest && nowMs < validUntilMs,
        )
    case 'user':
      return isSessionAlive(actor, request, ports)
    case 'admin_token':
      return false
  }
}

function isSessionAlive(
  { session: begun, login }: Actor & { kind: 'user' },
  { routeConfig, method, storeId }: FastifyRequest,
  { directory, registry, clock }: RightsPorts,
): boolean {
  const session = directory.session(begun.digest)
  const user = directory.user(login)
  const needed = roleOf(routeConfig!, method)
  const store = registry.find(storeId)
  if (session === undefined || user === undefined || store === undefined) return false
  const role = roleIn(user, store)
  if (role === undefined || needed === undefined) return false
  return !isSessionOver(session, clock.now()) && mayActAs(role, needed)
}
