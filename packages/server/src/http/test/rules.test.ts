import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { generatedRuns } from '@aisle/testing'
import fc from 'fast-check'
import { createTestApp, fillStore, type TestRequest } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const store = await testApp.createStore('shop')
await fillStore(testApp, store)

const BASE = `/api/v1/stores/${store.id}`
const call = (method: TestRequest['method'] & string, path: string, body?: unknown) =>
  testApp.call({ method, url: `${BASE}/${path}`, headers: store.write, body })

interface Hit {
  readonly id: string
  readonly curated?: boolean
  readonly _curated?: boolean
  readonly text_match_score: number
  readonly explanation?: { readonly boost?: unknown }
}

interface Found {
  readonly found: number
  readonly hits: readonly Hit[]
  readonly facets?: Readonly<Record<string, { readonly count: number }[]>>
  readonly applied_rules?: string[]
  readonly rewritten_query?: string
  readonly corrected_query?: string
  readonly metadata?: Record<string, unknown>
  readonly warnings?: string[]
}

async function search(body: object, url = '/v1/search'): Promise<Found> {
  const answer = await testApp.call({ method: 'POST', url, headers: store.read, body })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}
const idsOf = ({ hits }: Found): string[] => hits.map(({ id }) => id)

/** Runs code while the store has exactly these rules. */
async function withRules<T>(rules: Record<string, object>, run: () => Promise<T>): Promise<T> {
  for (const [id, rule] of Object.entries(rules)) {
    const put = await call('PUT', `rules/${encodeURIComponent(id)}`, rule)
    assert.equal(put.statusCode, 200, put.body)
  }
  try {
    return await run()
  } finally {
    for (const id of Object.keys(rules)) await call('DELETE', `rules/${encodeURIComponent(id)}`)
  }
}

suite('rules are kept', () => {
  test('made, read, listed, replaced and deleted, by id', async () => {
    const absent = await call('GET', 'rules/none')
    assert.deepEqual([absent.statusCode, absent.json().code], [404, 'rule_not_found'])
    const rule = {
      when: [{ query: 'shoe', match: 'contains' }],
      metadata: { n: '9007199254740993' },
      banner: 'Sale',
    }
    const body = JSON.stringify(rule).replace('"9007199254740993"', '9007199254740993')
    const put = await call('PUT', 'rules/my%20rule', body)
    assert.equal(put.statusCode, 200, put.body)
    assert.deepEqual(put.json(), {
      id: 'my rule',
      enabled: true,
      priority: 0,
      ...rule,
      metadata: { n: 9007199254740992 },
    })
    assert.match(put.body, /9007199254740993/)
    assert.equal((await call('GET', 'rules/my%20rule')).body, put.body)
    // The response can be sent back unchanged.
    assert.equal((await call('PUT', 'rules/my%20rule', put.body)).body, put.body)
    assert.match(JSON.stringify((await call('GET', 'rules')).json()), /"rules":\[\{"id":"my rule"/)
    const found = await testApp.call({ url: '/v1/search?q=shoe', headers: store.read })
    assert.match(
      found.body,
      /"metadata":\{"n":9007199254740993,"banner":"Sale","banners":\["Sale"\]\}/,
    )
    const deleted = await call('DELETE', 'rules/my%20rule')
    assert.deepEqual(deleted.json(), { id: 'my rule', status: 'deleted' })
    assert.equal((await call('DELETE', 'rules/my%20rule')).statusCode, 404)
    assert.deepEqual((await call('GET', 'rules')).json(), { rules: [] })
  })

  test('a read secret may not see or change them', async () => {
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const url = `${BASE}/rules/x`
      const body = method === 'PUT' ? {} : undefined
      const answer = await testApp.call({ method, url, headers: store.read, body })
      assert.equal(answer.statusCode, 403)
    }
  })
})

suite('rules in searches', () => {
  test('pins come whatever their words, at their places; hidden documents do not come', async () => {
    const rules = {
      shoes: {
        when: [{ query: 'shoe', match: 'contains' }],
        pin: [
          { id: '4', position: 2 },
          { id: 'absent', position: 1 },
        ],
        hide: ['2'],
      },
    }
    await withRules(rules, async () => {
      const answer = await search({ q: 'trail shoes', facet_by: 'brand' })
      assert.deepEqual(idsOf(answer), ['1', '4'])
      assert.equal(answer.found, 2)
      assert.deepEqual(answer.applied_rules, ['shoes'])
      assert.deepEqual(
        answer.hits.map(({ curated }) => curated),
        [undefined, true],
      )
      assert.deepEqual(
        answer.facets!['brand']!.map((one) => one.count),
        [1, 1],
      )
      const flat = await search({ q: 'trail shoes', hit_format: 'flat' })
      assert.deepEqual(
        flat.hits.map((hit) => hit._curated),
        [undefined, true],
      )
      // Whatever the order, but not against the filter.
      assert.deepEqual(idsOf(await search({ q: 'trail shoes', sort_by: 'price:desc' })), ['1', '4'])
      assert.deepEqual(idsOf(await search({ q: 'shoe', filter_by: 'price:>50' })), ['1'])
      assert.deepEqual(idsOf(await search({ q: 'shoe', filters: { brand: 'Norrby' } })), ['4'])
      assert.deepEqual(idsOf(await search({ q: 'shoe -camping' })), ['1'])
      const bypassed = await search({ q: 'shoe', apply_rules: false })
      assert.deepEqual(idsOf(bypassed).toSorted(), ['1', '2'])
      assert.equal(bypassed.applied_rules, undefined)
      assert.deepEqual(idsOf(await search({ q: 'jacket' })), ['3'])
    })
  })

  test('boosts act on the score, and explain shows them', async () => {
    const rules = { cheap: { boost: [{ filter_by: 'price:<95', weight: 2 }] } }
    const plain = new Map((await search({ q: 'trail shoe' })).hits.map((hit) => [hit.id, hit]))
    await withRules(rules, async () => {
      const boosted = await search({ q: 'trail shoe', explain: true })
      const TIER = 2 ** 40
      for (const { id, text_match_score, explanation } of boosted.hits) {
        const before = plain.get(id)!.text_match_score
        const doubled = TIER + 2 * (before - TIER)
        assert.ok(Math.abs(text_match_score - (id === '1' ? doubled : before)) <= 1)
        assert.deepEqual(
          explanation?.boost,
          id === '1'
            ? { factor: 2, rules: [{ id: 'cheap', filter_by: 'price:<95', weight: 2 }] }
            : { factor: 1, rules: [] },
        )
      }
      assert.deepEqual(idsOf(await search({ q: '*' })), ['4', '1', '3', '2'])
    })
    const buried = { dear: { boost: [{ filter_by: 'price:>95', weight: 0.5 }] } }
    await withRules(buried, async () => {
      assert.deepEqual(idsOf(await search({ q: '*' })), ['4', '1', '3', '2'])
    })
  })

  test('a rule may let its boosts stand above exact values, unless the request itself says', async () => {
    const q = 'red rain jacket'
    const boost = [{ filter_by: 'brand:=Fells', weight: 1_000 }]
    const first = async (changes: object = {}) => {
      const asked = { q: 'fells', search_fields: ['title', 'brand'], explain: true, ...changes }
      return (await search(asked)).hits[0] as Hit & { explanation: { exact_value: number } }
    }
    assert.ok((await first()).explanation.exact_value > 0)
    await withRules({ a: { boost, exact_match_boost: false } }, async () => {
      assert.equal((await first()).explanation.exact_value, 0)
      assert.ok((await first({ exact_match_boost: true })).explanation.exact_value > 0)
      assert.ok((await first({ apply_rules: false })).explanation.exact_value > 0)
      const cached = { cache_results: true, q }
      const before = (await search(cached)).hits[0]!.text_match_score
      const own = (await search({ ...cached, exact_match_boost: true })).hits[0]!.text_match_score
      assert.ok(before < own)
      assert.equal((await search(cached)).hits[0]!.text_match_score, before)
      const preset = { value: { exact_match_boost: true } }
      assert.equal((await call('PUT', 'presets/exact', preset)).statusCode, 200)
      assert.equal((await first({ preset_name: 'exact' })).explanation.exact_value, 0)
    })
    const two = {
      high: { priority: 1, exact_match_boost: true },
      low: { exact_match_boost: false },
    }
    await withRules(two, async () => assert.ok((await first()).explanation.exact_value > 0))
    const bad = await call('PUT', 'rules/bad', { exact_match_boost: 'no' })
    assert.deepEqual([bad.statusCode, bad.json().param], [400, 'exact_match_boost'])
  })

  test('filters add up, the first order counts, and the order of the request before that of a rule', async () => {
    const rules = {
      a: { priority: 2, filter_by: 'price:<140', sort_by: 'price:desc' },
      b: { priority: 1, filter_by: '!sold_out:true', sort_by: 'price:asc' },
    }
    await withRules(rules, async () => {
      assert.deepEqual(idsOf(await search({ q: '*' })), ['2', '1'])
      assert.deepEqual(idsOf(await search({ q: '*', sort_by: 'price' })), ['1', '2'])
      await call('PUT', 'presets/up', { value: { sort_by: 'price' } })
      assert.deepEqual(idsOf(await search({ q: '*', preset_name: 'up' })), ['2', '1'])
      const { facets } = await search({ q: '*' }, '/v1/filters')
      assert.deepEqual(facets!['price'], { min: 89.5, max: 99 })
      const open = await search({ q: '*', apply_rules: false }, '/v1/filters')
      assert.deepEqual(open.facets!['price'], { min: 39, max: 149 })
    })
  })

  test('queries are rewritten before anything else looks at them', async () => {
    const rules = {
      replace: { priority: 1, when: [{ query: 'oven' }], replace_query: 'camping stove' },
      remove: { remove_words: ['cheap', 'best of'] },
    }
    await withRules(rules, async () => {
      const replaced = await search({ q: 'Ovens' })
      assert.deepEqual(idsOf(replaced), ['4'])
      assert.equal(replaced.rewritten_query, 'camping stove')
      assert.deepEqual(replaced.applied_rules, ['replace', 'remove'])
      const cases: [q: string, rewritten: string | undefined][] = [
        ['cheap  trail shoe', 'trail shoe'],
        ['trail CHEAP shoe -best of', 'trail shoe -best of'],
        ['the best of shoes', 'the shoes'],
        ['cheap', '*'],
        ['"cheap" cheap', '*'],
        ['cheap -red', '-red'],
        ['jacket', undefined],
      ]
      for (const [q, rewritten] of cases) {
        const answer = await search({ q, require_all_terms: true })
        assert.equal(answer.rewritten_query, rewritten, q)
      }
      assert.equal((await search({ q: 'cheap' })).found, 4)
      assert.equal((await search({ q: 'cheap -red' })).found, 2)
      // Corrections refer to the rewritten query.
      assert.equal((await search({ q: 'cheap jakcet' })).corrected_query, 'jacket')
      await call('PUT', 'synonym-sets/all', {
        items: [{ synonyms: ['cheap', 'jacket'] }],
        default: true,
      })
      assert.deepEqual(idsOf(await search({ q: 'cheap stove' })), ['4'])
      await call('DELETE', 'synonym-sets/all')
    })
  })

  test('banners, redirects and metadata reach the page', async () => {
    const rules = {
      first: { priority: 2, banner: { title: 'A' }, metadata: { theme: 'dark', n: 1 } },
      second: { priority: 1, banner: 'B', redirect: '/sale', metadata: { theme: 'light', m: 2 } },
      third: { redirect: { url: 'https://x.example/', status: 302 } },
    }
    await withRules(rules, async () => {
      assert.deepEqual((await search({ q: 'nothing there' })).metadata, {
        theme: 'dark',
        n: 1,
        m: 2,
        banner: { title: 'A' },
        banners: [{ title: 'A' }, 'B'],
        redirect: { url: '/sale' },
      })
    })
  })

  test('contexts, active filters and schedules decide', async () => {
    const rules = {
      app: { when: [{ contexts: ['app'] }] },
      fells: { when: [{ filter_by: 'brand:=Fells && price:[5..100]' }] },
      later: { schedule: [{ from: '2026-01-01T01:00:00+01:00', until: '2026-01-01T00:00:01Z' }] },
    }
    await withRules(rules, async () => {
      const applied = async (body: object) => (await search({ q: '*', ...body })).applied_rules
      const then = testApp.time.nowMs
      assert.deepEqual(await applied({ rule_contexts: ['web', 'app'] }), ['app', 'later'])
      testApp.time.nowMs = Date.parse('2026-01-01T00:00:01Z')
      assert.equal(await applied({}), undefined)
      const filters = { price: { min: 5, max: 100 }, brand: 'fells' }
      assert.deepEqual(await applied({ filters, filter_by: 'stock:>0' }), ['fells'])
      const byUrl = await testApp.call({
        url: '/v1/search?q=x&rule_contexts=app',
        headers: store.read,
      })
      assert.deepEqual(byUrl.json().applied_rules, ['app'])
      testApp.time.nowMs = then
    })
  })

  test('where rules disagree about a document, the first wins; a taken place is left for the next', async () => {
    const rules = {
      a: { priority: 1, pin: [{ id: '1', position: 1 }], hide: ['2'] },
      b: {
        pin: [
          { id: '3', position: 1 },
          { id: '2', position: 3 },
        ],
        hide: ['1'],
      },
    }
    await withRules(rules, async () => {
      assert.deepEqual(idsOf(await search({ q: '*' })), ['1', '3', '4'])
    })
  })

  test('a rule that a new schema has made wrong is left out, and the answer says so', async () => {
    const late = await testApp.createStore('late')
    const url = `/api/v1/stores/${late.id}`
    const write = (method: 'POST' | 'PUT', path: string, body: object) =>
      testApp.call({ method, url: `${url}/${path}`, headers: late.write, body })
    await write('POST', 'schema', { fields: [{ name: 'size', type: 'int32', facet: true }] })
    await write('PUT', 'rules/big', { filter_by: 'size:>3', banner: 'x' })
    await write('POST', 'schema', { mode: 'replace', fields: [{ name: 't', type: 'string' }] })
    const answer = await testApp.call({ url: '/v1/search?q=*', headers: late.read })
    const { warnings, applied_rules, metadata } = answer.json()
    assert.deepEqual([answer.statusCode, applied_rules, metadata], [200, undefined, undefined])
    assert.match(warnings[0], /^Rule `big` is ignored because it does not fit the schema: .*`size`/)
  })

  test('more rules than a search may have: the first hundred apply, and the answer says so', async () => {
    // In a separate store, which is not emptied: on a cluster each change is a write.
    const crowded = await testApp.createStore('crowded')
    await fillStore(testApp, crowded)
    for (let priority = 0; priority <= 100; priority++) {
      const url = `/api/v1/stores/${crowded.id}/rules/r${priority}`
      await testApp.call({ method: 'PUT', url, headers: crowded.write, body: { priority } })
    }
    const answer = await testApp.call({ url: '/v1/search?q=*', headers: crowded.read })
    const { applied_rules, warnings } = answer.json() as Found
    assert.equal(applied_rules!.length, 100)
    assert.deepEqual([applied_rules![0], applied_rules!.includes('r0')], ['r100', false])
    assert.deepEqual(warnings, ['Only the first 100 rules of a search apply'])
  })

  test('the record of a search names the rules, and keeps the query as it was typed', async () => {
    await withRules({ it: { when: [{ query: 'oven' }], replace_query: 'stove' } }, async () => {
      await search({ q: 'oven' })
      const event = (await testApp.eventsOf(store.id)).at(-1)
      assert.ok(event?.kind === 'event')
      assert.deepEqual(
        [event.properties['query'], event.properties['applied_rules']],
        ['oven', ['it']],
      )
    })
  })
})

suite('pins over pages', () => {
  test('pages of any size have every hit once, pins at their places, and the same exact count', async () => {
    const paged = await testApp.createStore('paged')
    const url = `/api/v1/stores/${paged.id}`
    const write = (method: 'POST' | 'PUT', path: string, body: object) =>
      testApp.call({ method, url: `${url}/${path}`, headers: paged.write, body })
    const fields = [
      { name: 'title', type: 'string', searchable: true },
      { name: 'n', type: 'int32', facet: true, sort: true },
    ]
    await write('POST', 'schema', { fields })
    const documents = Array.from({ length: 60 }, (_, n) => ({
      id: `d${n}`,
      title: n % 3 === 0 ? 'red shoe' : 'blue hat',
      n,
    }))
    await write('POST', 'documents/bulk', { documents })
    const pins = fc.uniqueArray(fc.integer({ min: 1, max: 80 }), { minLength: 1, maxLength: 12 })
    const from = fc.constantFrom(0, 30, 55)
    await fc.assert(
      fc.asyncProperty(
        pins,
        from,
        fc.integer({ min: 1, max: 25 }),
        async (positions, min, size) => {
          const pin = positions.map((position, i) => ({ id: `d${i * 5}`, position }))
          await write('PUT', 'rules/pins', { pin })
          const hits: Found['hits'][number][] = []
          const body = { q: 'shoe', filter_by: `n:>=${min}`, per_page: size }
          const matching = documents.filter(({ id, title, n }) => {
            return n >= min && (title === 'red shoe' || pin.some((one) => one.id === id))
          })
          for (let page = 1; hits.length < matching.length + size; page++) {
            const answer = await testApp.call({
              method: 'POST',
              url: '/v1/search',
              headers: paged.read,
              body: { ...body, page },
            })
            assert.equal(answer.json().found, matching.length)
            if (answer.json().hits.length === 0) break
            hits.push(...answer.json().hits)
          }
          const byId = (a: string, b: string) => (a < b ? -1 : 1)
          assert.deepEqual(
            hits.map(({ id }) => id).toSorted(byId),
            matching.map(({ id }) => id).toSorted(byId),
          )
          const there = pin
            .filter(({ id }) => Number(id.slice(1)) >= min)
            .toSorted((a, b) => a.position - b.position)
          const others = matching.length - there.length
          there.forEach(({ id, position }, i) => {
            const at = Math.min(position - 1, others + i)
            assert.deepEqual([hits[at]?.id, hits[at]?.curated], [id, true])
          })
          assert.equal(hits.filter(({ curated }) => curated).length, there.length)
        },
      ),
      { numRuns: generatedRuns(40) },
    )
  })
})
