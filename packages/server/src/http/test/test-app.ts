import assert from 'node:assert/strict'
import { ERROR_STATUS, ErrorResponse, type Role, type TObject } from '@aisle/contract'
import { parameterReader } from '@aisle/contract/check'
import type { LogEntry } from '@aisle/event-log'
import { TEST_CLUSTER } from '@aisle/testing'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import {
  createRateLimitMemory,
  SharedRateLimiter,
} from '../../adapters/shared-memory/rate-limiter.ts'
import type { Rights } from '../../domain/access/roles.ts'
import { normalLogin } from '../../domain/access/login-name.ts'
import type { AccessKeeper } from '../../ports/access/access-keeper.ts'
import type { EventLog } from '../../ports/events/event-log.ts'
import { buildApp, type AppDependencies, type AppOptions } from '../../app.ts'
import type { UseNotes } from '../../services/access/use-notes.ts'
import { openEmbeddedBackend } from './embedded-backend.ts'
import { ADMIN_TOKEN } from './test-backend.ts'

export { ADMIN_TOKEN } from './test-backend.ts'

export const PASSWORD = 'correct horse battery'

export interface TestStore {
  readonly id: string
  readonly readSecret: string
  readonly writeSecret: string
  readonly read: Record<string, string>
  readonly write: Record<string, string>
}

type VisitorEntry = Exclude<LogEntry, { kind: 'tally' }>

export interface TestApp {
  readonly app: FastifyInstance
  /** Milliseconds; tests advance it. */
  readonly time: { nowMs: number }
  readonly events: EventLog
  readonly access: AccessKeeper
  readonly ports: Omit<AppDependencies, 'options'>
  readonly uses: UseNotes
  /** Of the link of the first run. */
  readonly firstRunSecret: string
  /** What is stored of visitors, and counts of refused events, in the order of arrival. */
  stored(storeId: string): Promise<readonly LogEntry[]>
  /** The same without counts. */
  eventsOf(storeId: string): Promise<readonly VisitorEntry[]>
  createStore(id: string): Promise<TestStore>
  /** Logs in, and creates the user if necessary. @returns the headers of a new session */
  logIn(login: string, role: Role | Rights): Promise<Record<string, string>>
  /**
   * Sends a request, and checks that the response, errors included, matches the schema of its
   * route.
   */
  call(request: TestRequest): Promise<LightMyRequestResponse>
  [Symbol.asyncDispose](): Promise<void>
}

export interface TestRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD' | 'OPTIONS' | 'PATCH'
  readonly url: string
  readonly headers?: Record<string, string>
  /** An object is sent as JSON, text and bytes unchanged. */
  readonly body?: unknown
}

/** A busy cluster answers late: what it has found by the usual limit says nothing. */
const PATIENT = { searchTimeoutDefaultMs: 20_000 }

const readError = parameterReader(ErrorResponse as TObject)
/** Compiling a schema takes longer than most requests. */
const readers = new Map<object, ReturnType<typeof parameterReader>>()

/**
 * Creates the application on a separate backend: the embedded engine in its own folder, or, with
 * `npm run test:cluster`, the ports of an API node over its own indices.
 */
export async function createTestApp(
  {
    rateLimitPerSecond = 0,
    pageRateLimitPerSecond = rateLimitPerSecond,
    ...options
  }: Partial<AppOptions> & { rateLimitPerSecond?: number; pageRateLimitPerSecond?: number } = {},
  dependencies: Partial<AppDependencies> = {},
): Promise<TestApp> {
  const time = { nowMs: Date.UTC(2026, 0, 1) }
  const clock = { now: () => time.nowMs }
  const openBackend =
    TEST_CLUSTER.length > 0
      ? (await import('@aisle/cluster/test')).openClusterBackend
      : openEmbeddedBackend
  const backend = await openBackend(clock, dependencies.embedders)
  const { access, directory, firstRunSecret, ports } = backend
  const buckets = createRateLimitMemory(1)
  const limiterOf = (perSecond: number): SharedRateLimiter | undefined =>
    perSecond === 0
      ? undefined
      : new SharedRateLimiter(buckets, perSecond, () => clock.now() * 1_000)
  const app = buildApp({
    ...ports,
    rateLimiter: limiterOf(rateLimitPerSecond),
    pageRateLimiter: limiterOf(pageRateLimitPerSecond),
    options: {
      trustProxy: false,
      logger: false,
      processMetrics: false,
      ...(TEST_CLUSTER.length > 0 ? PATIENT : {}),
      ...options,
      // Tests send many requests one after another.
      patience: { refusalPauseMs: 0, ...options.patience },
    },
    ...dependencies,
  })
  await app.ready()

  let hasWritten = false
  // Searches alone make nothing popular.
  let hasEvents = false
  const call = async ({ method = 'GET', url, headers = {}, body }: TestRequest) => {
    const isRaw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
    if (/^\/v1\/(suggestions|recommendations)/.test(url) || (hasEvents && url.startsWith('/v1/'))) {
      await backend.follow(hasWritten)
      hasWritten = hasEvents = false
    } else {
      hasWritten ||= method !== 'GET' && url.startsWith('/api/')
      hasEvents ||= url.startsWith('/analytics/')
    }
    const answer = await app.inject({
      method,
      url,
      headers: isRaw ? headers : { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { payload: isRaw ? body : JSON.stringify(body) }),
    })
    assert.equal(answer.headers['x-content-type-options'], 'nosniff')
    assert.ok(answer.headers['x-request-id'])
    const isStarting = url === '/health' && answer.statusCode === 503
    if (answer.statusCode >= 400 && !isStarting && method !== 'HEAD') {
      checkError(answer)
    } else if (
      /json/.test(String(answer.headers['content-type'] ?? 'json')) &&
      answer.body !== ''
    ) {
      checkShape(app, method, url, answer)
    }
    return answer
  }

  const createStore = async (id: string): Promise<TestStore> => {
    const answer = await call({
      method: 'POST',
      url: '/api/v1/admin/stores',
      headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
      body: { name: `Store ${id}`, id },
    })
    assert.equal(answer.statusCode, 201)
    const { read_secret: readSecret, write_secret: writeSecret } = answer.json()
    return {
      id,
      readSecret,
      writeSecret,
      read: { 'x-storeid': id, 'x-storesecret': readSecret },
      write: { 'x-storeid': id, 'x-store-write-secret': writeSecret },
    }
  }
  const logIn = async (login: string, role: Role | Rights): Promise<Record<string, string>> => {
    if (directory.user(normalLogin(login)) === undefined) {
      const rights = typeof role === 'string' ? { role } : role
      await access.createUser({ login, rights, password: PASSWORD })
    }
    const answer = await call({
      method: 'POST',
      url: '/api/v1/admin/session',
      body: { login, password: PASSWORD },
    })
    assert.equal(answer.statusCode, 201, answer.body)
    const [cookie = ''] = String(answer.headers['set-cookie']).split(';')
    return { cookie, 'x-csrf-token': answer.json().csrf_token }
  }
  return {
    app,
    time,
    events: ports.events,
    access,
    ports,
    uses: app.uses,
    firstRunSecret,
    stored: (storeId) => backend.stored(storeId),
    eventsOf: async (storeId) =>
      (await backend.stored(storeId)).filter((entry) => entry.kind !== 'tally'),
    createStore,
    logIn,
    call,
    async [Symbol.asyncDispose]() {
      await app.close()
      await backend.close()
    },
  }
}

/** Checks the shape of an error: a string, a known code with its status, the request id. */
export function checkError(answer: LightMyRequestResponse): void {
  assert.match(String(answer.headers['content-type']), /^application\/json/)
  const body = answer.json()
  readError(body)
  assert.equal(body.status, answer.statusCode)
  assert.equal(ERROR_STATUS[body.code as keyof typeof ERROR_STATUS], answer.statusCode)
  assert.equal(body.request_id, answer.headers['x-request-id'])
  assert.doesNotMatch(answer.body, /\bat .*\.(ts|js):\d+/, 'no stack')
}

function checkShape(
  app: FastifyInstance,
  method: string,
  url: string,
  answer: LightMyRequestResponse,
): void {
  const parts = url.split('?')[0]!.split('/')
  const route = app.routeTable.find(({ method: of, url: pattern }) => {
    const segments = pattern.split('/')
    return (
      of === method &&
      segments.length === parts.length &&
      segments.every((segment, i) => segment.startsWith(':') || segment === parts[i])
    )
  })
  const schema = route?.config?.operation?.success.content['application/json']
  if (schema === undefined) return
  let read = readers.get(schema)
  if (read === undefined) {
    read = parameterReader(schema as TObject)
    readers.set(schema, read)
  }
  read(answer.json())
}

const OUTDOOR_FIELDS = [
  { name: 'title', type: 'string', searchable: true },
  { name: 'brand', type: 'string', searchable: true, facet: true, sort: true },
  { name: 'tags', type: 'string[]', searchable: true, facet: true },
  { name: 'price', type: 'float', facet: true, sort: true },
  { name: 'stock', type: 'int64', facet: true, sort: true },
  { name: 'sold_out', type: 'bool', facet: true, sort: true },
] as const

const OUTDOOR_DOCUMENTS = [
  {
    id: '1',
    title: 'Red trail shoe',
    brand: 'Fells',
    tags: ['shoe', 'red'],
    price: 89.5,
    stock: 3,
  },
  { id: '2', title: 'Blue trail shoe', brand: 'Fells', tags: ['shoe'], price: 99, stock: 0 },
  { id: '3', title: 'Red rain jacket', brand: 'Norrby', price: 149, stock: 12, sold_out: false },
  { id: '4', title: 'Camping stove <small>', brand: 'Norrby', price: 39, sold_out: true },
] as const

/** Creates a schema and a few documents in a store. */
export async function fillStore({ call }: TestApp, store: TestStore): Promise<void> {
  const schema = await call({
    method: 'POST',
    url: `/api/v1/stores/${store.id}/schema`,
    headers: store.write,
    body: { fields: OUTDOOR_FIELDS },
  })
  assert.equal(schema.statusCode, 200, schema.body)
  const bulk = await call({
    method: 'POST',
    url: `/api/v1/stores/${store.id}/documents/bulk`,
    headers: store.write,
    body: { documents: OUTDOOR_DOCUMENTS },
  })
  assert.equal(bulk.json().summary.failed, 0, bulk.body)
}
