import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { HAS_VECTORS, until } from '@aisle/testing'
import { QueryVectorsForTest } from '../../ports/search/query-vectors-for-test.ts'
import { embeddersOf, WordEmbedder } from '../../ports/search/word-embedder-for-test.ts'
import { createTestApp } from './test-app.ts'

// Goal: each kind of draft can be an experiment, and decides what its arm sees.

const embedders = embeddersOf(new WordEmbedder({ synonyms: { shelter: 'tent' } }))
const queryVectors = new QueryVectorsForTest(embedders)
const app = await createTestApp(
  { trustProxy: true },
  HAS_VECTORS ? { embedders, queryVectors } : {},
)
after(() => app[Symbol.asyncDispose]())
const store = await app.createStore('shop')
const BASE = '/api/v1/stores/shop'
app.time.nowMs = Date.UTC(2026, 1, 10, 12)

const write = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: unknown) => {
  const answer = await app.call({ method, url: `${BASE}/${path}`, headers: store.write, body })
  assert.ok(answer.statusCode < 300, answer.body)
  return answer.json()
}
const search = async (visitor: string, body: object) => {
  const answer = await app.call({
    method: 'POST',
    url: '/v1/search',
    headers: { ...store.read, 'x-session-id': visitor, 'x-forwarded-for': '' },
    body: { q: 'tent', ...body },
  })
  assert.equal(answer.statusCode, 200, answer.body)
  const json = answer.json()
  return { ids: json.hits.map((hit: { id: string }) => hit.id).join(''), ...json }
}

const FIELDS = [
  { name: 'title', type: 'string', searchable: true },
  { name: 'text', type: 'string', searchable: true },
  { name: 'brand', type: 'string', facet: true, sort: true },
]
await write('POST', 'schema', { fields: FIELDS })
const PRODUCTS = [
  { id: 'a', data: { title: 'Tent', text: 'green', brand: 'x' } },
  { id: 'b', data: { title: 'Tent', text: 'green', brand: 'x' } },
  { id: 'c', data: { title: 'Green tarp', text: 'tent', brand: 'y' } },
  { id: 'd', data: { title: 'Shelter', text: 'green', brand: 'y' } },
]
for (const one of PRODUCTS) await write('POST', 'documents', one)
await write('PUT', 'presets/page', { value: { filter_by: 'brand:=x' } })
for (let i = 1; i <= 6; i++) {
  const answer = await app.call({
    method: 'POST',
    url: '/analytics/event',
    headers: { ...store.read, 'x-session-id': `v${i}`, 'x-forwarded-for': `10.${i}.0.1` },
    body: { event_type: 'click', data: { query: 'tent', document_id: 'a', position: 3 } },
  })
  assert.equal(answer.statusCode, 200, answer.body)
}

/** What visitors of each arm see. */
async function arms(draft: object, body: object = {}) {
  const { id } = await write('POST', 'experiments', { name: 'A', kind: 'split', draft })
  const seen: Record<string, string> = {}
  for (let i = 0; i < 40 && Object.keys(seen).length < 2; i++) {
    const { ids, experiment } = await search(`s${i}`, body)
    seen[experiment.arm] = ids
  }
  const { draft: shown } = await write('GET', `experiments/${id}`)
  await write('POST', `experiments/${id}/end`)
  assert.deepEqual(Object.keys(shown), Object.keys(draft))
  return seen
}

suite('drafts of experiments', () => {
  test('may change weights of fields', async () => {
    const draft = { ranking: { field_weights: { title: 1, text: 50 } } }
    assert.deepEqual(await arms(draft), { live: 'bac', draft: 'cba' })
  })

  test('may change popularity', async () => {
    const draft = { ranking: { popularity_weight: 1 } }
    assert.deepEqual(await arms(draft), { live: 'bac', draft: 'abc' })
  })

  test('may change rules', async () => {
    const rule = { when: [{ query: 'tent' }], pin: [{ id: 'd', position: 1 }] }
    const { live, draft } = await arms({ rules: { pin: rule } })
    assert.deepEqual([live, draft], ['bac', 'dbac'])
  })

  test('may change synonyms', async () => {
    const items = [{ synonyms: ['tent', 'shelter'] }]
    const { live, draft } = await arms({ synonym_sets: { all: { items, default: true } } })
    assert.deepEqual([live, draft?.length], ['bac', 4])
  })

  test('may change any setting that decides results', async () => {
    const draft = { distinct: { field: 'brand' } }
    assert.deepEqual(await arms(draft), { live: 'bac', draft: 'bc' })
    assert.deepEqual(await arms({ omit_fields: ['text'] }), { live: 'bac', draft: 'bac' })
  })

  test('may change a preset that searches name', async () => {
    const draft = { presets: { page: { value: { filter_by: 'brand:=y' } } } }
    const body = { q: 'green', preset_name: 'page' }
    assert.deepEqual(await arms(draft, body), { live: 'ba', draft: 'dc' })
    assert.deepEqual(await arms(draft, { preset_name: 'page' }), { live: 'ba', draft: 'c' })
  })

  test('hits of an interleaved one are presented by the order that placed them', async () => {
    const items = [{ synonyms: ['tent', 'shelter'] }]
    const value = { highlight_prefix: '[', hit_format: 'flat' }
    const { id } = await write('POST', 'experiments', {
      name: 'Marks',
      kind: 'interleaved',
      draft: {
        synonym_sets: { all: { items, default: true } },
        presets: { page: { value } },
      },
    })
    const { hits } = await search('s1', { preset_name: 'page', explain: true })
    const shown = new Map<
      string,
      { highlight: { title: string }; explanation: { placed_by?: string } }
    >(hits.map((hit: { id: string }) => [hit.id, hit]))
    const { highlight, explanation } = shown.get('d')!
    assert.equal(highlight.title, '[Shelter</mark>', 'the live order has no synonym')
    assert.equal(explanation.placed_by, 'draft')
    const common = shown.get('a')!
    assert.equal(common.highlight.title, '<mark>Tent</mark>')
    assert.equal('placed_by' in common.explanation, false)
    await write('POST', `experiments/${id}/end`)
  })

  test(
    'may change how much meaning counts',
    { skip: !HAS_VECTORS && 'NOT RUN: this cluster runs no scripts' },
    async () => {
      const semantic = { embedder: 'words', min_similarity: -1 }
      await write('PATCH', 'settings', { semantic })
      await until('all documents have a vector', async () => {
        const { embedding } = await write('GET', 'settings')
        return embedding?.state === 'ready' && embedding.documents_done === PRODUCTS.length
      })
      const draft = { semantic: { min_similarity: 0.99 } }
      const seen = await arms(draft, { q: 'shelter' })
      assert.deepEqual([seen['live']?.length, seen['draft']], [4, 'dba'])
      await write('PATCH', 'settings', { semantic: null })
    },
  )

  test('may create a preset; publishing it is a version that a rollback reverts', async () => {
    const { version } = await write('GET', 'settings')
    const presets = { page: { value: { filter_by: 'brand:=y' } }, new: { value: { per_page: 1 } } }
    const { id } = await write('POST', 'experiments', {
      name: 'Presets',
      kind: 'interleaved',
      draft: { presets },
    })
    const whole = await search('s1', { q: 'green', preset_name: 'page' })
    const sides = [...whole.ids].map((one) => ('ab'.includes(one) ? 'live' : 'draft'))
    assert.deepEqual(sides.toSorted(), ['draft', 'live'])
    await write('POST', `experiments/${id}/publish`, {})
    assert.equal((await search('s1', { q: 'green', preset_name: 'page' })).ids, 'dc')
    assert.equal((await search('s1', { preset_name: 'new' })).ids, 'b')
    const [newest] = (await write('GET', 'settings/history')).versions
    assert.deepEqual(newest.resources, [
      { kind: 'preset', name: 'page', action: 'changed' },
      { kind: 'preset', name: 'new', action: 'made' },
    ])
    await write('POST', 'settings/rollback', { version })
    assert.equal((await search('s1', { q: 'green', preset_name: 'page' })).ids, 'ba')
  })

  test('refuses presets that no search could name, deleted ones, and unknown parts', async () => {
    const refused = async (draft: object) => {
      const body = { name: 'A', kind: 'split', draft }
      const url = `${BASE}/experiments`
      const answer = await app.call({ method: 'POST', url, headers: store.write, body })
      const { code, param } = answer.json()
      return [answer.statusCode, code, param]
    }
    const wrong: [object, string, string][] = [
      [{ presets: { page: null } }, 'invalid_parameter', 'draft.presets.page'],
      [
        { presets: { page: { value: { filter_by: 'none:=1' } } } },
        'unknown_field',
        'draft.presets.page.value.filter_by',
      ],
      [{ presets: { page: {} } }, 'missing_parameter', 'draft.presets.page.value'],
      [{ presets: [] }, 'invalid_parameter', 'draft.presets'],
      [{ language: 'de' }, 'invalid_parameter', 'draft.language'],
      [{ popularity_trial: null }, 'invalid_parameter', 'draft.popularity_trial'],
      [{ distinct: { field: 'text' } }, 'invalid_parameter', 'draft.distinct.field'],
    ]
    for (const [draft, code, param] of wrong) {
      assert.deepEqual(await refused(draft), [400, code, param])
    }
  })

  test('the preset of a draft that the schema lost serves nobody', async () => {
    const draft = { presets: { page: { value: { filter_by: 'brand:=y' } } } }
    await write('PUT', 'presets/page', { value: { per_page: 5 } })
    await write('POST', 'experiments', { name: 'A', kind: 'split', draft })
    const body = { preset_name: 'page' }
    assert.equal('experiment' in (await search('s1', body)), true)
    await write('POST', 'schema', { fields: FIELDS.slice(0, 1), mode: 'replace' })
    for (let i = 0; i < 10; i++) {
      assert.equal('experiment' in (await search(`s${i}`, body)), false)
    }
  })
})
