import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { ApiError } from '@aisle/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { matchesKey } from '../../domain/store-keys.ts'
import type { Catalog } from '../../services/catalog.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The store whose key opened this request; empty on routes that need none. */
    storeId: string
  }
}

/** A header that says who one is may stand once: Node joins repeated lines, which hides the fault. */
const CREDENTIAL_HEADERS = [
  'x-storeid',
  'x-storesecret',
  'x-store-write-secret',
  'authorization',
] as const

/** Checks the keys of every request before its body is read. */
export function registerAuth(
  app: FastifyInstance,
  catalog: Pick<Catalog, 'registry' | 'clock'>,
  adminTokenDigest: string,
): void {
  const adminDigest = Buffer.from(adminTokenDigest, 'hex')
  app.decorateRequest('storeId', '')
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404) return done()
    const need = request.routeOptions.config.auth
    if (need === 'none' || need === 'events') return done()
    try {
      refuseRepeatedCredentials(request.raw)
      if (need === 'admin') checkAdmin(request, adminDigest)
      else request.storeId = checkStore(request, need === 'write', catalog)
      done()
    } catch (error) {
      done(error as Error)
    }
  })
}

function checkAdmin(request: FastifyRequest, adminDigest: Buffer): void {
  const header = request.headers.authorization ?? ''
  if (header === '') {
    throw new ApiError('missing_credentials', 'Send the admin token: Authorization: Bearer <token>')
  }
  const token = /^bearer +(\S+)$/i.exec(header)?.[1] ?? ''
  const digest = createHash('sha256').update(token).digest()
  const equal = adminDigest.length === digest.length && timingSafeEqual(adminDigest, digest)
  if (token === '' || !equal) {
    throw new ApiError('invalid_credentials', 'The admin token is not valid')
  }
}

/**
 * @returns the store that the keys open
 *
 * The same work is done, and the same text answered, for an unknown store and a wrong secret.
 */
function checkStore(
  request: FastifyRequest,
  needsWrite: boolean,
  { registry, clock }: Pick<Catalog, 'registry' | 'clock'>,
): string {
  const storeId = headerOf(request, 'x-storeid')
  const readSecret = headerOf(request, 'x-storesecret')
  const writeSecret = headerOf(request, 'x-store-write-secret')
  if (storeId === '' || (readSecret === '' && writeSecret === '')) {
    throw new ApiError(
      'missing_credentials',
      needsWrite
        ? 'Send the headers x-storeid and x-store-write-secret'
        : 'Send the headers x-storeid and x-storesecret',
    )
  }
  const store = registry.find(storeId)
  const nowMs = clock.now()
  const readKeys = store?.keys.read ?? []
  const mayWrite = matchesKey(store?.keys.write ?? [], writeSecret, nowMs)
  const mayRead = matchesKey(readKeys, readSecret, nowMs)
  const readKeyAsWriteKey = needsWrite && matchesKey(readKeys, writeSecret, nowMs)
  if (store === undefined || !(mayWrite || mayRead || readKeyAsWriteKey)) {
    throw new ApiError('invalid_credentials', 'The store id or the secret is not valid')
  }
  if (needsWrite && !mayWrite) {
    throw new ApiError('forbidden', 'This route needs the write secret')
  }
  const pathId = (request.params as { id?: string }).id
  if (pathId !== undefined && pathId !== storeId) {
    throw new ApiError(
      'forbidden',
      'The store in the path is not the store of the x-storeid header',
    )
  }
  return storeId
}

function headerOf(request: FastifyRequest, name: string): string {
  const value = request.headers[name]
  return typeof value === 'string' ? value : ''
}

function refuseRepeatedCredentials(raw: IncomingMessage): void {
  const { rawHeaders } = raw
  let seen = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    // No credential header is shorter than x-storeid.
    if (name.length < 9) continue
    const bit = 1 << (CREDENTIAL_HEADERS.indexOf(name.toLowerCase() as 'x-storeid') + 1)
    if (bit > 1 && (seen & bit) !== 0) {
      throw new ApiError('invalid_credentials', 'A credential header may be sent only once')
    }
    seen |= bit
  }
}
