import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { REPORT_NAMES, REPORTS } from '@aisle/contract'
import { createTestApp } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const { call, time } = testApp
const store = await testApp.createStore('shop')
const empty = await testApp.createStore('empty')
const analytics = `/api/v1/stores/shop/analytics`

const get = (path: string) => call({ url: `${analytics}/${path}`, headers: store.write })
const send = async (eventType: string, data: object, session = 's1'): Promise<void> => {
  const answer = await call({
    method: 'POST',
    url: '/analytics/event',
    headers: { ...store.read, 'x-session-id': session },
    body: { event_type: eventType, data },
  })
  assert.equal(answer.statusCode, 200, answer.body)
  time.nowMs += 5_000
}

time.nowMs = Date.UTC(2026, 1, 10, 12)
await send('search', { query: 'Tent', total_results: 4, search_id: 'a', analytics_tags: ['web'] })
await send('click', { query: 'tent', document_id: '=1+1', position: 2, search_id: 'a' })
await send('conversion', { document_id: '=1+1', order_id: 'o', revenue: 12.5, currency: 'EUR' })
await send('search', { query: 'stove', total_results: 0, filters_applied: { brand: 'x' } }, 's2')

suite('reports over HTTP', () => {
  for (const name of REPORT_NAMES) {
    test(`${name} answers as its schema says, with and without events, as CSV too`, async () => {
      for (const { id, write } of [store, empty]) {
        const url = `/api/v1/stores/${id}/analytics/${name}?compare=previous&interval=week`
        const answer = await call({ url, headers: write })
        assert.equal(answer.statusCode, 200, answer.body)
        const { from, to, comparison } = answer.json()
        assert.equal(comparison.to, from)
        assert.equal(Date.parse(to) - Date.parse(from), 30 * 86_400_000)
        const csv = await call({ url: `${url}&format=csv`, headers: write })
        assert.match(String(csv.headers['content-type']), /^text\/csv/)
        const [header] = csv.body.split('\r\n')
        const columns = ['period', ...Object.keys(REPORTS[name].row.properties)]
        assert.equal(header, `\uFEFF${columns.map((column) => `"${column}"`).join(',')}`)
      }
    })
  }

  test('figures of the overview, by day', async () => {
    const { totals, rows } = (await get('overview?from=2026-02-09&to=2026-02-11')).json()
    assert.deepEqual(totals, {
      searches: 2,
      users: 2,
      sessions: 2,
      no_result_searches: 1,
      no_result_rate: 0.5,
      clicks: 1,
      click_through_rate: 0.5,
      average_click_position: 2,
      conversions: 1,
      conversion_rate: 0.5,
      orders: 1,
      revenue: [{ currency: 'EUR', amount: 12.5 }],
      revenue_per_search: 6.25,
      average_order_value: 12.5,
    })
    assert.deepEqual(
      rows.map((row: { start: string; searches: number }) => [row.start, row.searches]),
      [
        ['2026-02-09T00:00:00.000Z', 0],
        ['2026-02-10T00:00:00.000Z', 2],
      ],
    )
    assert.equal(rows[0].click_through_rate, null)
  })

  test('where nothing is reported there is no rate, and no false 0 %', async () => {
    const headers = empty.write
    const url = '/api/v1/stores/empty/analytics'
    const { totals } = (await call({ url: `${url}/overview`, headers })).json()
    for (const rate of ['no_result_rate', 'click_through_rate', 'conversion_rate']) {
      assert.equal(totals[rate], null)
    }
    assert.deepEqual([totals.searches, totals.revenue, totals.revenue_per_search], [0, [], null])
    const funnel = (await call({ url: `${url}/funnel`, headers })).json()
    assert.deepEqual(
      funnel.rows.map(({ rate }: { rate: unknown }) => rate),
      [null, null, null, null],
    )
  })

  test('where a limit does not apply the answer says so', async () => {
    const limited = (await get('funnel?limit=2')).json()
    assert.equal(limited.rows.length, 4)
    assert.deepEqual(limited.warnings, ['`limit` does not apply: the funnel has its four steps'])
    assert.match((await get('overview?limit=2')).json().warnings[0], /a row for every interval/)
    for (const path of ['funnel', 'top-queries?limit=2']) {
      assert.equal('warnings' in (await get(path)).json(), false)
    }
  })

  test('searches are counted by the rules that applied and by the preset that they name', async () => {
    const used = await testApp.createStore('used')
    const url = '/api/v1/stores/used'
    const put = (path: string, body: object) =>
      call({ method: 'PUT', url: `${url}/${path}`, headers: used.write, body })
    await put('rules/tents', { when: [{ query: 'tent', match: 'contains' }], banner: 'Tents' })
    await put('rules/all', { when: [{ match: 'any' }], banner: 'All' })
    await put('rules/never', { when: [{ query: 'sofa' }], banner: 'Sofas' })
    await put('presets/page', { value: { per_page: 3 } })
    const search = async (body: object, session: string): Promise<string> => {
      const answer = await call({
        method: 'POST',
        url: '/v1/search',
        headers: { ...used.read, 'x-session-id': session },
        body,
      })
      assert.equal(answer.statusCode, 200, answer.body)
      time.nowMs += 5_000
      return answer.json().search_id
    }
    const report = async (name: string) => {
      const { totals, rows } = (
        await call({ url: `${url}/analytics/${name}`, headers: used.write })
      ).json()
      return { totals, rows }
    }
    assert.deepEqual(await report('rules'), {
      totals: { searches: 0, ruled_searches: 0 },
      rows: [],
    })
    const first = await search({ q: 'tent', preset_name: 'page' }, 's1')
    await search({ q: 'red tent', preset_name: 'page' }, 's2')
    const lastMs = time.nowMs
    await search({ q: 'stove' }, 's2')
    await search({ q: 'tent', analytics: false }, 's3')
    await call({
      method: 'POST',
      url: '/analytics/event',
      headers: { ...used.read, 'x-session-id': 's1' },
      body: { event_type: 'click', data: { query: 'tent', document_id: 'd', search_id: first } },
    })
    time.nowMs += 5_000
    // Nobody waits for the record of a search: it may be on its way.
    await testApp.stored('used')
    const { totals, rows } = await report('rules')
    assert.deepEqual(totals, { searches: 3, ruled_searches: 3 })
    assert.deepEqual(
      rows.map((row: { rule_id: string; searches: number }) => [row.rule_id, row.searches]),
      [
        ['all', 3],
        ['tents', 2],
      ],
    )
    assert.deepEqual(rows[1], {
      rule_id: 'tents',
      searches: 2,
      users: 2,
      no_result_rate: 1,
      click_through_rate: 0.5,
      conversion_rate: null,
      last_search_at: new Date(lastMs - 5_000).toISOString(),
    })
    const presets = await report('presets')
    assert.deepEqual(presets.totals, { searches: 3, preset_searches: 2 })
    assert.deepEqual(
      presets.rows.map((row: { preset: string; searches: number; click_through_rate: number }) => [
        row.preset,
        row.searches,
        row.click_through_rate,
      ]),
      [['page', 2, 0.5]],
    )
  })

  test('tags choose searches and what belongs to them', async () => {
    const { tags, totals } = (await get('overview?tags=web')).json()
    assert.deepEqual([tags, totals.searches, totals.clicks, totals.orders], [['web'], 1, 1, 1])
    assert.equal((await get('overview?tags=web,nl')).json().totals.searches, 1)
    const all = await get('overview?tags=web,nl&tags_match_mode=all')
    assert.equal(all.json().totals.searches, 0)
  })

  test('a query chooses its searches and what belongs to them', async () => {
    const { totals } = (await get('overview?query=%20TENT')).json()
    assert.deepEqual([totals.searches, totals.clicks, totals.orders], [1, 1, 1])
    assert.equal(totals.click_through_rate, 1)
    assert.equal((await get('overview?query=stove')).json().totals.clicks, 0)
    const documents = (await get('top-documents?query=tent')).json()
    assert.deepEqual(documents.rows[0].document_id, '=1+1')
    assert.deepEqual((await get('top-documents?query=stove')).json().rows, [])
    assert.equal((await get('filters?query=stove')).json().rows[0].field, 'brand')
    assert.equal((await get('overview?query=*')).json().totals.searches, 0)
    assert.match((await get('events?query=tent')).json().warnings[0], /`query` does not apply/)
  })

  test('CSV has no formulas in it', async () => {
    const { body } = await get('top-documents?format=csv')
    assert.equal(
      body,
      '\uFEFF"document_id","impressions","clicks","conversions","revenue"\r\n' +
        '"\'=1+1","0","1","1","12.5 EUR"\r\n',
    )
  })

  const bad: Record<string, [string, string]> = {
    'a from that is not a time': ['overview?from=yesterday', 'from'],
    'a from that is not before to': ['overview?from=2026-02-02&to=2026-02-02', 'from'],
    'a limit of none': ['top-queries?limit=0', 'limit'],
    'a limit beyond the largest': ['top-queries?limit=10001', 'limit'],
    'an unknown interval': ['overview?interval=month', 'interval'],
    'too many intervals': ['overview?from=1990-01-01&interval=hour', 'interval'],
    'an unknown format': ['overview?format=xml', 'format'],
    'an unknown comparison': ['overview?compare=last', 'compare'],
    'an unknown order': ['top-documents?order_by=name', 'order_by'],
    'a query that is too long': [`overview?query=${'x'.repeat(10_001)}`, 'query'],
    'too many tags': [`overview?tags=${Array.from({ length: 21 }, (_, i) => i).join()}`, 'tags'],
  }
  for (const [what, [path, param]] of Object.entries(bad)) {
    test(`refuses ${what}`, async () => {
      const answer = await get(path)
      assert.deepEqual(
        [answer.statusCode, answer.json().code, answer.json().param],
        [400, 'invalid_parameter', param],
      )
    })
  }

  test('unknown parameters are named, unknown reports are not there', async () => {
    assert.match((await get('overview?colour=red')).json().warnings[0], /colour/)
    const answer = await get('weather')
    assert.deepEqual([answer.statusCode, answer.json().code], [404, 'route_not_found'])
  })

  test('ask for the write secret of the store', async () => {
    const url = `${analytics}/overview`
    assert.equal((await call({ url, headers: store.read })).statusCode, 403)
    assert.equal((await call({ url, headers: empty.write })).statusCode, 403)
  })
})

suite('what is done to events as a whole', () => {
  const remove = (path: string) =>
    call({ method: 'DELETE', url: `${analytics}/${path}`, headers: store.write })

  test('a visitor is erased by id; what is not understood erases nothing', async () => {
    for (const [path, code] of [
      ['visitors', 'missing_parameter'],
      ['visitors?user_id=', 'invalid_parameter'],
      ['visitors?user=x', 'invalid_parameter'],
      ['visitors?session_id=s2&colour=red', 'invalid_parameter'],
      ['visitors?user_id=a&user_id=b', 'invalid_parameter'],
      [`visitors?user_id=${'x'.repeat(257)}`, 'invalid_parameter'],
    ] as const) {
      const answer = await remove(path)
      assert.deepEqual([answer.statusCode, answer.json().code], [400, code], path)
    }
    const erased = await remove('visitors?session_id=s2')
    assert.deepEqual(erased.json(), { status: 'erased', events_erased: 1 })
    assert.equal((await get('overview')).json().totals.searches, 1)
  })

  test('a journey has the events of a visitor, the newest first, in pages', async () => {
    const journey = await get('visitors?session_id=s1')
    assert.equal(journey.statusCode, 200, journey.body)
    const { events, next, from, to } = journey.json()
    assert.equal(next, undefined)
    assert.equal(Date.parse(to) - Date.parse(from), 30 * 86_400_000)
    assert.deepEqual(
      events.map((one: Record<string, unknown>) => [one['step'], one['query'], one['counted']]),
      [
        ['purchase', 'tent', false],
        ['click', 'tent', false],
        ['search', 'tent', true],
      ],
    )
    assert.deepEqual([events[1].session_id, events[1].properties.document_id], ['s1', '=1+1'])
    assert.ok(!journey.body.includes('client') && !journey.body.includes('network'))
    const first = (await get('visitors?session_id=s1&limit=2')).json()
    assert.equal(first.events.length, 2)
    const rest = (await get(`visitors?session_id=s1&limit=2&after=${first.next}`)).json()
    assert.deepEqual([...first.events, ...rest.events], events)
    assert.equal(rest.next, undefined)
    assert.deepEqual((await get('visitors?session_id=s2')).json().events, [])
    assert.deepEqual((await get('visitors?user_id=s1')).json().events, [])
    for (const [path, code] of [
      ['visitors', 'missing_parameter'],
      ['visitors?from=2026-01-01', 'missing_parameter'],
      ['visitors?user_id=', 'invalid_parameter'],
      [`visitors?user_id=${'x'.repeat(257)}`, 'invalid_parameter'],
      ['visitors?user_id=a&after=soon', 'invalid_parameter'],
      ['visitors?user_id=a&after=1.2.3', 'invalid_parameter'],
      ['visitors?user_id=a&limit=1001', 'invalid_parameter'],
      ['visitors?user_id=a&from=2026-02-01&to=2026-01-01', 'invalid_parameter'],
    ] as const) {
      const answer = await get(path)
      assert.deepEqual([answer.statusCode, answer.json().code], [400, code], path)
    }
    const headers = store.read
    const refused = await call({ url: `${analytics}/visitors?session_id=s1`, headers })
    assert.equal(refused.statusCode, 403)
  })

  test('the reports are rebuilt on request', async () => {
    const answer = await call({ method: 'POST', url: `${analytics}/rebuild`, headers: store.write })
    assert.deepEqual([answer.json().status, answer.json().events], ['rebuilt', 3])
  })

  test('old events are dropped; a time to come is refused', async () => {
    for (const path of ['events', 'events?before=soon', 'events?before=2030-01-01', 'events?b=1']) {
      assert.equal((await remove(path)).statusCode, 400, path)
    }
    const kept = (await remove('events?before=2026-02-10')).json()
    assert.deepEqual([kept.status, kept.bytes_freed], ['dropped', 0])
    assert.match(kept.oldest_event_at, /^2026-02-10T12:00:00/)
    // A whole day: a cluster goes by those.
    time.nowMs += 12 * 3_600_000
    assert.equal((await remove('events?before=2026-02-11')).json().oldest_event_at, null)
    assert.equal((await get('overview')).json().totals.searches, 0)
  })
})
