import assert from 'node:assert/strict'
import test, { after, before, beforeEach, suite } from 'node:test'
import { FakeShopify } from '@aisle/testing'
import type { SourceFault } from '../source-error.ts'
import {
  changesOf,
  LOCAL,
  never,
  optionsForTest,
  quickWaits,
  readAll,
  readBatches,
} from '../test/reading-for-test.ts'
import { BULK_LIMITS } from './bulk-operation.ts'
import { SHOPIFY_API_VERSION } from './shopify-api.ts'
import { ShopifyReader } from './shopify-reader.ts'

let shop: FakeShopify

before(async () => {
  shop = await FakeShopify.start()
})
after(() => shop.close())

beforeEach(async () => {
  await shop.close()
  shop = await FakeShopify.start()
  shop.put({
    id: '788032119674292922',
    title: 'Dome tent',
    description: '<p>Room for <b>two</b> &amp; a dog</p>',
    vendor: 'Norrby',
    type: 'Tents',
    category: 'Sporting Goods > Outdoor Recreation > Tents',
    tags: ['camping', 'sale'],
    pictures: ['https://x.example/1.jpg', 'https://x.example/2.jpg'],
    collections: ['Summer'],
    variants: [
      {
        sku: 'T-1',
        price: '199.00',
        compareAtPrice: '249.00',
        stock: 3,
        options: { Color: 'Red', Size: 'S' },
      },
      { sku: 'T-2', price: '189.00', stock: 4, options: { Color: 'Green', Size: 'L' } },
    ],
  })
  shop.put({ id: '2', title: 'Mug', vendor: 'Kettleby', variants: [{ price: '12.5' }] })
})

const TENT = {
  title: 'Dome tent',
  description: 'Room for two & a dog',
  brand: 'Norrby',
  category: 'Sporting Goods > Outdoor Recreation > Tents',
  product_type: 'Tents',
  status: 'active',
  handle: 'dome-tent',
  url: 'https://shop.example/products/dome-tent',
  created_at: '2026-01-01T00:00:00Z',
  image: 'https://x.example/1.jpg',
  price: 189,
  stock: 7,
  published: true,
  in_stock: true,
  tags: ['camping', 'sale'],
  images: ['https://x.example/1.jpg', 'https://x.example/2.jpg'],
  collections: ['Summer'],
  sku: ['T-1', 'T-2'],
  color: ['Red', 'Green'],
  size: ['S', 'L'],
}

function opened({
  waits = quickWaits((ms) => shop.pass(ms)).waits,
  secrets = { access_token: shop.token },
  ...more
}: {
  waits?: ReturnType<typeof quickWaits>['waits']
  secrets?: Record<string, string>
  client_id?: string
  include_hidden?: boolean
} = {}): ShopifyReader {
  const connection = { kind: 'shopify', url: shop.url, ...more } as const
  return new ShopifyReader(connection, optionsForTest(secrets), waits)
}

const fails = (fault: SourceFault, message: RegExp) => (error: unknown) => {
  const { fault: found, message: said } = error as { fault: string; message: string }
  assert.equal(found, fault, said)
  assert.match(said, message)
  return true
}

suite('a Shopify shop', () => {
  test('is read by a bulk operation: variants and pictures become fields of their product', async () => {
    const { documents, position } = await readAll(opened())
    assert.deepEqual(documents.get('788032119674292922'), TENT)
    assert.deepEqual([...documents.keys()], ['788032119674292922', '2'])
    assert.equal(documents.get('2')!['in_stock'], false)
    assert.match(position!, /^2026-11-01T/)
    assert.ok(shop.requests[0]!.startsWith(`/admin/api/${SHOPIFY_API_VERSION}/`))
  })

  test('gives the same documents product by product, with many variants', async () => {
    const sizes = Array.from({ length: 250 }, (_, i) => i)
    shop.put({
      id: '3',
      title: 'Screws',
      pictures: sizes.slice(0, 30).map((i) => `https://x.example/${i}.jpg`),
      variants: sizes.map((i) => ({ price: '1', sku: `S${i}`, options: { Length: `${i} mm` } })),
    })
    const { documents } = await readAll(opened())
    const changes = await opened().readSome([...documents.keys()], never())
    assert.deepEqual(changesOf(changes), documents)
    assert.equal((documents.get('3')!['sku'] as unknown[]).length, 250)
    assert.equal((documents.get('3')!['images'] as unknown[]).length, 20)
  })

  test('shows drafts and unpublished products only if asked to', async () => {
    shop.put({ id: '4', title: 'Draft', status: 'DRAFT', variants: [{ price: '1' }] })
    shop.put({ id: '5', title: 'Elsewhere', isPublished: false, variants: [{ price: '1' }] })
    const { documents } = await readAll(opened())
    assert.deepEqual([...documents.keys()], ['788032119674292922', '2'])
    const all = await readAll(opened({ include_hidden: true }))
    assert.deepEqual(
      [...all.documents].map(([id, { status, published }]) => [id, status, published]),
      [
        ['788032119674292922', 'active', true],
        ['2', 'active', true],
        ['4', 'draft', false],
        ['5', 'active', false],
      ],
    )
    const changes = await opened().readSome(['4', '5', '99'], never())
    assert.deepEqual([...changesOf(changes).values()], ['removed', 'removed', 'removed'])
  })

  test('without products is empty', async () => {
    shop.remove('788032119674292922')
    shop.remove('2')
    const { documents } = await readAll(opened())
    assert.equal(documents.size, 0)
  })

  test('is asked again while it is busy, for as long as it says', async () => {
    const { waits, waited } = quickWaits((ms) => shop.pass(ms))
    shop.faults.push(
      { status: 429, headers: { 'retry-after': '2.0' } },
      { status: 503 },
      'disconnect',
      { status: 430 },
    )
    const { documents } = await readAll(opened({ waits }))
    assert.equal(documents.size, 2)
    assert.deepEqual(waited.slice(0, 4), [2_000, 2_000, 4_000, 8_000])
  })

  test('is asked again when its budget is enough for the query', async () => {
    const { waits, waited } = quickWaits((ms) => shop.pass(ms))
    shop.budget.available = 0
    const { documents } = await readAll(opened({ waits }))
    assert.equal(documents.size, 2)
    // 10 points of a mutation, at 100 in a second.
    assert.equal(waited[0], 100)
    shop.budget.available = 20
    await opened({ waits }).readSome(['2'], never())
    assert.ok(Math.max(...waited) > 2_000, String(waited))
  })

  test('that stays busy fails the reading', async () => {
    for (let i = 0; i < 20; i++) shop.faults.push({ status: 503 })
    await assert.rejects(readAll(opened()), fails('unreachable', /answered 503/))
  })

  for (const [status, fault, message] of [
    [401, 'unauthorized', /access token is wrong/],
    [402, 'unauthorized', /frozen/],
    [403, 'unauthorized', /may not/],
    [404, 'unreachable', /no such shop/],
    [301, 'unreachable', /myshopify/],
    [423, 'unauthorized', /locked/],
    [418, 'unreachable', /418/],
  ] as const) {
    test(`that answers ${status} fails the reading with the reason`, async () => {
      shop.faults.push({ status })
      await assert.rejects(readAll(opened()), fails(fault, message))
    })
  }

  test('that does not answer in JSON fails the reading', async () => {
    shop.faults.push({ status: 200, body: '<html>' })
    await assert.rejects(readAll(opened()), fails('unreadable', /JSON/))
    const body = JSON.stringify({ errors: [{ message: "Field 'x' doesn't exist" }] })
    shop.faults.push({ status: 200, body })
    await assert.rejects(readAll(opened()), fails('unreadable', /Field 'x'/))
  })

  test('is read with the client id and secret of an app, whose token is exchanged again', async () => {
    const secrets = { client_secret: shop.clientSecret }
    const reader = opened({ client_id: shop.clientId, secrets })
    assert.equal((await readAll(reader)).documents.size, 2)
    assert.equal(shop.tokensIssued, 1)
    // The app was installed again: the token of before has ended.
    shop.tokensIssued++
    assert.equal((await reader.readSome(['2'], never())).length, 1)
    assert.equal(shop.tokensIssued, 3)
    const wrong = opened({ client_id: shop.clientId, secrets: { client_secret: 'x' } })
    await assert.rejects(readAll(wrong), fails('unauthorized', /installed/))
    await assert.rejects(readAll(opened({ secrets: {} })), fails('unauthorized', /access_token/))
  })

  test('is only read by https, and only at allowed addresses', async () => {
    const at = (url: string, networks = LOCAL): ShopifyReader =>
      new ShopifyReader({ kind: 'shopify', url }, optionsForTest({ access_token: 'x' }, networks))
    assert.throws(() => at('http://example.myshopify.com'), fails('unreachable', /https/))
    assert.throws(() => at('https://a:b@example.myshopify.com'), fails('unreachable', /user name/))
    assert.throws(() => at('example'), fails('unreachable', /https/))
    const { SourceNetworks } = await import('../networks.ts')
    await assert.rejects(
      readAll(at(shop.url, new SourceNetworks())),
      fails('forbidden_address', /--source-networks/),
    )
  })

  test('waits for a place when other operations of the app are running', async () => {
    const { waits, waited } = quickWaits()
    shop.bulk.othersRunning = 6
    assert.equal((await readAll(opened({ waits }))).documents.size, 2)
    assert.equal(waited.filter((ms) => ms === BULK_LIMITS.pollMsMax).length, 2)
  })

  test('is given more time, less often', async () => {
    const { waits, waited } = quickWaits()
    shop.bulk.polls = 8
    assert.equal((await readAll(opened({ waits }))).documents.size, 2)
    assert.deepEqual(
      waited,
      [1, 2, 4, 8, 16, 30, 30, 30].map((s) => s * 1_000),
    )
  })

  test('begins an operation again that it could not finish, twice', async () => {
    shop.bulk.ends = ['FAILED INTERNAL_SERVER_ERROR', 'EXPIRED']
    assert.equal((await readAll(opened())).documents.size, 2)
    shop.bulk.ends = ['FAILED TIMEOUT', 'FAILED TIMEOUT', 'FAILED TIMEOUT']
    await assert.rejects(readAll(opened()), fails('unreachable', /FAILED \(TIMEOUT\)/))
    shop.bulk.ends = ['FAILED ACCESS_DENIED']
    await assert.rejects(readAll(opened()), fails('unauthorized', /ACCESS_DENIED/))
    shop.bulk.ends = ['CANCELED']
    await assert.rejects(readAll(opened()), fails('unreachable', /CANCELED/))
  })

  test('gives another address for a file whose address has ended', async () => {
    shop.bulk.expired = 1
    assert.equal((await readAll(opened())).documents.size, 2)
    shop.bulk.expired = 2
    await assert.rejects(readAll(opened()), fails('unreachable', /Cannot read the file.*403/))
  })

  test('whose file ends early has not been read, wherever it ends', async () => {
    shop.bulk.cutAt = 100
    await assert.rejects(readAll(opened()), fails('unreachable', /not received to its end/))
    shop.bulk.cutAt = undefined
    for (const [dropsLines, message] of [
      // Line ends at the end do not count: the last line is whole.
      [1, /ended after 2 of 2/],
      [2, /ended after 2 of 2/],
      [3, /ended after 1 of 2/],
      [5, /ended after 1 of 2/],
    ] as const) {
      shop.bulk.dropsLines = dropsLines
      await assert.rejects(readAll(opened()), fails('unreachable', message))
    }
  })

  test('is told when nobody waits for its operation any more', async () => {
    const ending = new AbortController()
    shop.bulk.polls = 1_000
    const { waits } = quickWaits(() => ending.abort(new Error('stopped')))
    await assert.rejects(readAll(opened({ waits }), ending.signal), /stopped/)
    assert.deepEqual(shop.cancelled, ['gid://shopify/BulkOperation/1'])
  })

  test('shows its first products without a bulk operation', async () => {
    const { documents } = await readBatches(opened().readFirst(1, never()))
    assert.deepEqual([...documents], [['788032119674292922', TENT]])
  })

  test('is followed: what has changed is read, once', async () => {
    const ending = new AbortController()
    let rounds = 0
    const { waits } = quickWaits(() => {
      rounds++
      shop.pass(60_000)
      if (rounds === 2) shop.put({ id: '2', title: 'Cup', variants: [{ price: '9' }] })
      if (rounds === 4) shop.put({ id: '2', title: 'Cup', status: 'DRAFT', variants: [] })
      if (rounds === 8) ending.abort(new Error('stopped'))
    })
    const { position } = await readAll(opened())
    shop.pass(600_000)
    const seen: unknown[] = []
    const following = async (): Promise<void> => {
      for await (const { changes } of opened({ waits }).follow(position!, ending.signal)) {
        for (const [id, data] of changesOf(changes))
          seen.push([id, data === 'removed' ? data : data['title']])
      }
    }
    await assert.rejects(following(), /stopped/)
    // The products before the position are known after the first look.
    assert.deepEqual(seen.slice(-2), [
      ['2', 'Cup'],
      ['2', 'removed'],
    ])
    assert.ok(seen.length <= 4, JSON.stringify(seen))
  })

  test('with many changes is read as a whole', async () => {
    const position = '2026-11-01T00:00:00Z'
    for (let i = 0; i < 501; i++) shop.put({ id: `${i + 10}`, title: 'A', variants: [] })
    const following = async (): Promise<void> => {
      for await (const _ of opened().follow(position, never())) break
    }
    await assert.rejects(following(), fails('position_lost', /500/))
  })
})
