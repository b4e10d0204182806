import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createTestApp } from './test-app.ts'

// Goal: a number and its unit hold together, however either side writes them. Method: a store in
// which each size occurs, and so do its number and its unit apart from each other.

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const store = await testApp.createStore('sizes')

const TITLES: Readonly<Record<string, string>> = {
  n16: 'Notebook 16 GB RAM',
  n16joined: 'Notebook RAM 16GB black',
  n1: 'Notebook model 16 with RAM of 1 GB',
  n8: 'Notebook 8GB RAM',
  c5: 'Cooker Deluxe 5 Litre',
  c5l: 'Cooker Classic 5L',
  c5ltr: 'Cooker Home 5 Ltr.',
  c3: 'Cooker 3 L, 5 years of warranty, lid',
  y6: 'Yoga mat 6 mm thick',
  y6b: '6MM mat for yoga',
  y4: 'Yoga mat 4 mm, 6 colours',
  b15: 'Laptop bag for 15.6-inch',
  b15q: 'Laptop bag 15.6"',
  b14: 'Laptop bag 14 inch, 15.6 litres',
  p25: 'Pipe 2-1/2 in. galvanized',
  p25d: 'Pipe 2.5" steel',
  p05: 'Pipe 1/2 in. steel',
  p2: 'Pipe 2 in. steel 1/2 turn',
  a2535: 'Adapter 2.5/3.5mm',
  m13: 'Phone 13 mini',
}

const write = async (path: string, body: unknown) => {
  const url = `/api/v1/stores/${store.id}/${path}`
  const answer = await testApp.call({ method: 'POST', url, headers: store.write, body })
  assert.ok(answer.statusCode < 300, answer.body)
}
await write('schema', { fields: [{ name: 'title', type: 'string', searchable: true }] })
await write('documents/bulk', {
  documents: Object.entries(TITLES).map(([id, title]) => ({ id, title })),
})

const search = async (body: object): Promise<{ hits: { id: string; highlight?: object }[] }> => {
  const answer = await testApp.call({
    method: 'POST',
    url: '/v1/search',
    headers: store.read,
    body: { per_page: 50, ...body },
  })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}
const idsOf = async (body: object) => (await search(body)).hits.map(({ id }) => id)

/** All words of each of these are in these documents, and nowhere else. */
const CASES: readonly (readonly [queries: readonly string[], ids: readonly string[]])[] = [
  [
    ['notebook 16gb ram', '16 gb ram notebook', '16-GB notebook', '16 gigabytes notebook'],
    ['n16', 'n16joined'],
  ],
  [['notebook 8 gb', '8GB notebook'], ['n8']],
  [
    [
      'cooker 5 l',
      '5l cooker',
      '5 litre cooker',
      'cooker 5 liters',
      '5.0 ltr cooker',
      '5-l cooker',
    ],
    ['c5', 'c5l', 'c5ltr'],
  ],
  [['cooker 3 litres', '3l cooker'], ['c3']],
  [
    ['yoga mat 6mm', '6 mm yoga mat', 'yoga mat 6 millimeters', '6mm'],
    ['y6', 'y6b'],
  ],
  [
    ['laptop bag 15.6 inch', '15.6" laptop bag', '15.6in bag', 'bag 15.60 inches'],
    ['b15', 'b15q'],
  ],
  [
    ['pipe 2.5 in', 'pipe 2-1/2"', '2.5inch pipe'],
    ['p25', 'p25d'],
  ],
  [['pipe 1/2 in', '1/2" pipe', '0.5 inch pipe'], ['p05']],
  [['adapter 2.5mm', 'adapter 3.5 mm'], ['a2535']],
]

suite('a number and its unit', () => {
  for (const [queries, expected] of CASES) {
    for (const q of queries) {
      test(`"${q}" finds what has the size`, async () => {
        const all = await idsOf({ q, require_all_terms: true })
        assert.deepEqual(all.toSorted(), expected.toSorted())
        // In front of what has only other words of the query.
        const any = await idsOf({ q, require_all_terms: false })
        assert.deepEqual(any.slice(0, expected.length).toSorted(), expected.toSorted())
      })
    }
  }

  test('alone they do not find the number and the unit apart', async () => {
    assert.deepEqual((await idsOf({ q: '16gb' })).toSorted(), ['n16', 'n16joined'])
    assert.deepEqual(await idsOf({ q: '16 tb' }), [])
  })

  test('rank what other words find when nothing has the size', async () => {
    const [first] = await idsOf({ q: 'bag 14 mm', require_all_terms: false })
    assert.equal(first, 'b14')
    assert.deepEqual(await idsOf({ q: 'bag 14 mm', require_all_terms: true }), [])
  })

  test('are marked together', async () => {
    const { hits } = await search({ q: 'notebook 16gb', highlight: true })
    const marked = hits.find(({ id }) => id === 'n16')!.highlight
    assert.deepEqual(marked, { title: '<mark>Notebook</mark> <mark>16 GB</mark> RAM' })
  })

  test('a letter behind a number stays a word, too', async () => {
    assert.ok((await idsOf({ q: 'phone 13 mini' })).includes('m13'))
    assert.equal((await idsOf({ q: 'phone 13 m', require_all_terms: false }))[0], 'm13')
  })
})
