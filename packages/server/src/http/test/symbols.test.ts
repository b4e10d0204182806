import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { until } from '@aisle/testing'
import { createTestApp } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())

const FIELDS = [
  { name: 'title', type: 'string', searchable: true },
  { name: 'tags', type: 'string[]', searchable: true, facet: true },
]
const TITLES = [
  'C in a nutshell',
  'C++ primer',
  'C# in depth',
  'Canal card',
  'Canal+ card',
  'Net of wool',
  '.NET at work',
  'AC/DC live',
  'AC DC converter',
  'ACDC tribute',
  'Tripod 3.5mm',
]
const DOCUMENTS = TITLES.map((title, i) => ({ id: String(i + 1), title, tags: [title] }))

type Body = Record<string, unknown>
let stores = 0

/** A store with the catalog. */
async function storeWith(settings: Body, fields: readonly object[] = FIELDS) {
  const { id, read, write } = await testApp.createStore(`symbols-${++stores}`)
  const call = (method: 'GET' | 'PATCH' | 'POST' | 'PUT', path: string, body?: object) =>
    testApp.call({
      method,
      url: `/api/v1/stores/${id}/${path}`,
      headers: write,
      ...(body && { body }),
    })
  const search = async (body: Body) =>
    (await testApp.call({ method: 'POST', url: '/v1/search', headers: read, body })).json()
  const store = {
    call,
    search,
    titles: async (q: string, others: Body = {}): Promise<string[]> =>
      (await search({ q, prefix_mode: 'off', typo_max: 0, ...others })).hits.map(
        (hit: { document: { title: string } }) => hit.document.title,
      ),
    settled: () =>
      until(
        'the analysis',
        async () => (await call('GET', 'settings')).json().analysis.state === 'ready',
      ),
  }
  const patched = await call('PATCH', 'settings', settings)
  assert.equal(patched.statusCode, 200, patched.body)
  const defined = await call('POST', 'schema', { fields })
  assert.equal(defined.statusCode, 200, defined.body)
  await call('POST', 'documents/bulk', { documents: DOCUMENTS })
  return store
}

const plain = await storeWith({})
const own = await storeWith({ symbols_to_index: ['+', '#', '.'], token_separators: ['/'] })

suite('symbols of a store', () => {
  test('the word as typed comes first, then the word without its symbols', async () => {
    assert.deepEqual((await own.titles('c++'))[0], 'C++ primer')
    assert.deepEqual((await own.titles('C#'))[0], 'C# in depth')
    assert.deepEqual(await own.titles('canal+'), ['Canal+ card', 'Canal card'])
    assert.deepEqual(await own.titles('.net'), ['.NET at work', 'Net of wool'])
    assert.equal((await own.titles('c++')).length, 3)
    assert.equal((await own.titles('canal')).length, 2)
    // Without the setting all are one word.
    assert.equal((await plain.titles('c++')).length, 3)
    assert.equal(
      (await plain.search({ q: 'canal+', explain: true })).hits[0].explanation.words[0].word,
      'canal',
    )
  })

  test('they are explained and marked', async () => {
    const { hits } = await own.search({ q: 'c++', explain: true })
    assert.deepEqual(hits[0].highlight.title, '<mark>C++</mark> primer')
    const [best] = hits[0].explanation.words[0].alternatives
    assert.deepEqual([best.variant, best.quality, best.forms], ['exact', 1, ['c++']])
    assert.ok(hits[0].explanation.tier > 0)
    const [bare] = hits[1].explanation.words[0].alternatives
    assert.deepEqual([bare.variant, bare.quality, bare.forms], ['bare', 0.15, ['c']])
    assert.equal(hits[1].explanation.tier, 0)
    const { hits: canal } = await own.search({ q: 'canal' })
    assert.deepEqual(
      canal.map((hit: { highlight: { title: string } }) => hit.highlight.title).toSorted(),
      ['<mark>Canal</mark> card', '<mark>Canal</mark>+ card'],
    )
    const { hits: cut } = await own.search({ q: 'net', include_snippets: true })
    assert.ok(
      cut.some((hit: { snippets: Body }) => /<mark>NET<\/mark>/.test(JSON.stringify(hit.snippets))),
    )
  })

  test('quotes, hyphens, prefixes, infixes and corrections take them as letters', async () => {
    assert.deepEqual(await own.titles('"c++"'), ['C++ primer'])
    assert.equal((await own.titles('card -canal+')).join(), 'Canal card')
    assert.equal((await own.titles('c+', { prefix_mode: 'always' }))[0], 'C++ primer')
    assert.equal((await own.titles('anal+', { infix_mode: 'always' }))[0], 'Canal+ card')
    assert.equal((await own.titles('cnaal+', { typo_max: 2 }))[0], 'Canal+ card')
    assert.equal((await own.search({ q: 'cnaal+ card' })).corrected_query, 'canal+ card')
  })

  test('filters and facets too', async () => {
    assert.deepEqual(await own.titles('*', { filter_by: 'title:c++' }), ['C++ primer'])
    assert.deepEqual(await own.titles('*', { filter_by: 'tags:c#' }), ['C# in depth'])
    assert.equal((await own.titles('*', { filter_by: 'tags:c' })).length, 3)
    assert.equal((await plain.titles('*', { filter_by: 'tags:c#' })).length, 3)
    const { facets } = await own.search({ q: '*', facet_by: 'tags', facet_query: 'tags:c+' })
    assert.deepEqual(
      facets.tags.map(({ value, highlighted }: { value: string; highlighted: string }) => [
        value,
        highlighted,
      ]),
      [['C++ primer', '<mark>C+</mark>+ primer']],
    )
  })

  test('synonyms, stopwords, rules know words with symbols from those without', async () => {
    await own.call('PUT', 'synonym-sets/languages', {
      items: [{ synonyms: ['cpp', 'c++'] }],
      default: true,
    })
    await own.call('PUT', 'rules/net', {
      when: [{ query: '.net', match: 'contains' }],
      banner: 'dot',
    })
    assert.equal((await own.titles('cpp'))[0], 'C++ primer')
    assert.equal((await own.titles('cpp')).length, 1)
    assert.deepEqual((await own.search({ q: '.net' })).applied_rules?.length, 1)
    assert.equal((await own.search({ q: 'net' })).applied_rules, undefined)
    const hits = await own.titles('c++ .net', { stopword_sets: [] })
    assert.equal(hits.length > 2, true)
  })

  test('a separator is a space: no joined spelling, no decimals', async () => {
    const filter_by = 'title:acdc'
    assert.deepEqual(await own.titles('*', { filter_by }), ['ACDC tribute'])
    assert.equal((await own.titles('ac/dc', { require_all_terms: true })).length, 3)
    assert.equal((await plain.titles('*', { filter_by })).length, 2)
    assert.equal((await own.titles('3.5mm'))[0], 'Tripod 3.5mm')
  })

  test('a change analyses the documents again in the background', async () => {
    const store = await storeWith({})
    assert.equal((await store.titles('c#', { filter_by: 'title:c' })).length, 3)
    const changed = (await store.call('PATCH', 'settings', { symbols_to_index: ['#'] })).json()
    assert.deepEqual(changed.symbols_to_index, ['#'])
    await store.settled()
    assert.equal((await store.titles('c#'))[0], 'C# in depth')
    assert.deepEqual(await store.titles('*', { filter_by: 'title:c#' }), ['C# in depth'])
    const settings = (await store.call('GET', 'settings')).json()
    assert.deepEqual([settings.analysis.language, settings.token_separators], ['en', []])
    await store.call('PATCH', 'settings', { symbols_to_index: null })
    await store.settled()
    assert.equal((await store.titles('*', { filter_by: 'title:c#' })).length, 3)
  })

  const refused: readonly (readonly [Body, string])[] = [
    [{ symbols_to_index: '+' }, 'symbols_to_index'],
    [{ symbols_to_index: ['++'] }, 'symbols_to_index[0]'],
    [{ symbols_to_index: ['+', 'a'] }, 'symbols_to_index[1]'],
    [{ symbols_to_index: ['7'] }, 'symbols_to_index[0]'],
    [{ symbols_to_index: ['👟'] }, 'symbols_to_index[0]'],
    [{ symbols_to_index: [' '] }, 'symbols_to_index[0]'],
    [{ symbols_to_index: ['\u0301'] }, 'symbols_to_index[0]'],
    [{ symbols_to_index: [''] }, 'symbols_to_index[0]'],
    [{ token_separators: [7] }, 'token_separators[0]'],
    [{ token_separators: ['½'] }, 'token_separators[0]'],
    [{ symbols_to_index: ['+'], token_separators: ['/', '＋'] }, 'token_separators[1]'],
    [{ symbols_to_index: Array.from({ length: 51 }, () => '+') }, 'symbols_to_index'],
  ]
  for (const [body, param] of refused) {
    test(`${JSON.stringify(body).slice(0, 60)} is 400`, async () => {
      const answer = await plain.call('PATCH', 'settings', body)
      assert.equal(answer.statusCode, 400, answer.body)
      assert.deepEqual([answer.json().code, answer.json().param], ['invalid_parameter', param])
    })
  }
})

suite('symbols of a field', () => {
  const fields = [
    { ...FIELDS[0], symbols_to_index: ['+', '＋', '#'] },
    { ...FIELDS[1], token_separators: ['.', '/'] },
  ]

  test('stand beside those of the store, in queries and filters too', async () => {
    const store = await storeWith({ symbols_to_index: ['.'] }, fields)
    const defined = (await store.call('GET', 'schema')).json().fields
    assert.deepEqual(defined[0].symbols_to_index, ['+', '#'])
    assert.deepEqual(defined[1].token_separators, ['.', '/'])
    assert.equal((await store.titles('c#'))[0], 'C# in depth')
    assert.deepEqual(await store.titles('*', { filter_by: 'title:c#' }), ['C# in depth'])
    // The other field has no word with a hash.
    assert.equal((await store.titles('*', { filter_by: 'tags:c#' })).length, 3)
    assert.equal((await store.titles('canal+'))[0], 'Canal+ card')
    // Its own symbols stand in place of those of the store.
    assert.equal((await store.titles('*', { filter_by: 'title:.net' })).length, 2)
    assert.deepEqual(await store.titles('*', { filter_by: 'tags:acdc' }), ['ACDC tribute'])
    // 3.5mm is 3, 5 and a unit there.
    assert.deepEqual(await store.titles('3.5mm', { search_fields: ['tags'] }), ['Tripod 3.5mm'])
    assert.deepEqual(await store.titles('3.5', { search_fields: ['tags'] }), ['Tripod 3.5mm'])
  })

  test('are fixed when the field is defined', async () => {
    const answer = await plain.call('POST', 'schema', { fields: [fields[0]] })
    assert.match(answer.json().warnings[0], /stays string \(searchable\): mode "change"/)
  })

  test('must be characters, of text that is searched', async () => {
    const bad: readonly (readonly [object, string])[] = [
      [
        { name: 'x', type: 'string', searchable: true, symbols_to_index: ['ab'] },
        '.symbols_to_index[0]',
      ],
      [{ name: 'x', type: 'string', searchable: true, token_separators: 7 }, '.token_separators'],
      [{ name: 'x', type: 'string', facet: true, symbols_to_index: ['+'] }, '.symbols_to_index'],
      [{ name: 'x', type: 'float', token_separators: ['+'] }, '.token_separators'],
      [
        {
          name: 'x',
          type: 'string',
          searchable: true,
          symbols_to_index: ['+'],
          token_separators: ['+'],
        },
        '.token_separators',
      ],
    ]
    for (const [field, param] of bad) {
      const answer = await plain.call('POST', 'schema', { fields: [field] })
      const { code, param: at } = answer.json()
      assert.deepEqual([answer.statusCode, code, at], [400, 'invalid_schema', `fields[0]${param}`])
    }
  })
})

suite('emoji', () => {
  test('are words that are found, marked and completed', async () => {
    const store = await storeWith({})
    await store.call('POST', 'documents/bulk', {
      documents: [
        { id: 'a', title: 'Running shoes👟', tags: [] },
        { id: 'b', title: 'Mug 👩🏽‍💻 for coders', tags: ['👍🏿'] },
        { id: 'c', title: 'Mug with 👩 and 💻', tags: ['🇩🇪'] },
      ],
    })
    assert.deepEqual(await store.titles('👟'), ['Running shoes👟'])
    assert.deepEqual(await store.titles('👩‍💻'), ['Mug 👩🏽‍💻 for coders'])
    assert.deepEqual(await store.titles('💻'), ['Mug with 👩 and 💻'])
    assert.deepEqual(await store.titles('👍'), ['Mug 👩🏽‍💻 for coders'])
    assert.deepEqual(await store.titles('*', { filter_by: 'tags:🇩🇪' }), ['Mug with 👩 and 💻'])
    const { hits } = await store.search({ q: 'mug 👩‍💻' })
    assert.equal(hits[0].highlight.title, '<mark>Mug</mark> <mark>👩🏽‍💻</mark> for coders')
  })
})
