import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createTestApp } from './test-app.ts'

const app = await createTestApp({ trustProxy: true })
after(() => app[Symbol.asyncDispose]())
const store = await app.createStore('shop')
app.time.nowMs = Date.UTC(2026, 1, 10, 12)

const write = (method: 'GET' | 'POST', path: string, body?: unknown) =>
  app.call({ method, url: `/api/v1/stores/shop/${path}`, headers: store.write, body })
const search = async (visitor: string, body: object) => {
  const answer = await app.call({
    method: 'POST',
    url: '/v1/search',
    headers: { ...store.read, 'x-anon-id': visitor },
    body: { q: '*', ...body },
  })
  assert.equal(answer.statusCode, 200, answer.body)
  // Later than a typing burst lasts.
  app.time.nowMs += 4_000
  const json = answer.json()
  return { ids: json.hits.map((hit: { id: string }) => hit.id).join(''), ...json }
}
const send = async (visitor: string, event_type: string, data: object) => {
  const headers = { ...store.read, 'x-anon-id': visitor }
  const body = { event_type, data }
  const answer = await app.call({ method: 'POST', url: '/analytics/event', headers, body })
  assert.equal(answer.statusCode, 200, answer.body)
}

await write('POST', 'schema', {
  fields: [
    { name: 'title', type: 'string', searchable: true },
    { name: 'kind', type: 'string', facet: true },
    { name: 'price', type: 'float', sort: true, facet: true },
  ],
})
for (const [i, id] of [...'abcdef'].entries()) {
  const data = { title: 'Thing', kind: i < 4 ? 'Tents' : 'Stoves > Gas', price: 10 + i }
  await write('POST', 'documents', { id, data })
}
const pageRule = (value: string, id: string) => ({
  when: [{ match: 'empty', filter_by: `kind:="${value}"` }],
  pin: [{ id, position: 1 }],
})
const start = (value: string, body: object = {}) =>
  write('POST', 'experiments', {
    name: value,
    kind: 'split',
    draft: { rules: { page: pageRule(value, value === 'Tents' ? 'a' : 'e') } },
    category: { field: 'kind', value },
    ...body,
  })

suite('experiments of category pages', () => {
  test('need a facet, which a page can have', async () => {
    const cases = [
      ['sort', 'unknown_field'],
      ['title', 'field_not_facetable'],
    ]
    for (const [field, code] of cases) {
      const answer = await start('Tents', { category: { field, value: 'Tents' } })
      assert.deepEqual([answer.statusCode, answer.json().code], [400, code])
      assert.equal(answer.json().param, 'category.field')
    }
  })

  test('take views of their page alone, and count what followed', async () => {
    const tents = (await start('Tents', { goal: 'click' })).json()
    assert.deepEqual(tents.category, { field: 'kind', value: 'Tents' })
    const gas = (await start('Stoves > Gas', { kind: 'interleaved' })).json()
    assert.equal(gas.state, 'running')
    const visitors = { live: 0, draft: 0 }
    for (let i = 0; i < 20; i++) {
      const visitor = `v${i}`
      const ways = [
        { filter_by: 'kind:=Tents' },
        { filters: { kind: ['Tents'] } },
        { filter_by: 'price:>1 && kind:=Tents', q: '' },
      ]
      const arms = []
      for (const way of ways) {
        const { experiment, ids } = await search(visitor, way)
        assert.equal(experiment.id, tents.id)
        assert.equal(ids, experiment.arm === 'draft' ? 'adcb' : 'dcba')
        arms.push(experiment.arm)
      }
      assert.equal(new Set(arms).size, 1, 'one arm for each visitor')
      visitors[arms[0] as 'live' | 'draft']++
      for (const other of [
        {},
        { q: 'thing', filter_by: 'kind:=Tents' },
        { filter_by: 'kind:!=Tents' },
      ]) {
        assert.equal('experiment' in (await search(visitor, other)), false)
      }
      const { experiment } = await search(visitor, { filter_by: 'kind:="Stoves > Gas"' })
      assert.deepEqual(experiment, { id: gas.id, arm: 'interleaved' })
    }
    await app.stored('shop')
    const { report } = (await write('GET', `experiments/${tents.id}`)).json()
    assert.deepEqual(report.visitors, visitors)
    assert.equal((await write('POST', `experiments/${tents.id}/publish`, {})).statusCode, 200)
    assert.equal((await search('v1', { filter_by: 'kind:=Tents' })).ids, 'adcb')
    await write('POST', `experiments/${gas.id}/end`)
  })

  test('conflict with others of the same page, and with those of all pages', async () => {
    const first = (await start('Tents')).json()
    const again = await start('Tents')
    assert.deepEqual([again.statusCode, again.json().code], [409, 'experiment_conflict'])
    const body = { name: 'All', kind: 'split', draft: { ranking: { learning: 'on' } } }
    assert.equal((await write('POST', 'experiments', body)).statusCode, 409)
    await write('POST', `experiments/${first.id}/end`)
    for (const [category, param] of [
      [{ field: 'kind' }, 'category.value'],
      [{ field: '', value: 'a' }, 'category.field'],
      [{ field: 'kind', value: 'a', more: 1 }, 'category.more'],
      ['kind', 'category'],
    ] as const) {
      const wrong = (await write('POST', 'experiments', { ...body, category })).json()
      assert.deepEqual([wrong.status ?? 400, wrong.param], [400, param], JSON.stringify(wrong))
    }
  })

  test('a popularity trial beside them is warned of', async () => {
    const { nowMs } = app.time
    const until = new Date(nowMs + 9 * 86_400_000).toISOString()
    const trial = { from: new Date(nowMs).toISOString(), until }
    const settings = async (popularity_trial: unknown) => {
      const url = '/api/v1/stores/shop/settings'
      const body = { popularity_trial }
      const answer = await app.call({ method: 'PATCH', url, headers: store.write, body })
      assert.equal(answer.statusCode, 200, answer.body)
      return answer.json().warnings
    }
    assert.equal(await settings(trial), undefined)
    await settings(null)
    const page = (await start('Tents')).json()
    assert.deepEqual(await settings(trial), [
      `While the experiment "Tents" (${page.id}) runs, the popularity trial gets only the searches that it does not take`,
    ])
    assert.equal((await write('GET', 'settings')).json().warnings.length, 1)
    await write('POST', `experiments/${page.id}/end`)
    assert.equal((await write('GET', 'settings')).json().warnings, undefined)
    await settings(null)
    const body = { name: 'All', kind: 'split', draft: { ranking: { learning: 'on' } } }
    const all = (await write('POST', 'experiments', body)).json()
    assert.match((await settings(trial))[0], /the popularity trial gets no searches$/)
    await write('POST', `experiments/${all.id}/end`)
    await settings(null)
  })

  test('the report of filters has the views of a page and what followed', async () => {
    const since = new Date((app.time.nowMs += 3_600_000)).toISOString()
    const view = { filter_by: 'kind:=Tents', q: '*' }
    for (const visitor of ['x1', 'x2', 'x3', 'x4']) await search(visitor, view)
    await search('x1', { ...view, q: 'thing' })
    app.time.nowMs += 1_000
    await send('x2', 'click', { query: '', document_id: 'a', position: 1 })
    const order = { query: '', document_id: 'a', order_id: 'one', revenue: 30, currency: 'EUR' }
    await send('x2', 'conversion', order)
    app.time.nowMs += 1_000
    await app.stored('shop')
    const from = encodeURIComponent(since)
    const report = await write('GET', `analytics/filters?query=*&from=${from}`)
    assert.deepEqual(report.json().rows, [
      {
        field: 'kind',
        value: 'Tents',
        searches: 4,
        users: 4,
        click_through_rate: 0.25,
        conversion_rate: 0.25,
        revenue: [{ currency: 'EUR', amount: 30 }],
      },
    ])
  })
})
