import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { until } from '@aisle/testing'
import { MARK_MAX_CHARS, SNIPPET_TOKEN_LIMIT_MAX, SUGGESTIONS_MAX } from '@aisle/contract'
import { createTestApp } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const store = await testApp.createStore('shop')
const filler = (count: number): string => Array.from({ length: count }, () => 'lorem').join(' ')
const DOCUMENTS = [
  {
    id: '1',
    title: 'Red <trail> shoe',
    text: `${filler(40)} a red-brown shoe & more ${filler(40)}`,
    tags: ['shoe', 'for rain'],
    year: 2024,
    note: 'shoe of the month',
    brand: 'Fells',
  },
  { id: '2', title: 'Blue shoes', text: filler(40), tags: [], brand: 'Norrby' },
  { id: '3', title: 'Rain jacket', text: 'a jacket', brand: 'Norrby' },
  { id: '4', title: 'Rain boots', brand: 'Fells' },
  { id: '5', title: 'Bed spread', brand: 'Fells' },
]

await testApp.call({
  method: 'POST',
  url: '/api/v1/stores/shop/schema',
  headers: store.write,
  body: {
    fields: [
      { name: 'title', type: 'string', searchable: true },
      { name: 'text', type: 'string', searchable: true },
      { name: 'tags', type: 'string[]', searchable: true },
      { name: 'year', type: 'int32', searchable: true },
      { name: 'note', type: 'string' },
      { name: 'brand', type: 'string', facet: true },
    ],
  },
})
await testApp.call({
  method: 'POST',
  url: '/api/v1/stores/shop/documents/bulk',
  headers: store.write,
  body: { documents: DOCUMENTS },
})

const search = async (body: object) => {
  const answer = await testApp.call({
    method: 'POST',
    url: '/v1/search',
    headers: store.read,
    body,
  })
  return { status: answer.statusCode, ...answer.json() }
}

suite('snippets', () => {
  const snippets = async (body: object) =>
    (await search({ q: 'red shoe', include_snippets: true, require_all_terms: true, ...body }))
      .hits[0].snippets

  test('are there only when asked for, of all searchable fields', async () => {
    assert.equal('snippets' in (await search({ q: 'red shoe' })).hits[0], false)
    const all = await snippets({})
    assert.deepEqual(Object.keys(all), ['title', 'text', 'tags', 'year'])
    assert.equal(all.title, '<mark>Red</mark> &lt;trail&gt; <mark>shoe</mark>')
    assert.deepEqual(all.tags, ['<mark>shoe</mark>', 'for rain'])
    assert.equal(all.year, '2024')
  })

  test('show the best window, cut at words, escaped', async () => {
    const { text } = await snippets({ snippet_token_limit: 7 })
    assert.equal(text, '…lorem a <mark>red</mark>-brown <mark>shoe</mark> &amp; more lorem…')
    const raw = await snippets({ snippet_token_limit: 7, highlight_escape: false })
    assert.match(raw.text, /<\/mark> & more/)
    assert.equal((await snippets({})).text.replaceAll(/<\/?mark>/g, '').split(/\s+|-/).length, 31)
  })

  test('of chosen fields, in the words of the request', async () => {
    assert.deepEqual(
      await snippets({
        snippet_fields: ['title', 'note'],
        snippet_prefix: '<b class="x">',
        snippet_suffix: '</b>',
      }),
      {
        title: '<b class="x">Red</b> &lt;trail&gt; <b class="x">shoe</b>',
        note: 'shoe of the month',
      },
    )
    const unsearched = await snippets({ search_fields: ['text'], snippet_fields: ['title'] })
    assert.equal(unsearched.title, 'Red &lt;trail&gt; shoe')
    assert.deepEqual(Object.keys(await snippets({ snippet_fields: [] })), [
      'title',
      'text',
      'tags',
      'year',
    ])
  })

  test('of full_snippet_fields are the whole text', async () => {
    const full = await snippets({ snippet_fields: ['title'], full_snippet_fields: ['text'] })
    assert.deepEqual(Object.keys(full), ['title', 'text'])
    assert.equal(
      full.text,
      `${filler(40)} a <mark>red</mark>-brown <mark>shoe</mark> &amp; more ${filler(40)}`,
    )
  })

  test('and highlights never show an omitted field, in any form of a hit', async () => {
    const asked = {
      q: 'red shoe',
      omit_fields: ['text', 'note', 'year'],
      include_snippets: true,
      snippet_fields: ['title', 'text', 'note'],
      full_snippet_fields: ['year'],
    }
    const wrapped = (await search(asked)).hits[0]
    assert.deepEqual(Object.keys(wrapped.highlight), ['title', 'tags'])
    assert.deepEqual(Object.keys(wrapped.snippets), ['title'])
    const flat = (await search({ ...asked, hit_format: 'flat' })).hits[0]
    const members = [flat._highlight, flat._snippets].map((shown) => Object.keys(shown))
    assert.deepEqual(members, [['title', 'tags'], ['title']])
    const widget = { ...asked, widget_mode: true, highlight: true }
    assert.deepEqual((await search(widget)).hits[0].highlight, wrapped.highlight)
    const multi = await testApp.call({
      method: 'POST',
      url: '/v1/multi-search',
      headers: store.read,
      body: { queries: [asked] },
    })
    assert.deepEqual(multi.json().results[0].hits[0], wrapped)
    for (const hit of [wrapped, flat]) assert.doesNotMatch(JSON.stringify(hit), /lorem|month|2024/)
    const marked = { highlight: { title: wrapped.highlight.title, tags: wrapped.highlight.tags } }
    assert.partialDeepStrictEqual((await search({ q: 'red shoe' })).hits[0], marked)
  })

  test('take the marks of highlights, unless they have their own', async () => {
    const marks = { highlight_prefix: '[', highlight_suffix: ']' }
    const asked = { q: 'blue', include_snippets: true, snippet_fields: ['title'] }
    const both = async (parameters: object) => {
      const [hit] = (await search({ ...asked, ...parameters })).hits
      return [hit.highlight.title, hit.snippets.title]
    }
    assert.deepEqual(await both(marks), ['[Blue] shoes', '[Blue] shoes'])
    assert.deepEqual(await both({ ...marks, snippet_prefix: '', snippet_suffix: '' }), [
      '[Blue] shoes',
      'Blue shoes',
    ])
    // The default written out is not the absent parameter any more.
    assert.deepEqual(await both({ ...marks, snippet_prefix: '<mark>', cache_results: true }), [
      '[Blue] shoes',
      '<mark>Blue] shoes',
    ])
    assert.deepEqual(await both({ ...marks, cache_results: true }), [
      '[Blue] shoes',
      '[Blue] shoes',
    ])
    assert.deepEqual(await both({ highlight_suffix: '</b>' }), [
      '<mark>Blue</b> shoes',
      '<mark>Blue</b> shoes',
    ])
  })

  test('and highlights escape the text, not the marks, whatever these are', async () => {
    const marks = { highlight_prefix: '<b class="x">', highlight_suffix: '</b>' }
    const asked = { q: 'red trail', require_all_terms: true, ...marks }
    const marked = (text: string) => `<b class="x">${text}</b>`
    const { title } = (await search(asked)).hits[0].highlight
    assert.equal(title, `${marked('Red')} &lt;${marked('trail')}&gt; shoe`)
    const raw = (await search({ ...asked, highlight_escape: false })).hits[0].highlight
    assert.equal(raw.title, `${marked('Red')} <${marked('trail')}> shoe`)
    const byUrl = await testApp.call({
      method: 'GET',
      url: '/v1/search?q=blue&highlight_prefix=%5B&highlight_suffix=%5D',
      headers: store.read,
    })
    assert.equal(byUrl.json().hits[0].highlight.title, '[Blue] shoes')
    const flat = await search({ q: 'blue', hit_format: 'flat', ...marks })
    assert.equal(flat.hits[0]._highlight.title, `${marked('Blue')} shoes`)
    // A preset may set them, and the request wins.
    await testApp.call({
      method: 'PUT',
      url: '/api/v1/stores/shop/presets/marks',
      headers: store.write,
      body: { value: { highlight_prefix: '(', highlight_suffix: ')' } },
    })
    const preset = await search({ q: 'blue', preset_name: 'marks', highlight_suffix: '>' })
    assert.equal(preset.hits[0].highlight.title, '(Blue> shoes')
  })

  test('without a match show the beginning', async () => {
    const { hits } = await search({ q: 'blue', include_snippets: true, snippet_token_limit: 2 })
    assert.deepEqual(hits[0].snippets, {
      title: '<mark>Blue</mark> shoes',
      text: 'lorem lorem…',
    })
    const all = await search({ q: '*', include_snippets: true })
    assert.equal(all.hits.at(-1).snippets.title, 'Red &lt;trail&gt; shoe')
  })

  test('stand beside the fields of a flat hit', async () => {
    const { hits } = await search({ q: 'blue', include_snippets: true, hit_format: 'flat' })
    assert.equal(hits[0]._snippets.title, '<mark>Blue</mark> shoes')
    assert.equal(hits[0]._highlight.title, '<mark>Blue</mark> shoes')
  })

  const limits: readonly (readonly [object, number])[] = [
    [{ snippet_token_limit: 1 }, 200],
    [{ snippet_token_limit: SNIPPET_TOKEN_LIMIT_MAX }, 200],
    [{ snippet_token_limit: 0 }, 400],
    [{ snippet_token_limit: SNIPPET_TOKEN_LIMIT_MAX + 1 }, 400],
    [{ snippet_token_limit: 1.5 }, 400],
    [{ snippet_prefix: '' }, 200],
    [{ snippet_prefix: 'x'.repeat(MARK_MAX_CHARS) }, 200],
    [{ snippet_prefix: 'x'.repeat(MARK_MAX_CHARS + 1) }, 400],
    [{ snippet_suffix: 5 }, 400],
    [{ highlight_prefix: '' }, 200],
    [{ highlight_suffix: 'x'.repeat(MARK_MAX_CHARS) }, 200],
    [{ highlight_suffix: 'x'.repeat(MARK_MAX_CHARS + 1) }, 400],
    [{ highlight_prefix: ['<b>'] }, 400],
    [{ include_snippets: 'yes' }, 400],
    [{ snippet_fields: 'title' }, 400],
    [{ include_suggestions: 1 }, 400],
    [{ widget_mode: null }, 200],
  ]
  for (const [parameters, status] of limits) {
    test(`${JSON.stringify(parameters).slice(0, 50)} is ${status}`, async () => {
      const answer = await search({ q: 'shoe', include_snippets: true, ...parameters })
      assert.equal(answer.status, status)
      if (status === 200) assert.equal('warnings' in answer, false)
      else assert.equal(answer.param, Object.keys(parameters)[0])
    })
  }

  test('of unknown fields are refused', async () => {
    for (const param of ['snippet_fields', 'full_snippet_fields']) {
      const answer = await search({ q: 'shoe', [param]: ['titel'] })
      assert.deepEqual(
        [answer.status, answer.code, answer.param],
        [400, 'unknown_field', `${param}[0]`],
      )
    }
  })
})

suite('suggestions', () => {
  const suggest = async (q: string, parameters = {}) =>
    (await search({ q, include_suggestions: true, ...parameters })).suggestions
  const texts = async (q: string, parameters = {}) =>
    (await suggest(q, parameters)).map((one: { text: string }) => one.text)

  test('are there only when asked for', async () => {
    assert.equal('suggestions' in (await search({ q: 'ra' })), false)
    assert.deepEqual(await suggest('*'), [])
    assert.deepEqual(await suggest('zzzz'), [])
  })

  test('complete the last word with words that occur with the others', async () => {
    assert.deepEqual(await texts('ra'), ['rain'])
    assert.deepEqual(await texts('Rain bo'), ['Rain boots'])
    assert.deepEqual(await texts('trail sh'), ['trail shoe'])
    // A shoe for rain, but no name goes on so.
    assert.deepEqual(await texts('rain sho'), [])
    assert.deepEqual(await texts('jacket bo'), [])
    assert.deepEqual(await texts('rain '), [])
  })

  test('are what things are called, not what their texts say of them', async () => {
    const texts = async (q: string): Promise<string[]> =>
      (await search({ q, include_suggestions: true })).suggestions.map(
        ({ text }: { text: string }) => text,
      )
    assert.deepEqual(await texts('red br'), [])
    assert.deepEqual(await texts('mor'), [])
    assert.deepEqual(await texts('red s'), [])
    assert.deepEqual(await texts('red trail s'), ['red trail shoe'])
    // No name has "more", so the word beside it in the texts is completed.
    assert.deepEqual(await texts('more l'), ['more lorem'])
  })

  test('find something under the filter and in the fields of the search', async () => {
    assert.deepEqual(await texts('rain j', { filter_by: 'brand:=Fells' }), [])
    assert.deepEqual(await texts('rain j', { filter_by: 'brand:=Norrby' }), ['rain jacket'])
    assert.deepEqual(await texts('for r'), ['for rain'])
    assert.deepEqual(await texts('for r', { search_fields: ['title'] }), [])
    assert.deepEqual(await texts('zzzz ra', { require_all_terms: true }), [])
  })

  test('begin with what was meant', async () => {
    const answer = await search({ q: 'rain jakcet', include_suggestions: true })
    assert.deepEqual(answer.suggestions, [{ text: 'rain jacket', score: 1 }])
    assert.equal(answer.corrected_query, 'rain jacket')
    assert.deepEqual(await texts('rian ja'), ['rain ja', 'rain jacket'])
  })

  test('are few, different, and scored from 0 to 1, best first', async () => {
    for (const q of ['r', 's', 'sheo', 'blue sh']) {
      const found = await suggest(q)
      const scores = found.map((one: { score: number }) => one.score)
      assert.ok(found.length > 0 && found.length <= SUGGESTIONS_MAX)
      assert.equal(new Set(await texts(q)).size, found.length)
      assert.deepEqual(
        scores,
        scores.toSorted((a: number, b: number) => b - a),
      )
      for (const score of scores) assert.ok(score > 0 && score <= 1)
    }
  })
})

suite('corrected_query', () => {
  const corrected = async (q: string) => (await search({ q })).corrected_query

  test('is there when the answer rests on it', async () => {
    assert.equal(await corrected('rain jakcet'), 'rain jacket')
    assert.equal(await corrected('bed spred'), 'bed spread')
    assert.equal(await corrected('bedspread'), 'bed spread')
    assert.equal(await corrected('red shoe'), undefined)
    assert.equal(await corrected('shoes'), undefined)
  })
})

suite('widget_mode', () => {
  test('gives the smallest answer unless more is asked for', async () => {
    const { hits, ...rest } = await search({ q: 'rain jack', widget_mode: true, per_page: 1 })
    assert.deepEqual(Object.keys(hits[0]), ['id', 'document', 'text_match_score'])
    for (const key of ['facets', 'facet_counts', 'suggestions', 'warnings']) {
      assert.equal(key in rest, false)
    }
    const more = await search({
      q: 'rain jack',
      widget_mode: true,
      highlight: true,
      include_snippets: true,
      include_suggestions: true,
      facet_by: 'brand',
    })
    assert.equal(more.hits[0].highlight.title, '<mark>Rain</mark> <mark>jack</mark>et')
    assert.equal(more.hits[0].snippets.title, '<mark>Rain</mark> <mark>jack</mark>et')
    assert.ok(more.facets.brand && more.suggestions)
  })

  test('takes the last word as a prefix whatever prefix_mode says', async () => {
    const { found } = await search({
      q: 'jack',
      widget_mode: true,
      prefix_mode: 'off',
      typo_max: 0,
    })
    assert.equal(found, 1)
  })
})

test('marks stop with the time of the search, and say so', async () => {
  const long = await testApp.createStore('long')
  await testApp.call({
    method: 'POST',
    url: '/api/v1/stores/long/schema',
    headers: long.write,
    body: { fields: [{ name: 'text', type: 'string', searchable: true }] },
  })
  const documents = Array.from({ length: 20 }, (_, i) => ({
    id: String(i),
    text: 'red shoe '.repeat(20_000),
  }))
  await testApp.call({
    method: 'POST',
    url: '/api/v1/stores/long/documents/bulk',
    headers: long.write,
    body: { documents },
  })
  let timeoutMs = 0
  // The search takes a millisecond or so, its marks take much longer.
  const hits = await until('a search whose time ends among its marks', async () => {
    const answer = await testApp.call({
      method: 'POST',
      url: '/v1/search',
      headers: long.read,
      body: { q: 'shoe', per_page: 20, search_timeout_ms: ++timeoutMs, include_snippets: true },
    })
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.json().search_cutoff, true)
    return answer.json().hits.length === 20 ? answer.json().hits : undefined
  })
  assert.deepEqual([hits.at(-1).highlight, hits.at(-1).snippets], [{}, {}])
})
