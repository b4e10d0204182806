import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { makeScopedToken } from '@aisle/client'
import { ADMIN_TOKEN, createTestApp } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const { call, time } = testApp
const NOON = Date.parse('2026-03-31T12:00:00Z')
const store = await testApp.createStore('dates')

const post = (path: string, body: object, headers = store.write) =>
  call({ method: 'POST', url: `/api/v1/stores/dates/${path}`, headers, body })
const put = async (path: string, body: object) => {
  const url = `/api/v1/stores/dates/${path}`
  const answer = await call({ method: 'PUT', url, headers: store.write, body })
  assert.ok(answer.statusCode < 300, answer.body)
}
const search = (body: object, headers: Record<string, string> = store.read) =>
  call({ method: 'POST', url: '/v1/search', headers, body: { q: '*', ...body } })
const get = (parameters: Record<string, string>) =>
  call({
    url: `/v1/search?${String(new URLSearchParams({ q: '*', ...parameters }))}`,
    headers: store.read,
  })

/** The ids of what is found, in order; the same by GET. */
async function ids(parameters: Record<string, unknown>): Promise<string> {
  const answer = await search(parameters)
  assert.equal(answer.statusCode, 200, answer.body)
  const idsIn = (json: { hits: { id: string }[] }) => json.hits.map(({ id }) => id).join(' ')
  const texts = Object.entries(parameters).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  const same = await get(Object.fromEntries(texts) as Record<string, string>)
  assert.equal(idsIn(same.json()), idsIn(answer.json()))
  return idsIn(answer.json())
}

const FIELDS = [
  { name: 'title', type: 'string', searchable: true },
  { name: 'at', type: 'date', facet: true, sort: true },
  { name: 'shows', type: 'date[]', facet: true },
]

/** In the order of time, and as they were sent. */
const DOCUMENTS: readonly (readonly [id: string, data: string])[] = [
  ['old', '{ "at": "0001-01-01" }'],
  ['y2000', '{"at":946684800,"shows":["2026-03-01","2026-05-01T20:00+02:00"]}'],
  ['jan', '{"at":"2026-01-31T23:59:59.999Z"}'],
  ['feb', '{"at":"2026-02-01"}'],
  ['early', '{"at":"2026-03-31T00:30:00+02:00"}'],
  ['noon', '{"at":"2026-03-31T12:00:00.25Z"}'],
  ['next', '{"at":1775001600.5}'],
  ['far', '{"at":"9999-12-31T23:59:59.999Z","shows":[]}'],
  ['none', '{"title":"no date","at":null}'],
]

await post('schema', { fields: FIELDS })
for (const [id, data] of DOCUMENTS) {
  const answer = await call({
    method: 'POST',
    url: '/api/v1/stores/dates/documents',
    headers: { ...store.write, 'content-type': 'application/json' },
    body: `{"id":"${id}","data":${data}}`,
  })
  assert.equal(answer.statusCode, 201, answer.body)
}
time.nowMs = NOON

suite('documents with dates', () => {
  test('come back as they were sent', async () => {
    for (const [id, data] of DOCUMENTS) {
      const url = `/api/v1/stores/dates/documents/${id}`
      const { body } = await call({ url, headers: store.read })
      assert.ok(body.includes(data), body)
    }
  })

  test('are refused with anything else, with the field and what was expected', async () => {
    for (const [at, code] of [
      ['yesterday', 'invalid_type'],
      ['now', 'invalid_type'],
      ['2026-02-30', 'invalid_type'],
      ['1775001600', 'invalid_type'],
      ['x'.repeat(100), 'invalid_type'],
      [true, 'invalid_type'],
      [{}, 'invalid_type'],
      [['2026-01-01'], 'invalid_type'],
      [1775001600000, 'out_of_range'],
      ['0000-01-01T00:00+01:00', 'out_of_range'],
    ] as const) {
      const answer = await post('documents', { id: 'bad', data: { at } })
      assert.equal(answer.statusCode, 400, answer.body)
      const { code: given, param, error } = answer.json()
      assert.deepEqual([given, param], [code, 'data.at'])
      assert.match(error, /ISO 8601|1970|date/)
    }
    const shows = await post('documents', { id: 'bad', data: { shows: ['2026-01-01', 'x'] } })
    assert.match(shows.json().error, /element 1/)
  })

  test('a date cannot be searched by words', async () => {
    const fields = [{ name: 'when', type: 'date', searchable: true }]
    const answer = await post('schema', { fields })
    assert.equal(answer.json().code, 'invalid_schema')
    assert.equal(answer.json().param, 'fields[0].searchable')
  })
})

suite('filters by date', () => {
  const sort = { sort_by: 'at' }
  for (const [filter, found] of [
    ['at:exists', 'old y2000 jan feb early noon next far'],
    ['at:null', 'none'],
    ['at:=2026-02-01', 'feb'],
    ['at:2026-02', 'feb'],
    ['at:=2026-01-31', 'jan'],
    ['at:!=[2026-01..2026-04]', 'old y2000 far none'],
    ['at:=946684800', 'y2000'],
    ['at:=1775001600', ''],
    ['at:=2026-04-01T00:00:00', 'next'],
    ['at:>2026-01-31', 'feb early noon next far'],
    ['at:>=2026-01-31', 'jan feb early noon next far'],
    ['at:<2026-01-31', 'old y2000'],
    ['at:<=2026-01-31', 'old y2000 jan'],
    ['at:[2026-01-01..2026-02-01]', 'jan feb'],
    ['at:[..2000-01-01]', 'old y2000'],
    ['at:[2026-02-01, 2000-01-01, >9999.0]', 'y2000 jan feb early noon next far'],
    ['at:>=99999999999999999999', ''],
    ['at:<=99999999999999999999', 'old y2000 jan feb early noon next far'],
    ['at:[-1e400..1e400]', 'old y2000 jan feb early noon next far'],
    ['at:=now/d', 'noon'],
    ['at:>now/d', 'next far'],
    ['at:<=now', 'old y2000 jan feb early noon'],
    ['at:<now', 'old y2000 jan feb early'],
    ['at:[now-1d/d..now/d]', 'early noon'],
    ['at:[now-2M/M..now]', 'jan feb early noon'],
    ['at:=now+1d/d', 'next'],
    ['at:>=`2026-01-31||+1d/d` && at:<now+1M/M', 'feb early noon'],
    // Nothing at this time of the year, and no mistake.
    ['at:[2026-07-01..now]', ''],
    ['shows:[2026-05-01T18:00Z..2026-05-01T18:00Z]', 'y2000'],
    ['shows:<2026-03-02 && shows:>2026-04', 'y2000'],
  ] as const) {
    test(filter, async () => {
      assert.equal(await ids({ filter_by: filter, ...sort }), found)
    })
  }

  test('an object of filters has the same dates', async () => {
    for (const [at, found] of [
      ['2026-02-01', 'feb'],
      [946684800, 'y2000'],
      [['2026-02', 946684800], 'y2000 feb'],
      [{ gte: '2026-02', lt: 'now/d' }, 'feb early'],
      [{ min: 'now-1d/d', max: 'now' }, 'early noon'],
      [{ not: { gt: '2000-01-01' } }, 'old y2000 none'],
    ] as const) {
      assert.equal(await ids({ filters: { at }, ...sort }), found)
    }
  })

  test('days are those of the time zone; an offset in the text wins', async () => {
    const berlin = { time_zone: 'Europe/Berlin', ...sort }
    assert.equal(await ids({ filter_by: 'at:=2026-03-31', ...berlin }), 'early noon')
    assert.equal(await ids({ filter_by: 'at:=now/d', ...berlin }), 'early noon')
    assert.equal(await ids({ filter_by: 'at:=2026-02-01', ...berlin }), 'jan feb')
    const exact = 'at:[2026-03-31T00:00Z..2026-03-31T23:59:59Z]'
    assert.equal(await ids({ filter_by: exact, ...berlin }), 'noon')
    assert.equal(
      await ids({ filter_by: 'at:=2026-03-31', ...sort, time_zone: '+02:00' }),
      'early noon',
    )
  })

  test('what is not a date is refused, with the column and what was expected', async () => {
    for (const [filter, message] of [
      ['at:=yesterday', /column 5: .*ISO 8601/],
      ['at:>=now-7', /column 6/],
      ['at:>=now 7d', /%2B/],
      ['at:[2026-02-01..2026-01-31]', /above its upper end/],
      ['at:>=2026-02-30', /ISO 8601/],
    ] as const) {
      const answer = await search({ filter_by: filter })
      assert.equal(answer.statusCode, 400, answer.body)
      assert.equal(answer.json().code, 'invalid_filter')
      assert.match(answer.json().error, message)
    }
    const object = await search({ filters: { at: { gt: 'soon' } } })
    assert.deepEqual([object.json().code, object.json().param], ['invalid_filter', 'filters.at.gt'])
    const zone = await search({ time_zone: 'Mars' })
    assert.deepEqual([zone.json().code, zone.json().param], ['invalid_parameter', 'time_zone'])
  })

  test('sorts, named ranges and statistics count them as seconds', async () => {
    const order = 'far next noon early feb jan y2000 old none'
    assert.equal(await ids({ sort_by: 'at:desc' }), order)
    const fresh = '_eval(at:[now-1M..now]):desc,at(missing:first)'
    assert.equal(await ids({ sort_by: fresh }), 'early noon none old y2000 jan feb next far')
    const answer = await search({
      facet_by: 'at(old:[,2026-01-01],month:[now/M,now+1M/M])',
      filter_by: 'at:[2000-01-01..now+1d/d]',
    })
    const [facet] = answer.json().facet_counts
    assert.deepEqual(facet.counts, [
      { value: 'old', count: 1 },
      { value: 'month', count: 2 },
    ])
    assert.deepEqual([facet.stats.min, facet.stats.max], [946684800, 1775001600.5])
  })
})

suite('facets by calendar interval', () => {
  const facet = async (text: string, others: object = {}) => {
    const answer = await search({ facet_by: text, ...others })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json().facet_counts[0]
  }
  const shown = ({ counts }: { counts: { value: string; count: number }[] }) =>
    counts.map(({ value, count }) => `${value}: ${count}`).join(', ')
  const recent = { filter_by: 'at:[2026-01-01..2026-12]' }

  for (const [text, counts] of [
    ['at(interval: year)', '2026: 5'],
    ['at(interval: quarter)', '2026-Q1: 4, 2026-Q2: 1'],
    ['at(interval: month)', '2026-01: 1, 2026-02: 1, 2026-03: 2, 2026-04: 1'],
    ['at(interval: week)', '2026-01-26: 2, 2026-03-30: 3'],
    [
      'at(interval: day)',
      '2026-01-31: 1, 2026-02-01: 1, 2026-03-30: 1, 2026-03-31: 1, 2026-04-01: 1',
    ],
    ['at(interval: month, sort: count, limit: 2)', '2026-03: 2, 2026-01: 1'],
    ['at(interval: month, time_zone: Europe/Berlin)', '2026-02: 2, 2026-03: 2, 2026-04: 1'],
    [
      'at(interval: hour, time_zone: +02:00)',
      '2026-02-01T01:00+02:00: 1, 2026-02-01T02:00+02:00: 1, 2026-03-31T00:00+02:00: 1, 2026-03-31T14:00+02:00: 1, 2026-04-01T02:00+02:00: 1',
    ],
    ['shows(interval: month)', ''],
  ] as const) {
    test(text, async () => assert.equal(shown(await facet(text, recent)), counts))
  }

  test('intervals say when they begin and end, over a change of clocks', async () => {
    const { counts, total_values: total } = await facet('at(interval: day)', {
      filter_by: 'at:=2026-03-31',
      time_zone: 'Europe/Berlin',
    })
    assert.equal(total, 1)
    assert.deepEqual(counts, [
      {
        value: '2026-03-31',
        count: 2,
        from: '2026-03-31T00:00:00+02:00',
        to: '2026-04-01T00:00:00+02:00',
      },
    ])
    const march = await facet('at(interval: month)', { ...recent, time_zone: 'Europe/Berlin' })
    assert.equal(march.counts[1].from, '2026-03-01T00:00:00+01:00')
    assert.equal(march.counts[1].to, '2026-04-01T00:00:00+02:00')
  })

  test('a document counts once per interval, whatever its dates', async () => {
    assert.equal(shown(await facet('shows(interval: year)')), '2026: 1')
    assert.equal(shown(await facet('shows(interval: month)')), '2026-03: 1, 2026-05: 1')
  })

  test('/v1/filters lists intervals; without one it gives the range', async () => {
    const filters = async (facetBy: string) => {
      const body = { facet_by: facetBy, ...recent }
      const answer = await call({ method: 'POST', url: '/v1/filters', headers: store.read, body })
      return answer.json().facets.at
    }
    assert.equal((await filters('at(interval: year)'))[0].value, '2026')
    assert.deepEqual(await filters('at'), { min: 1769903999.999, max: 1775001600.5 })
    const values = await facet('at', recent)
    assert.equal(values.counts.at(-1).value, '2026-04-01T00:00:00.5Z')
  })

  test('too many, and what makes no sense, are refused', async () => {
    for (const [text, message] of [
      ['at(interval: hour)', /more than 10000 intervals \(hour\)/],
      ['at(interval: fortnight)', /column 14: .*one of hour, day/],
      ['at(time_zone: UTC)', /needs an `interval:`/],
      ['at(interval: day, time_zone: Mars)', /time zone/],
      ['at(interval: day, a: [2026-01,2026-02])', /either an interval or ranges/],
    ] as const) {
      const answer = await search({ facet_by: text })
      assert.equal(answer.statusCode, 400, answer.body)
      assert.deepEqual([answer.json().code, answer.json().param], ['invalid_facet', 'facet_by'])
      assert.match(answer.json().error, message)
    }
  })
})

suite('now is the time of the search', () => {
  test('in rules, presets and the filter of a token', async () => {
    await put('presets/today', { value: { filter_by: 'at:=now/d' } })
    await put('rules/today', {
      enabled: true,
      when: [{ query: 'date', contexts: ['today'] }],
      filter_by: 'at:=now/d',
    })
    const rotated = await call({
      method: 'POST',
      url: '/api/v1/admin/stores/dates/keys/signing/rotate',
      headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
      body: {},
    })
    const tokenHeaders = {
      'x-storeid': 'dates',
      'x-storesecret': await makeScopedToken(rotated.json().secret, {
        expires_at: NOON / 1000 + 864_000,
        filter_by: 'at:=now/d',
      }),
    }
    const found = async (body: object, headers?: Record<string, string>) => {
      const answer = await search({ cache_results: true, ...body }, headers)
      assert.equal(answer.statusCode, 200, answer.body)
      return answer
        .json()
        .hits.map(({ id }: { id: string }) => id)
        .join(' ')
    }
    for (const [now, of] of [
      ['2026-03-31T12:00:00Z', 'noon'],
      ['2026-04-01T00:00:00Z', 'next'],
      ['2026-04-02T00:00:00Z', ''],
    ] as const) {
      time.nowMs = Date.parse(now)
      assert.equal(await found({ preset_name: 'today' }), of)
      assert.equal(await found({ filter_by: 'at:=now/d' }), of)
      assert.equal(await found({}, tokenHeaders), of)
      // The zone of the request does not change what a token lets see.
      assert.equal(await found({ time_zone: 'Europe/Berlin' }, tokenHeaders), of)
      const ruled = await found({ q: 'date', rule_contexts: ['today'] })
      assert.equal(ruled, '')
    }
    time.nowMs = NOON
  })

  test('an answer from the cache is as old as the rounding of now at most', async () => {
    const cached = async (filterBy: string, now: string) => {
      time.nowMs = Date.parse(now)
      return (await search({ filter_by: filterBy, cache_results: true })).json().cached
    }
    assert.equal(await cached('at:>now/h', '2026-06-01T10:59:40Z'), false)
    assert.equal(await cached('at:>now/h', '2026-06-01T10:59:59.999Z'), true)
    assert.equal(await cached('at:>now/h', '2026-06-01T11:00:00Z'), false)
    assert.equal(await cached('at:>now', '2026-06-01T11:00:00.100Z'), false)
    assert.equal(await cached('at:>now', '2026-06-01T11:00:00.900Z'), true)
    assert.equal(await cached('at:>now', '2026-06-01T11:00:01Z'), false)
    time.nowMs = NOON
  })

  test('documents are exported and deleted by it', async () => {
    const url = `/api/v1/stores/dates/documents?filter_by=${encodeURIComponent('at:<now-20y')}`
    const exported = await call({ url, headers: store.write })
    assert.equal(exported.body.match(/"id"/g)?.length, 2)
    const deleted = await call({ method: 'DELETE', url, headers: store.write })
    assert.equal(deleted.json().documents_deleted, 2)
    assert.equal(await ids({ sort_by: 'at' }), 'jan feb early noon next far none')
  })
})
