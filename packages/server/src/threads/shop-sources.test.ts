import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Source, SourcePreview, SourceRun, SourceRunDetail } from '@aisle/contract'
import {
  FakeShopify,
  FakeWooCommerce,
  ServerProcess,
  ThinClient,
  until,
  type StoreKeys,
} from '@aisle/testing'

type Sent = { readonly headers: Record<string, string>; readonly body: string }

suite('Sources of shop systems', () => {
  let shopify: FakeShopify
  let woo: FakeWooCommerce
  let server: ServerProcess
  let client: ThinClient
  let keys: StoreKeys

  before(async () => {
    shopify = await FakeShopify.start()
    // Its budget does not recover with the time of the machine.
    shopify.budget.available = shopify.budget.maximum = 1_000_000
    woo = await FakeWooCommerce.start()
    for (let i = 1; i <= 30; i++) {
      shopify.put({ id: `${i}`, title: `Tent ${i}`, variants: [{ price: `${i}`, stock: 1 }] })
    }
    woo.put({ id: 1001, name: 'Mug', regularPrice: '12.50' })
    server = await start()
    client = new ThinClient(server.url, { adminToken: server.adminToken })
    keys = await client.createStore({ name: 'Shop', id: 'shop' })
    await client.setSchema(keys, {
      fields: [
        { name: 'title', type: 'string', searchable: true },
        { name: 'price', type: 'float', sort: true },
      ],
    })
  })
  after(async () => {
    client.close()
    await server.stop({ keepData: true })
    ServerProcess.removeData(server.dataDir)
    await shopify.close()
    await woo.close()
  })

  const start = (dataDir?: string): Promise<ServerProcess> =>
    ServerProcess.start({
      threads: 1,
      environment: { AISLE_SOURCE_NETWORKS: '127.0.0.1' },
      ...(dataDir === undefined ? {} : { dataDir }),
    })

  const restart = async (): Promise<void> => {
    await server.kill()
    client.close()
    server = await start(server.dataDir)
    client = new ThinClient(server.url, { adminToken: server.adminToken })
  }

  const send = (path: string, { headers, body }: Sent): Promise<Response> =>
    fetch(`${server.url}/api/v1/stores/${path}`, { method: 'POST', headers, body })

  const call = async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
    const response = await fetch(`${server.url}/api/v1/stores/shop/sources${path}`, {
      method,
      headers: {
        'x-storeid': 'shop',
        'x-store-write-secret': keys.writeSecret,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text) as Answer
  }

  const titles = async (): Promise<Map<string, string>> => {
    const response = await fetch(`${server.url}/api/v1/stores/shop/documents`, {
      headers: { 'x-storeid': 'shop', 'x-store-write-secret': keys.writeSecret },
    })
    const lines = (await response.text()).split('\n').filter((line) => line !== '')
    const documents = lines.map(
      (line) => JSON.parse(line) as { id: string; data: { title: string } },
    )
    return new Map(documents.map(({ id, data }) => [id, data.title]))
  }

  const title = (id: string, wanted: string | undefined): Promise<true> =>
    until(`${id} to be ${wanted}`, async () => (await titles()).get(id) === wanted || undefined)

  const ran = async (name: string): Promise<SourceRun> => {
    const { id } = await call<SourceRun>('POST', `/${name}/runs`, {})
    return until('the end of the run', async () => {
      const { run } = await call<SourceRunDetail>('GET', `/${name}/runs/${id}`)
      return run.state === 'running' ? undefined : run
    })
  }

  test('Shopify is previewed and read, and its webhooks are written', async () => {
    const connection = { kind: 'shopify', url: shopify.url, client_id: shopify.clientId }
    const secrets = { client_secret: shopify.clientSecret }
    const preview = await call<SourcePreview>('POST', '/preview', { connection, secrets, rows: 3 })
    assert.equal(preview.documents.length, 3)
    assert.ok(!shopify.requests.some((path) => path.startsWith('/bulk/')), 'no bulk operation')
    const put = await call<Source>('PUT', '/shopify', {
      connection,
      secrets,
      deletions: 'remove_missing',
    })
    assert.deepEqual(put.secrets, ['client_secret'])
    const run = await ran('shopify')
    assert.deepEqual([run.state, run.added], ['done', 30], run.error ?? '')

    const here = 'shop/sources/shopify/webhook'
    shopify.put({ id: '7', title: 'Sun tent', variants: [{ price: '7' }] })
    const webhook = shopify.webhook('products/update', '7')
    const answers: unknown[] = []
    for (const one of [webhook, webhook]) answers.push(await (await send(here, one)).json())
    assert.deepEqual(answers, [{ status: 'accepted' }, { status: 'repeated' }])
    await title('7', 'Sun tent')

    shopify.remove('8')
    shopify.put({ id: '31', title: 'Awning', variants: [{ price: '1' }] })
    for (const [topic, id] of [
      ['products/delete', '8'],
      ['products/create', '31'],
    ] as const) {
      assert.equal((await send(here, shopify.webhook(topic, id))).status, 200)
    }
    await title('8', undefined)
    await title('31', 'Awning')
    // An old webhook that comes late says nothing that is not so.
    const late = shopify.webhook('products/update', '8', { delivery: 'late' })
    assert.equal((await send(here, late)).status, 200)
    const { unchanged, added, missing } = await ran('shopify')
    assert.deepEqual({ unchanged, added, missing }, { unchanged: 30, added: 0, missing: 0 })
  })

  test('WooCommerce is read, and its webhooks are written', async () => {
    await call<Source>('PUT', '/woo', {
      connection: { kind: 'woocommerce', url: woo.url },
      secrets: {
        consumer_key: woo.key,
        consumer_secret: woo.secret,
        webhook_secret: woo.webhookSecret,
      },
      deletions: 'remove_missing',
    })
    assert.equal((await ran('woo')).added, 1)
    const here = 'shop/sources/woo/webhook'
    woo.put({ id: 1002, name: 'Bowl', regularPrice: '8' })
    woo.put({ id: 1001, name: 'Mug', status: 'trash' })
    await send(here, woo.webhook('product.created', 1002))
    await send(here, woo.webhook('product.deleted', 1001))
    await title('1002', 'Bowl')
    await title('1001', undefined)
    woo.put({ id: 1001, name: 'Old mug', regularPrice: '8' })
    await send(here, woo.webhook('product.restored', 1001, { delivery: 'again' }))
    await title('1001', 'Old mug')
    // What WordPress sends when the webhook is saved; it takes nothing but 200.
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const ping = await send(here, { headers: form, body: 'webhook_id=7' })
    assert.deepEqual([ping.status, await ping.json()], [200, { status: 'ignored' }])
  })

  test('a webhook that is not signed is refused, whatever there is', async () => {
    const signed = shopify.webhook('products/update', '7', { delivery: 'x' })
    const forged = shopify.webhook('products/update', '7', { secret: 'wrong' })
    for (const [path, one] of [
      ['shop/sources/shopify/webhook', forged],
      ['shop/sources/shopify/webhook', { headers: {}, body: '' }],
      ['shop/sources/shopify/webhook', { headers: {}, body: '{"id":1}' }],
      ['shop/sources/woo/webhook', signed],
      ['shop/sources/nothing/webhook', signed],
      ['shop/sources/%00/webhook', signed],
      ['nowhere/sources/shopify/webhook', signed],
    ] as const) {
      const response = await send(path, one)
      const { code } = (await response.json()) as { code: string }
      assert.deepEqual([response.status, code], [401, 'invalid_credentials'], path)
    }
    const large = { ...signed, body: 'x'.repeat(5_000_001) }
    assert.equal((await send('shop/sources/shopify/webhook', large)).status, 413)
  })

  test('a webhook that was answered is not lost with the process', async () => {
    shopify.put({ id: '9', title: 'Kept tent', variants: [{ price: '9' }] })
    // The shop does not answer now, so nothing can be read.
    for (let i = 0; i < 3; i++) shopify.faults.push({ status: 503 })
    const here = 'shop/sources/shopify/webhook'
    assert.equal((await send(here, shopify.webhook('products/update', '9'))).status, 200)
    await restart()
    shopify.faults.length = 0
    await title('9', 'Kept tent')
  })

  test('a run that is killed begins again, and forgets nothing', async () => {
    shopify.put({ id: '10', title: 'Changed', variants: [{ price: '9' }] })
    shopify.remove('11')
    let isKilled = false
    const asked = Promise.withResolvers<void>()
    shopify.bulk.onFile = () => {
      if (!isKilled) asked.resolve()
      isKilled = true
    }
    shopify.bulk.cutAt = 500
    const { id } = await call<SourceRun>('POST', '/shopify/runs', {})
    await asked.promise
    shopify.bulk.cutAt = undefined
    await restart()
    const run = await until('the end of the run', async () => {
      const found = await call<SourceRunDetail>('GET', `/shopify/runs/${id}`)
      return found.run.state === 'running' ? undefined : found.run
    })
    // The file that was cut may have ended the run before it was killed.
    const last = run.state === 'done' ? run : await ran('shopify')
    assert.equal(last.state, 'done', last.error ?? '')
    await title('10', 'Changed')
    await title('11', undefined)
    assert.equal((await call<Source>('GET', '/shopify')).documents, 29)
  })
})
