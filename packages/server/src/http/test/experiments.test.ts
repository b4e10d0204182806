import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createTestApp } from './test-app.ts'

const app = await createTestApp({ trustProxy: true })
after(() => app[Symbol.asyncDispose]())
const store = await app.createStore('shop')
const BASE = '/api/v1/stores/shop'
const DAY_MS = 86_400_000
app.time.nowMs = Date.UTC(2026, 1, 10, 12)

const write = (method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: unknown) =>
  app.call({ method, url: `${BASE}/${path}`, headers: store.write, body })
const search = async (visitor: string | undefined, body: object = {}) => {
  const id = visitor === undefined ? {} : { 'x-session-id': visitor }
  const answer = await app.call({
    method: 'POST',
    url: '/v1/search',
    headers: { ...store.read, ...id, 'x-forwarded-for': '' },
    body: { q: 'tent', ...body },
  })
  assert.equal(answer.statusCode, 200, answer.body)
  const json = answer.json()
  return { ids: json.hits.map((hit: { id: string }) => hit.id).join(''), ...json }
}
const send = async (visitor: string, event_type: string, data: object) => {
  const answer = await app.call({
    method: 'POST',
    url: '/analytics/event',
    headers: { ...store.read, 'x-session-id': visitor, 'x-forwarded-for': '10.1.0.1' },
    body: { event_type, data },
  })
  assert.equal(answer.statusCode, 200, answer.body)
  app.time.nowMs += 1_000
}
const start = async (body: object) => {
  const answer = await write('POST', 'experiments', { name: 'A', draft: DRAFT, ...body })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}
const refused = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
  const answer = await write(method, path, body)
  const { code, param } = answer.json()
  return [answer.statusCode, code, ...(param === undefined ? [] : [param])]
}
const reportOf = async (id: string, query = '') => {
  const answer = await write('GET', `experiments/${id}${query}`)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

const FIELDS = [
  { name: 'title', type: 'string', searchable: true },
  { name: 'price', type: 'float', sort: true, facet: true },
]
await write('POST', 'schema', { fields: FIELDS })
for (const [i, id] of [...'abcdef'].entries()) {
  await write('POST', 'documents', { id, data: { title: i < 4 ? 'Tent' : 'Yurt', price: 10 } })
}
/** Newest first. */
const LIVE = 'dcba'
const DRAFT = {
  rules: { up: { when: [{ query: 'tent' }], pin: [{ id: 'a', position: 1 }] } },
  synonym_sets: { shop: { items: [{ synonyms: ['tent', 'yurt'] }], default: true } },
}
const DRAFTED = 'adcbfe'

suite('experiments', () => {
  test('without one, responses do not mention it', async () => {
    const answer = await search('s1')
    assert.equal(answer.ids, LIVE)
    assert.equal('experiment' in answer, false)
    assert.deepEqual((await write('GET', 'experiments')).json(), { experiments: [] })
  })

  test('a split experiment gives each visitor one arm, and keeps their answers apart', async () => {
    const { id, ...made } = await start({ kind: 'split', goal: 'order' })
    assert.deepEqual(
      [made.state, made.kind, made.goal, made.draft_percent, made.tags],
      ['running', 'split', 'order', 50, []],
    )
    const arms = new Map<string, number>()
    for (let i = 0; i < 60; i++) {
      for (const cache_results of [true, false, true]) {
        const { ids, experiment, found } = await search(`s${i}`, { cache_results })
        assert.equal(experiment.id, id)
        assert.equal(ids, experiment.arm === 'draft' ? DRAFTED : LIVE)
        assert.equal(found, ids.length)
        arms.set(`${i} ${experiment.arm}`, 1)
      }
    }
    assert.equal(arms.size, 60, 'a visitor stays in one arm')
    const drafts = [...arms.keys()].filter((key) => key.endsWith('draft')).length
    assert.ok(drafts > 15 && drafts < 45, `${drafts} of 60`)
    for (const body of [{ analytics: false }, { analytics: false, cache_results: true }]) {
      const own = await search('s1', body)
      assert.deepEqual([own.ids, 'experiment' in own], [LIVE, false])
    }
    assert.equal((await write('POST', `experiments/${id}/end`)).json().state, 'ended')
    for (let i = 0; i < 10; i++) {
      assert.equal((await search(`s${i}`, { cache_results: true })).ids, LIVE)
    }
    assert.deepEqual(await refused('POST', `experiments/${id}/end`), [409, 'experiment_ended'])
  })

  test('an interleaved one shows both orders, the same on every page', async () => {
    const { id } = await start({ kind: 'interleaved' })
    const seen = new Set<string>()
    for (let i = 0; i < 20; i++) {
      const whole = await search(`s${i}`, { facet_by: 'price' })
      assert.deepEqual(whole.experiment, { id, arm: 'interleaved' })
      assert.deepEqual([whole.found, whole.facet_counts[0].counts[0].count], [6, 6])
      assert.deepEqual(new Set(whole.ids), new Set(DRAFTED))
      const pages = []
      for (const page of [1, 2]) {
        pages.push((await search(`s${i}`, { page, per_page: 3, cache_results: true })).ids)
      }
      assert.equal(pages.join(''), whole.ids)
      seen.add(whole.ids)
    }
    assert.ok(seen.size > 1, 'not all toss the same coins')
    const sorted = await search('s1', { sort_by: 'price' })
    assert.deepEqual([sorted.ids, 'experiment' in sorted], [LIVE, false])
    await write('POST', `experiments/${id}/end`)
  })

  test('the report of an interleaved one counts a vote of each visitor', async () => {
    const { id } = await start({ kind: 'interleaved' })
    for (let day = 0; day < 8; day++) {
      for (let i = 0; i < 15; i++) {
        const visitor = `v${day} ${i}`
        const { ids } = await search(visitor)
        app.time.nowMs += 2_000
        const wanted = i % 5 === 0 ? 'd' : 'a'
        const position = 1 + ids.indexOf(wanted)
        await send(visitor, 'click', { query: 'tent', document_id: wanted, position })
      }
      app.time.nowMs += DAY_MS - 45_000
    }
    await app.stored('shop')
    const { report, state, draft } = await reportOf(id)
    assert.equal(state, 'running')
    assert.deepEqual(draft.rules.up.pin, DRAFT.rules.up.pin)
    assert.deepEqual([report.votes.draft, report.votes.live, report.votes.ties], [96, 24, 0])
    assert.equal(report.visitors.draft, 120)
    assert.equal(report.verdict, 'draft')
    assert.ok(report.votes.low > 0.5 && report.votes.high < 1 && report.confidence > 0.95)
    assert.equal(report.days_left, null)
    const part = (await reportOf(id, '?tags=mobile')).report
    assert.deepEqual([part.verdict, part.reason, part.visitors.draft], ['undecided', 'part', 0])
    await write('POST', `experiments/${id}/end`)
  })

  test('the report of a split one has the figures of both arms', async () => {
    const { id } = await start({ kind: 'split', goal: 'revenue', tags: ['mobile'] })
    assert.equal('experiment' in (await search('w1')), false, 'another device')
    const bought = { live: 0, draft: 0 }
    const visitors = { live: 0, draft: 0 }
    for (let i = 0; i < 40; i++) {
      const visitor = `w${i}`
      const { experiment } = await search(visitor, { analytics_tags: ['mobile', 'nl'] })
      const arm = experiment.arm as 'live' | 'draft'
      visitors[arm]++
      app.time.nowMs += 2_000
      await send(visitor, 'click', { query: 'tent', document_id: 'a', position: 1 })
      if (i % (arm === 'draft' ? 2 : 4) !== 0) continue
      bought[arm]++
      await send(visitor, 'conversion', {
        query: 'tent',
        document_id: 'a',
        order_id: `order ${i}`,
        revenue: 20,
        currency: 'EUR',
      })
    }
    await app.stored('shop')
    const { report } = await reportOf(id)
    assert.deepEqual(report.visitors, visitors)
    const { click, order, revenue } = report.figures
    assert.deepEqual([click.live, click.draft, click.difference], [1, 1, null])
    assert.equal(order.draft, bought.draft / visitors.draft)
    assert.equal(revenue.live, (20 * bought.live) / visitors.live)
    assert.ok(revenue.low < revenue.difference && revenue.difference < revenue.high)
    assert.equal(report.currency, 'EUR')
    assert.deepEqual([report.verdict, report.reason], ['undecided', 'too_early'])
    const { by_day: _, ...ofTag } = (await reportOf(id, '?tags=nl')).report
    assert.deepEqual(ofTag.visitors, visitors)
    const tags = (await reportOf(id, '?by_tag=true')).report.by_tag
    assert.deepEqual(
      tags.map(({ tag }: { tag: string }) => tag),
      ['mobile', 'nl'],
    )
    const { tag: _tag, ...figures } = tags[1]
    assert.deepEqual({ ...ofTag, ...figures }, ofTag, 'a row is the report of its tag')
    assert.deepEqual((await reportOf(id, '?by_tag=true&tag_prefix=device:')).report.by_tag, [])
    assert.deepEqual(await refused('GET', `experiments/${id}?by_tag=perhaps`), [
      400,
      'invalid_parameter',
      'by_tag',
    ])
    const rows = (await write('GET', 'analytics/experiments')).json().rows
    assert.ok(rows.some((row: { experiment_id: string }) => row.experiment_id === id))

    const published = await write('POST', `experiments/${id}/publish`, { note: 'Better' })
    assert.equal(published.statusCode, 200, published.body)
    assert.equal(published.json().experiment.state, 'published')
    assert.equal((await search('w1', { analytics_tags: ['mobile'] })).ids, DRAFTED)
    assert.equal('experiment' in (await search('w1', { analytics_tags: ['mobile'] })), false)
    assert.deepEqual(await refused('POST', `experiments/${id}/publish`, {}), [
      409,
      'experiment_ended',
    ])
    const back = await write('POST', 'settings/rollback', { version: 0 })
    assert.equal(back.statusCode, 200, back.body)
    assert.equal((await search('w1')).ids, LIVE)
    assert.equal((await reportOf(id)).state, 'published', 'a rollback does not start it again')
  })

  test('a draft that does not suit the schema any more serves nobody', async () => {
    const draft = { ranking: { field_weights: { title: 3 } } }
    const { id } = await start({ kind: 'split', draft })
    assert.equal((await search('s1')).experiment.id, id)
    const fields = [{ name: 'name', type: 'string', searchable: true }]
    await write('POST', 'schema', { fields, mode: 'replace' })
    assert.equal('experiment' in (await search('s1')), false)
    assert.deepEqual(await refused('POST', `experiments/${id}/publish`, {}), [
      400,
      'unknown_field',
      'ranking.field_weights.title',
    ])
    await write('POST', `experiments/${id}/end`)
  })

  test('one that nobody ends stops after 90 days', async () => {
    const draft = { ranking: { popularity_weight: 0.5 } }
    const { id } = await start({ kind: 'split', draft })
    app.time.nowMs += 91 * DAY_MS
    assert.equal('experiment' in (await search('s1')), false)
    assert.equal((await reportOf(id)).state, 'ended')
  })

  test('refuses what cannot be an experiment', async () => {
    const draft = { ranking: { popularity_weight: 0.5 } }
    const body = { name: 'A', kind: 'split', draft }
    const post = (more: object) => refused('POST', 'experiments', { ...body, ...more })
    assert.deepEqual(await post({ name: '' }), [400, 'invalid_parameter', 'name'])
    assert.deepEqual(await post({ kind: 'ab' }), [400, 'invalid_parameter', 'kind'])
    assert.deepEqual(await post({ draft: {} }), [400, 'invalid_parameter', 'draft'])
    assert.deepEqual(await post({ draft: 1 }), [400, 'invalid_parameter'])
    assert.deepEqual(await post({ draft_percent: 99 }), [400, 'invalid_parameter', 'draft_percent'])
    assert.deepEqual(await post({ kind: 'interleaved', goal: 'order' }), [
      400,
      'invalid_parameter',
      'goal',
    ])
    assert.deepEqual(await post({ draft: { semantic: { weight: 0.5 } } }), [
      400,
      'invalid_parameter',
      'draft.semantic',
    ])
    assert.deepEqual(await refused('POST', 'experiments', { name: 'A', kind: 'split' }), [
      400,
      'missing_parameter',
      'draft',
    ])
    for (const path of ['none', 'none?tags=a']) {
      assert.deepEqual(await refused('GET', `experiments/${path}`), [404, 'experiment_not_found'])
    }
    assert.deepEqual(await refused('POST', 'experiments/none/end'), [404, 'experiment_not_found'])
    for (const tag of ['a', 'b', 'c', 'd']) {
      await start({ kind: 'split', draft, tags: [tag] })
      app.time.nowMs += 1_000
    }
    assert.deepEqual(await post({ tags: ['e'] }), [409, 'experiment_conflict'])
    const [first] = (await write('GET', 'experiments')).json().experiments
    assert.equal(first.tags[0], 'd')
    await write('POST', `experiments/${first.id}/end`)
    assert.deepEqual(await post({ tags: ['c', 'x'] }), [409, 'experiment_conflict', 'tags'])
    assert.deepEqual(await post({}), [409, 'experiment_conflict', 'tags'])
  })
})
