import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import type { Role, StoreRole } from '@aisle/contract'
import { mayActAs } from '../../domain/access/roles.ts'
import { openApiDocument } from '../openapi-document.ts'
import type { AuthNeed } from '../route-table.ts'
import { ADMIN_TOKEN, createTestApp, fillStore, type TestRequest } from './test-app.ts'

// Goal: nobody gets in where they should not. Method: every operation of the OpenAPI document, not
// a list of them here, times every credential there is, times every way to name a store. Each must
// come to what the class of the operation says; one without a class, or of an unknown one, fails.

const testApp = await createTestApp({ trustProxy: true })
after(() => testApp[Symbol.asyncDispose]())
const { app, call, access, logIn, time } = testApp
const bearer = { authorization: `Bearer ${ADMIN_TOKEN}` }

/** A session that has run out, before the clock is moved on for good. */
const expired = await logIn('expired', 'owner')
time.nowMs += 12 * 3_600_000

const a = await testApp.createStore('tenant-a')
const b = await testApp.createStore('tenant-b')
await fillStore(testApp, a)
await fillStore(testApp, b)

const rotate = async (kind: string, graceSeconds: number): Promise<string> => {
  const url = `/api/v1/admin/stores/${a.id}/keys/${kind}/rotate`
  const body = { grace_seconds: graceSeconds }
  return (await call({ method: 'POST', url, headers: bearer, body })).json().secret
}
// Read: expired, in its grace, current. Write: revoked, in its grace, current.
const secondRead = await rotate('read', 60)
const secondWrite = await rotate('write', 0)
time.nowMs += 60_000
const currentRead = await rotate('read', 86_400)
const currentWrite = await rotate('write', 86_400)
const eventsKey = await rotate('events', 0)
const asRead = (secret: string) => ({ 'x-storesecret': secret })
const asWrite = (secret: string) => ({ 'x-store-write-secret': secret })

const owner = await logIn('owner', 'owner')
const revoked = await logIn('revoked', 'owner')
await access.endSessions({ login: 'revoked' })
const orphaned = await logIn('orphaned', 'owner')
await access.deleteUser({ login: 'orphaned' })

/** What a credential is worth; `nothing`: it opens no store, but it was sent. */
type Worth =
  | { readonly of: 'nobody' }
  | { readonly of: 'admin' | 'wrong admin' }
  | {
      readonly of: 'store'
      /** Default: tenant-a. */
      readonly id?: 'tenant-a' | 'tenant-b'
      readonly opens: 'read' | 'write' | 'only reads as write' | 'nothing'
      /** A cookie that came with it. Where secrets count they count alone. */
      readonly beside?: SessionWorth
    }
  | SessionWorth

/** Without a role the session is none, or over. */
interface SessionWorth {
  readonly of: 'session'
  readonly role?: Role
  /** Of a member: the roles in stores. All else does not exist. */
  readonly stores?: Readonly<Record<string, Role>>
  readonly csrf: boolean
}

const createdAtOf = new Map<string, string>()
for (const store of (await call({ url: '/api/v1/admin/stores', headers: bearer })).json().stores) {
  createdAtOf.set(store.store_id, store.created_at)
}
const member = async (
  stores: Readonly<Record<string, StoreRole>>,
): Promise<Record<string, string>> =>
  await logIn(`member of ${JSON.stringify(stores)}`.replaceAll(/[^a-z]/g, '-'), {
    role: 'member',
    stores: Object.entries(stores).map(([storeId, role]) => ({
      storeId,
      createdAt: createdAtOf.get(storeId) ?? '',
      role,
    })),
  })
const memberWorth = (stores: Readonly<Record<string, StoreRole>>): Worth => ({
  of: 'session',
  stores,
  csrf: true,
})
const ofMember = async (
  stores: Readonly<Record<string, StoreRole>>,
): Promise<readonly [Record<string, string>, Worth]> => [await member(stores), memberWorth(stores)]

const CREDENTIALS: Readonly<Record<string, readonly [Record<string, string>, Worth]>> = {
  none: [{}, { of: 'nobody' }],
  'A.read': [asRead(currentRead), { of: 'store', opens: 'read' }],
  'A.read in its grace': [asRead(secondRead), { of: 'store', opens: 'read' }],
  'A.read expired': [asRead(a.readSecret), { of: 'store', opens: 'nothing' }],
  'A.write': [asWrite(currentWrite), { of: 'store', opens: 'write' }],
  'A.write in its grace': [asWrite(secondWrite), { of: 'store', opens: 'write' }],
  'A.write revoked': [asWrite(a.writeSecret), { of: 'store', opens: 'nothing' }],
  'A.both': [
    { ...asRead(currentRead), ...asWrite(currentWrite) },
    { of: 'store', opens: 'write' },
  ],
  'A.read as write': [asWrite(currentRead), { of: 'store', opens: 'only reads as write' }],
  'A.write as read': [asRead(currentWrite), { of: 'store', opens: 'nothing' }],
  'A.events': [
    { ...asRead(eventsKey), ...asWrite(eventsKey) },
    { of: 'store', opens: 'nothing' },
  ],
  'B.read': [asRead(b.readSecret), { of: 'store', id: 'tenant-b', opens: 'read' }],
  'B.write': [asWrite(b.writeSecret), { of: 'store', id: 'tenant-b', opens: 'write' }],
  'A.read beside an ended session': [
    { ...asRead(currentRead), ...revoked },
    { of: 'store', opens: 'read', beside: { of: 'session', csrf: true } },
  ],
  'wrong secret beside a session': [
    { ...asRead('wrong'), ...owner },
    { of: 'store', opens: 'nothing', beside: { of: 'session', role: 'owner', csrf: true } },
  ],
  'admin token': [bearer, { of: 'admin' }],
  'wrong admin token': [{ authorization: 'Bearer wrong' }, { of: 'wrong admin' }],
  'admin token as secret': [
    { ...asRead(ADMIN_TOKEN), ...asWrite(ADMIN_TOKEN) },
    { of: 'store', opens: 'nothing' },
  ],
  analyst: [await logIn('analyst', 'analyst'), { of: 'session', role: 'analyst', csrf: true }],
  editor: [await logIn('editor', 'editor'), { of: 'session', role: 'editor', csrf: true }],
  owner: [owner, { of: 'session', role: 'owner', csrf: true }],
  'analyst of A': await ofMember({ 'tenant-a': 'analyst' }),
  'editor of A': await ofMember({ 'tenant-a': 'editor' }),
  'editor of A, analyst of B': await ofMember({ 'tenant-a': 'editor', 'tenant-b': 'analyst' }),
  'member of no store': await ofMember({}),
  'editor of A without token': [
    { cookie: (await member({ 'tenant-a': 'editor' }))['cookie']! },
    { of: 'session', stores: { 'tenant-a': 'editor' }, csrf: false },
  ],
  'owner without token': [
    { cookie: owner['cookie']! },
    { of: 'session', role: 'owner', csrf: false },
  ],
  'owner with the token of another session': [
    { ...owner, 'x-csrf-token': revoked['x-csrf-token']! },
    { of: 'session', role: 'owner', csrf: false },
  ],
  'expired session': [expired, { of: 'session', csrf: true }],
  'revoked session': [revoked, { of: 'session', csrf: true }],
  'session of a deleted user': [orphaned, { of: 'session', csrf: true }],
  'session that never was': [{ cookie: 'aisle-session=sn_x' }, { of: 'session', csrf: true }],
}

interface Place {
  readonly method: string
  readonly class: AuthNeed
  readonly role?: Role
  readonly headerId: string
  readonly pathId: string | undefined
  /** It answers about each store separately. */
  readonly perStore: boolean
}

/** What a request must come to before its route does anything; undefined: it is let in. */
function expected(place: Place, worth: Worth): string | undefined {
  switch (place.class) {
    case 'none':
    case 'events':
    case 'login':
      return undefined
    case 'local':
      if (worth.of === 'admin') return undefined
      return `401 ${worth.of === 'wrong admin' ? 'invalid' : 'missing'}_credentials`
    case 'admin':
      if (worth.of === 'admin') return undefined
      if (worth.of === 'wrong admin') return '401 invalid_credentials'
      return ofSession(place, sessionOf(worth)) ?? ofMembership(place, sessionOf(worth)?.stores)
    case 'session':
      return ofSession(place, sessionOf(worth))
    case 'read':
    case 'write':
      if (worth.of === 'store') return ofStore(place, worth)
      if (worth.of !== 'session') return '401 missing_credentials'
      return ofSession(place, worth) ?? namedStore(place) ?? ofMembership(place, worth.stores)
  }
}

function sessionOf(worth: Worth): SessionWorth | undefined {
  if (worth.of === 'session') return worth
  return worth.of === 'store' ? worth.beside : undefined
}

function ofSession(place: Place, worth: SessionWorth | undefined): string | undefined {
  if (worth === undefined) return '401 missing_credentials'
  if (worth.role === undefined && worth.stores === undefined) return '401 invalid_credentials'
  const isReading = place.method === 'GET' || place.method === 'HEAD'
  if (!isReading && !worth.csrf) return '403 invalid_csrf_token'
  if (worth.role === undefined) return undefined
  return mayActAs(worth.role, place.role!) ? undefined : '403 forbidden'
}

/** A store of others does not exist; what is about all stores is forbidden, if not about each. */
function ofMembership(
  { headerId, pathId, role, perStore }: Place,
  stores: SessionWorth['stores'],
): string | undefined {
  if (stores === undefined) return undefined
  const named = headerId || pathId
  if (named === undefined) return perStore ? undefined : '403 forbidden'
  const roleThere = stores[named]
  if (roleThere === undefined) return '404 store_not_found'
  return mayActAs(roleThere, role!) ? undefined : '403 forbidden'
}

/** A session opens every store that there is. */
function namedStore({ headerId, pathId }: Place): string | undefined {
  if (headerId === '' && pathId === undefined) return '401 missing_credentials'
  if (headerId !== '' && pathId !== undefined && pathId !== headerId) return '403 forbidden'
  return (headerId || pathId) === 'unknown' ? '404 store_not_found' : undefined
}

function ofStore(
  place: Place,
  { opens, id = 'tenant-a' }: Worth & { of: 'store' },
): string | undefined {
  const { headerId, pathId } = place
  if (headerId === '') return '401 missing_credentials'
  const isRefused = opens === 'only reads as write' && place.class === 'read'
  if (headerId !== id || opens === 'nothing' || isRefused) return '401 invalid_credentials'
  if (place.class === 'write' && opens !== 'write') return '403 forbidden'
  return pathId !== undefined && pathId !== headerId ? '403 forbidden' : undefined
}

interface DescribedOperation {
  readonly operationId: string
  readonly 'x-access'?: {
    readonly class: AuthNeed
    readonly role?: Role
    readonly per_store?: true
  }
}
const CLASSES = ['none', 'read', 'write', 'events', 'admin', 'session', 'login', 'local']
const document = openApiDocument(app, '0.0.0') as {
  paths: Record<string, Record<string, DescribedOperation>>
}
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

/** Operations that take a body and change nothing. */
const ASKING = [
  'search',
  'multiSearch',
  'listFilters',
  'suggestQueries',
  'recommend',
  'previewRule',
  'previewMend',
  'compareDraft',
  'validateEvent',
  'checkEvents',
]
/** They change who is asking, and nobody else. */
const OF_ONES_OWN = ['logOut', 'changePassword', 'endOwnSession']
/** What a visitor of the shop may send, with a key that everybody can read there. */
const OF_VISITORS = ['sendEvent', 'sendEvents']

let requestCount = 0

suite('who is let in', () => {
  test('every route says whom it lets in', () => {
    for (const { method, url, config } of app.routeTable) {
      assert.ok(CLASSES.includes(config?.auth ?? ''), `${String(method)} ${url}`)
      // The key of a webhook is the signature of its body.
      const isOpen = !/^\/(v1|api|analytics)\//.test(url) || url.endsWith('/webhook')
      assert.equal(['none', 'local'].includes(config?.auth ?? ''), isOpen, url)
      const isControl = ['admin', 'session', 'login'].includes(config?.auth ?? '')
      assert.equal(isControl, url.startsWith('/api/v1/admin/'), url)
    }
    for (const { path, operation } of operations) {
      assert.ok(CLASSES.includes(operation['x-access']?.class ?? ''), path)
    }
  })

  test('a viewer changes nothing but their own session: all else that is sent only asks', () => {
    const open = operations
      .filter(({ method, operation: { 'x-access': access } }) => {
        return method !== 'get' && access?.role === 'analyst'
      })
      .map(({ operation }) => operation.operationId)
    assert.deepEqual(new Set(open), new Set([...ASKING, ...OF_ONES_OWN, ...OF_VISITORS]))
  })

  for (const { path, method, operation } of operations) {
    const {
      class: of,
      role,
      per_store: perStore = false,
    } = operation['x-access'] ?? {
      class: 'none',
    }
    test(`${operation.operationId} lets in only whom it should (${of}${role === undefined ? '' : `, ${role}`})`, async () => {
      const methods = method === 'get' && hasHead(path) ? ['GET', 'HEAD'] : [method.toUpperCase()]
      const isStores = of === 'read' || of === 'write'
      const pathIds = path.includes('{id}') ? ['tenant-a', 'tenant-b', 'unknown'] : [undefined]
      const headerIds = isStores ? ['', 'tenant-a', 'tenant-b', 'unknown'] : ['']
      for (const verb of methods) {
        for (const pathId of pathIds) {
          for (const headerId of headerIds) {
            for (const [name, [headers, worth]] of Object.entries(CREDENTIALS)) {
              const place = { method: verb, class: of, headerId, pathId, perStore }
              const want = expected(role === undefined ? place : { ...place, role }, worth)
              const what = `${verb} ${headerId} ${name} ${pathId}`
              await check(path, place, headers, want, what)
            }
          }
        }
      }
    })
  }

  async function check(
    path: string,
    { method, pathId, headerId }: Place,
    headers: Record<string, string>,
    want: string | undefined,
    what: string,
  ): Promise<void> {
    const isReading = method === 'GET' || method === 'HEAD'
    // A stream would never end; the ingest looks for its key in the body (ingest.test.ts), and a
    // webhook is let in by its signature (threads/shop-sources.test.ts).
    const isElsewhere = path.endsWith('/tail') || path === '/v1/b' || path.endsWith('/webhook')
    if (want === undefined && isElsewhere) return
    const answer = await call({
      method: method as NonNullable<TestRequest['method']>,
      url: path
        .replace('{id}', pathId ?? '')
        .replace('{kind}', 'read')
        .replaceAll(/\{\w+\}/g, '1'),
      headers: {
        ...headers,
        // Guesses are limited by address (access.test.ts).
        'x-forwarded-for': `10.0.${requestCount >> 8}.${requestCount++ & 255}`,
        ...(headerId === '' ? {} : { 'x-storeid': headerId }),
        // With access the request is refused only for its content type, so nothing changes.
        ...(isReading ? {} : { 'content-type': 'application/x-unknown' }),
      },
      ...(isReading ? {} : { body: 'x' }),
    })
    if (method === 'HEAD') {
      if (want === undefined) assert.ok(![401, 403].includes(answer.statusCode), what)
      else assert.equal(answer.statusCode, Number(want.slice(0, 3)), what)
    } else if (want !== undefined) {
      assert.equal(`${answer.statusCode} ${answer.json().code}`, want, what)
    } else if (isReading) {
      assert.ok(![401, 403].includes(answer.statusCode), what)
    } else {
      assert.equal(answer.statusCode, 415, what)
    }
  }

  function hasHead(path: string): boolean {
    const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
    return app.routeTable.some((route) => route.method === 'HEAD' && route.url === url)
  }

  test('an unknown store and a wrong secret are answered byte for byte alike', async () => {
    const ask = async (id: string, secret: string) => {
      const answer = await call({
        method: 'POST',
        url: '/v1/search',
        headers: { 'x-storeid': id, 'x-storesecret': secret, 'x-request-id': 'same' },
        body: { q: '*' },
      })
      const { date: _, ...headers } = answer.headers
      return { body: answer.body, headers }
    }
    const unknown = await ask('unknown', currentRead)
    assert.deepEqual(await ask('tenant-a', 'wrong'), unknown)
    assert.deepEqual(await ask('tenant-b', currentRead), unknown)
    assert.deepEqual(await ask('../tenant-a', currentRead), unknown)
  })

  test('no cache between keeps what a store answers', async () => {
    const found = await call({
      method: 'POST',
      url: '/v1/search',
      headers: asRead(currentRead),
      body: {},
    })
    const refused = await call({
      method: 'POST',
      url: '/v1/search',
      headers: asRead('x'),
      body: {},
    })
    for (const { headers } of [found, refused]) {
      assert.equal(headers['cache-control'], 'private, no-store')
      assert.match(
        String(headers['vary']),
        /cookie, x-storeid, x-storesecret, x-store-write-secret/,
      )
    }
  })

  test('the admin token is compared as a whole', async () => {
    for (const token of [
      '',
      'x',
      ADMIN_TOKEN.slice(1),
      `${ADMIN_TOKEN}x`,
      ADMIN_TOKEN.toUpperCase(),
    ]) {
      const answer = await call({
        url: '/api/v1/admin/stores',
        headers: { authorization: `Bearer ${token}` },
      })
      assert.equal(answer.statusCode, 401)
    }
    const basic = { authorization: `Basic ${ADMIN_TOKEN}` }
    assert.equal((await call({ url: '/api/v1/admin/stores', headers: basic })).statusCode, 401)
    const lower = { authorization: `bearer ${ADMIN_TOKEN}` }
    assert.equal((await call({ url: '/api/v1/admin/stores', headers: lower })).statusCode, 200)
  })

  test('one store never finds what another holds', async () => {
    const document = { id: 'secret-of-b', data: { title: 'confidential' } }
    const url = `/api/v1/stores/${b.id}/documents`
    assert.equal(
      (await call({ method: 'POST', url, headers: b.write, body: document })).statusCode,
      201,
    )
    const search = async (headers: Record<string, string>) =>
      (
        await call({ method: 'POST', url: '/v1/search', headers, body: { q: 'confidential' } })
      ).json()
    const readOfA = { 'x-storeid': a.id, ...asRead(currentRead) }
    assert.equal((await search(b.read)).found, 1)
    assert.equal((await search(readOfA)).found, 0)
    const other = { url: `/api/v1/stores/${a.id}/documents/secret-of-b`, headers: readOfA }
    assert.equal((await call(other)).statusCode, 404)
  })
})
