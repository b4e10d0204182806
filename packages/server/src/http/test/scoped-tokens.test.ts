import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { makeScopedToken } from '@aisle/client'
import { SearchParameters, SuggestionParameters, TokenScope } from '@aisle/contract'
import { TEST_CLUSTER } from '@aisle/testing'
import {
  FIELDS,
  HIDDEN,
  leaked,
  QUERIES,
  requestsOf,
  RICH,
  RICH_SUGGESTIONS,
  SEEN,
  SUGGESTING,
  VALUES,
} from './scoped-requests.ts'
import { ADMIN_TOKEN, createTestApp, type TestRequest } from './test-app.ts'

// Goal: a tenant with a scoped token sees nothing of the documents outside its filter. Method: a
// catalog one half of which has distinct words and ids; every route, every parameter, queries
// that look for the other half. No response contains any of it.

/** A cluster gets every third request: the filter is added above the ports, for any backend. */
const EACH = TEST_CLUSTER.length > 0 ? 3 : 1
const REQUESTS = requestsOf(VALUES, RICH).filter((_, at) => at % EACH === 0)

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const { app, call, time } = testApp
const bearer = { authorization: `Bearer ${ADMIN_TOKEN}` }
const store = await testApp.createStore('shop')

let signingSecret = ''
const scope: TokenScope = {
  expires_at: Math.floor(time.nowMs / 1_000) + 3_600,
  filter_by: 'tenant:=amber',
}
const headersWith = async (changes: Partial<TokenScope> = {}, secret = signingSecret) => ({
  'x-storeid': 'shop',
  'x-storesecret': await makeScopedToken(secret, { ...scope, ...changes }),
})
const rotate = async (graceSeconds = 0): Promise<string> => {
  const url = '/api/v1/admin/stores/shop/keys/signing/rotate'
  const body = { grace_seconds: graceSeconds }
  return (await call({ method: 'POST', url, headers: bearer, body })).json().secret
}
/** Some thousand times, so the shape is not checked each time as `call` does. */
const asked = async ({ method = 'GET', url, headers = {}, body }: TestRequest) => {
  const payload = body === undefined ? {} : { payload: body as object }
  const answer = await app.inject({ method, url, headers, ...payload })
  return { status: answer.statusCode, body: answer.json() }
}
const search = (body: object, headers: Record<string, string>) =>
  asked({ method: 'POST', url: '/v1/search', headers, body })

before(async () => {
  const write = async (method: 'POST' | 'PUT', path: string, body: object) => {
    const url = `/api/v1/stores/shop/${path}`
    const answer = await call({ method, url, headers: store.write, body })
    assert.ok(answer.statusCode < 300, answer.body)
  }
  await write('POST', 'schema', { fields: FIELDS })
  await write('POST', 'documents/bulk', { documents: [...SEEN, ...HIDDEN] })
  await write('PUT', 'rules/pin', {
    when: [{ query: 'tent', match: 'contains' }],
    pin: [{ id: 'hidden-1', position: 1 }],
    boost: [{ filter_by: 'tenant:=zircon', weight: 10 }],
  })
  await write('PUT', 'presets/wide', { value: { filter_by: 'tenant:=zircon', explain: true } })
  await write('PUT', 'presets/narrow', { value: { per_page: 1 } })
  const pinned = [{ query: 'zorblax sale', popularity: 100 }]
  await call({
    method: 'PUT',
    url: '/api/v1/stores/shop/suggestions/config',
    headers: store.write,
    body: { pinned },
  })
  for (const query of ['zorblax tent', 'red tent', 'sunflower tent']) {
    for (const session of ['x', 'y', 'z']) {
      const headers = { ...store.read, 'x-session-id': `${session} ${query}` }
      const body = { event_type: 'search', data: { query, total_results: 2 } }
      await call({ method: 'POST', url: '/analytics/event', headers, body })
    }
  }
  time.nowMs += 6_000
  signingSecret = await rotate()
})

suite('a scoped token', () => {
  test('is the bytes that docs/tokens.md says', async () => {
    const secret = 'ss_example'
    const token = await makeScopedToken(secret, {
      expires_at: 1_798_761_600,
      filter_by: 'tenant:=zoë',
    })
    const payload = Buffer.from('{"expires_at":1798761600,"filter_by":"tenant:=zoë"}').toString(
      'base64url',
    )
    const signature = createHmac('sha256', secret)
      .update(`aisle-token-1\n${payload}`)
      .digest('base64url')
    assert.equal(token, `tk_${payload}.${signature}`)
  })

  test('opens what sees to it, and no other route', async () => {
    const headers = await headersWith()
    const open = new Set<string>()
    for (const { method, url, config } of app.routeTable) {
      if (config?.auth !== 'read' && config?.auth !== 'write') continue
      const verb = String(method) as NonNullable<TestRequest['method']>
      const path = url.replace(':id', 'shop').replaceAll(/:\w+/g, 'seen-1')
      const isReading = verb === 'GET' || verb === 'HEAD'
      const sent = isReading ? {} : { body: 'x', headers: { ...headers, 'content-type': 'a/b' } }
      const answer = await call({ method: verb, url: path, headers, ...sent })
      if (config.scoped !== undefined) open.add(`${verb} ${url}`)
      else assert.equal(answer.statusCode, 403, `${verb} ${url}`)
      if (config.scoped !== undefined) assert.notEqual(answer.statusCode, 403, `${verb} ${url}`)
    }
    assert.deepEqual(open, new Set(OPEN))
  })

  test('shows nothing outside of its filter, whatever a search asks for', async () => {
    const missing = Object.keys(SearchParameters.properties).filter(
      (name) => name !== 'q' && !(name in VALUES),
    )
    assert.deepEqual(missing, [])
    const headers = await headersWith()
    const results: unknown[] = []
    for (const request of REQUESTS) {
      // Asked first by somebody who sees all: what is kept must not be answered to the token.
      await search(request, store.read)
      const answer = await search(request, headers)
      const text = JSON.stringify(answer.body)
      assert.deepEqual(leaked(text, request), [], `${JSON.stringify(request)}: ${text}`)
      if (answer.status !== 200) continue
      results.push(request)
      if ('preset_name' in request) continue
      const own =
        'filter_by' in request ? `(${String(request.filter_by)}) && tenant:=amber` : 'tenant:=amber'
      const same = await search({ ...request, filter_by: own, cache_results: false }, store.read)
      assert.equal(answer.body.found, same.body.found, JSON.stringify(request))
      const idsOf = ({ hits }: { hits: { id: string }[] }) => hits.map(({ id }) => id)
      assert.deepEqual(idsOf(answer.body), idsOf(same.body), JSON.stringify(request))
    }
    assert.ok(results.length > 300 / EACH, `${results.length} answered`)
  })

  test('shows nothing outside of its filter in the other searches either', async () => {
    const headers = await headersWith()
    for (const { q, ...request } of REQUESTS as { q: string }[]) {
      const filters = await asked({
        method: 'POST',
        url: '/v1/filters',
        headers,
        body: { q, ...request },
      })
      assert.deepEqual(leaked(JSON.stringify(filters.body), { q, ...request }), [])
      const url = new URLSearchParams({ q })
      for (const [name, value] of Object.entries(request)) {
        url.set(name, typeof value === 'string' ? value : JSON.stringify(value))
      }
      const got = await asked({ url: `/v1/search?${url.toString()}`, headers })
      assert.deepEqual(leaked(JSON.stringify(got.body), { q, ...request }), [])
    }
    const queries = QUERIES.map((q) => ({ q, ...RICH, filter_by: 'tenant:=zircon || price:>0' }))
    const several = await asked({
      method: 'POST',
      url: '/v1/multi-search',
      headers,
      body: { queries },
    })
    assert.equal(several.body.results.length, queries.length)
    assert.deepEqual(leaked(JSON.stringify(several.body), []), [])
  })

  test('gets no suggestion with a word of a document outside of its filter', async () => {
    const missing = Object.keys(SuggestionParameters.properties).filter(
      (name) => name !== 'q' && !(name in SUGGESTING),
    )
    assert.deepEqual(missing, [])
    const headers = await headersWith()
    const url = '/v1/suggestions/queries'
    const all = await asked({ method: 'POST', url, headers: store.read, body: { q: 'z' } })
    assert.match(JSON.stringify(all.body.suggestions), /zorblax tent/)
    const seen = new Set<string>()
    for (const request of [...requestsOf(SUGGESTING, RICH_SUGGESTIONS), { q: 'r' }, { q: 'z' }]) {
      const answer = await asked({ method: 'POST', url, headers, body: request })
      assert.deepEqual(leaked(JSON.stringify(answer.body), request), [], JSON.stringify(request))
      for (const { query } of answer.body.suggestions ?? []) seen.add(query)
      if ((request as { q: string }).q === 'z') assert.equal(answer.body.meta.totalHits, 0)
    }
    assert.ok(seen.has('red tent'), [...seen].join())
  })

  test('is recommended nothing outside of its filter, and nothing because of such a product', async () => {
    const headers = { ...(await headersWith({ user_id: 'ada' })), 'x-user-id': 'ada' }
    const recommend = async (body: object, as: Record<string, string> = headers) =>
      (await asked({ method: 'POST', url: '/v1/recommendations', headers: as, body })).body
    for (const kind of ['related', 'bought_together', 'trending', 'recently_viewed', 'for_you']) {
      for (const ids of [['seen-1'], ['hidden-1'], ['seen-1', 'hidden-2']]) {
        for (const filter of [{}, { filter_by: 'tenant:=zircon || price:>0' }]) {
          const request = { kind, ids, per_page: 50, ...filter }
          const answer = await recommend(request)
          assert.deepEqual(leaked(JSON.stringify(answer), request), [], JSON.stringify(request))
        }
      }
    }
    const ofSeen = { kind: 'related', ids: ['seen-1'] }
    assert.deepEqual(idsIn(await recommend(ofSeen)), ['seen-2'])
    const ofHidden = { kind: 'related', ids: ['hidden-3'] }
    assert.ok(idsIn(await recommend(ofHidden, store.read)).includes('seen-2'))
    assert.deepEqual(idsIn(await recommend(ofHidden)), [], 'its words say nothing')
    const few = await headersWith({ parameters: ['kind'] })
    assert.equal((await recommend(ofSeen, few)).code, 'forbidden')
  })

  test('has corrections to words that it sees', async () => {
    const headers = await headersWith()
    const seen = await search({ q: 'tnet' }, headers)
    assert.equal(seen.body.corrected_query, 'tent')
    assert.equal((await search({ q: 'zorblex' }, store.read)).body.corrected_query, 'zorblax')
    assert.equal((await search({ q: 'zorblex' }, headers)).body.corrected_query, undefined)
    assert.equal((await search({ q: 'zorblaxkt' }, store.read)).body.did_you_mean, 'zorblax')
    assert.equal((await search({ q: 'zorblaxkt' }, headers)).body.did_you_mean, undefined)
  })

  test('allows the parameters that it names, and its preset', async () => {
    const headers = await headersWith({
      parameters: ['page', 'hitsPerPage'],
      preset_name: 'narrow',
    })
    const found = await search({ q: 'tent', page: 2, unknown: 1, per_page: null }, headers)
    assert.deepEqual([found.status, found.body.hits.length, found.body.per_page], [200, 1, 1])
    for (const [name, value] of [
      ['filter_by', 'price:>0'],
      ['per_page', 5],
      ['preset_name', 'wide'],
    ] as const) {
      const refused = await search({ q: 'tent', [name]: value }, headers)
      assert.deepEqual(
        [refused.status, refused.body.code, refused.body.param],
        [403, 'forbidden', name],
      )
      const body = { queries: [{ q: 'tent' }, { q: 'tent', [name]: value }] }
      assert.equal(
        (await asked({ method: 'POST', url: '/v1/multi-search', headers, body })).status,
        403,
      )
    }
    const same = await search({ q: 'tent', preset_name: 'narrow' }, headers)
    assert.equal(same.status, 200)
    const url = '/v1/suggestions/queries'
    const named = await headersWith({ parameters: ['page', 'hitsPerPage'] })
    const suggest = async (request: Omit<TestRequest, 'headers'>) =>
      (await asked({ ...request, headers: named })).status
    const camel = { q: 't', includeFacets: true }
    assert.equal(await suggest({ method: 'POST', url, body: camel }), 403)
    assert.equal(await suggest({ url: `${url}?q=t&hits_per_page=3` }), 200)
    assert.equal(await suggest({ url: `${url}?q=t&include_categories=true` }), 403)
    const explained = await search({ q: 'tent', explain: true }, await headersWith())
    assert.deepEqual([explained.status, explained.body.param], [403, 'explain'])
  })

  test('ends with its time, and when its secret is rotated', async () => {
    const refused = async (headers: Record<string, string>) => {
      const { status, body } = await search({ q: 'tent' }, headers)
      assert.deepEqual([status, body.code], [401, 'invalid_credentials'])
      return body.error as string
    }
    const nowSeconds = Math.floor(time.nowMs / 1_000)
    assert.match(await refused(await headersWith({ expires_at: nowSeconds })), /has expired/)
    const headers = await headersWith()
    assert.equal((await search({ q: 'tent' }, headers)).status, 200)
    const first = signingSecret
    signingSecret = await rotate(60)
    assert.equal((await search({ q: 'tent' }, headers)).status, 200, 'in its grace')
    time.nowMs += 61_000
    await refused(headers)
    await refused(await headersWith({}, first))
    assert.equal((await search({ q: 'tent' }, await headersWith())).status, 200)
  })

  test('is nothing when a byte is wrong, the store is another, or something else has signed it', async () => {
    const good = (await headersWith())['x-storesecret']
    const signature = good.slice(good.indexOf('.') + 1)
    const wide = Buffer.from(JSON.stringify({ ...scope, filter_by: 'price:>0' })).toString(
      'base64url',
    )
    const asUser = createHmac('sha256', signingSecret).update(wide).digest('base64url')
    const wrong = [
      'tk_',
      'tk_.',
      `tk_${wide}`,
      `tk_${wide}.${signature}`,
      `tk_${wide}.${asUser}`,
      `${good}x`,
      good.slice(0, -2),
      good.replace('.', ''),
      `tk_${'a'.repeat(9_000)}.${signature}`,
      good.replace('tk_', 'tk_A'),
      (await headersWith({}, store.readSecret))['x-storesecret'],
      (await headersWith({}, 'undefined'))['x-storesecret'],
    ]
    const unknown = await search({ q: '*' }, { 'x-storeid': 'other', 'x-storesecret': good })
    for (const token of wrong) {
      const { status, body } = await search(
        { q: '*' },
        { 'x-storeid': 'shop', 'x-storesecret': token },
      )
      assert.deepEqual(
        [status, body.code, body.error],
        [401, 'invalid_credentials', unknown.body.error],
        token,
      )
    }
    assert.equal(unknown.status, 401)
  })

  test('that is signed but not understood, or does not suit the schema, opens nothing', async () => {
    const members = Object.keys(TokenScope.properties)
    const nulls = members.map((name) => ({ [name]: null }))
    const wrong = members.flatMap((name) =>
      [0, '', [], {}, [null], [1]].map((value) => ({ [name]: value })),
    )
    const isRight = (changes: object) =>
      /^\{"(parameters|origins)":\[\]\}$/.test(JSON.stringify(changes))
    for (const changes of [
      { filter: 'tenant:=amber' },
      { expires_at: '1' },
      { events: 'false' },
      JSON.parse('{"__proto__":{"filter_by":"price:>0"}}') as object,
      ...nulls,
      ...wrong.filter((one) => !isRight(one)),
    ]) {
      const { status, body } = await search({ q: '*' }, await headersWith(changes))
      assert.deepEqual([status, body.code], [401, 'invalid_credentials'], JSON.stringify(changes))
      assert.match(
        body.error,
        /signed, but malformed: (The|Parameter|Unknown) .*(must be|parameter)/,
      )
    }
    for (const payload of ['null', '[]', '"x"', '{}', '{"expires_at":9e9,"filter_by":null}']) {
      const encoded = Buffer.from(payload).toString('base64url')
      const signature = createHmac('sha256', signingSecret).update(`aisle-token-1\n${encoded}`)
      const token = `tk_${encoded}.${signature.digest('base64url')}`
      const answer = await search({ q: '*' }, { 'x-storeid': 'shop', 'x-storesecret': token })
      assert.deepEqual([answer.status, answer.body.code], [401, 'invalid_credentials'], payload)
    }
    const { status, body } = await search({ q: '*' }, await headersWith({ filter_by: 'tenat:=a' }))
    assert.deepEqual([status, body.code], [403, 'forbidden'])
  })

  test('may be for pages of some origins, and for a user', async () => {
    const origins = ['https://shop.example']
    const headers = await headersWith({ origins, user_id: 'ada' })
    const from = (origin: string) => search({ q: 'tent' }, { ...headers, origin })
    assert.equal((await from('https://shop.example')).status, 200)
    assert.equal((await from('https://else.example')).status, 403)
    assert.equal((await search({ q: 'tent' }, headers)).status, 403)
    const url = '/api/v1/stores/shop/settings'
    await call({ method: 'PATCH', url, headers: store.write, body: { identity: 'signed' } })
    const lastUser = async () => (await testApp.eventsOf('shop')).at(-1)?.visitor.userId
    await search({ q: 'tent' }, { ...headers, origin: 'https://shop.example', 'x-user-id': 'eve' })
    assert.equal(await lastUser(), 'ada')
    await search({ q: 'tent' }, { ...(await headersWith()), 'x-user-id': 'eve' })
    assert.equal(await lastUser(), undefined)
  })
})

const idsIn = ({ hits }: { hits: { id: string }[] }): string[] => hits.map(({ id }) => id)

const OPEN = [
  'POST /v1/search',
  'GET /v1/search',
  'HEAD /v1/search',
  'POST /v1/multi-search',
  'POST /v1/filters',
  'POST /v1/suggestions/queries',
  'GET /v1/suggestions/queries',
  'HEAD /v1/suggestions/queries',
  'POST /v1/recommendations',
  'POST /analytics/event',
  'POST /analytics/batch',
]
