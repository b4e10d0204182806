import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createTestApp } from './test-app.ts'

const app = await createTestApp({ trustProxy: true })
after(() => app[Symbol.asyncDispose]())
const store = await app.createStore('shop')
const BASE = '/api/v1/stores/shop'
const iso = (ms: number): string => new Date(ms).toISOString()
const START_MS = Date.UTC(2026, 1, 10, 12)
app.time.nowMs = START_MS

const write = (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  app.call({ method, url: `${BASE}/${path}`, headers: store.write, body })
const setTrial = (trial: unknown) => write('PATCH', 'settings', { popularity_trial: trial })
const search = async (visitor: string | undefined, body: object = {}) => {
  const id = visitor === undefined ? {} : { 'x-session-id': visitor }
  const headers = { ...store.read, ...id, 'x-forwarded-for': '' }
  const answer = await app.call({
    method: 'POST',
    url: '/v1/search',
    headers,
    body: { q: 'tent', ...body },
  })
  assert.equal(answer.statusCode, 200, answer.body)
  const json = answer.json()
  return { ids: json.hits.map((hit: { id: string }) => hit.id).join(''), ...json }
}
const click = async (visitor: string, id: string, position: number) => {
  const answer = await app.call({
    method: 'POST',
    url: '/analytics/event',
    headers: {
      ...store.read,
      'x-session-id': visitor,
      'x-forwarded-for': `10.${visitor.slice(1)}.0.1`,
    },
    body: { event_type: 'click', data: { query: 'tent', document_id: id, position } },
  })
  assert.equal(answer.statusCode, 200, answer.body)
  app.time.nowMs += 1_000
}

const FIELDS = [
  { name: 'title', type: 'string', searchable: true },
  { name: 'price', type: 'float', sort: true, facet: true },
]
await write('POST', 'schema', { fields: FIELDS })
const IDS = [...'abcdefgh']
for (const id of IDS) await write('POST', 'documents', { id, data: { title: 'Tent', price: 10 } })
/** Newest first. */
const PLAIN = 'hgfedcba'
for (let i = 1; i <= 6; i++) await click(`v${i}`, 'a', 3)
for (let i = 1; i <= 4; i++) await click(`v${i}`, 'b', 3)
const POPULAR = 'abhgfedc'

suite('popularity on trial', () => {
  test('is off by default, and after its period', async () => {
    assert.equal((await search('s1')).ids, PLAIN)
    await setTrial({ from: iso(START_MS - 2_000_000), until: iso(START_MS - 1_000_000) })
    for (let i = 0; i < 10; i++) assert.equal((await search(`s${i}`)).ids, PLAIN)
  })

  test('interleaves two orders, the same for each page of a visitor, and nothing is lost', async () => {
    const settings = await setTrial({ from: iso(START_MS), until: iso(START_MS + 86_400_000) })
    assert.equal(settings.statusCode, 200, settings.body)
    const seen = new Set<string>()
    for (let i = 0; i < 20; i++) {
      const whole = await search(`s${i}`, { facet_by: 'price', explain: true })
      seen.add(whole.ids)
      assert.deepEqual(new Set(whole.ids), new Set(IDS))
      assert.deepEqual([whole.found, whole.facet_counts[0].counts[0].count], [8, 8])
      const pages = []
      for (const page of [1, 2, 3]) pages.push((await search(`s${i}`, { page, per_page: 3 })).ids)
      assert.equal(pages.join(''), whole.ids)
      const teams = whole.hits.map(
        (hit: { explanation: { popularity_trial: string } }) => hit.explanation.popularity_trial,
      )
      const first = whole.ids[0] === 'a' ? 'with' : 'without'
      assert.equal(teams[0], first)
      assert.ok(teams.includes('with') && teams.includes('without'))
    }
    assert.ok(seen.size > 1, 'not all toss the same coins')
    assert.ok([...seen].every((ids) => 'ah'.includes(ids[0]!)))
  })

  test('leaves every other order, pins, and searches that nobody chooses in alone', async () => {
    await write('PUT', 'rules/pin', { when: [{ query: 'tent' }], pin: [{ id: 'd', position: 2 }] })
    for (let i = 0; i < 8; i++) assert.equal((await search(`s${i}`)).ids[1], 'd')
    await write('DELETE', 'rules/pin')
    assert.equal((await search('s1', { sort_by: 'price' })).ids, PLAIN)
    assert.equal((await search('s1', { analytics: false })).ids, PLAIN)
    assert.equal((await search('s1', { sort_by: '_popularity' })).ids, POPULAR)
    assert.equal((await search('s1', { page: 11, per_page: 10 })).found, 8)
    const kept = new Set<string>()
    for (let i = 0; i < 20; i++) kept.add((await search(`s${i}`, { cache_results: true })).ids)
    assert.ok(kept.size > 1, 'a kept answer is not given to another visitor')
  })

  test('the report says whom visitors chose', async () => {
    app.time.nowMs += 7_200_000
    for (let i = 0; i < 30; i++) {
      const visitor = `s${100 + i}`
      const { ids } = await search(visitor)
      app.time.nowMs += 5_000
      // Most want the popular one; some what is new.
      const wanted = i % 6 === 0 ? 'h' : 'a'
      await click(visitor, wanted, 1 + ids.indexOf(wanted))
    }
    // Nobody waits for the record of a search: it may be on its way.
    await app.stored('shop')
    const from = iso(app.time.nowMs - 3_600_000)
    const url = `${BASE}/analytics/popularity-trial?from=${from}`
    const { totals, rows } = (await app.call({ url, headers: store.write })).json()
    assert.deepEqual([totals.sessions, totals.wins, totals.losses, totals.ties], [30, 25, 5, 0])
    assert.equal(totals.win_rate, 25 / 30)
    assert.ok(totals.low > 0.5 && totals.high < 1)
    assert.equal(totals.is_won, false, 'too few have chosen')
    assert.deepEqual(rows, [{ query: 'tent', sessions: 30, wins: 25, losses: 5, ties: 0 }])
  })

  const bad: Record<string, [unknown, string]> = {
    'that ends before it begins': [
      { from: iso(START_MS), until: iso(START_MS - 1) },
      'popularity_trial.until',
    ],
    'of 91 days': [
      { from: iso(START_MS), until: iso(START_MS + 91 * 86_400_000) },
      'popularity_trial.until',
    ],
    'on no day': [{ from: '2026-02-30T00:00:00Z', until: iso(START_MS) }, 'popularity_trial.from'],
  }
  for (const [what, [trial, param]] of Object.entries(bad)) {
    test(`a trial ${what} is refused`, async () => {
      const answer = await setTrial(trial)
      assert.deepEqual([answer.statusCode, answer.json().param], [400, param], answer.body)
    })
  }
})
