import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createTestApp, fillStore, type TestRequest } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const store = await testApp.createStore('shop')
await fillStore(testApp, store)

const call = (method: TestRequest['method'] & string, path: string, body?: unknown) =>
  testApp.call({ method, url: `/api/v1/stores/${store.id}/${path}`, headers: store.write, body })

interface Found {
  readonly hits: readonly { readonly id: string }[]
}
const idsOf = ({ hits }: Found): string[] => hits.map(({ id }) => id)

suite('previews', () => {
  const preview = (body: unknown) => call('POST', 'rules/preview', body)

  test('show a rule beside the answer as it is, and change nothing', async () => {
    const rule = { enabled: false, when: [{ query: 'shoe' }], pin: [{ id: '3', position: 1 }] }
    const answer = await preview({ rule, search: { q: 'shoes' } })
    assert.equal(answer.statusCode, 200, answer.body)
    const { applies, live, preview: shown } = answer.json()
    assert.equal(applies, true)
    assert.deepEqual(idsOf(live).toSorted(), ['1', '2'])
    assert.equal(idsOf(shown)[0], '3')
    assert.deepEqual((await call('GET', 'rules')).json().rules, [])
    const other = (await preview({ rule, search: { q: 'jacket' } })).json()
    assert.deepEqual([other.applies, idsOf(other.preview)], [false, ['3']])
  })

  test('stand in for the saved rule of their id, at any time', async () => {
    await call('PUT', 'rules/it', { hide: ['1'] })
    await call('PUT', 'rules/other', { hide: ['3'] })
    const schedule = [{ from: '2027-01-01T00:00:00Z' }]
    const rule = { id: 'it', hide: ['2'], schedule }
    const now = (await preview({ rule, search: { q: '*' } })).json()
    assert.deepEqual([now.applies, now.live.found, now.preview.found], [false, 2, 3])
    const then = await preview({ rule, search: { q: '*' }, at: '2027-06-01T00:00:00Z' })
    assert.deepEqual(idsOf(then.json().preview).toSorted(), ['1', '4'])
    assert.deepEqual(then.json().preview.applied_rules, ['it', 'other'])
    for (const id of ['it', 'other']) await call('DELETE', `rules/${id}`)
  })

  test('say which further queries the rule applies to', async () => {
    const rule = { when: [{ query: 'shoe', match: 'contains', contexts: ['web'] }], hide: ['1'] }
    const queries = ['red shoes', 'jacket', '*', 'SHOE']
    const search = { q: '*', per_page: 0, rule_contexts: ['web'] }
    const met = (await preview({ rule, search, queries })).json()
    assert.deepEqual([met.applies, met.applies_to], [false, [true, false, false, true]])
    const elsewhere = (await preview({ rule, search: { q: '*' }, queries })).json()
    assert.deepEqual(elsewhere.applies_to, [false, false, false, false])
    const many = Array.from({ length: 251 }, () => 'x')
    assert.equal((await preview({ rule, search, queries: many })).statusCode, 400)
  })

  const refused: readonly (readonly [body: unknown, code: string, param: string])[] = [
    [{ search: { q: '*' } }, 'missing_parameter', 'rule'],
    [{ rule: {} }, 'missing_parameter', 'search'],
    [{ rule: {}, search: {} }, 'missing_parameter', 'search.q'],
    [{ rule: {}, search: { q: '*', per_page: 'x' } }, 'invalid_parameter', 'search.per_page'],
    [{ rule: {}, search: { q: '*', filter_by: 'x:1' } }, 'unknown_field', 'search.filter_by'],
    [{ rule: { pin: 5 }, search: { q: '*' } }, 'invalid_parameter', 'rule.pin'],
    [{ rule: { sort_by: 'x' }, search: { q: '*' } }, 'unknown_field', 'rule.sort_by'],
    [{ rule: { id: 'a,b' }, search: { q: '*' } }, 'invalid_parameter', 'rule.id'],
    [{ rule: {}, search: { q: '*' }, at: 'noon' }, 'invalid_parameter', 'at'],
  ]
  for (const [body, code, param] of refused) {
    test(`${JSON.stringify(body)} is 400 ${code}`, async () => {
      const answer = await preview(body)
      const { code: actual, param: at } = answer.json()
      assert.deepEqual([answer.statusCode, actual, at], [400, code, param], answer.body)
    })
  }

  test('a rule may be called preview', async () => {
    await call('PUT', 'rules/preview', {})
    assert.equal((await call('GET', 'rules/preview')).statusCode, 200)
    const wrong = await call('PATCH', 'rules/preview', {})
    assert.deepEqual(
      [wrong.statusCode, wrong.headers['allow']],
      [405, 'DELETE, GET, HEAD, POST, PUT'],
    )
  })
})
