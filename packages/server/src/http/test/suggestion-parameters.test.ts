import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { SuggestionParameters } from '@aisle/contract'
import { until } from '@aisle/testing'
import { createTestApp, fillStore, type TestApp, type TestStore } from './test-app.ts'

async function shop(app: TestApp): Promise<TestStore> {
  const store = await app.createStore('shop')
  await fillStore(app, store)
  return store
}

async function suggest(app: TestApp, store: TestStore, body: object) {
  const url = '/v1/suggestions/queries'
  const answer = await app.call({ method: 'POST', url, headers: store.read, body })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

suite('parameters of the suggestions', () => {
  test('each parameter may be spelt the other way; unknown ones are named', async () => {
    await using app = await createTestApp()
    const store = await shop(app)
    const url = '/v1/suggestions/queries?q=re&hits_per_page=1&includeCategories=1&colour=red'
    const answer = (await app.call({ url, headers: store.read })).json()
    assert.equal(answer.meta.hitsPerPage, 1)
    assert.ok(Array.isArray(answer.categories))
    assert.deepEqual(answer.warnings, ['Unknown parameter `colour` is ignored'])
  })

  test('what a store allows is a maximum too, by body and by URL', async () => {
    await using app = await createTestApp()
    const store = await shop(app)
    const bounds = { max_suggestions: 3, max_categories: 1, max_facets: 0 }
    const config = `/api/v1/stores/${store.id}/suggestions/config`
    const put = { method: 'PUT', url: config, headers: store.write, body: bounds } as const
    assert.equal((await app.call(put)).statusCode, 200)
    assert.equal((await suggest(app, store, { q: 're' })).meta.hitsPerPage, 3)
    for (const [name, maximum] of [
      ['hitsPerPage', 3],
      ['max_categories', 1],
      ['max_facets', 0],
    ] as const) {
      const url = `/v1/suggestions/queries?q=re&${name}=`
      const [most, more] = await Promise.all(
        [maximum, maximum + 1].map((n) => app.call({ url: url + n, headers: store.read })),
      )
      assert.equal(most!.statusCode, 200)
      const { code, param, error } = more!.json()
      assert.deepEqual([code, param], ['invalid_parameter', name])
      assert.match(error, new RegExp(`from 0 to ${maximum} in this store`))
    }
  })

  test('null is absent, by body and by URL', async () => {
    await using app = await createTestApp()
    const store = await shop(app)
    const names = Object.keys(SuggestionParameters.properties)
    const given = { q: 're', include_facets: true }
    // Names of the catalog are suggested as soon as a background thread has read them.
    const plain = await until('a name of the catalog', async () => {
      const answer = await suggest(app, store, given)
      return answer.suggestions.length > 0 && answer
    })
    const rest = names.filter((name) => !(name in given))
    const withNulls = Object.fromEntries(rest.map((name) => [name, null]))
    assert.deepEqual(await suggest(app, store, { ...withNulls, ...given }), plain)
    const byUrl = new URLSearchParams({ q: 're', include_facets: '1', max_facets: 'null' })
    for (const name of ['filtered_tabs', 'time_range', 'analytics_tags']) byUrl.set(name, 'null')
    const url = `/v1/suggestions/queries?${byUrl.toString()}`
    assert.deepEqual((await app.call({ url, headers: store.read })).json(), plain)
    const tab = { label: 'Red', id: null, enabled: null, limit: null, filters: null }
    const { results } = await suggest(app, store, { q: 're', filtered_tabs: [tab] })
    assert.equal(results[1].extensions.filtered_tabs[0].id, 'Red')
  })

  test('facets are counted whatever their fields are called', async () => {
    await using app = await createTestApp()
    const store = await shop(app)
    const name = 'colour, "main" \\ (own)'
    const changed = await app.call({
      method: 'POST',
      url: `/api/v1/stores/${store.id}/schema`,
      headers: store.write,
      body: { fields: [{ name, type: 'string', facet: true }] },
    })
    assert.equal(changed.statusCode, 200, changed.body)
    const written = await app.call({
      method: 'POST',
      url: `/api/v1/stores/${store.id}/documents`,
      headers: store.write,
      body: { id: 'odd', data: { title: 'Odd shoe', [name]: 'green' } },
    })
    assert.equal(written.statusCode, 201, written.body)
    const answer = await suggest(app, store, { q: 'odd', include_facets: true, max_facets: 5 })
    const counted = (answer.facets as { field: string; values: string[] }[]).find(
      ({ field }) => field === name,
    )
    assert.deepEqual(counted?.values, ['green'])
  })

  for (const [body, param] of [
    [{ q: 5 }, 'q'],
    [{ page: -1 }, 'page'],
    [{ hitsPerPage: 1.5 }, 'hitsPerPage'],
    [{ hitsPerPage: 101 }, 'hitsPerPage'],
    [{ hits_per_page: 101 }, 'hitsPerPage'],
    [{ max_categories: 21 }, 'max_categories'],
    [{ max_facets: 21 }, 'max_facets'],
    [{ filtered_tabs: [{ label: 'x', limit: 101 }] }, 'filtered_tabs[0].limit'],
    [{ time_range: '1y' }, 'time_range'],
    [{ tags_match_mode: 'none' }, 'tags_match_mode'],
    [{ filtered_tabs: [{ id: 'x' }] }, 'filtered_tabs'],
    [{ q: 'x'.repeat(1001) }, 'q'],
  ] as const) {
    test(`bad input is refused: ${JSON.stringify(body).slice(0, 60)}`, async () => {
      await using app = await createTestApp()
      const store = await shop(app)
      const request = {
        method: 'POST',
        url: '/v1/suggestions/queries',
        headers: store.read,
        body,
      } as const
      const answer = await app.call(request)
      assert.equal(answer.statusCode, 400)
      assert.ok(answer.json().param.startsWith(param))
    })
  }
})
