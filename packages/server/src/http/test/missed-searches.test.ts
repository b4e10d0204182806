import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import type { Mend, MendList, MissedSearchList } from '@aisle/contract'
import { createTestApp, fillStore, type TestRequest } from './test-app.ts'

// A busy machine must not run out of time: what is not tried is not proposed.
const testApp = await createTestApp({ searchTimeoutDefaultMs: 60_000 })
after(() => testApp[Symbol.asyncDispose]())
const { time } = testApp
const store = await testApp.createStore('shop')
await fillStore(testApp, store)

const DAY_MS = 86_400_000
const call = (
  method: TestRequest['method'] & string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = store.write,
) => testApp.call({ method, url: `/api/v1/stores/shop${path}`, headers, body })
const list = async (query = ''): Promise<MissedSearchList> => {
  const answer = await call('GET', `/missed-searches${query}`)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}
const mendsOf = async (query: string): Promise<MendList> => {
  const answer = await call('GET', `/missed-searches/mends?query=${encodeURIComponent(query)}`)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}
const decide = (what: string, body: object, headers: Record<string, string> = store.write) =>
  call('POST', `/missed-searches/${what}`, body, headers)
const found = async (q: string): Promise<number> => {
  const body = { q, analytics: false }
  const answer = await testApp.call({
    method: 'POST',
    url: '/v1/search',
    headers: store.read,
    body,
  })
  return answer.json().found as number
}

let visitors = 0
/** Visitors search for one thing, then for another, and click. */
async function visit(
  query: string,
  {
    times = 1,
    results = 0,
    next = '',
    click = '',
  }: {
    times?: number
    results?: number
    next?: string
    click?: string
  } = {},
): Promise<void> {
  for (let i = 0; i < times; i++) {
    const session = `session ${visitors++}`
    const send = async (eventType: string, data: object): Promise<void> => {
      const answer = await testApp.call({
        method: 'POST',
        url: '/analytics/event',
        headers: { ...store.read, 'x-session-id': session },
        body: { event_type: eventType, data },
      })
      assert.equal(answer.statusCode, 200, answer.body)
      time.nowMs += 5_000
    }
    await send('search', { query, total_results: results })
    if (next !== '') await send('search', { query: next, total_results: 2 })
    const clicked = next === '' ? query : next
    if (click !== '') await send('click', { query: clicked, document_id: click, position: 1 })
  }
}

time.nowMs = Date.UTC(2026, 1, 10, 12)
await visit('anorak', { times: 5, next: 'jacket', click: '3' })
await visit('flashlight', { times: 4, next: 'torch', click: '3' })
await visit('stowe', { times: 3 })
await visit('jacket', { times: 9, results: 1, click: '3' })
await visit('rain', { times: 6, results: 2 })
await visit('gift card', { times: 2 })

suite('missed searches', () => {
  test('are listed by visitors lost, with what they typed next', async () => {
    const { searches, counts, reports_clicks } = await list()
    assert.deepEqual(
      searches.map(({ query, reason, visitors_lost, finds }) => [
        query,
        reason,
        visitors_lost,
        finds,
      ]),
      [
        ['rain', 'no_clicks', 6, 1],
        ['anorak', 'no_results', 5, 0],
        ['flashlight', 'no_results', 4, 0],
        ['stowe', 'no_results', 3, 1],
        ['gift card', 'no_results', 2, 0],
      ],
    )
    assert.deepEqual(counts, { open: 5, fixed: 0, dismissed: 0 })
    assert.equal(reports_clicks, true)
    const anorak = searches[1]!
    assert.deepEqual(anorak.typed_next, [{ query: 'jacket', visitors: 5, visitors_clicked: 5 }])
    assert.deepEqual([anorak.documents, anorak.searches, anorak.state], [['3'], 5, 'open'])
    assert.deepEqual(
      (await list('?limit=2&page=2')).searches.map(({ query }) => query),
      ['flashlight', 'stowe'],
    )
  })

  test('what would mend them is tried, and what finds nothing is not proposed', async () => {
    const anorak = await mendsOf('Anorak ')
    assert.equal(anorak.query, 'anorak')
    assert.equal(anorak.now.found, 0)
    const [first] = anorak.mends
    assert.deepEqual(first!.mend, { kind: 'synonym', from: 'anorak', to: 'jacket' })
    assert.deepEqual([first!.finds, first!.visitors], [1, 5])
    assert.deepEqual(
      first!.result.hits.map(({ id }) => id),
      ['3'],
    )
    assert.ok(anorak.mends.some(({ mend }) => mend.kind === 'pin'))
    const torch = (await mendsOf('flashlight')).mends
    assert.ok(!torch.some(({ mend }) => mend.to === 'torch'), 'no product is a torch')
    assert.deepEqual((await mendsOf('gift card')).mends, [])
    // Nothing was saved.
    assert.equal(await found('anorak'), 0)
    assert.deepEqual((await call('GET', '/rules')).json().rules, [])
  })

  test('one call fixes one, a set is made for it, and another call undoes all of it', async () => {
    const mend: Mend = { kind: 'synonym', to: 'jacket' }
    const fixed = await decide('fix', { query: 'anorak', mend })
    assert.equal(fixed.statusCode, 200, fixed.body)
    const { state, finds, changed } = fixed.json()
    assert.deepEqual(
      [state, finds, changed],
      ['fixed', 1, { kind: 'synonym_set', name: 'from-traffic' }],
    )
    assert.equal(await found('anorak'), 1)
    assert.ok(!(await list()).searches.some(({ query }) => query === 'anorak'))
    const { searches, counts } = await list('?state=fixed')
    assert.deepEqual(counts, { open: 4, fixed: 1, dismissed: 0 })
    const [one] = searches
    assert.deepEqual([one!.finds, one!.mend, one!.visitors_lost], [1, mend, 5])
    assert.equal(one!.decided_at, new Date(time.nowMs).toISOString())

    const reopened = await decide('reopen', { query: 'anorak' })
    assert.deepEqual([reopened.json().state, reopened.json().finds], ['open', 0])
    assert.deepEqual((await call('GET', '/synonym-sets')).json().synonym_sets, [])
    assert.equal((await list()).counts.open, 5)
  })

  test('what a mend would find is what it finds, and undoing it leaves nothing', async () => {
    const saved = async (): Promise<unknown[]> => [
      (await call('GET', '/rules')).json(),
      (await call('GET', '/synonym-sets')).json(),
    ]
    const before = await saved()
    let tried = 0
    for (const { query } of (await list()).searches) {
      for (const { mend, finds, result } of (await mendsOf(query)).mends) {
        const fixed = await decide('fix', { query, mend })
        assert.deepEqual([fixed.statusCode, fixed.json().finds], [200, finds], query)
        const body = { q: query, analytics: false, per_page: 4 }
        const answer = await testApp.call({
          method: 'POST',
          url: '/v1/search',
          headers: store.read,
          body,
        })
        const ids = (hits: readonly { readonly id: string }[]) => hits.map(({ id }) => id)
        assert.deepEqual(ids(answer.json().hits), ids(result.hits))
        assert.equal((await decide('reopen', { query })).statusCode, 200)
        assert.deepEqual(await saved(), before)
        tried++
      }
    }
    assert.ok(tried >= 3, `${tried} mends say too little`)
  })

  test('a rule fixes one too, and stays if somebody has edited it', async () => {
    const pin: Mend = { kind: 'pin', documents: ['4', '3'] }
    const fixed = (await decide('fix', { query: 'gift card', mend: pin })).json()
    const { name } = fixed.changed
    assert.deepEqual([fixed.finds, fixed.changed.kind], [2, 'rule'])
    const rule = (await call('GET', `/rules/${name}`)).json()
    assert.deepEqual(rule.when, [{ query: 'gift card', match: 'exact' }])
    await call('PUT', `/rules/${name}`, { ...rule, priority: 7 })
    const reopened = (await decide('reopen', { query: 'gift card' })).json()
    assert.deepEqual([reopened.state, reopened.kept_rule], ['open', name])
    const again = (await decide('fix', { query: 'gift card', mend: pin })).json()
    assert.equal(again.changed.name, `${name}-2`)
    await decide('reopen', { query: 'gift card' })
    await call('DELETE', `/rules/${name}`)
    assert.deepEqual((await call('GET', '/rules')).json().rules, [])
  })

  test('a set that somebody switched off is left alone', async () => {
    const off = { items: [{ synonyms: ['a', 'b'] }], default: false }
    await call('PUT', '/synonym-sets/from-traffic', off)
    const fixed = (
      await decide('fix', { query: 'anorak', mend: { kind: 'synonym', to: 'jacket' } })
    ).json()
    assert.deepEqual([fixed.changed.name, fixed.finds], ['from-traffic-2', 1])
    await decide('reopen', { query: 'anorak' })
    await call('DELETE', '/synonym-sets/from-traffic')
  })

  test('another query, a category and a redirect are previewed by real searches', async () => {
    const preview = async (mend: Mend): Promise<[number, string[]]> => {
      const answer = await decide('preview', { query: 'shelter', mend })
      assert.equal(answer.statusCode, 200, answer.body)
      const { finds, result } = answer.json()
      return [finds, result.hits.map(({ id }: { id: string }) => id)]
    }
    assert.deepEqual(await preview({ kind: 'replace_query', to: 'stove' }), [1, ['4']])
    assert.deepEqual(await preview({ kind: 'replace_query', to: 'nothing of that' }), [0, []])
    const [finds] = await preview({ kind: 'category', field: 'brand', value: 'Fells' })
    assert.ok(finds > 0)
    const page: Mend = { kind: 'redirect', url: '/c/fells', field: 'brand', value: 'Fells' }
    assert.equal((await preview(page))[0], finds)
  })

  test('a redirect is proposed in the form of those that the store has', async () => {
    await visit('fells', { times: 3, results: 2 })
    const rule = { when: [{ query: 'norrby', match: 'exact' }], redirect: '/brands/norrby' }
    await call('PUT', '/rules/norrby', rule)
    const { mends } = await mendsOf('fells')
    const redirect = mends.find(({ mend }) => mend.kind === 'redirect')
    assert.deepEqual(redirect?.mend, {
      kind: 'redirect',
      url: '/brands/fells',
      field: 'brand',
      value: 'Fells',
    })
    await call('DELETE', '/rules/norrby')
    const without = (await mendsOf('fells')).mends
    assert.ok(!without.some(({ mend }) => mend.kind === 'redirect'))
  })

  test('a rule cannot have a longer query than others, and a synonym of its words is proposed', async () => {
    const query = `anorak ${'x'.repeat(250)}`
    await visit(query, { times: 3, next: 'jacket' })
    for (const mend of [
      { kind: 'replace_query', to: 'jacket' },
      { kind: 'pin', documents: ['1'] },
      { kind: 'redirect', url: '/x' },
    ] as const) {
      const refused = await decide('fix', { query, mend })
      const { code, param, error } = refused.json()
      assert.deepEqual([refused.statusCode, code, param], [400, 'invalid_parameter', 'query'])
      assert.match(error, /at most 200 characters/)
    }
    const { mends } = await mendsOf(query)
    assert.ok(mends.every(({ mend }) => mend.kind === 'synonym'))
  })

  test('a dismissed one leaves the list until it is reopened', async () => {
    const editor = await testApp.logIn('ana', 'editor')
    await decide('dismiss', { query: 'gift card' }, editor)
    const { searches } = await list('?state=dismissed')
    assert.deepEqual(
      searches.map(({ query, decided_by }) => [query, decided_by]),
      [['gift card', 'ana']],
    )
    assert.ok(!(await list()).searches.some(({ query }) => query === 'gift card'))
    await decide('reopen', { query: 'gift card' })
    assert.ok((await list()).searches.some(({ query }) => query === 'gift card'))
  })

  test('of two people who decide, the second is told', async () => {
    const etagOf = async (): Promise<string> =>
      (await list()).searches.find(({ query }) => query === 'anorak')!.etag
    const seen = { ...store.write, 'if-match': await etagOf() }
    assert.equal((await decide('dismiss', { query: 'anorak' }, seen)).statusCode, 200)
    const mend: Mend = { kind: 'synonym', to: 'jacket' }
    const refused = await decide('fix', { query: 'anorak', mend }, seen)
    assert.deepEqual([refused.statusCode, refused.json().code], [412, 'precondition_failed'])
    assert.equal(JSON.parse(JSON.stringify(refused.json().current)).state, 'dismissed')
    assert.equal((await decide('fix', { query: 'anorak', mend })).statusCode, 412)
    assert.equal(await found('anorak'), 0)
    await decide('reopen', { query: 'anorak' })
  })

  test('the effect is measured from a week on, if there are enough searches', async () => {
    await visit('poncho', { times: 20 })
    const mend: Mend = { kind: 'synonym', to: 'jacket' }
    assert.equal((await decide('fix', { query: 'poncho', mend })).statusCode, 200)
    const effect = async () => (await call('GET', '/missed-searches/effect?query=poncho')).json()
    assert.equal((await effect()).status, 'too_early')
    time.nowMs += 4 * DAY_MS
    await visit('poncho', { times: 10, results: 1, click: '3' })
    time.nowMs += 4 * DAY_MS
    const early = await effect()
    assert.deepEqual([early.status, early.after.searches], ['not_enough_searches', 10])
    await visit('poncho', { times: 10, results: 1 })
    const { status, before, after: since } = await effect()
    assert.equal(status, 'measured')
    assert.deepEqual([before.searches, before.click_through_rate], [20, 0])
    assert.deepEqual([since.searches, since.click_through_rate], [20, 0.5])
    const open = await call('GET', '/missed-searches/effect?query=rain')
    assert.deepEqual([open.statusCode, open.json().param], [400, 'query'])
  })

  test('analysts look and preview, editors decide', async () => {
    const analyst = await testApp.logIn('analyst', 'analyst')
    assert.equal((await call('GET', '/missed-searches', undefined, analyst)).statusCode, 200)
    const mend = { kind: 'synonym', to: 'jacket' }
    assert.equal((await decide('preview', { query: 'x', mend }, analyst)).statusCode, 200)
    for (const what of ['fix', 'dismiss', 'reopen']) {
      const refused = await decide(what, { query: 'x' }, analyst)
      assert.deepEqual([refused.statusCode, refused.json().code], [403, 'forbidden'])
    }
  })

  const bad: readonly (readonly [what: string, body: unknown, param: string])[] = [
    ['fix', {}, 'query'],
    ['fix', { query: ' * ' }, 'query'],
    ['fix', { query: 'x', mend: { kind: 'magic' } }, 'mend.kind'],
    ['fix', { query: 'x', mend: { kind: 'synonym' } }, 'mend.to'],
    ['fix', { query: 'x', mend: { kind: 'synonym', to: 'X' } }, 'mend.to'],
    ['fix', { query: 'x', mend: { kind: 'synonym', to: '!' } }, 'mend.to'],
    ['fix', { query: 'x y '.repeat(40), mend: { kind: 'synonym', to: 'z' } }, 'mend.from'],
    ['preview', { query: 'x', mend: { kind: 'pin', documents: ['1'], to: 'y' } }, 'mend.to'],
    ['preview', { query: 'x', mend: { kind: 'pin', documents: ['1', '1'] } }, 'mend.documents'],
    ['preview', { query: 'x', mend: { kind: 'redirect', url: 'ftp://x' } }, 'mend.url'],
    [
      'preview',
      { query: 'x', mend: { kind: 'category', field: 'none', value: 'y' } },
      'mend.field',
    ],
    ['preview', { query: '!!', mend: { kind: 'pin', documents: ['1'] } }, 'query'],
    ['dismiss', { query: 'x', why: 1 }, 'why'],
    ['reopen', { query: '' }, 'query'],
  ]
  for (const [what, body, param] of bad) {
    test(`${what} refuses ${JSON.stringify(body).slice(0, 60)}`, async () => {
      const answer = await decide(what, body as object)
      assert.deepEqual([answer.statusCode, answer.json().param], [400, param], answer.body)
    })
  }

  test('parameters of the list are checked', async () => {
    for (const query of ['?days=0', '?state=new', '?limit=101', '?page=0']) {
      assert.equal((await call('GET', `/missed-searches${query}`)).statusCode, 400, query)
    }
  })

  test('the audit log names the query', async () => {
    const owner = await testApp.logIn('owner', 'owner')
    const answer = await testApp.call({ url: '/api/v1/admin/audit?limit=100', headers: owner })
    const entries = answer.json().entries as { action: string; target?: string }[]
    assert.ok(entries.some((one) => one.action === 'fixMissedSearch' && one.target === 'anorak'))
    assert.ok(!entries.some((one) => one.action === 'previewMend'))
  })
})
