import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, suite, test } from 'node:test'
import { until } from '@aisle/testing'
import type { Source, SourcePreview, SourceRun, SourceRunDetail } from '@aisle/contract'
import { createTestApp, type TestStore } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const { call } = testApp
let stores = 0

/** A shop on the web: what each path has, and how often it was asked for. */
class Shop {
  readonly files = new Map<string, string>()
  readonly asked: { readonly path: string; readonly headers: IncomingMessage['headers'] }[] = []
  readonly received: { readonly path: string; readonly body: string }[] = []
  readonly #server = createServer((request, response) => this.#respond(request, response))
  root = ''

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.root = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return this
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  #respond(request: IncomingMessage, response: ServerResponse): void {
    const { pathname: path } = new URL(request.url!, this.root)
    if (request.method === 'POST') {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        this.received.push({ path, body: Buffer.concat(chunks).toString() })
        response.end()
      })
      return
    }
    this.asked.push({ path, headers: request.headers })
    if (path === '/silent.csv') return
    const text = this.files.get(path)
    if (text === undefined) {
      response.writeHead(404).end()
      return
    }
    const etag = `"${text.length}-${text.slice(-40).replaceAll(/\W/g, '')}"`
    if (request.headers['if-none-match'] === etag) {
      response.writeHead(304).end()
      return
    }
    response.setHeader('etag', etag)
    response.end(text)
  }
}

const shop = await new Shop().listen()
after(() => shop.close())

const FIELDS = [
  { name: 'title', type: 'string', searchable: true },
  { name: 'price', type: 'float', facet: true, sort: true },
]

interface Product {
  readonly id: string
  readonly title: string
  readonly price: string
}

const products = (count: number): Product[] =>
  Array.from({ length: count }, (_, i) => ({ id: `p${i}`, title: `tent ${i}`, price: `${i + 1}` }))

const csv = (rows: readonly Product[]): string =>
  ['id,title,price', ...rows.map(({ id, title, price }) => `${id},${title},${price}`)].join('\n')

async function newStore(): Promise<TestStore> {
  const store = await testApp.createStore(`sources-${stores++}`)
  const url = `/api/v1/stores/${store.id}/schema`
  await call({ method: 'POST', url, headers: store.write, body: { fields: FIELDS } })
  return store
}

const urlOf = (store: TestStore, rest = ''): string => `/api/v1/stores/${store.id}/sources${rest}`

async function put(store: TestStore, name: string, more: object = {}): Promise<Source> {
  const body = { connection: { kind: 'feed', url: `${shop.root}/${store.id}.csv` }, ...more }
  const answer = await call({
    method: 'PUT',
    url: urlOf(store, `/${name}`),
    headers: store.write,
    body,
  })
  assert.ok(answer.statusCode === 200 || answer.statusCode === 201, answer.body)
  return answer.json()
}

const get = async (store: TestStore, name: string): Promise<Source> =>
  (await call({ url: urlOf(store, `/${name}`), headers: store.write })).json()

async function run(store: TestStore, name: string, how: object = {}): Promise<SourceRunDetail> {
  const url = urlOf(store, `/${name}/runs`)
  const answer = await call({ method: 'POST', url, headers: store.write, body: how })
  assert.equal(answer.statusCode, 202, answer.body)
  return ended(store, name, (answer.json() as SourceRun).id)
}

async function ended(store: TestStore, name: string, id: string): Promise<SourceRunDetail> {
  const url = urlOf(store, `/${name}/runs/${id}`)
  return until('the end of the run', async () => {
    const detail = (await call({ url, headers: store.write })).json() as SourceRunDetail
    const isOver = detail.run.state !== 'running'
    return isOver && (await get(store, name)).running === undefined ? detail : undefined
  })
}

const figuresOf = ({
  added,
  changed,
  unchanged,
  removed,
  missing,
  refused,
}: SourceRun): object => ({
  added,
  changed,
  unchanged,
  removed,
  missing,
  refused,
})

async function documentsOf(store: TestStore): Promise<Record<string, unknown>> {
  const url = `/api/v1/stores/${store.id}/documents`
  const answer = await call({ url, headers: store.write })
  const lines = answer.body.split('\n').filter((line) => line !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const { id, data } = JSON.parse(line) as { id: string; data: unknown }
      return [id, data]
    }),
  )
}

suite('a source', () => {
  test('writes what its feed has, then only what has changed', async () => {
    const store = await newStore()
    const path = `/${store.id}.csv`
    shop.files.set(path, csv(products(5)))
    const source = await put(store, 'feed', { deletions: 'remove_missing' })
    assert.equal(source.health, 'new')
    const first = await run(store, 'feed')
    assert.equal(first.run.state, 'done', first.run.error ?? '')
    assert.deepEqual(figuresOf(first.run), {
      added: 5,
      changed: 0,
      unchanged: 0,
      removed: 0,
      missing: 0,
      refused: 0,
    })
    assert.deepEqual(first.diff.added[0], { id: 'p0', document: '{"title":"tent 0","price":1}' })

    const again = await run(store, 'feed')
    assert.equal(again.run.unchanged_since_last, true)
    assert.equal(again.run.rows, 0)

    const [p0, ...rest] = products(6).filter(({ id }) => id !== 'p3')
    shop.files.set(path, csv([{ ...p0!, price: '99' }, ...rest]))
    const dry = await run(store, 'feed', { dry_run: true })
    const second = await run(store, 'feed')
    for (const { run: one, diff } of [dry, second]) {
      assert.deepEqual(figuresOf(one), {
        added: 1,
        changed: 1,
        unchanged: 3,
        removed: 1,
        missing: 1,
        refused: 0,
      })
      assert.deepEqual(diff.changed, [
        { id: 'p0', fields: [{ field: 'price', before: '1', after: '99' }] },
      ])
      assert.deepEqual(diff.removed, ['p3'])
    }
    assert.deepEqual(Object.keys(await documentsOf(store)).toSorted(), [
      'p0',
      'p1',
      'p2',
      'p4',
      'p5',
    ])
    const { health, documents, last_good_run: good } = await get(store, 'feed')
    assert.deepEqual([health, documents, good?.id], ['ok', 5, second.run.id])
  })

  test('does not remove a large part of its documents unless it is told to', async () => {
    const store = await newStore()
    shop.files.set(`/${store.id}.csv`, csv(products(10)))
    const webhook = `${shop.root}/alerts-${store.id}`
    await put(store, 'feed', { deletions: 'remove_missing', alerts: { webhook } })
    await run(store, 'feed')
    shop.files.set(`/${store.id}.csv`, csv(products(7)))
    const refused = await run(store, 'feed')
    assert.equal(refused.run.removal_refused, true)
    assert.deepEqual([refused.run.missing, refused.run.removed], [3, 0])
    assert.equal((await get(store, 'feed')).health, 'shrunk')
    assert.equal(Object.keys(await documentsOf(store)).length, 10)
    // The next run knows of them as well.
    const allowed = await run(store, 'feed', { allow_removal: true })
    assert.deepEqual([allowed.run.missing, allowed.run.removed], [3, 3])
    assert.equal(Object.keys(await documentsOf(store)).length, 7)
    const alerts = await until('two alerts', async () => {
      const found = shop.received.filter(({ path }) => path === `/alerts-${store.id}`)
      return found.length === 2 ? found : undefined
    })
    assert.deepEqual(
      alerts.map(({ body }) => (JSON.parse(body) as { event: string }).event),
      ['removal_refused', 'recovered'],
    )
  })

  test('keeps what it wrote before its feed broke, and removes nothing', async () => {
    const store = await newStore()
    shop.files.set(`/${store.id}.csv`, csv(products(3)))
    await put(store, 'feed', { deletions: 'remove_missing', max_removed_share: 1 })
    await run(store, 'feed')
    shop.files.delete(`/${store.id}.csv`)
    const failed = await run(store, 'feed')
    assert.equal(failed.run.state, 'failed')
    assert.match(failed.run.error!, /answered 404/)
    assert.equal((await get(store, 'feed')).health, 'failing')
    assert.equal(Object.keys(await documentsOf(store)).length, 3)
  })

  test('writes a refused document when it fits, and tells of it until then', async () => {
    const store = await newStore()
    const wrong = { id: 'p1', title: 'stove', price: 'cheap' }
    shop.files.set(`/${store.id}.csv`, csv([products(1)[0]!, wrong]))
    await put(store, 'feed')
    const { run: first, diff } = await run(store, 'feed')
    assert.deepEqual([first.added, first.refused], [1, 1])
    assert.equal(diff.refused[0]?.row, 2)
    assert.match(diff.refused[0]!.error, /price/)
    shop.files.set(`/${store.id}.csv`, csv([products(1)[0]!, { ...wrong, price: '5' }]))
    const { run: second } = await run(store, 'feed')
    assert.deepEqual([second.added + second.changed, second.refused], [1, 0])
    await put(store, 'feed', { on_error: 'stop' })
    shop.files.set(`/${store.id}.csv`, csv([wrong]))
    assert.match((await run(store, 'feed')).run.error!, /^Row 1 was refused: /)
  })

  test('does not remove a document whose row is refused, or may be', async () => {
    const store = await newStore()
    const path = `/${store.id}.csv`
    shop.files.set(path, csv(products(10)))
    await put(store, 'feed', { deletions: 'remove_missing' })
    await run(store, 'feed')
    const [p0, p1, ...rest] = products(10)
    shop.files.set(path, csv([p0!, { ...p1!, price: 'cheap' }, ...rest]))
    const { run: first } = await run(store, 'feed')
    assert.deepEqual([first.refused, first.missing, first.removed], [1, 0, 0])
    // It is known when it is gone.
    shop.files.set(path, `${csv([p0!, ...rest])}\nbroken,line,with,more,cells`)
    const { run: second } = await run(store, 'feed')
    assert.deepEqual([second.refused, second.missing, second.removed], [1, 1, 0])
    assert.equal(second.removal_refused, true)
    shop.files.set(path, csv([p0!, ...rest]))
    const { run: third } = await run(store, 'feed')
    assert.deepEqual([third.refused, third.missing, third.removed], [0, 1, 1])
    assert.equal(Object.keys(await documentsOf(store)).length, 9)
  })

  test('is cancelled while its server sends nothing', async () => {
    const store = await newStore()
    await put(store, 'feed', { connection: { kind: 'feed', url: `${shop.root}/silent.csv` } })
    const url = urlOf(store, '/feed/runs')
    const begun = await call({ method: 'POST', url, headers: store.write, body: {} })
    const { id } = begun.json() as SourceRun
    await until('the request', () => shop.asked.some(({ path }) => path === '/silent.csv'))
    await call({ method: 'POST', url: `${url}/${id}/cancel`, headers: store.write })
    assert.equal((await ended(store, 'feed', id)).run.state, 'cancelled')
  })

  test('runs when it is due, unless it is paused', async () => {
    const store = await newStore()
    shop.files.set(`/${store.id}.csv`, csv(products(2)))
    const schedule = { cron: '30 4 * * *', time_zone: 'Europe/Berlin' }
    const source = await put(store, 'feed', { schedule })
    assert.equal(source.next_run_at, '2026-01-01T03:30:00.000Z')
    const act = (action: string): ReturnType<typeof call> =>
      call({ method: 'POST', url: urlOf(store, `/feed/${action}`), headers: store.write })
    assert.equal((await act('pause')).json().next_run_at, undefined)
    assert.equal((await act('resume')).json().next_run_at, '2026-01-01T03:30:00.000Z')
    testApp.time.nowMs = Date.UTC(2026, 0, 1, 4)
    const last = await until('a scheduled run', async () => (await get(store, 'feed')).last_run)
    assert.deepEqual([last.trigger, last.added], ['schedule', 2])
    assert.equal((await get(store, 'feed')).next_run_at, '2026-01-02T03:30:00.000Z')
    testApp.time.nowMs = Date.UTC(2026, 0, 5)
    assert.ok(['stale', 'ok'].includes((await get(store, 'feed')).health))
  })

  test('sends its password to its server, and shows it to nobody', async () => {
    const store = await newStore()
    shop.files.set(`/${store.id}.csv`, csv(products(1)))
    const connection = { kind: 'feed', url: `${shop.root}/${store.id}.csv`, username: 'aisle' }
    const source = await put(store, 'feed', { connection, secrets: { password: 'p@ss' } })
    assert.deepEqual(source.secrets, ['password'])
    assert.ok(!JSON.stringify(source).includes('p@ss'))
    await run(store, 'feed')
    const basic = `Basic ${Buffer.from('aisle:p@ss').toString('base64')}`
    const last = shop.asked.findLast(({ path }) => path === `/${store.id}.csv`)
    assert.equal(last?.headers.authorization, basic)
    assert.deepEqual((await put(store, 'feed', { connection })).secrets, ['password'])
    const elsewhere = { ...connection, url: 'https://other.example/feed.csv' }
    assert.deepEqual((await put(store, 'feed', { connection: elsewhere })).secrets, [])
  })

  test('is previewed before it is stored, with the fields that the store lacks', async () => {
    const store = await testApp.createStore(`sources-${stores++}`)
    shop.files.set(`/${store.id}.csv`, csv(products(30)))
    const answer = await call({
      method: 'POST',
      url: urlOf(store, '/preview'),
      headers: store.write,
      body: { connection: { kind: 'feed', url: `${shop.root}/${store.id}.csv` } },
    })
    const preview = answer.json() as SourcePreview
    assert.equal(preview.documents.length, 20)
    assert.equal(preview.schema_defined, false)
    assert.deepEqual(
      preview.proposed_fields.map(({ name }) => name),
      ['title', 'price'],
    )
    await put(store, 'feed')
    const refused = await run(store, 'feed')
    assert.match(refused.run.error!, /Define a schema/)
  })

  test('reaches only public addresses, and those that the operator allows', async () => {
    const store = await newStore()
    for (const url of [
      'http://127.0.0.2/feed.csv',
      'http://[::1]/feed.csv',
      'http://169.254.169.254/latest/meta-data.csv',
      'http://10.0.0.1/feed.csv',
      'http://0x7f000002/feed.csv',
      'http://[::ffff:10.0.0.1]/feed.csv',
    ]) {
      const answer = await call({
        method: 'POST',
        url: urlOf(store, '/preview'),
        headers: store.write,
        body: { connection: { kind: 'feed', url } },
      })
      assert.equal(answer.statusCode, 422, url)
      assert.match(answer.json().error, /is not a public address/, url)
      const put = await call({
        method: 'PUT',
        url: urlOf(store, '/feed'),
        headers: store.write,
        body: { connection: { kind: 'feed', url } },
      })
      assert.deepEqual([put.statusCode, put.json().param], [400, 'connection.url'], url)
      assert.match(put.json().error, /is not a public address/, url)
    }
    const database = { kind: 'postgres', database: 'shop', user: 'aisle', table: 'products' }
    const feed = { kind: 'feed', url: `${shop.root}/feed.csv` }
    for (const [body, param] of [
      [{ connection: { ...database, host: '10.0.0.1' } }, 'connection.host'],
      [{ connection: { ...database, host: '::1' } }, 'connection.host'],
      [{ connection: feed, alerts: { webhook: 'http://[fe80::1]/hook' } }, 'alerts.webhook'],
    ] as const) {
      const put = await call({
        method: 'PUT',
        url: urlOf(store, '/feed'),
        headers: store.write,
        body,
      })
      assert.deepEqual([put.statusCode, put.json().param], [400, param])
    }
  })

  test('is refused with the place of a fault', async () => {
    const store = await newStore()
    const refusal = async (body: object, name = 'feed'): Promise<[number, string, string]> => {
      const url = urlOf(store, `/${name}`)
      const answer = await call({ method: 'PUT', url, headers: store.write, body })
      return [answer.statusCode, answer.json().code, answer.json().param]
    }
    const connection = { kind: 'feed', url: `${shop.root}/feed.csv` }
    const wrong = 'invalid_parameter'
    assert.deepEqual(await refusal({}), [400, 'missing_parameter', 'connection'])
    assert.deepEqual(await refusal({ connection: { kind: 'x' } }), [400, wrong, 'connection.kind'])
    assert.deepEqual(await refusal({ connection: { kind: 'feed' } }), [
      400,
      'missing_parameter',
      'connection.url',
    ])
    for (const url of ['ftp://a.example', 'x', 'http://u:p@a.example/']) {
      assert.deepEqual(await refusal({ connection: { kind: 'feed', url } }), [
        400,
        wrong,
        'connection.url',
      ])
    }
    for (const [cron, zone, param] of [
      ['x', 'UTC', 'schedule.cron'],
      ['* * * * *', 'UTC', 'schedule.cron'],
      ['0 0 31 2 *', 'UTC', 'schedule.cron'],
      ['0 5 * * *', 'Mars/Olympus', 'schedule.time_zone'],
    ]) {
      const schedule = { cron, time_zone: zone }
      assert.deepEqual(await refusal({ connection, schedule }), [400, wrong, param])
    }
    assert.deepEqual(await refusal({ connection }, 'Feed!'), [400, wrong, 'name'])
    const unknown = await call({ url: urlOf(store, '/nothing'), headers: store.write })
    assert.equal(unknown.json().code, 'source_not_found')
  })
})
