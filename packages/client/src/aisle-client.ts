import type {
  AuditPage,
  AuditQuery,
  ChangePasswordRequest,
  ChangeUserRequest,
  CreatedStore,
  CheckedFirstOwner,
  CheckFirstOwnerRequest,
  CreateFirstOwnerRequest,
  CreateStoreRequest,
  CreateUserRequest,
  CurrentSession,
  DeletedSnapshot,
  DeletedStore,
  DeletedUser,
  EndedSessions,
  HealthResponse,
  LoginRequest,
  RevokedKey,
  KeyKind,
  RestoreStoreRequest,
  RotatedAdminToken,
  RotatedKey,
  RotateKeyRequest,
  ServiceActivity,
  SessionList,
  Snapshot,
  SnapshotList,
  SnapshotStores,
  StartedRestore,
  StoreKeys,
  StoreList,
  StoreRestore,
  StoreRestores,
  StoreSummary,
  FinishedBulkLoad,
  SwappedStores,
  User,
  UserList,
} from '@aisle/contract'
import { StoreClient } from './store-client.ts'
import type { Call, ClientOptions } from './call.ts'
import { pathSegment } from './path-segment.ts'
import type { AnyDocument } from './store-search.ts'
import { Transport } from './transport.ts'

const ADMIN = '/api/v1/admin'

/**
 * The HTTP interface as typed calls: stores, users and snapshots here, everything about one store
 * in `store`.
 */
export class AisleClient {
  readonly #transport: Transport

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options)
  }

  /** @param secrets of this store, instead of those of the client */
  store<Document = AnyDocument>(
    storeId: string,
    secrets?: Pick<ClientOptions, 'readSecret' | 'writeSecret'>,
  ): StoreClient<Document> {
    const transport = secrets === undefined ? this.#transport : this.#transport.with(secrets)
    return new StoreClient(transport, storeId)
  }

  /**
   * Makes any call of the interface, for routes without a method here.
   *
   * @param call its `path` from the root: `/api/v1/stores/ID/settings`; `secret` is its credential
   */
  request<Answer>(call: Call): Promise<Answer> {
    return this.#transport.json(call)
  }

  /** Like `call`, but returns the response with its body unread: files, streams. */
  send(call: Call): Promise<Response> {
    return this.#transport.send(call)
  }

  health(): Promise<HealthResponse> {
    return this.#transport.json({ method: 'GET', path: '/health' })
  }

  createStore(request: CreateStoreRequest): Promise<CreatedStore> {
    return this.#admin('POST', '/stores', request)
  }

  stores(): Promise<StoreList> {
    return this.#admin('GET', '/stores')
  }

  describeStore(storeId: string): Promise<StoreSummary> {
    return this.#admin('GET', `/stores/${pathSegment(storeId)}`)
  }

  renameStore(storeId: string, name: string): Promise<StoreSummary> {
    return this.#admin('PATCH', `/stores/${pathSegment(storeId)}`, { name })
  }

  deleteStore(storeId: string): Promise<DeletedStore> {
    return this.#admin('DELETE', `/stores/${pathSegment(storeId)}`)
  }

  /** Exchanges documents, schema and settings of two stores; ids, keys and events stay. */
  swapStores(storeId: string, otherId: string): Promise<SwappedStores> {
    const [one, other] = [storeId, otherId].map(pathSegment)
    return this.#admin('POST', `/stores/${one}/swap/${other}`)
  }

  /** Call it until the status is `finished`. */
  finishBulkLoad(storeId: string): Promise<FinishedBulkLoad> {
    return this.#admin('POST', `/stores/${pathSegment(storeId)}/bulk-load/finish`)
  }

  rotateKey(storeId: string, kind: KeyKind, request: RotateKeyRequest = {}): Promise<RotatedKey> {
    return this.#admin('POST', `/stores/${pathSegment(storeId)}/keys/${kind}/rotate`, request)
  }

  /** The token of this client becomes invalid. */
  rotateAdminToken(): Promise<RotatedAdminToken> {
    return this.#admin('POST', '/token/rotate')
  }

  keys(storeId: string): Promise<StoreKeys> {
    return this.#admin('GET', `/stores/${pathSegment(storeId)}/keys`)
  }

  revokePreviousKey(storeId: string, kind: KeyKind): Promise<RevokedKey> {
    return this.#admin('DELETE', `/stores/${pathSegment(storeId)}/keys/${kind}/previous`)
  }

  /**
   * Starts a session; its cookie stays in the browser. Create another client with its `csrf_token`.
   */
  logIn(request: LoginRequest): Promise<CurrentSession> {
    return this.#transport.json({ method: 'POST', path: `${ADMIN}/session`, body: request })
  }

  /** Checks the secret of the link. @throws RefusedError 401 if it is wrong, or no longer valid */
  checkFirstOwner(request: CheckFirstOwnerRequest): Promise<CheckedFirstOwner> {
    const path = `${ADMIN}/first-owner/check`
    return this.#transport.json({ method: 'POST', path, body: request })
  }

  /**
   * Creates the owner account with the secret of the link that the service prints, and starts a
   * session as `logIn` does.
   */
  createFirstOwner(request: CreateFirstOwnerRequest): Promise<CurrentSession> {
    return this.#transport.json({ method: 'POST', path: `${ADMIN}/first-owner`, body: request })
  }

  /** The session of the browser. @throws RefusedError 401 without one */
  session(): Promise<CurrentSession> {
    return this.#transport.json({ method: 'GET', path: `${ADMIN}/session` })
  }

  logOut(): Promise<EndedSessions> {
    return this.#admin('DELETE', '/session')
  }

  /** Ends all sessions and starts a new one, with another `csrf_token`. */
  changePassword(request: ChangePasswordRequest): Promise<CurrentSession> {
    return this.#admin('POST', '/session/password', request)
  }

  ownSessions(): Promise<SessionList> {
    return this.#admin('GET', '/sessions')
  }

  endOwnSession(sessionId: string): Promise<EndedSessions> {
    return this.#admin('DELETE', `/sessions/${pathSegment(sessionId)}`)
  }

  users(): Promise<UserList> {
    return this.#admin('GET', '/users')
  }

  createUser(request: CreateUserRequest): Promise<User> {
    return this.#admin('POST', '/users', request)
  }

  changeUser(login: string, request: ChangeUserRequest): Promise<User> {
    return this.#admin('PATCH', userPath(login), request)
  }

  deleteUser(login: string): Promise<DeletedUser> {
    return this.#admin('DELETE', userPath(login))
  }

  sessions(login: string): Promise<SessionList> {
    return this.#admin('GET', `${userPath(login)}/sessions`)
  }

  /** Ends all sessions of a user, or one. */
  endSessions(login: string, sessionId?: string): Promise<EndedSessions> {
    const one = sessionId === undefined ? '' : `/${pathSegment(sessionId)}`
    return this.#admin('DELETE', `${userPath(login)}/sessions${one}`)
  }

  audit(query: AuditQuery = {}): Promise<AuditPage> {
    const texts = Object.entries(query).map(([name, value]) => [name, String(value)])
    return this.#admin('GET', '/audit', undefined, Object.fromEntries(texts))
  }

  /** Yields its pages, from the newest entry to the oldest. */
  async *auditPages(query: AuditQuery = {}): AsyncGenerator<AuditPage, void, undefined> {
    for (let before = query.before; ;) {
      const page = await this.audit({ ...query, ...(before === undefined ? {} : { before }) })
      yield page
      before = page.next_before
      if (before === undefined) return
    }
  }

  /** Slow searches, refused requests, what runs in the background, how busy the threads are. */
  activity(): Promise<ServiceActivity> {
    return this.#admin('GET', '/activity')
  }

  /** Metrics of all threads, in Prometheus format. */
  async metrics(): Promise<string> {
    const call: Call = { method: 'GET', path: `${ADMIN}/metrics`, secret: 'admin' }
    return (await this.#transport.send(call)).text()
  }

  createSnapshot(): Promise<Snapshot> {
    return this.#admin('POST', '/snapshots')
  }

  snapshots(): Promise<SnapshotList> {
    return this.#admin('GET', '/snapshots')
  }

  verifySnapshot(name: string): Promise<Snapshot> {
    return this.#admin('POST', `/snapshots/${pathSegment(name)}/verify`)
  }

  deleteSnapshot(name: string): Promise<DeletedSnapshot> {
    return this.#admin('DELETE', `/snapshots/${pathSegment(name)}`)
  }

  /** The stores that a snapshot holds. */
  snapshotStores(name: string): Promise<SnapshotStores> {
    return this.#admin('GET', `/snapshots/${pathSegment(name)}/stores`)
  }

  /** Begins to restore a store of a snapshot into a new one; `restore` has the progress. */
  restoreStore(snapshot: string, request: RestoreStoreRequest): Promise<StartedRestore> {
    return this.#admin('POST', `/snapshots/${pathSegment(snapshot)}/restore`, request)
  }

  /** Newest first. */
  restores(): Promise<StoreRestores> {
    return this.#admin('GET', '/restores')
  }

  restore(id: string): Promise<StoreRestore> {
    return this.#admin('GET', `/restores/${pathSegment(id)}`)
  }

  /** Ends a restore and deletes the new store. */
  cancelRestore(id: string): Promise<StoreRestore> {
    return this.#admin('POST', `/restores/${pathSegment(id)}/cancel`)
  }

  #admin<Answer>(
    method: Call['method'],
    path: string,
    body?: unknown,
    query: NonNullable<Call['query']> = {},
  ): Promise<Answer> {
    return this.#transport.json({ method, path: ADMIN + path, secret: 'admin', body, query })
  }
}

function userPath(login: string): string {
  return `/users/${pathSegment(login)}`
}
