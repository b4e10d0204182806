import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createTestApp, fillStore, type TestStore } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const { call } = testApp
const store = await testApp.createStore('filters')
await fillStore(testApp, store)

/** The documents that a filter keeps, by POST and by GET. */
async function both(parameters: Record<string, unknown>) {
  const body = { q: '*', sort_by: 'price:asc', ...parameters }
  const byPost = await call({ method: 'POST', url: '/v1/search', headers: store.read, body })
  const query = new URLSearchParams(
    Object.entries(body).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
  const byGet = await call({ url: `/v1/search?${query.toString()}`, headers: store.read })
  const seen = ({ statusCode, body: text }: typeof byPost) => {
    const { hits, warnings, code, param, error } = JSON.parse(text) as {
      hits?: { id: string }[]
      warnings?: string[]
      code?: string
      param?: string
      error?: string
    }
    const ids = hits?.map(({ id }) => id).join('')
    return { statusCode, ids, warnings, code, param, error }
  }
  assert.deepEqual(seen(byGet), seen(byPost))
  return seen(byPost)
}

suite('filters of a request', () => {
  // Prices: 4 39, 1 89.5, 2 99, 3 149. Stock (int64): 1 3, 2 0, 3 12.
  for (const [filter_by, ids] of [
    ['brand:=Fe*', '12'],
    ['brand:!=fe*', '43'],
    ['brand:=[fe*, Norrby]', '4123'],
    ['brand:="Fe"*', '12'],
    ['title:Sho*', '12'],
    ['price:[<=39, >=149]', '43'],
    ['price:!=[<=39, >=149]', '12'],
    ['stock:[<1, 3]', '12'],
    ['stock:[0..99999999999999999999999]', '123'],
    ['stock:>99999999999999999999', ''],
    ['stock:<99999999999999999999', '123'],
    ['stock:!=99999999999999999999', '4123'],
    ['stock:99999999999999999999', ''],
    ['price:<1e400', '4123'],
    ['price:>1e400', ''],
  ] as const) {
    test(`${filter_by} keeps ${ids === '' ? 'nothing' : ids}`, async () => {
      const answer = await both({ filter_by })
      assert.deepEqual([answer.ids, answer.warnings], [ids, undefined], answer.error ?? '')
    })
  }

  for (const [filters, ids] of [
    [{ brand: [] }, '4123'],
    [{ brand: [], stock: { min: 1 } }, '13'],
    [{ brand: { not: [] } }, '4123'],
    [{ id: [] }, '4123'],
    [{}, '4123'],
    [{ price: { max: 1e12 } }, '4123'],
    [{ stock: { gt: '9223372036854775808' } }, ''],
    [{ stock: { lt: 1e30 } }, '123'],
    [{ stock: [{ lt: 1 }, 12] }, '23'],
    [{ price: { min: null, max: 90 } }, '41'],
  ] as const) {
    test(`${JSON.stringify(filters)} keeps ${ids === '' ? 'nothing' : ids}`, async () => {
      assert.equal((await both({ filters })).ids, ids)
    })
  }

  for (const [parameters, code, param, message] of [
    [{ filter_by: 'title:=Re*' }, 'field_not_filterable', 'filter_by', /by words only/],
    [{ filter_by: 'brand:=*' }, 'invalid_filter', 'filter_by', /beginning of a value/],
    [{ filter_by: 'price:=8*' }, 'invalid_filter', 'filter_by', /a number/],
    [{ filter_by: 'price:[<=]' }, 'invalid_filter', 'filter_by', /a value/],
    [{ filter_by: 'brand:[<=a]' }, 'invalid_filter', 'filter_by', /order/],
    [{ filter_by: 'brand:="a\\"' }, 'invalid_filter', 'filter_by', /never closed/],
    [{ filter_by: 'colour:red' }, 'unknown_field', 'filter_by', /not in the schema\.$/],
    [{ filter_by: 'prise:5' }, 'unknown_field', 'filter_by', /Did you mean `price`\?$/],
    [{ filters: { brand: null } }, 'invalid_filter', 'filters.brand', /`\[\]` sets no condition/],
  ] as const) {
    test(`${JSON.stringify(parameters)} is refused`, async () => {
      const answer = await both(parameters)
      assert.deepEqual([answer.statusCode, answer.code, answer.param], [400, code, param])
      assert.match(answer.error ?? '', message)
    })
  }
})

suite('a value that looks like a condition', () => {
  const filter_by = 'brand:=Fells price:=99'
  const meant = 'Did you mean `brand:=Fells && price:=99`?'
  const read = (path: string, body: object) =>
    call({ method: 'POST', url: path, headers: store.read, body })

  test('is compared literally, with a warning', async () => {
    const { ids, warnings } = await both({ filter_by })
    assert.equal(ids, '')
    assert.equal(warnings?.length, 1)
    assert.ok(warnings![0]!.includes(meant))
    const quoted = await both({ filter_by: 'brand:="Fells price:=99"' })
    assert.deepEqual([quoted.ids, quoted.warnings], ['', undefined])
  })

  test('has its warning wherever a filter is answered', async () => {
    const { results } = (
      await read('/v1/multi-search', { queries: [{ q: '*', filter_by }] })
    ).json()
    const sorted = await read('/v1/search', { q: '*', sort_by: `_eval(${filter_by})` })
    const filters = await read('/v1/filters', { filter_by })
    for (const [warning] of [results[0], sorted.json(), filters.json()].map(
      (one) => one.warnings,
    )) {
      assert.ok(warning.includes(meant), warning)
    }
  })

  test('deletes and updates nothing, and says why', async () => {
    const doomed: TestStore = await testApp.createStore('doomed')
    await fillStore(testApp, doomed)
    const url = `/api/v1/stores/doomed/documents?${new URLSearchParams({ filter_by }).toString()}`
    const deleted = (await call({ method: 'DELETE', url, headers: doomed.write })).json()
    assert.equal(deleted.documents_deleted, 0)
    assert.ok(deleted.warnings[0].includes(meant))
    const body = { set: { price: 1 } }
    const updated = (await call({ method: 'PATCH', url, headers: doomed.write, body })).json()
    assert.equal(updated.documents_updated, 0)
    assert.ok(updated.warnings[0].includes(meant))
  })
})
