import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createTestApp, fillStore, type TestRequest } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const store = await testApp.createStore('shop')
await fillStore(testApp, store)

const call = (method: TestRequest['method'] & string, path: string, body?: unknown) =>
  testApp.call({ method, url: `/api/v1/stores/${store.id}/${path}`, headers: store.write, body })
const compare = (draft: unknown, ...searches: unknown[]) =>
  call('POST', 'relevance/compare', { draft, searches })
const publish = (draft: unknown, note?: string) =>
  call('POST', 'relevance/publish', { draft, note })
const found = async (q: string): Promise<number> => {
  const answer = await testApp.call({
    method: 'POST',
    url: '/v1/search',
    headers: store.read,
    body: { q },
  })
  return answer.json().found as number
}

const SYNONYMS = { items: [{ synonyms: ['jacket', 'anorak'] }], default: true }

suite('a draft', () => {
  test('is compared with what is live, and changes nothing', async () => {
    const draft = {
      ranking: { typo_max: 0, popularity_weight: 0.5 },
      synonym_sets: { own: SYNONYMS },
      rules: { hide: { hide: ['3'] } },
    }
    const answer = await compare(draft, { q: 'anorak' }, { q: 'jaket' }, { q: '*' })
    assert.equal(answer.statusCode, 200, answer.body)
    const { results } = answer.json()
    const founds = results.map(({ live, draft: changed }: { live: never; draft: never }) => [
      (live as { found: number }).found,
      (changed as { found: number }).found,
    ])
    assert.equal(founds[0][0], 0)
    assert.equal(founds[1][0] > founds[1][1], true)
    assert.equal(founds[2][0] - founds[2][1], 1)
    assert.equal(await found('anorak'), 0)
    assert.deepEqual((await call('GET', 'rules')).json().rules, [])
    assert.equal((await call('GET', 'settings')).json().version, 0)
  })

  test('a search that fails fills its own place', async () => {
    const { results } = (await compare({}, { q: '*', sort_by: 'x' }, { q: '*' })).json()
    assert.equal(results[0].live.code, 'unknown_field')
    assert.equal(results[0].draft.code, 'unknown_field')
    assert.equal(results[1].draft.found, results[1].live.found)
  })

  const refused: readonly (readonly [body: unknown, code: string, param: string | undefined])[] = [
    [{ searches: [{ q: '*' }] }, 'missing_parameter', 'draft'],
    [{ draft: {} }, 'missing_parameter', 'searches'],
    [{ draft: {}, searches: [] }, 'invalid_parameter', 'searches'],
    [{ draft: 5, searches: [{ q: '*' }] }, 'invalid_parameter', undefined],
    [{ draft: { quota: {} }, searches: [{ q: '*' }] }, 'invalid_parameter', 'draft.quota'],
    [{ draft: { rules: [] }, searches: [{ q: '*' }] }, 'invalid_parameter', 'draft.rules'],
    [
      { draft: { ranking: { typo_max: 9 } }, searches: [{ q: '*' }] },
      'invalid_parameter',
      'draft.ranking.typo_max',
    ],
    [
      { draft: { ranking: { field_weights: { x: 1 } } }, searches: [{ q: '*' }] },
      'unknown_field',
      'draft.ranking.field_weights.x',
    ],
    [
      { draft: { rules: { it: { pin: 5 } } }, searches: [{ q: '*' }] },
      'invalid_parameter',
      'draft.rules.it.pin',
    ],
    [
      { draft: { synonym_sets: { it: { items: [{ synonyms: ['a'] }] } } }, searches: [{ q: '*' }] },
      'invalid_parameter',
      'draft.synonym_sets.it.items[0].synonyms',
    ],
  ]
  for (const [body, code, param] of refused) {
    test(`${JSON.stringify(body)} is 400 ${code}`, async () => {
      const answer = await call('POST', 'relevance/compare', body)
      const { code: actual, param: at } = answer.json()
      assert.deepEqual([answer.statusCode, actual, at], [400, code, param], answer.body)
    })
  }
})

suite('publishing', () => {
  test('puts settings, sets and rules in force, and a rollback takes back all of it', async () => {
    await call('PUT', 'rules/mine', { hide: ['1'] })
    const draft = {
      ranking: { prefix_mode: 'off' },
      synonym_sets: { own: SYNONYMS },
      rules: { mine: null },
    }
    const published = await publish(draft, 'Anoraks are found')
    assert.equal(published.statusCode, 200, published.body)
    const { version, ranking } = published.json().settings
    assert.equal(ranking.prefix_mode, 'off')
    assert.equal(await found('anorak'), 1)
    assert.equal(await found('jack'), 0)
    assert.deepEqual((await call('GET', 'rules')).json().rules, [])
    const [newest] = (await call('GET', 'settings/history')).json().versions
    assert.equal(newest.note, 'Anoraks are found')
    assert.deepEqual(newest.changed_by, { actor: 'store_key' })
    assert.deepEqual(newest.resources, [
      { kind: 'synonym_set', name: 'own', action: 'made' },
      { kind: 'rule', name: 'mine', action: 'deleted' },
    ])

    await call('POST', 'settings/rollback', { version: version - 1 })
    assert.equal(await found('anorak'), 0)
    assert.equal(await found('jack'), 1)
    assert.equal((await call('GET', 'rules')).json().rules[0].id, 'mine')

    await call('POST', 'settings/rollback', { version })
    assert.equal(await found('anorak'), 1)
    assert.deepEqual((await call('GET', 'rules')).json().rules, [])
  })

  test('what changes nothing makes no version', async () => {
    const before = (await call('GET', 'settings')).json().version
    assert.equal((await publish({ ranking: { prefix_mode: 'off' } })).statusCode, 200)
    assert.equal((await publish({ rules: { none: null } })).statusCode, 200)
    assert.equal((await call('GET', 'settings')).json().version, before)
  })

  test('`null` goes back to the default', async () => {
    const { settings } = (await publish({ ranking: { prefix_mode: null } })).json()
    assert.equal(settings.ranking.prefix_mode, 'always')
  })
})

suite('defaults of the store', () => {
  test('decide where neither the request nor its preset says', async () => {
    await publish({ ranking: { require_all_terms: true, typo_max: 0 } })
    const search = async (body: object): Promise<number> => {
      const url = '/v1/search'
      return (await testApp.call({ method: 'POST', url, headers: store.read, body })).json().found
    }
    assert.equal(await search({ q: 'jaket' }), 0)
    assert.equal((await search({ q: 'jaket', typo_max: 2 })) > 0, true)
    assert.equal(await search({ q: 'rain zzz jacket' }), 0)
    assert.equal((await search({ q: 'rain zzz jacket', require_all_terms: false })) > 0, true)
  })
})
