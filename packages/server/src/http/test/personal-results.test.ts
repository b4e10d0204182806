import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { makeScopedToken } from '@aisle/client'
import { until } from '@aisle/testing'
import { ADMIN_TOKEN, createTestApp, type TestApp, type TestStore } from './test-app.ts'

const ADA = { 'x-anon-id': 'ada' }
const BOB = { 'x-anon-id': 'bob' }

/** Two brands with the same shoes, and others; Bolt was written last and comes first. */
const PRODUCTS = [
  ...['Acme', 'Bolt'].flatMap((brand) =>
    [1, 2, 3, 4, 5, 6].map((i) => ({
      id: `${brand.toLowerCase()}-${i}`,
      title: `Running shoe model ${i}`,
      brand,
      category: 'Shoes',
      size: i % 2 === 0 ? '42' : '38',
      price: 50 + i,
    })),
  ),
  ...Array.from({ length: 12 }, (_, i) => ({
    id: `other-${i}`,
    title: `Lamp ${i}`,
    brand: `Brand ${i}`,
    category: 'Lamps',
    size: 'one',
    price: 500,
  })),
  { id: 'partial', title: 'Shoe', brand: 'Acme', category: 'Shoes', size: '42', price: 52 },
]

let shops = 0

async function shop(app: TestApp, personalize: object | null = {}): Promise<TestStore> {
  const id = `shop-${++shops}`
  const store = await app.createStore(id)
  const call = async (method: 'POST' | 'PATCH', path: string, body: object) => {
    const url = `/api/v1/stores/${id}/${path}`
    const answer = await app.call({ method, url, headers: store.write, body })
    assert.ok(answer.statusCode < 300, answer.body)
  }
  const facet = { type: 'string', searchable: true, facet: true, sort: false }
  await call('POST', 'schema', {
    fields: [
      { ...facet, name: 'title', facet: false },
      { ...facet, name: 'brand' },
      { ...facet, name: 'category' },
      { ...facet, name: 'size' },
      { name: 'price', type: 'float', searchable: false, facet: false, sort: true },
    ],
  })
  const documents = PRODUCTS.map(({ id: one, ...data }) => ({ id: one, data }))
  await call('POST', 'documents/bulk', { documents })
  if (personalize !== null) await call('PATCH', 'settings', { ranking: { personalize } })
  return store
}

async function viewed(
  app: TestApp,
  store: TestStore,
  who: object,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) {
    const answer = await app.call({
      method: 'POST',
      url: '/analytics/event',
      headers: { ...store.read, ...who },
      body: { event_type: 'click', data: { query: 'shoe', document_id: id } },
    })
    assert.equal(answer.statusCode, 200, answer.body)
  }
}

interface Answer {
  readonly found: number
  readonly cached: boolean
  readonly ids: readonly string[]
  readonly hits: readonly { readonly id: string; readonly explanation?: Explained }[]
  readonly facets: unknown
  readonly personalized?: {
    readonly as_of?: number
    readonly skipped?: string
    readonly lifts?: readonly {
      readonly field: string
      readonly value?: string
      readonly share: number
      readonly price?: { readonly from: number; readonly to: number }
      readonly because?: readonly { readonly action: string; readonly id?: string }[]
    }[]
  }
}

interface Explained {
  readonly personal?: { readonly factor: number; readonly lifts: readonly number[] }
}

const SHOES = { q: 'running shoe', facet_by: 'brand' }

/** Asks until the taste of the visitor was ready in time: a busy machine may be late. */
async function ask(
  app: TestApp,
  store: TestStore,
  who: object,
  parameters: object = {},
): Promise<Answer> {
  const body = { ...SHOES, per_page: 30, ...parameters }
  const headers = { ...store.read, ...who }
  let json: Answer | undefined
  await until('the taste is late', async () => {
    const answer = await app.call({ method: 'POST', url: '/v1/search', headers, body })
    assert.equal(answer.statusCode, 200, answer.body)
    json = answer.json()
    return json!.personalized?.skipped === undefined
  })
  return { ...json!, ids: json!.hits.map(({ id }) => id) }
}

async function askPersonal(...asked: Parameters<typeof ask>): Promise<Answer> {
  const answer = await ask(...asked)
  assert.ok(answer.personalized?.lifts !== undefined, 'not personal')
  return answer
}

const ACMES = ['acme-1', 'acme-2', 'acme-3', 'acme-4']

suite('personal results', () => {
  test('are off by default, and then nobody is told apart', async () => {
    await using app = await createTestApp()
    const store = await shop(app, null)
    await viewed(app, store, ADA, ACMES)
    const parameters = { analytics: false }
    const [ada, bob] = [
      await ask(app, store, ADA, parameters),
      await ask(app, store, BOB, parameters),
    ]
    assert.deepEqual(ada.ids, bob.ids)
    assert.equal(ada.personalized, undefined)
  })

  test('lift what the visitor looked at, for nobody else', async () => {
    await using app = await createTestApp()
    const store = await shop(app)
    const before = await ask(app, store, BOB)
    assert.match(before.ids[0]!, /^bolt/)
    await viewed(app, store, ADA, ACMES)
    const ada = await askPersonal(app, store, ADA, { explain: true })
    assert.deepEqual(new Set(ada.ids.slice(0, 6).map((id) => id.slice(0, 4))), new Set(['acme']))
    assert.deepEqual([ada.found, ada.facets], [before.found, before.facets])
    const brand = ada.personalized!.lifts!.find(({ field }) => field === 'brand')!
    assert.equal(brand.value, 'Acme')
    assert.ok(brand.share > 0 && brand.share <= 0.2, `${brand.share}`)
    assert.deepEqual(
      brand.because!.map(({ action, id }) => [action, id]),
      ACMES.map((id) => ['looked', id]),
    )
    const { factor, lifts } = ada.hits[0]!.explanation!.personal!
    assert.ok(factor > 1 && factor <= 1.2, `${factor}`)
    assert.ok(lifts.length > 0)
    const plain = await askPersonal(app, store, ADA)
    assert.ok(plain.personalized!.lifts!.every(({ because }) => because === undefined))
    for (const [who, parameters] of [
      [BOB, {}],
      [{}, {}],
      [ADA, { personalize: false }],
      [ADA, { sort_by: 'price:asc' }],
    ] as const) {
      const other = await ask(app, store, who, parameters)
      assert.equal(other.personalized, undefined, JSON.stringify(parameters))
      if (!('sort_by' in parameters)) assert.deepEqual(other.ids, before.ids)
    }
  })

  test('never lift above a better tier, or above what a rule pins or boosts more', async () => {
    await using app = await createTestApp()
    const store = await shop(app, { limit: 0.5 })
    await viewed(app, store, ADA, [...ACMES, 'partial'])
    const any = { require_all_terms: false }
    const { ids } = await askPersonal(app, store, ADA, any)
    assert.ok(ids.indexOf('partial') > ids.findLastIndex((id) => id.startsWith('bolt')))
    const rule = async (actions: object) => {
      const url = `/api/v1/stores/${store.id}/rules/r`
      const body = { when: [{ query: 'running shoe', match: 'exact' }], ...actions }
      const answer = await app.call({ method: 'PUT', url, headers: store.write, body })
      assert.ok(answer.statusCode < 300, answer.body)
    }
    await rule({ pin: [{ id: 'bolt-3', position: 1 }] })
    assert.equal((await askPersonal(app, store, ADA)).ids[0], 'bolt-3')
    await rule({ boost: [{ filter_by: 'brand:=Bolt', weight: 2 }] })
    const boosted = await askPersonal(app, store, ADA)
    assert.ok(boosted.ids.slice(0, 6).every((id) => id.startsWith('bolt')))
  })

  test('are never cached, and no other visitor gets them', async () => {
    await using app = await createTestApp()
    const store = await shop(app)
    const cached = { cache_results: true }
    await viewed(app, store, ADA, ACMES)
    const impersonal = await ask(app, store, BOB, cached)
    const visitors = [ADA, BOB, {}, { 'x-user-id': 'eve' }, { 'x-session-id': 's' }]
    for (const first of visitors) {
      for (const second of visitors) {
        for (const who of [first, second]) {
          const answer =
            who === ADA
              ? await askPersonal(app, store, who, cached)
              : await ask(app, store, who, cached)
          assert.equal(answer.personalized !== undefined, who === ADA)
          assert.equal(answer.cached, who !== ADA)
          if (who !== ADA) assert.deepEqual(answer.ids, impersonal.ids)
        }
      }
    }
    const headers = { ...store.read, ...ADA }
    const { headers: given } = await app.call({ url: '/v1/search?q=shoe', headers })
    assert.equal(given['cache-control'], 'private, no-store')
    for (const name of ['x-user-id', 'x-anon-id', 'x-session-id']) {
      assert.ok(String(given['vary']).includes(name), String(given['vary']))
    }
  })

  test('later pages have the order of the first, whatever the visitor looks at', async () => {
    await using app = await createTestApp()
    const store = await shop(app)
    await viewed(app, store, ADA, ACMES)
    const whole = await askPersonal(app, store, ADA)
    const { as_of } = whole.personalized!
    app.time.nowMs += 60_000
    await viewed(app, store, ADA, ['bolt-1', 'bolt-2', 'bolt-3', 'bolt-4', 'bolt-5', 'bolt-6'])
    const page = { page: 2, per_page: 5, personalize_as_of: as_of }
    const second = await askPersonal(app, store, ADA, page)
    assert.deepEqual(second.ids, whole.ids.slice(5, 10))
    assert.equal(second.personalized!.as_of, as_of)
    assert.ok((await askPersonal(app, store, ADA)).personalized!.as_of! > as_of!)
  })

  test('are forgotten with the visitor', async () => {
    await using app = await createTestApp()
    const store = await shop(app)
    await viewed(app, store, ADA, ACMES)
    await askPersonal(app, store, ADA)
    const url = `/api/v1/stores/${store.id}/analytics/visitors?anonymous_id=ada`
    const erased = await app.call({ method: 'DELETE', url, headers: store.write })
    assert.equal(erased.statusCode, 200, erased.body)
    assert.equal((await ask(app, store, ADA)).personalized, undefined)
  })

  test('by URL, in a multi-search, without words, and not with a token that forbids them', async () => {
    await using app = await createTestApp()
    const store = await shop(app)
    await viewed(app, store, ADA, ACMES)
    await askPersonal(app, store, ADA)
    const headers = { ...store.read, ...ADA }
    const get = (path: string) => app.call({ url: `/v1/search?q=${path}`, headers })
    assert.ok((await get('shoe')).json().personalized.lifts.length > 0)
    assert.equal((await get('shoe&personalize=false')).json().personalized, undefined)
    assert.equal((await get('shoe&personalize=maybe')).statusCode, 400)
    const many = await app.call({
      method: 'POST',
      url: '/v1/multi-search',
      headers,
      body: { queries: [{ q: '*' }, { q: 'shoe', personalize: false }] },
    })
    const [browsed, refused] = many.json().results
    assert.match(browsed.hits[0].id, /^acme|partial/)
    assert.equal(refused.personalized, undefined)
    const rotated = await app.call({
      method: 'POST',
      url: `/api/v1/admin/stores/${store.id}/keys/signing/rotate`,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
      body: { grace_seconds: 0 },
    })
    const scope = {
      expires_at: Math.floor(app.time.nowMs / 1_000) + 60,
      personalize: false,
    } as const
    const token = await makeScopedToken(rotated.json().secret, scope)
    const scoped = { 'x-storeid': store.id, 'x-storesecret': token, ...ADA }
    const search = (body: object) =>
      app.call({ method: 'POST', url: '/v1/search', headers: scoped, body })
    const impersonal = await search({ q: 'shoe' })
    assert.equal(impersonal.statusCode, 200, impersonal.body)
    assert.equal(impersonal.json().personalized, undefined)
    assert.equal((await search({ q: 'shoe', personalize: true })).statusCode, 403)
  })

  test('a preset makes the searches that name it impersonal, and a request has the last word', async () => {
    await using app = await createTestApp()
    const store = await shop(app)
    await viewed(app, store, ADA, ACMES)
    await askPersonal(app, store, ADA)
    for (const [name, personalize] of [
      ['plain', false],
      ['personal', true],
    ] as const) {
      const answer = await app.call({
        method: 'PUT',
        url: `/api/v1/stores/${store.id}/presets/${name}`,
        headers: store.write,
        body: { value: { personalize, per_page: 30 } },
      })
      assert.equal(answer.statusCode, 200, answer.body)
    }
    const plain = await ask(app, store, ADA, { preset_name: 'plain' })
    assert.equal(plain.personalized, undefined)
    assert.deepEqual(plain.ids, (await ask(app, store, {})).ids, 'as a stranger sees it')
    await askPersonal(app, store, ADA, { preset_name: 'personal' })
    await askPersonal(app, store, ADA, { preset_name: 'plain', personalize: true })
    const refused = { preset_name: 'personal', personalize: false }
    assert.equal((await ask(app, store, ADA, refused)).personalized, undefined)
  })

  test('the setting names facets, and one price', async () => {
    await using app = await createTestApp()
    const store = await shop(app, { limit: 0.1, fields: ['brand'] })
    const url = `/api/v1/stores/${store.id}/settings`
    const set = async (personalize: unknown) =>
      app.call({
        method: 'PATCH',
        url,
        headers: store.write,
        body: { ranking: { personalize } },
      })
    for (const [given, param, code] of [
      [{ fields: ['title'] }, 'ranking.personalize.fields[0]', 'invalid_parameter'],
      [{ fields: ['brand', 'nope'] }, 'ranking.personalize.fields[1]', 'unknown_field'],
      [{ fields: [] }, 'ranking.personalize.fields', 'invalid_parameter'],
      [{ limit: 0.6 }, 'ranking.personalize.limit', 'invalid_parameter'],
      [{ limit: 0 }, 'ranking.personalize.limit', 'invalid_parameter'],
      [{ colour: 'red' }, 'ranking.personalize.colour', 'invalid_parameter'],
      [true, 'ranking.personalize', 'invalid_parameter'],
    ] as const) {
      const answer = await set(given)
      assert.equal(answer.statusCode, 400, JSON.stringify(given))
      assert.deepEqual([answer.json().code, answer.json().param], [code, param], answer.body)
    }
    await viewed(app, store, ADA, ACMES)
    const { lifts } = (await askPersonal(app, store, ADA)).personalized!
    assert.deepEqual(
      lifts!.map(({ field, value }) => [field, value]),
      [['brand', 'Acme']],
    )
    assert.equal((await set(null)).statusCode, 200)
    assert.equal((await ask(app, store, ADA)).personalized, undefined)
  })
})
