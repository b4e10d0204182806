import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import type { VisitorEvent } from '@aisle/event-log'
import { createTestApp } from './test-app.ts'

const app = await createTestApp({ trustProxy: true })
after(() => app[Symbol.asyncDispose]())
const store = await app.createStore('shop')
const BASE = '/api/v1/stores/shop'
const iso = (ms: number): string => new Date(ms).toISOString()
const START_MS = Date.UTC(2026, 1, 10, 12)
app.time.nowMs = START_MS

const write = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  app.call({ method, url: `${BASE}/${path}`, headers: store.write, body })
const experiments = async () => (await write('GET', 'experiments')).json().experiments
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

/** A visitor whose search was recorded as it was before a trial was an experiment. */
const visitBefore = async (visitor: string, wanted: string): Promise<void> => {
  const event = (source: 'server' | 'simple', name: string, properties: object): VisitorEvent => ({
    kind: 'event',
    name,
    source,
    messageId: `${name} ${visitor}`,
    atMs: app.time.nowMs,
    receivedMs: app.time.nowMs,
    visitor: { sessionId: visitor },
    properties: { query: 'tent', ...properties },
  })
  const search = event('server', 'search', {
    search_id: `search ${visitor}`,
    popularity_trial: { with: ['a', 'b'], without: ['h', 'g'] },
  })
  app.time.nowMs += 1_000
  const click = event('simple', 'click', { document_id: wanted, position: 1 })
  const entries = [search, click]
  await app.events.append(app.ports.registry.find('shop')!, { entries, refused: [] })
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
  test('is off by default, before its period, and after it', async () => {
    assert.equal((await search('s1')).ids, PLAIN)
    const periods = [
      [-2_000_000, -1_000_000],
      [1_000_000, 2_000_000],
    ] as const
    for (const [from, until] of periods) {
      await setTrial({ from: iso(START_MS + from), until: iso(START_MS + until) })
      for (let i = 0; i < 5; i++) {
        const answer = await search(`s${i}`)
        assert.deepEqual([answer.ids, 'experiment' in answer], [PLAIN, false])
      }
    }
    assert.deepEqual(await experiments(), [], 'it has not begun')
  })

  test('is an experiment: interleaved, the same for each page of a visitor', async () => {
    const settings = await setTrial({ from: iso(START_MS), until: iso(START_MS + 86_400_000) })
    assert.equal(settings.statusCode, 200, settings.body)
    const seen = new Set<string>()
    for (let i = 0; i < 20; i++) {
      const whole = await search(`s${i}`, { facet_by: 'price', explain: true })
      assert.deepEqual(whole.experiment, { id: 'popularity', arm: 'interleaved' })
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
      assert.equal(whole.hits[0].explanation.placed_by, first === 'with' ? 'draft' : 'live')
      assert.ok(teams.includes('with') && teams.includes('without'))
    }
    assert.ok(seen.size > 1, 'not all toss the same coins')
    assert.ok([...seen].every((ids) => 'ah'.includes(ids[0]!)))
    const [{ id, state, kind }] = await experiments()
    assert.deepEqual([id, state, kind], ['popularity', 'running', 'interleaved'])
    const draft = { ranking: { popularity_weight: 0.9 } }
    const other = await write('POST', 'experiments', { name: 'A', kind: 'split', draft })
    assert.deepEqual([other.statusCode, other.json().code], [409, 'experiment_conflict'])
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

  test('compares with an order without popularity, whatever the weight of the store', async () => {
    await write('PATCH', 'settings', { ranking: { popularity_weight: 0.3 } })
    const first = new Set<string>()
    for (let i = 0; i < 20; i++) first.add((await search(`s${i}`)).ids[0]!)
    assert.deepEqual([...first].toSorted(), ['a', 'h'])
    await write('PATCH', 'settings', { ranking: null })
  })

  test('counts whom visitors chose, also in searches recorded before it was an experiment', async () => {
    app.time.nowMs += 7_200_000
    const fromMs = app.time.nowMs - 3_600_000
    for (let i = 0; i < 20; i++) {
      const visitor = `s${100 + i}`
      const { ids } = await search(visitor)
      app.time.nowMs += 5_000
      // Most want the popular one; some what is new.
      const wanted = i % 5 === 0 ? 'h' : 'a'
      await click(visitor, wanted, 1 + ids.indexOf(wanted))
    }
    for (let i = 0; i < 10; i++) await visitBefore(`old${i}`, i === 0 ? 'h' : 'a')
    // Nobody waits for the record of a search: it may be on its way.
    await app.stored('shop')
    const url = `${BASE}/analytics/popularity-trial?from=${iso(fromMs)}`
    const { totals, rows } = (await app.call({ url, headers: store.write })).json()
    assert.deepEqual([totals.sessions, totals.wins, totals.losses, totals.ties], [30, 25, 5, 0])
    assert.equal(totals.win_rate, 25 / 30)
    assert.ok(totals.low < totals.win_rate && totals.win_rate < totals.high)
    assert.equal(totals.is_won, false, 'too few have chosen')
    assert.deepEqual(rows, [{ query: 'tent', sessions: 30, wins: 25, losses: 5, ties: 0 }])
    const { report, draft } = (await write('GET', 'experiments/popularity')).json()
    assert.deepEqual([report.votes.draft, report.votes.live], [25, 5])
    assert.deepEqual(draft, { ranking: { popularity_weight: 0.3 } })
  })

  test('ends and is published as an experiment, in the settings', async () => {
    const ended = await write('POST', 'experiments/popularity/end')
    assert.deepEqual([ended.statusCode, ended.json().state], [200, 'ended'], ended.body)
    assert.equal('experiment' in (await search('s1')), false)
    const settings = (await write('GET', 'settings')).json()
    assert.equal(settings.popularity_trial.until, iso(app.time.nowMs))
    const twice = await write('POST', 'experiments/popularity/end')
    assert.deepEqual([twice.statusCode, twice.json().code], [409, 'experiment_ended'])
    const published = await write('POST', 'experiments/popularity/publish', {})
    assert.equal(published.statusCode, 200, published.body)
    assert.equal(published.json().settings.ranking.popularity_weight, 0.3)
    const [{ state }] = await experiments()
    assert.deepEqual([published.json().experiment.state, state], ['published', 'published'])
    const again = await write('POST', 'experiments/popularity/publish', {})
    assert.deepEqual([again.statusCode, again.json().code], [409, 'experiment_ended'])
    await setTrial(null)
    assert.deepEqual(await experiments(), [])
    assert.equal((await write('GET', 'experiments/popularity')).statusCode, 404)
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
