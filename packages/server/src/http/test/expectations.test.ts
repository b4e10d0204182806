import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createTestApp, type TestStore } from './test-app.ts'

// What people who type into a search box expect, one small catalog per subject.

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
let stores = 0

const FIELDS = [
  { name: 'title', type: 'string', searchable: true },
  { name: 'text', type: 'string', searchable: true },
]
type Catalog = Readonly<Record<string, string | { title?: string; text?: string }>>

/** A store with a document per letter; a string is a title. */
async function storeOf(ports: Catalog): Promise<TestStore> {
  const store = await testApp.createStore(`expect-${stores++}`)
  const send = (path: string, body: unknown) =>
    testApp.call({
      method: 'POST',
      url: `/api/v1/stores/${store.id}/${path}`,
      headers: store.write,
      body,
    })
  await send('schema', { fields: FIELDS })
  const entries = Object.entries(ports).map(([id, one]) => ({
    id,
    data: typeof one === 'string' ? { title: one } : one,
  }))
  assert.equal((await send('documents/bulk', entries)).json().success, true)
  return store
}

async function found(store: TestStore, q: string, options: object): Promise<string> {
  const answer = await testApp.call({
    method: 'POST',
    url: '/v1/search',
    headers: store.read,
    body: { q, per_page: 50, ...options },
  })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer
    .json()
    .hits.map((hit: { id: string }) => hit.id)
    .join('')
}

type Row = readonly [q: string, ids: string, options?: object]

function expectations(subject: string, ports: Catalog, rows: readonly Row[], ordered = false) {
  suite(subject, async () => {
    const store = await storeOf(ports)
    for (const [q, ids, options = {}] of rows) {
      const more = Object.keys(options).length === 0 ? '' : ` ${JSON.stringify(options)}`
      test(`${q}${more} finds ${ids === '' ? 'nothing' : ids}`, async () => {
        const letters = await found(store, q, options)
        assert.equal(ordered ? letters : [...letters].toSorted().join(''), ids)
      })
    }
  })
}

const EXACTLY = { typo_max: 0, prefix_mode: 'off', require_all_terms: true }

expectations(
  'order of matches',
  { a: 'jacketed', b: 'jackets', c: 'jacket', d: 'zebra' },
  [
    ['jacket', 'cba'],
    ['jackets', 'bca'],
    ['jakcet', 'cba'],
  ],
  true,
)

expectations(
  'all words before some',
  {
    a: 'red red red',
    b: { text: 'a long text that says red once, and only later jacket' },
    c: 'jacket',
  },
  [
    ['red jacket', 'bac'],
    ['red jacket', 'b', { require_all_terms: true }],
    ['red jacket', 'ac', { search_fields: ['title'] }],
    ['red nonsense', 'ab'],
  ],
  true,
)

expectations(
  'words of two',
  { a: 'bed spread', b: 'bedspread', c: 'bed-spread', d: 'spread for a bed' },
  [
    ['bedspread', 'abc', EXACTLY],
    ['bedspreads', 'abc', EXACTLY],
    ['bed-spread', 'abcd', EXACTLY],
    ['bed spread', 'abcd', EXACTLY],
  ],
)

expectations('letters before words', { a: 't-shirt', b: 'tshirt', c: 't shirt', d: 'shirt' }, [
  ['tshirt', 'abc', EXACTLY],
  ['t-shirt', 'abc', EXACTLY],
  ['t shirt', 'abc', EXACTLY],
])

expectations(
  'part numbers and measures',
  {
    a: 'AB-12/3',
    b: 'AB123',
    c: 'drill 10mm',
    d: 'drill 10 mm',
    e: 'pipe 1/2"',
    f: 'pipe 1/2 inch',
  },
  [
    ['ab-12/3', 'ab', EXACTLY],
    ['AB123', 'ab', EXACTLY],
    ['AB/12-3', 'ab', EXACTLY],
    ['10mm', 'cd', EXACTLY],
    ['10 mm', 'cd', EXACTLY],
    ['1/2 in', 'ef', EXACTLY],
    ['1/2"', 'ef', EXACTLY],
  ],
)

expectations(
  'pieces of numbers',
  {
    a: 'MSI GTX1080Ti',
    b: 'RTX4090OC card',
    c: 'screen 1080',
    d: 'gtx 1660',
    e: 'C-136/14 valve',
    f: 'HU-718/5 filter',
    g: 'filter 718, 720',
    h: 'TV 16:9',
    i: 'oil 10lb',
    j: 'oil 110l',
  },
  [
    ['gtx 1080', 'a', { require_all_terms: true }],
    ['gtx1080', 'a', { require_all_terms: true }],
    ['rtx 4090', 'b', { require_all_terms: true }],
    ['rtx 4090 card', 'b', { require_all_terms: true }],
    ['4090OC card', 'b', { require_all_terms: true }],
    ['136/14', 'e', { require_all_terms: true }],
    ['718/5', 'f', { require_all_terms: true }],
    ['718/5 filter', 'f', { require_all_terms: true }],
    ['16/9', 'h', { require_all_terms: true }],
    ['10l oil', '', { require_all_terms: true }],
    ['080', ''],
    ['gtx 1080', '', EXACTLY],
  ],
)

expectations(
  'a number without its ending, between words',
  { a: 'Cisco RV345P router', b: 'Cisco RV340 router', c: 'Cisco router', d: 'Cisco RV160' },
  [
    ['cisco RV345 router', 'a', { per_page: 1 }],
    ['rv34 cisco router', 'ba', { per_page: 2 }],
    ['router RV160 cisco', 'd', { per_page: 1 }],
  ],
  true,
)

expectations(
  'a word that no document has beside the others',
  { a: 'Captain Marvel', b: 'Capitain Morgan', c: 'Marvel Heroes', d: 'Shazam' },
  [
    ['Capitain Marvel', 'a', { require_all_terms: true }],
    ['Capitain Morgan', 'b', { require_all_terms: true }],
    ['Capitain', 'b', { require_all_terms: true }],
    ['Capitain Shazam', '', { require_all_terms: true }],
  ],
)

expectations(
  'letters and their variants',
  { a: 'Café', b: 'CAFE', c: 'cafe\u0301', d: 'Straße', e: 'strasse', f: 'Łódź' },
  [
    ['cafe', 'abc', EXACTLY],
    ['café', 'abc', EXACTLY],
    ['STRASSE', 'de', EXACTLY],
    ['straße', 'de', EXACTLY],
    ['lodz', 'f', EXACTLY],
  ],
)

expectations('plurals', { a: 'knife', b: 'knives', c: 'child', d: 'children', e: 'shoe rack' }, [
  ['knife', 'ab', EXACTLY],
  ['knives', 'ab', EXACTLY],
  ['children', 'cd', EXACTLY],
  ['child', 'cd', EXACTLY],
  ['shoes', 'e', EXACTLY],
])

expectations(
  'typos',
  { a: 'jackets', b: 'umbrella', c: 'iphone12', d: 'lamp', e: 'cup', f: 'жакет' },
  [
    ['jakcet', 'a'],
    // Another letter at the beginning is seldom a slip: `did_you_mean` asks.
    ['kackets', ''],
    ['jackrts', 'a'],
    ['jackets', 'a', { typo_max: 0 }],
    ['jakcets', '', { typo_max: 0 }],
    ['umbrlelaa', 'b'],
    ['umbrlelaa', '', { typo_max: 1 }],
    ['lmap', 'd'],
    ['alpm', ''],
    ['lanp', '', { typo_min_len_1: 5 }],
    ['cpu', ''],
    ['cpu', 'e', { typo_min_len_1: 3 }],
    ['жакед', 'f'],
    ['iphone13', ''],
    ['iphone13', 'c', { typo_numbers: true }],
  ],
)

expectations('beginnings', { a: 'camp', b: 'camper', c: 'campground map', d: 'encamp' }, [
  ['cam', 'abc'],
  ['camp', 'abc'],
  ['camp', 'a', { prefix_mode: 'fallback' }],
  ['campg', 'c', { prefix_mode: 'fallback' }],
  ['campg', '', { prefix_mode: 'off', typo_max: 0 }],
  ['campg', 'c', { prefix_mode: 'off', widget_mode: true }],
  ['campg map', '', { require_all_terms: true, typo_max: 0 }],
])

expectations('queries with little in them', { a: 'the tent', b: 'to be or not', c: '手机' }, [
  ['the', 'a'],
  ['', 'abc'],
  [' * ', 'abc'],
  ['!!!', 'abc'],
  ['"', 'abc'],
  ['** -', 'abc'],
  ['手机', 'c'],
])
