import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { until } from '@aisle/testing'
import type { DocumentEditJob, DocumentEditPreview } from '@aisle/contract'
import { createTestApp, type TestStore } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const { call } = testApp
let stores = 0

const FIELDS = [
  { name: 'title', type: 'string', searchable: true },
  { name: 'brand', type: 'string', facet: true },
  { name: 'price', type: 'float', facet: true, sort: true },
  { name: 'stock', type: 'int32', facet: true },
  { name: 'code', type: 'int64' },
  { name: 'tags', type: 'string[]', facet: true },
  { name: 'size', type: 'object' },
  { name: 'size.width', type: 'int32', facet: true },
  { name: 'parts', type: 'object[]' },
  { name: 'parts.weight', type: 'int32', facet: true },
]

async function shop(count = 5): Promise<TestStore> {
  const store = await testApp.createStore(`edits-${stores++}`)
  const url = `/api/v1/stores/${store.id}`
  await call({
    method: 'POST',
    url: `${url}/schema`,
    headers: store.write,
    body: { fields: FIELDS },
  })
  const documents = Array.from({ length: count }, (_, i) => ({
    id: `p${i}`,
    title: i % 2 === 0 ? `tent ${i}` : `stove ${i}`,
    brand: i % 2 === 0 ? 'Northfold' : 'Kettleby',
    price: 10.1 + i,
    stock: i,
    tags: ['new'],
    size: { width: i },
  }))
  const written = await call({
    method: 'POST',
    url: `${url}/documents/bulk`,
    headers: store.write,
    body: { documents },
  })
  assert.equal(written.json().success, true)
  return store
}

const urlOf = (store: TestStore, rest = '') => `/api/v1/stores/${store.id}/edits${rest}`
const post = (store: TestStore, rest: string, body?: unknown) =>
  call({ method: 'POST', url: urlOf(store, rest), headers: store.write, body })

async function dataOf(store: TestStore, id: string): Promise<Record<string, unknown> | undefined> {
  const url = `/api/v1/stores/${store.id}/documents/${id}`
  const answer = await call({ url, headers: store.read })
  return answer.statusCode === 404 ? undefined : answer.json().data
}

async function over(store: TestStore, id: string): Promise<DocumentEditJob> {
  let job: DocumentEditJob | undefined
  await until('the edit is over', async () => {
    job = (await call({ url: urlOf(store, `/${id}`), headers: store.write })).json()
    return !['finding', 'changing'].includes(job!.state)
  })
  return job!
}

async function edited(store: TestStore, body: unknown): Promise<DocumentEditJob> {
  const answer = await post(store, '', body)
  assert.equal(answer.statusCode, 202, answer.body)
  return over(store, answer.json().id)
}

async function undone(store: TestStore, id: string): Promise<DocumentEditJob> {
  const answer = await post(store, `/${id}/undo`)
  assert.equal(answer.statusCode, 202, answer.body)
  return over(store, answer.json().id)
}

const counts = ({ state, found, changed, unchanged, refused, skipped }: DocumentEditJob) => ({
  state,
  found,
  changed,
  unchanged,
  refused,
  skipped,
})

suite('edits of many documents', () => {
  test('set, add and remove change what the filter finds, and an undo reverses it', async () => {
    const store = await shop()
    const before = await dataOf(store, 'p2')
    const edit = {
      set: { brand: 'Nordfalte', size: { width: 7 } },
      add: { price: 0.2, tags: ['sale', 'new'], stock: -1 },
      remove: { code: true },
    }
    const job = await edited(store, { filter_by: 'brand:=Northfold', edit, note: 'Rename' })
    assert.deepEqual(counts(job), {
      state: 'done',
      found: 3,
      changed: 3,
      unchanged: 0,
      refused: 0,
      skipped: 0,
    })
    assert.deepEqual(await dataOf(store, 'p2'), {
      title: 'tent 2',
      brand: 'Nordfalte',
      price: 12.3,
      stock: 1,
      tags: ['new', 'sale'],
      size: { width: 7 },
    })
    assert.equal((await dataOf(store, 'p1'))?.['brand'], 'Kettleby')
    const undo = await undone(store, job.id)
    assert.deepEqual([undo.kind, undo.state, undo.changed], ['undo', 'done', 3])
    assert.deepEqual(await dataOf(store, 'p2'), before)
    const listed = (await call({ url: urlOf(store), headers: store.write })).json().edits
    assert.deepEqual(
      listed.map(({ id, kind, undone_by: by }: DocumentEditJob) => [id, kind, by]),
      [
        [undo.id, 'undo', undefined],
        [job.id, 'edit', undo.id],
      ],
    )
    assert.equal((await post(store, `/${job.id}/undo`)).json().code, 'edit_not_undoable')
  })

  test('values are removed from lists, and an empty list goes', async () => {
    const store = await shop(2)
    const job = await edited(store, { q: '*', edit: { remove: { tags: ['new', 'old'] } } })
    assert.equal(job.changed, 2)
    assert.equal((await dataOf(store, 'p0'))?.['tags'], undefined)
    const again = await edited(store, { q: '*', edit: { remove: { tags: 'new' } } })
    assert.deepEqual([again.changed, again.unchanged, again.history], [0, 2, 'none'])
  })

  test('words find documents as a search does, and deleted ones come back', async () => {
    const store = await shop()
    const job = await edited(store, { q: 'stove', edit: { delete: true } })
    assert.deepEqual([job.found, job.changed, job.error], [2, 2, undefined])
    assert.equal(await dataOf(store, 'p1'), undefined)
    assert.ok(await dataOf(store, 'p0'))
    await call({
      method: 'POST',
      url: `/api/v1/stores/${store.id}/documents`,
      headers: store.write,
      body: { id: 'p3', data: { title: 'another stove' } },
    })
    const undo = await undone(store, job.id)
    assert.deepEqual([undo.changed, undo.skipped, undo.skipped_ids], [1, 1, ['p3']])
    assert.equal((await dataOf(store, 'p1'))?.['title'], 'stove 1')
    assert.equal((await dataOf(store, 'p3'))?.['title'], 'another stove')
  })

  test('an undo leaves documents that were changed since, and lists them', async () => {
    const store = await shop()
    const job = await edited(store, { filter_by: 'stock:>=0', edit: { set: { stock: 99 } } })
    const url = `/api/v1/stores/${store.id}/documents`
    const body = { id: 'p4', action: 'update', data: { title: 'changed by hand' } }
    await call({ method: 'POST', url, headers: store.write, body })
    await call({ method: 'DELETE', url: `${url}/p3`, headers: store.write })
    const undo = await undone(store, job.id)
    assert.deepEqual([undo.changed, undo.skipped], [3, 2])
    assert.deepEqual([...undo.skipped_ids].toSorted(), ['p3', 'p4'])
    assert.equal((await dataOf(store, 'p4'))?.['stock'], 99)
    assert.equal((await dataOf(store, 'p2'))?.['stock'], 2)
  })

  test('the preview shows what changes and what is refused, and changes nothing', async () => {
    const store = await shop()
    const edit = { add: { stock: 2_147_483_645 } }
    const answer = await post(store, '/preview', { q: '*', edit })
    const preview: DocumentEditPreview = answer.json()
    assert.equal(answer.statusCode, 200, answer.body)
    assert.deepEqual([preview.found, preview.changed, preview.refused], [5, 3, 2])
    const first = preview.samples.find(({ id }) => id === 'p1')
    assert.deepEqual(first, { id: 'p1', before: { stock: 1 }, after: { stock: 2_147_483_646 } })
    const refused = preview.errors.map(({ id, code }) => `${id} ${code}`)
    assert.deepEqual(refused.toSorted(), ['p3 out_of_range', 'p4 out_of_range'])
    assert.equal((await dataOf(store, 'p1'))?.['stock'], 1)
    const job = await edited(store, { q: '*', edit })
    assert.deepEqual([job.changed, job.refused, job.errors.length], [3, 2, 2])
  })

  test('integers beyond 2^53 and their digits are kept', async () => {
    const store = await shop(1)
    const raw = (text: string) =>
      call({
        method: 'POST',
        url: urlOf(store),
        headers: { ...store.write, 'content-type': 'application/json' },
        body: text,
      })
    const set = await raw('{"q":"*","edit":{"set":{"code":9007199254740993}}}')
    await over(store, set.json().id)
    const add = await raw('{"q":"*","edit":{"add":{"code":9007199254740993}}}')
    await over(store, add.json().id)
    const url = `/api/v1/stores/${store.id}/documents/p0`
    assert.match((await call({ url, headers: store.read })).body, /"code":18014398509481986\b/)
  })

  test('many parts: an edit of 1,000 documents can be undone', async () => {
    const store = await shop(1_000)
    const job = await edited(store, { q: '*', edit: { add: { tags: 'bulk' } } })
    assert.deepEqual([job.found, job.changed, job.done], [1_000, 1_000, 1_000])
    assert.ok(job.history_bytes > 1_000)
    assert.equal((await undone(store, job.id)).changed, 1_000)
    assert.deepEqual((await dataOf(store, 'p999'))?.['tags'], ['new'])
  })

  test('an edit can be cancelled; one that is over stays as it is', async () => {
    const store = await shop(1)
    const begun = await post(store, '', { q: '*', edit: { set: { stock: 5 } } })
    const cancelled = await post(store, `/${begun.json().id}/cancel`)
    assert.equal(cancelled.statusCode, 200)
    const job = await over(store, begun.json().id)
    assert.ok(['cancelled', 'done'].includes(job.state))
    assert.equal((await post(store, `/${job.id}/cancel`)).json().state, job.state)
  })

  test('bad requests are refused, with the parameter', async () => {
    const store = await shop(1)
    const refused = async (body: unknown) => {
      const answer = await post(store, '', body)
      const { code, param } = answer.json()
      return [answer.statusCode, code, param]
    }
    const all = { q: '*' }
    const wrong: [unknown, unknown[]][] = [
      [{ edit: { delete: true } }, [400, 'missing_parameter', 'filter_by']],
      [{ ...all }, [400, 'missing_parameter', 'edit']],
      [{ ...all, edit: {} }, [400, 'invalid_parameter', 'edit']],
      [{ ...all, edit: { set: {} } }, [400, 'invalid_parameter', 'edit']],
      [{ ...all, edit: { set: { id: 'x' } } }, [400, 'invalid_parameter', 'edit.set']],
      [{ ...all, edit: { set: { price: 'x' } } }, [400, 'invalid_type', 'edit.set.price']],
      [{ ...all, edit: { add: { title: 'x' } } }, [400, 'invalid_parameter', 'edit.add.title']],
      [{ ...all, edit: { add: { stock: 1.5 } } }, [400, 'invalid_parameter', 'edit.add.stock']],
      [{ ...all, edit: { add: { tags: 5 } } }, [400, 'invalid_type', 'edit.add.tags']],
      [{ ...all, edit: { add: { nope: 1 } } }, [400, 'unknown_field', 'edit.add.nope']],
      [
        { ...all, edit: { add: { 'parts.weight': 1 } } },
        [400, 'invalid_parameter', 'edit.add.parts.weight'],
      ],
      [
        { ...all, edit: { remove: { price: [1] } } },
        [400, 'invalid_parameter', 'edit.remove.price'],
      ],
      [
        { ...all, edit: { delete: true, set: { stock: 1 } } },
        [400, 'invalid_parameter', 'edit.delete'],
      ],
      [{ filter_by: 'nope:=1', edit: { delete: true } }, [400, 'unknown_field', 'filter_by']],
      [{ filter_by: '', edit: { delete: true } }, [400, 'invalid_filter', 'filter_by']],
    ]
    for (const [body, expected] of wrong) {
      assert.deepEqual(await refused(body), expected, JSON.stringify(body))
    }
    const none = await call({ url: urlOf(store, '/none'), headers: store.write })
    assert.deepEqual([none.statusCode, none.json().code], [404, 'edit_not_found'])
    const edits = (await call({ url: urlOf(store), headers: store.write })).json().edits
    assert.deepEqual(edits, [])
  })
})
