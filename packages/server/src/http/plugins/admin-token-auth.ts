import { createHash, timingSafeEqual } from 'node:crypto'
import { ApiError } from '@aisle/contract'
import type { FastifyRequest } from 'fastify'
import { networkOf } from '../../domain/access/network.ts'
import type { AccessDirectory } from '../../ports/access/access-directory.ts'
import type { Clock } from '../../ports/host/clock.ts'

export interface AdminTokenPorts {
  readonly directory: Pick<AccessDirectory, 'adminTokenDigest' | 'slowedUntilMs'>
  readonly clock: Clock
}

/** @param header `Authorization`. Takes the same time for every token of one length. */
function isAdminToken(
  header: string | undefined,
  directory: Pick<AccessDirectory, 'adminTokenDigest'>,
): boolean {
  const token = /^bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? ''
  const digest = createHash('sha256').update(token).digest()
  const adminDigest = Buffer.from(directory.adminTokenDigest(), 'hex')
  const isEqual = adminDigest.length === digest.length && timingSafeEqual(adminDigest, digest)
  return token !== '' && isEqual
}

/**
 * Authenticates by the admin token. The right one is always accepted, whatever its network sent
 * before, because an office or a proxy is many people. After too many wrong ones, further wrong
 * ones are refused without being counted or recorded.
 *
 * @throws ApiError invalid_credentials, rate_limited
 */
export function checkAdminToken(
  request: FastifyRequest,
  header: string,
  { directory, clock }: AdminTokenPorts,
): void {
  if (isAdminToken(header, directory)) {
    request.actor = { kind: 'admin_token' }
    return
  }
  const waitMs = directory.slowedUntilMs(networkOf(request.ip)) - clock.now()
  if (waitMs > 0) {
    throw new ApiError(
      'rate_limited',
      'Too many wrong admin tokens, and this one is wrong too: wait before you try again',
      {
        retryAfterSeconds: Math.ceil(waitMs / 1_000),
      },
    )
  }
  request.hasWrongAdminToken = true
  throw new ApiError('invalid_credentials', 'The admin token is not valid')
}
