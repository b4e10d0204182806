import type { IncomingMessage } from 'node:http'
import { ApiError, type TokenScope } from '@aisle/contract'
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify'
import { roleEverywhere, roleIn, type Rights, type Role } from '../../domain/access/roles.ts'
import { readToken, TOKEN_PREFIX } from '../../domain/access/scoped-token.ts'
import { matchingKey, type ActiveKey } from '../../domain/access/store-keys.ts'
import { isLoopback } from '../../domain/access/network.ts'
import type { AccessKeeper } from '../../ports/access/access-keeper.ts'
import type { StoreRegistry } from '../../ports/catalog/store-registry.ts'
import { sessionSecretOf } from '../session-cookie.ts'
import { roleOf } from '../route-table.ts'
import { checkAdminToken } from './admin-token-auth.ts'
import { checkSession, requireRole, type SessionPorts } from './session-auth.ts'
import '../actor.ts'

/** Credential headers may occur once: Node joins repeated lines, which would hide the error. */
const CREDENTIAL_HEADERS = [
  'x-storeid',
  'x-storesecret',
  'x-store-write-secret',
  'authorization',
] as const

/** The `Vary` of store responses, for caches that ignore the other headers. */
export const STORE_ANSWER_VARY =
  'origin, cookie, x-storeid, x-storesecret, x-store-write-secret, x-user-id, x-user-signature, x-anon-id, x-session-id'

export interface AuthPorts extends SessionPorts {
  readonly registry: StoreRegistry
  readonly access: Pick<AccessKeeper, 'noteWrongAdminToken'>
  readonly catchUp?: (() => Promise<void>) | undefined
}

/** Checks the secrets, or the session, of every request before its body is read. */
export function registerAuth(app: FastifyInstance, ports: AuthPorts): void {
  app.decorateRequest('storeId', '')
  app.decorateRequest('actor', null)
  app.decorateRequest('scope', null)
  app.decorateRequest('auditSubject', null)
  app.decorateRequest('failureCode', '')
  app.decorateRequest('failureCause', '')
  app.decorateRequest('hasWrongAdminToken', false)
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) return done()
    const config = request.routeConfig!
    const need = config.auth
    if (need === 'admin' || need === 'session' || need === 'login') {
      // Responses with secrets in them.
      void reply.header('cache-control', 'no-store')
    }
    if (need === 'read' || need === 'write') {
      void reply.header('cache-control', 'private, no-store').header('vary', STORE_ANSWER_VARY)
    }
    const role = roleOf(config, request.method)
    if (role === undefined && need !== 'local') return done()
    const check = (): void => {
      refuseRepeatedCredentials(request.raw)
      if (role === undefined) checkLocal(request, ports)
      else if (need === 'session') checkSession(request, ports)
      else if (need === 'admin') checkAdmin(request, role, ports)
      else checkStore(request, need === 'write', role, ports)
    }
    const refuse = (error: Error): void =>
      request.chargeRefusal(reply, error, (refusal) => {
        if (refusal !== error || !request.hasWrongAdminToken) return done(refusal)
        // Counted before the response, or parallel requests would get more guesses.
        const counted = ports.access.noteWrongAdminToken({ address: request.ip })
        counted.catch(() => undefined).finally(() => done(refusal))
      })
    const refusal = refusalOf(check)
    if (refusal === undefined) return done()
    // The store or its key may be so new that only another node knows it.
    const mayBeNew = need === 'read' && isUnknown(refusal)
    if (ports.catchUp === undefined || !mayBeNew) return refuse(refusal)
    void ports.catchUp().finally(() => {
      const again = refusalOf(check)
      if (again === undefined) done()
      else refuse(again)
    })
  })
}

function refusalOf(check: () => void): Error | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    return error as Error
  }
}

function isUnknown(error: Error): boolean {
  return error instanceof ApiError && error.status >= 401 && error.status <= 404
}

/** Admits clients on this machine. A proxy here forwards for others, and its headers say so. */
function checkLocal(request: FastifyRequest, ports: AuthPorts): void {
  const { headers, raw } = request
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  if (!isForwarded && isLoopback(raw.socket.remoteAddress ?? '')) return
  const header = headers.authorization ?? ''
  if (header !== '') return checkAdminToken(request, header, ports)
  throw new ApiError(
    'missing_credentials',
    'Requests from other machines need the admin token: Authorization: Bearer <token>',
  )
}

function checkAdmin(request: FastifyRequest, role: Role, ports: AuthPorts): void {
  const header = request.headers.authorization ?? ''
  if (header === '') {
    if (sessionSecretOf(request) !== undefined) return checkAdminBySession(request, role, ports)
    throw new ApiError(
      'missing_credentials',
      'Log in, or send the admin token: Authorization: Bearer <token>',
    )
  }
  checkAdminToken(request, header, ports)
}

/**
 * A member of some stores may call what is about one of them, with the role there, and what answers
 * about each store separately.
 */
function checkAdminBySession(request: FastifyRequest, role: Role, ports: AuthPorts): void {
  const rights = checkSession(request, ports)
  const everywhere = roleEverywhere(rights)
  const { id } = request.params as { id?: string }
  if (everywhere !== undefined || id === undefined) {
    if (everywhere === undefined && request.routeConfig!.perStore === true) return
    return requireRole(everywhere, role)
  }
  requireRole(roleInStore(rights, id, ports), role)
}

/** @throws ApiError store_not_found also if the store exists, but not for this user */
function roleInStore(rights: Rights, storeId: string, { registry }: AuthPorts): Role {
  const store = registry.find(storeId)
  const role = store === undefined ? undefined : roleIn(rights, store)
  if (role !== undefined) return role
  throw new ApiError('store_not_found', 'There is no store with this id', { param: 'id' })
}

/**
 * Authenticates by the keys of a store. An unknown store and a wrong secret cost the same work and
 * get the same response.
 */
function checkStore(
  request: FastifyRequest,
  needsWrite: boolean,
  role: Role,
  ports: AuthPorts,
): void {
  const storeId = headerOf(request, 'x-storeid')
  const readSecret = headerOf(request, 'x-storesecret')
  const writeSecret = headerOf(request, 'x-store-write-secret')
  const hasSecret = readSecret !== '' || writeSecret !== ''
  if (!hasSecret && sessionSecretOf(request) !== undefined) {
    return checkStoreBySession(request, role, ports)
  }
  if (storeId === '' || !hasSecret) {
    throw new ApiError(
      'missing_credentials',
      needsWrite
        ? 'Send the headers x-storeid and x-store-write-secret'
        : 'Send the headers x-storeid and x-storesecret',
    )
  }
  if (writeSecret === '' && readSecret.startsWith(TOKEN_PREFIX)) {
    return checkToken(request, storeId, readSecret, ports)
  }
  const { registry, clock, uses } = ports
  const store = registry.find(storeId)
  const nowMs = clock.now()
  const readKeys = store?.keys.read
  // The comparisons depend only on the request, so that they reveal nothing about the store.
  const hasWrite = writeSecret !== ''
  const writeKey = hasWrite ? matchingKey(store?.keys.write, writeSecret, nowMs) : undefined
  const readKey = readSecret === '' ? undefined : matchingKey(readKeys, readSecret, nowMs)
  const readKeyAsWriteKey =
    needsWrite && hasWrite ? matchingKey(readKeys, writeSecret, nowMs) : undefined
  const key = writeKey ?? readKey ?? readKeyAsWriteKey
  if (store === undefined || key === undefined) {
    throw new ApiError('invalid_credentials', 'The store id or the secret is not valid')
  }
  uses.noteKey(storeId, key, nowMs)
  if (needsWrite && writeKey === undefined) {
    throw new ApiError('forbidden', 'This route needs the write secret')
  }
  refuseOtherStore(request, storeId)
  request.actor = { kind: 'store_key', digest: key.digest, mayWrite: writeKey !== undefined }
  request.storeId = storeId
}

/**
 * Authenticates by a scoped token, which a shop's server has signed with the signing secret of the
 * store. It opens only the routes that enforce its restrictions.
 */
function checkToken(
  request: FastifyRequest,
  storeId: string,
  token: string,
  { registry, clock, uses }: AuthPorts,
): void {
  const nowMs = clock.now()
  const read = readToken(token, registry.find(storeId)?.keys.signing, nowMs)
  if (read === undefined) {
    throw new ApiError('invalid_credentials', 'The store id or the secret is not valid')
  }
  const { scope, key } = read
  if (scope.expires_at * 1_000 <= nowMs) {
    throw new ApiError('invalid_credentials', 'The token has expired')
  }
  uses.noteKey(storeId, key, nowMs)
  const { origin = '' } = request.headers
  if (scope.origins !== undefined && !scope.origins.includes(origin)) {
    throw new ApiError('forbidden', 'The token is not valid for pages of this origin')
  }
  checkScope(scope, request.routeConfig!)
  refuseOtherStore(request, storeId)
  request.actor = { kind: 'store_key', digest: key.digest, mayWrite: false }
  request.storeId = storeId
  request.scope = scope
}

/** @throws ApiError forbidden if the route does not enforce what the token says */
function checkScope(scope: TokenScope, { scoped }: FastifyContextConfig): void {
  if (scoped === undefined) {
    throw new ApiError('forbidden', 'Scoped tokens cannot use this route')
  }
  if (scope.preset_name !== undefined && scoped !== 'filter_and_preset') {
    throw new ApiError(
      'forbidden',
      'A scoped token with a preset cannot use this route, because presets do not apply to it',
    )
  }
  if (scope.events === false && scoped === 'events') {
    throw new ApiError('forbidden', 'The scoped token does not allow events')
  }
}

/**
 * Authenticates by session: the path or the header names the store, because a browser's EventSource
 * has no headers.
 */
function checkStoreBySession(request: FastifyRequest, role: Role, ports: AuthPorts): void {
  const rights = checkSession(request, ports)
  const everywhere = roleEverywhere(rights)
  if (everywhere !== undefined) requireRole(everywhere, role)
  const { id } = request.params as { id?: string }
  const storeId = headerOf(request, 'x-storeid')
  if (storeId === '' && id === undefined) {
    throw new ApiError('missing_credentials', 'Name the store in the header x-storeid')
  }
  if (storeId !== '') refuseOtherStore(request, storeId)
  const named = storeId === '' ? id! : storeId
  requireRole(roleInStore(rights, named, ports), role)
  request.storeId = named
}

function refuseOtherStore({ params }: FastifyRequest, storeId: string): void {
  const { id } = params as { id?: string }
  if (id === undefined || id === storeId) return
  throw new ApiError('forbidden', 'The store in the path is not the store of the x-storeid header')
}

/** The store that a request has a sufficient key of, before the framework has seen it. */
export function keyedStore(
  raw: IncomingMessage,
  need: 'read' | 'write',
  { registry, clock }: Pick<AuthPorts, 'registry' | 'clock'>,
): string | undefined {
  const storeId = headerOf(raw, 'x-storeid')
  const keys = registry.find(storeId)?.keys
  const nowMs = clock.now()
  const fits = (known: readonly ActiveKey[] | undefined, header: string): boolean => {
    const secret = headerOf(raw, header)
    return secret !== '' && matchingKey(known, secret, nowMs) !== undefined
  }
  const isOpen =
    (need === 'read' && fits(keys?.read, 'x-storesecret')) ||
    fits(keys?.write, 'x-store-write-secret')
  return isOpen ? storeId : undefined
}

function headerOf(request: Pick<IncomingMessage, 'headers'>, name: string): string {
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
