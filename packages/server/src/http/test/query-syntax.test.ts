import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createTestApp, fillStore } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const store = await testApp.createStore('outdoor')
await fillStore(testApp, store)

type Hit = {
  id: string
  text_match_score: number
  explanation: {
    tier: number
    exact_value: number
    words: { word: string; points: number; alternatives: { variant: string; forms: string[] }[] }[]
    pairs: { words: string[]; points: number }[]
  }
}
const search = async (body: object) => {
  const answer = await testApp.call({
    method: 'POST',
    url: '/v1/search',
    headers: store.read,
    body,
  })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json() as { found: number; hits: Hit[]; warnings?: string[]; facets?: object }
}
const found = async (q: string, changes: object = {}) =>
  (await search({ q, ...changes })).hits.map(({ id }) => id).toSorted()

suite('phrases and exclusions over HTTP', () => {
  const cases: readonly (readonly [q: string, ids: string[]])[] = [
    ['trail shoe', ['1', '2']],
    ['"trail shoe"', ['1', '2']],
    ['“trail shoe”', ['1', '2']],
    ['"shoe trail"', []],
    ['"red trail"', ['1']],
    ['"red shoe"', []],
    ['"trail shoes"', []],
    ['"red trail" blue', ['1']],
    ['red -trail', ['3']],
    ['red -"trail shoe"', ['3']],
    ['red -"shoe trail"', ['1', '3']],
    ['shoe -reds', ['2']],
    ['shoe -"reds"', ['1', '2']],
    ['-red', ['2', '4']],
    ['* -red', ['2', '4']],
    ['-red -blue', ['4']],
    ['"red', ['1', '3']],
    ['red -', ['1', '3']],
    ['red - shoe', ['1', '2', '3']],
    ['"', ['1', '2', '3', '4']],
    ['-', ['1', '2', '3', '4']],
    ['-"', ['1', '2', '3', '4']],
    ['""', ['1', '2', '3', '4']],
    ['-red -"', ['2', '4']],
  ]
  for (const [q, ids] of cases) {
    test(q, async () => {
      assert.deepEqual(await found(q), ids)
      const answer = await testApp.call({
        method: 'GET',
        url: `/v1/search?q=${encodeURIComponent(q)}`,
        headers: store.read,
      })
      assert.deepEqual(
        answer
          .json()
          .hits.map((hit: Hit) => hit.id)
          .toSorted(),
        ids,
      )
    })
  }

  test('facets count what the conditions leave, and so do the other routes', async () => {
    const { facets } = await search({ q: '-red', facet_by: 'brand' })
    const left = {
      brand: [
        { value: 'Fells', count: 1 },
        { value: 'Norrby', count: 1 },
      ],
    }
    assert.deepEqual(facets, left)
    const filters = await testApp.call({
      method: 'POST',
      url: '/v1/filters',
      headers: store.read,
      body: { q: '-red', facet_by: 'brand' },
    })
    assert.deepEqual(filters.json().facets, left)
  })

  test('a phrase matches within one searched field, and its words are marked', async () => {
    assert.deepEqual(await found('"trail shoe"', { search_fields: ['brand'] }), [])
    const { hits } = await search({ q: '"trail shoe" -red' })
    assert.deepEqual(
      hits.map((hit) => 'highlight' in hit && hit.highlight),
      [{ title: 'Blue <mark>trail</mark> <mark>shoe</mark>', tags: ['<mark>shoe</mark>'] }],
    )
  })

  test('a correction leaves quotes and exclusions where they are', async () => {
    const correctedOf = async (q: string) =>
      ((await search({ q })) as { corrected_query?: string }).corrected_query
    assert.equal(await correctedOf('"trail shoe" bleu  -red'), '"trail shoe" blue  -red')
    assert.equal(await correctedOf('"trial shoe"'), undefined)
  })

  test('a word behind a hyphen is not completed, and completions obey exclusions', async () => {
    const suggested = async (q: string) =>
      (
        (await search({ q, include_suggestions: true })) as { suggestions?: { text: string }[] }
      ).suggestions!.map(({ text }) => text)
    assert.deepEqual(await suggested('trail sh'), ['trail shoe'])
    assert.deepEqual(await suggested('shoe -tr'), [])
    assert.deepEqual(await suggested('-trail sho'), [])
  })

  test('a thousand characters of quotes and hyphens are a query like any other', async () => {
    for (const part of ['"', '-', '" ', '-a ', '"a" ', '-"']) {
      const { warnings } = await search({ q: part.repeat(1_000 / part.length) })
      if (part === '-a ') assert.match(warnings![0]!, /first 31 phrases and exclusions/)
    }
  })
})

suite('exact_match_boost and explain', () => {
  const EXACT = 2 ** 41

  test('a document with a value that is the query comes first, unless that is switched off', async () => {
    const [first] = (await search({ q: 'red rain jacket' })).hits
    assert.deepEqual([first?.id, first!.text_match_score > EXACT], ['3', true])
    const off = await search({ q: 'red rain jacket', exact_match_boost: false })
    assert.equal(off.hits[0]!.text_match_score < EXACT, true)
    assert.equal((await search({ q: 'fells' })).hits.length, 2)
    for (const hit of (await search({ q: 'fells' })).hits) assert.ok(hit.text_match_score > EXACT)
    for (const hit of (await search({ q: 'rain jacket' })).hits)
      assert.ok(hit.text_match_score < EXACT)
  })

  test('who asks for it gets it in every searched field but lists, with GET, POST and presets', async () => {
    const exactIds = async (asked: object) => {
      const { hits } = await search({ q: 'fells', field_weights: { title: 9 }, ...asked })
      return hits.filter((hit) => hit.text_match_score > EXACT).map(({ id }) => id)
    }
    assert.deepEqual(await exactIds({}), [])
    assert.deepEqual(await exactIds({ exact_match_boost: true }), ['2', '1'])
    assert.deepEqual(await exactIds({ exact_match_boost: true, search_fields: ['title'] }), [])
    const tags = { q: 'red', field_weights: { title: 9 }, exact_match_boost: true }
    assert.deepEqual(await exactIds(tags), [])
    const preset = await testApp.call({
      method: 'PUT',
      url: `/api/v1/stores/${store.id}/presets/exact`,
      headers: store.write,
      body: { value: { exact_match_boost: true } },
    })
    assert.equal(preset.statusCode, 200, preset.body)
    assert.deepEqual(await exactIds({ preset_name: 'exact' }), ['2', '1'])
    assert.deepEqual(await exactIds({ preset_name: 'exact', exact_match_boost: false }), [])
    const answer = await testApp.call({
      method: 'GET',
      url: '/v1/search?q=fells&field_weights=%7B%22title%22%3A9%7D&exact_match_boost=true',
      headers: store.read,
    })
    const hits = answer.json().hits as Hit[]
    assert.deepEqual(
      hits.map((hit) => hit.text_match_score > EXACT),
      [true, true],
    )
  })

  test('the numbers of an explanation add up to the score', async () => {
    for (const q of ['red rain jacket', 'trail shoes', 'sho', 'fells "trail shoe" jackte', '*']) {
      for (const { text_match_score, explanation } of (await search({ q, explain: true })).hits) {
        const { tier, exact_value, words, pairs } = explanation
        const sum = [...words, ...pairs].reduce((total, { points }) => total + points, 0)
        assert.equal(tier + exact_value + sum, text_match_score)
      }
    }
    const [hit] = (await search({ q: 'trail shoes', explain: true })).hits
    assert.deepEqual(
      hit!.explanation.words.map(({ alternatives }) => alternatives.map((a) => a.variant)),
      [['exact'], ['stem']],
    )
    assert.deepEqual(hit!.explanation.pairs[0]!.words, ['trail', 'shoes'])
  })

  test('flat hits have it too; without explain there is none', async () => {
    const flat = await search({ q: 'stove', explain: true, hit_format: 'flat' })
    assert.ok('_explanation' in flat.hits[0]!)
    assert.equal('explanation' in (await search({ q: 'stove' })).hits[0]!, false)
  })

  test('values that are not booleans are refused by name', async () => {
    for (const param of ['explain', 'exact_match_boost']) {
      const answer = await testApp.call({
        method: 'POST',
        url: '/v1/search',
        headers: store.read,
        body: { q: 'x', [param]: 'maybe' },
      })
      assert.deepEqual([answer.statusCode, answer.json().code], [400, 'invalid_parameter'])
      assert.equal(answer.json().param, param)
    }
  })
})
