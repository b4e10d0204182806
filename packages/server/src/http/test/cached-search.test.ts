import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { SearchParameters } from '@aisle/contract'
import { createTestApp, fillStore, type TestStore } from './test-app.ts'

const test_ = await createTestApp({ metricsStores: true })
after(() => test_[Symbol.asyncDispose]())
const { call, time } = test_

async function search(store: TestStore, body: object) {
  const answer = await call({ method: 'POST', url: '/v1/search', headers: store.read, body })
  assert.equal(answer.statusCode, 200, answer.body)
  const { search_id: searchId, search_time_ms: tookMs, cached, ...rest } = answer.json()
  assert.equal(typeof tookMs, 'number')
  return { searchId, cached, rest }
}

async function filled(id: string): Promise<TestStore> {
  const store = await test_.createStore(id)
  await fillStore(test_, store)
  // The first use of a key is written two seconds later, and here every write empties the cache.
  await search(store, { q: '*', analytics: false })
  await test_.uses.flush()
  return store
}

const QUERY = { q: 'trail shoe', facet_by: 'brand', colour: 'x', cache_results: true }

suite('cache_results', () => {
  test('a repeat is the same answer, marked, with a new search id', async () => {
    const store = await filled('repeat')
    const first = await search(store, QUERY)
    const second = await search(store, QUERY)
    assert.deepEqual([first.cached, second.cached], [false, true])
    assert.deepEqual(second.rest, first.rest)
    assert.match(second.rest.warnings[0], /colour/)
    assert.notEqual(second.searchId, first.searchId)
    assert.equal((await search(store, { ...QUERY, cache_results: false })).cached, false)
  })

  test('it is the question that counts, not how it was put', async () => {
    const store = await filled('question')
    const { rest } = await search(store, {
      q: 'red',
      filters: { price: { gte: 1, lte: 999 } },
      cache_results: true,
    })
    for (const same of [
      { cache_results: true, filters: { price: { lte: 999, gte: 1 } }, q: 'red' },
      {
        q: 'red',
        filters: { price: { gte: 1, lte: 999 } },
        cache_results: true,
        analytics_tags: ['a'],
        search_timeout_ms: 5_000,
      },
    ]) {
      const answer = await search(store, same)
      assert.deepEqual([answer.cached, answer.rest], [true, rest])
    }
    for (const other of [
      { q: 'red' },
      { q: 'Red' },
      { q: 'red', page: 2 },
      { q: 'red', unknown: 1 },
    ]) {
      assert.equal((await search(store, { ...other, cache_results: true })).cached, false)
    }
    const url = '/v1/search?q=blue&cache_results=true'
    assert.equal((await call({ url, headers: store.read })).json().cached, false)
    assert.equal((await search(store, { q: 'blue', cache_results: true })).cached, true)
  })

  test('a default that is written out is the same question as none', async () => {
    const store = await filled('defaults')
    const asked = { q: 'red shoe', facet_by: 'brand', include_snippets: true, cache_results: true }
    const { rest } = await search(store, asked)
    const defaults = Object.entries(SearchParameters.properties).flatMap(([name, schema]) => {
      const { default: value } = schema as { default?: unknown }
      return value === undefined || name in asked ? [] : [[name, value] as const]
    })
    assert.ok(defaults.length > 15)
    for (const [name, value] of [...defaults, ['highlight', true], ['sort_by', null]] as const) {
      const answer = await search(store, { ...asked, [name]: value })
      assert.deepEqual([answer.cached, answer.rest], [true, rest], name)
    }
    const all = { ...Object.fromEntries(defaults), ...asked }
    assert.deepEqual(await search(store, all).then(({ cached }) => cached), true)
    // With another default it is another question.
    for (const other of [
      { highlight: false },
      { widget_mode: true },
      { widget_mode: true, highlight: true },
    ]) {
      assert.equal((await search(store, { ...asked, ...other })).cached, false)
    }
    const same = { ...asked, widget_mode: true, highlight: false }
    assert.equal((await search(store, same)).cached, true)
  })

  test('every parameter of a search is absent, or says the same in words, in one question', async () => {
    const store = await filled('neutral')
    /** What says the same as nothing, besides the defaults of the schema. */
    const neutral: Readonly<Record<string, unknown>> = {
      return_fields: [],
      omit_fields: [],
      search_fields: [],
      field_weights: {},
      filter_by: '',
      filters: {},
      facet_query: '',
      highlight: true,
      snippet_fields: [],
      full_snippet_fields: [],
      snippet_prefix: '<mark>',
      snippet_suffix: '</mark>',
      min_relevance: 0,
      preset_name: null,
      interpret_except: [],
      rule_contexts: [],
      analytics_tags: [],
      personalize_as_of: 0,
    }
    /** Why nothing that can be said is the same as saying nothing. */
    const unspeakable: Readonly<Record<string, string>> = {
      q: 'is required',
      vector: 'names a field and a vector',
      facet_by: 'an empty list answers `facets`',
      sort_by: 'an order that is given keeps rules from setting one',
      group_by: 'none is what the setting `distinct` says, empty means no groups',
      exact_match_boost: 'has three states, and keeps rules from setting it',
      require_all_terms: 'has three states',
      semantic_weight: 'none is what a rule or the setting `semantic` says',
      interpret: 'none is what the setting `interpretation` says',
      stopword_sets: 'none is the default sets, an empty list means no set',
      synonym_sets: 'as those',
    }
    const asked = { q: 'red shoe', facet_by: 'brand', include_snippets: true, cache_results: true }
    const { rest } = await search(store, asked)
    const speakable: Record<string, unknown> = {}
    for (const [name, schema] of Object.entries(SearchParameters.properties)) {
      const { default: usual } = schema as { default?: unknown }
      const value = usual === undefined ? neutral[name] : usual
      const isKnown = value !== undefined || Object.hasOwn(unspeakable, name)
      assert.ok(isKnown, `${name}: say above what is the same as its absence, or why nothing is`)
      if (value === undefined || name in asked) continue
      const answer = await search(store, { ...asked, [name]: value })
      assert.deepEqual([answer.cached, answer.rest], [true, rest], name)
      const none = await search(store, { ...asked, [name]: null })
      assert.deepEqual([none.cached, none.rest], [true, rest], `${name}: null`)
      speakable[name] = value
    }
    const { preset_name: _, ...all } = speakable
    const answer = await search(store, { ...asked, ...all })
    assert.deepEqual([answer.cached, answer.rest], [true, rest])
    // A mark of snippets is usual when it is that of highlights.
    const marks = { ...asked, highlight_prefix: '<b>' }
    assert.equal((await search(store, marks)).cached, false)
    assert.equal((await search(store, { ...marks, snippet_prefix: '<b>' })).cached, true)
    assert.equal((await search(store, { ...marks, snippet_prefix: '<mark>' })).cached, false)
  })

  test('a default that a setting of the store replaces is another question than none', async () => {
    const ranking = {
      field_weights: { title: 9 },
      sort_by: 'price:asc',
      min_relevance: 0.5,
      typo_max: 1,
      typo_min_len_1: 3,
      typo_min_len_2: 9,
      typo_numbers: true,
      prefix_mode: 'off',
      infix_mode: 'always',
      require_all_terms: true,
      exact_match_boost: false,
    }
    const store = await filled('ranking')
    const put = (settings: object) =>
      call({
        method: 'PATCH',
        url: '/api/v1/stores/ranking/settings',
        headers: store.write,
        body: settings,
      })
    assert.equal((await put({ ranking })).statusCode, 200)
    const usual = { ...rankingOf(SearchParameters.properties), min_relevance: 0, field_weights: {} }
    for (const q of ['re sho', 'red shoo', 'shoe']) {
      const asked = { q, cache_results: true }
      const none = await search(store, asked)
      assert.equal(none.cached, false)
      for (const [name, value] of Object.entries(ranking)) {
        // Given, these two keep rules from deciding.
        const isOwn = name === 'sort_by' || name === 'exact_match_boost'
        const same = await search(store, { ...asked, [name]: value })
        assert.deepEqual([same.cached, same.rest], [!isOwn, none.rest], `${q}: ${name}`)
        const other = (usual as Record<string, unknown>)[name]
        if (other === undefined) continue
        const given = { ...asked, [name]: other }
        const answer = await search(store, given)
        assert.equal(answer.cached, false, `${q}: ${name}`)
        const uncached = await search(store, { ...given, cache_results: false })
        assert.deepEqual(answer.rest, uncached.rest, `${q}: ${name}`)
      }
    }
    // And the settings of one moment are not those of the next.
    const typed = { q: 'red shoo', typo_max: 1, cache_results: true }
    await put({ ranking: { typo_max: 0 } })
    const { rest } = await search(store, { q: 'red shoo', cache_results: true })
    const one = await search(store, typed)
    assert.equal(one.cached, false)
    assert.notDeepEqual(one.rest, rest)

    function rankingOf(properties: object): object {
      return Object.fromEntries(
        Object.entries(properties).flatMap(([name, { default: value }]) =>
          name in ranking && value !== undefined ? [[name, value]] : [],
        ),
      )
    }
  })

  test('a preset may ask for it, and its parameters are part of the question', async () => {
    const store = await filled('preset')
    const put = (value: object) =>
      call({
        method: 'PUT',
        url: '/api/v1/stores/preset/presets/p',
        headers: store.write,
        body: { value },
      })
    await put({ cache_results: true, per_page: 1 })
    assert.equal((await search(store, { q: 'red', preset_name: 'p' })).cached, false)
    const repeat = await search(store, { q: 'red', preset_name: 'p' })
    assert.deepEqual([repeat.cached, repeat.rest.hits.length], [true, 1])
    const plain = await search(store, { q: 'red', per_page: 1, cache_results: true })
    assert.equal(plain.cached, true, 'the same question without the preset')
    await put({ cache_results: true, per_page: 2 })
    const after = await search(store, { q: 'red', preset_name: 'p' })
    assert.deepEqual([after.cached, after.rest.hits.length], [false, 2])
  })

  test('every kind of change empties it', async () => {
    const store = await filled('change')
    const base = `/api/v1/stores/${store.id}`
    const changes: [string, 'POST' | 'PUT' | 'PATCH' | 'DELETE', object?][] = [
      [`${base}/documents`, 'POST', { id: 'n', data: { title: 'A trail shoe more' } }],
      [`${base}/documents/n`, 'DELETE'],
      [`${base}/settings`, 'PATCH', { ranking: { sort_by: 'price:asc' } }],
      [`${base}/synonym-sets/s`, 'PUT', { items: [{ synonyms: ['shoe', 'boot'] }], default: true }],
      [`${base}/stopword-sets/s`, 'PUT', { stopwords: ['trail'], default: true }],
      [`${base}/presets/p`, 'PUT', { value: {} }],
      [`${base}/schema`, 'POST', { fields: [{ name: 'more', type: 'string', searchable: true }] }],
    ]
    for (const [url, method, body] of changes) {
      await search(store, QUERY)
      assert.equal((await search(store, QUERY)).cached, true, url)
      const headers = store.write
      const done = await call({ method, url, headers, ...(body === undefined ? {} : { body }) })
      assert.ok(done.statusCode < 300, done.body)
      const answer = await search(store, QUERY)
      assert.equal(answer.cached, false, url)
      const fresh = await search(store, { ...QUERY, cache_results: false })
      assert.deepEqual(answer.rest, fresh.rest)
    }
  })

  test('a rule that begins or ends is another question, and so is the order of a preset', async () => {
    const store = await filled('ruled')
    const put = (url: string, body: object) =>
      call({ method: 'PUT', url: `/api/v1/stores/ruled/${url}`, headers: store.write, body })
    const at = (ms: number) => new Date(time.nowMs + ms).toISOString()
    const rule = { sort_by: 'price:desc', schedule: [{ from: at(1_000), until: at(2_000) }] }
    assert.equal((await put('rules/r', rule)).statusCode, 200)
    assert.equal((await put('presets/p', { value: { sort_by: 'price:asc' } })).statusCode, 200)
    const ids = async (more: object) => {
      const { cached, rest } = await search(store, { q: '*', cache_results: true, ...more })
      return [cached, rest.hits.map(({ id }: { id: string }) => id).join('')]
    }
    const [own, preset] = [{ sort_by: 'price:asc' }, { preset_name: 'p' }]
    assert.deepEqual(await ids(own), [false, '4123'])
    assert.deepEqual(await ids(preset), [false, '4123'])
    time.nowMs += 1_000
    assert.deepEqual(await ids(own), [false, '4123'], 'an order of the request overrides the rule')
    assert.deepEqual(await ids(preset), [false, '3214'], 'that of a preset does not')
    assert.deepEqual(await ids(preset), [true, '3214'])
    time.nowMs += 1_000
    assert.deepEqual(await ids(preset), [true, '4123'])
  })

  test('an answer grows old, at the age that the store sets, and a store may keep none', async () => {
    const store = await filled('age')
    const patch = (cache: object) =>
      call({
        method: 'PATCH',
        url: '/api/v1/stores/age/settings',
        headers: store.write,
        body: { cache },
      })
    await search(store, QUERY)
    time.nowMs += 59_999
    assert.equal((await search(store, QUERY)).cached, true)
    time.nowMs += 1
    assert.equal((await search(store, QUERY)).cached, false)
    await patch({ ttl_seconds: 5 })
    await search(store, QUERY)
    time.nowMs += 5_000
    assert.equal((await search(store, QUERY)).cached, false)
    await patch({ max_bytes: 0 })
    await search(store, QUERY)
    assert.equal((await search(store, QUERY)).cached, false)
  })

  test('each of them is a search that a visitor made', async () => {
    const store = await filled('visits')
    const ids = [await search(store, QUERY), await search(store, QUERY)].map((one) => one.searchId)
    const seen = (await test_.eventsOf(store.id)).map((entry) =>
      entry.kind === 'event' ? entry.messageId : entry.kind,
    )
    assert.deepEqual(
      seen,
      ids.map((id) => `search ${id}`),
    )
  })

  test('in a multi-search each query is cached separately', async () => {
    const store = await filled('several')
    const queries = [QUERY, QUERY, { ...QUERY, cache_results: false }]
    const answer = await call({
      method: 'POST',
      url: '/v1/multi-search',
      headers: store.read,
      body: { queries },
    })
    const cached = answer.json().results.map((one: { cached: boolean }) => one.cached)
    assert.deepEqual(cached, [false, true, false])
    const metrics = (await call({ url: '/metrics' })).body
    assert.match(metrics, /requests_total\{store="several",kind="multi_search",cached="true"\} 1$/m)
  })
})

suite('search quota', () => {
  const limit = (store: TestStore, searches: number | null) =>
    call({
      method: 'PATCH',
      url: `/api/v1/stores/${store.id}/settings`,
      headers: store.write,
      body: { quota: { searches_per_month: searches } },
    })
  const post = (store: TestStore, url: string, body: object) =>
    call({ method: 'POST', url, headers: store.read, body })

  test('what the people of a shop try out is not refused where its quota is used up', async () => {
    const store = await filled('own-work')
    await search(store, QUERY)
    await limit(store, 1)
    assert.equal((await post(store, '/v1/search', { q: 'other' })).statusCode, 429)
    const own = `/api/v1/stores/${store.id}`
    const edit = { set: { title: 'x' } }
    for (const [url, body] of [
      ['/rules/preview', { rule: { replace_query: 'red' }, search: { q: 'blue' } }],
      ['/edits/preview', { q: 'red', edit }],
      ['/missed-searches/preview', { query: 'blue', mend: { kind: 'synonym', to: 'red' } }],
    ] as const) {
      const answer = await call({ method: 'POST', url: own + url, headers: store.write, body })
      assert.equal(answer.statusCode, 200, `${url}: ${answer.body}`)
    }
  })

  test('executed searches count, repeats and refused ones do not', async () => {
    const store = await filled('quota')
    time.nowMs = Date.UTC(2026, 10, 30, 23)
    await limit(store, 4)
    assert.equal((await search(store, QUERY)).cached, false)
    for (let i = 0; i < 5; i++) assert.equal((await search(store, QUERY)).cached, true)
    assert.equal((await post(store, '/v1/search', { q: 'a', page: 0 })).statusCode, 400)
    assert.equal((await post(store, '/v1/search', { q: 'a', sort_by: 'nothing' })).statusCode, 400)
    await post(store, '/v1/filters', { q: 'red' })
    await search(store, { q: 'red' })
    const several = await post(store, '/v1/multi-search', { queries: [{ q: 'a' }, { q: 'b' }] })
    const [fourth, fifth] = several.json().results
    assert.equal(fourth.found, 0)
    assert.deepEqual([fifth.code, fifth.status], ['quota_exceeded', 429])
    for (const url of ['/v1/search', '/v1/filters']) {
      const refused = await post(store, url, { q: 'red' })
      assert.deepEqual([refused.statusCode, refused.json().code], [429, 'quota_exceeded'])
      assert.equal(refused.json().reset_at, '2026-12-01T00:00:00.000Z')
      assert.equal(refused.headers['retry-after'], '3600')
    }
    assert.equal((await search(store, QUERY)).cached, true, 'repeats are free')
    const settings = await call({ url: '/api/v1/stores/quota/settings', headers: store.write })
    assert.deepEqual(settings.json().quota, {
      searches_per_month: 4,
      searches_used: 4,
      resets_at: '2026-12-01T00:00:00.000Z',
    })
    assert.match(
      (await call({ url: '/metrics' })).body,
      /^aisle_quota_rejections_total\{store="quota"\} 3$/m,
    )
    time.nowMs += 3_600_000
    await search(store, { q: 'red' })
  })

  test('none is the default, and may be set again', async () => {
    const store = await filled('unlimited')
    await limit(store, 0)
    assert.equal((await post(store, '/v1/search', { q: '*' })).statusCode, 429)
    await limit(store, null)
    await search(store, { q: '*', analytics: false })
  })
})
