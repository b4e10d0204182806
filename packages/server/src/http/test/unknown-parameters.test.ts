import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { ADMIN_TOKEN, createTestApp, fillStore, type TestRequest } from './test-app.ts'

// Goal: a parameter that does nothing is not taken for one that does. Method: every route with a
// parameter that none has; those that answer anyway are the ones that name it in their warnings,
// and those without a key.

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const { app, call } = testApp
const store = await testApp.createStore('shop')
await fillStore(testApp, store)
const owner = await testApp.logIn('owner', 'owner')

const headersOf = (auth: string | undefined): Record<string, string> => {
  if (auth === 'admin') return { authorization: `Bearer ${ADMIN_TOKEN}` }
  return auth === 'session' ? owner : store.write
}
/** Besides the reports. */
const WARNING = [
  'search',
  'searchByUrl',
  'multiSearch',
  'listFilters',
  'suggestQueriesByUrl',
  'readJourney',
]

suite('a parameter of the URL that a route does not have', () => {
  test('is refused with its name, before anything is done', async () => {
    const answering = new Set<string>()
    for (const { method, url, config } of app.routeTable) {
      if (['none', 'local', 'events'].includes(config?.auth ?? '')) continue
      const verb = String(method) as NonNullable<TestRequest['method']>
      const isReading = verb === 'GET' || verb === 'HEAD'
      const answer = await call({
        method: verb,
        url: `${url.replace(':id', 'shop').replaceAll(/:\w+/g, '1')}?colour=red`,
        headers: { ...headersOf(config?.auth), ...(isReading ? {} : { 'content-type': 'x/y' }) },
        ...(isReading ? {} : { body: 'x' }),
      })
      const name = `${verb} ${url}`
      if (answer.statusCode !== 400) {
        answering.add(config?.operation?.id ?? name)
        continue
      }
      if (verb === 'HEAD') continue
      const { code, param } = answer.json()
      if (code === 'missing_parameter') answering.add(config!.operation!.id)
      else assert.deepEqual([code, param], ['invalid_parameter', 'colour'], name)
    }
    const warning = [...answering].filter((id) => !id.startsWith('report'))
    assert.deepEqual(new Set(warning), new Set(WARNING))
    assert.ok(answering.has('reportOverview'))
  })

  test('has a hint at the one that was probably meant', async () => {
    const audit = await call({
      url: '/api/v1/admin/audit?of_store=shop',
      headers: headersOf('admin'),
    })
    assert.match(audit.json().error, /Unknown parameter `of_store`/)
    const near = await call({
      url: '/api/v1/admin/audit?actions=logIn',
      headers: headersOf('admin'),
    })
    assert.match(near.json().error, /Unknown parameter `actions`, did you mean `action`\?/)
    const bulk = await call({
      method: 'POST',
      url: '/api/v1/stores/shop/documents/bulk?action=update',
      headers: store.write,
      body: { documents: [{ id: '1', data: { title: 'x' } }] },
    })
    assert.deepEqual([bulk.statusCode, bulk.json().param], [400, 'action'])
  })

  test('says nothing to those who may not call the route, and bothers no probe', async () => {
    const stranger = await call({ url: '/api/v1/stores/shop/settings?colour=red' })
    assert.equal(stranger.statusCode, 401)
    for (const url of ['/health', '/livez', '/metrics', '/openapi.json']) {
      assert.ok((await call({ url: `${url}?colour=red` })).statusCode !== 400, url)
    }
    const found = await call({ url: '/v1/search?q=*&colour=red', headers: store.read })
    assert.match(found.json().warnings[0], /colour/)
  })
})
