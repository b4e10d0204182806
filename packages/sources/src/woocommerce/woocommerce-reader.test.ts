import assert from 'node:assert/strict'
import test, { after, before, beforeEach, suite } from 'node:test'
import { FakeWooCommerce } from '@aisle/testing'
import type { SourceFault } from '../source-error.ts'
import {
  changesOf,
  never,
  optionsForTest,
  quickWaits,
  readAll,
  readBatches,
} from '../test/reading-for-test.ts'
import { WooCommerceReader } from './woocommerce-reader.ts'

let shop: FakeWooCommerce

before(async () => {
  shop = await FakeWooCommerce.start()
})
after(() => shop.close())

beforeEach(async () => {
  await shop.close()
  shop = await FakeWooCommerce.start()
  shop.putCategory(1, 'Clothes')
  shop.putCategory(2, 'Shirts &amp; Tops', 1)
  shop.put({
    id: 10,
    name: 'Linen shirt',
    description: '<p>Light &amp; airy</p>',
    brand: 'Norrby',
    categories: [2],
    tags: ['summer'],
    pictures: ['https://x.example/1.jpg', 'https://x.example/2.jpg'],
    attributes: { Color: ['Red', 'Blue'], Material: ['Linen'] },
    variations: [
      { id: 11, sku: 'S-1', regularPrice: '40', stock: 2, attributes: { Color: 'Red' } },
      {
        id: 12,
        sku: 'S-2',
        regularPrice: '40',
        salePrice: '30',
        stock: 3,
        attributes: { Color: 'Blue' },
      },
      { id: 13, sku: 'S-3', regularPrice: '1', status: 'private', attributes: { Color: 'Green' } },
    ],
  })
  shop.put({ id: 20, name: 'Mug', sku: 'M-1', regularPrice: '12.50', stock: 0 })
})

const SHIRT = {
  title: 'Linen shirt',
  description: 'Light & airy',
  brand: 'Norrby',
  url: 'https://shop.example/product/10/',
  created_at: '2026-01-01T00:00:00Z',
  image: 'https://x.example/1.jpg',
  price: 30,
  price_before: 40,
  stock: 5,
  published: true,
  featured: false,
  in_stock: true,
  images: ['https://x.example/1.jpg', 'https://x.example/2.jpg'],
  tags: ['summer'],
  categories: ['Clothes > Shirts & Tops'],
  sku: ['S-1', 'S-2'],
  color: ['Red', 'Blue'],
  material: ['Linen'],
}

function opened({
  waits = quickWaits((ms) => shop.pass(ms)).waits,
  secrets = { consumer_key: shop.key, consumer_secret: shop.secret },
  ...more
}: {
  waits?: ReturnType<typeof quickWaits>['waits']
  secrets?: Record<string, string>
  include_hidden?: boolean
} = {}): WooCommerceReader {
  const connection = { kind: 'woocommerce', url: shop.url, ...more } as const
  return new WooCommerceReader(connection, optionsForTest(secrets), waits)
}

const fails = (fault: SourceFault, message: RegExp) => (error: unknown) => {
  const { fault: found, message: said } = error as { fault: string; message: string }
  assert.equal(found, fault, said)
  assert.match(said, message)
  return true
}

suite('a WooCommerce shop', () => {
  test('is read page by page: what variations have becomes fields of their product', async () => {
    const { documents, position } = await readAll(opened())
    assert.deepEqual(documents.get('10'), SHIRT)
    assert.deepEqual([...documents.keys()], ['10', '20'])
    assert.equal(documents.get('20')!['in_stock'], false)
    assert.match(position!, /^2026-11-01T/)
  })

  test('gives the same documents product by product', async () => {
    const { documents } = await readAll(opened())
    const changes = await opened().readSome(['10', '20'], never())
    assert.deepEqual(changesOf(changes), documents)
    // A variation is part of its product.
    const ofVariation = changesOf(await opened().readSome(['12'], never()))
    assert.deepEqual([...ofVariation], [['10', SHIRT]])
    // A category that was not known is asked for.
    const reader = opened()
    await reader.readSome(['10'], never())
    shop.putCategory(3, 'New')
    shop.put({ id: 20, name: 'Mug', categories: [3] })
    const changed = changesOf(await reader.readSome(['20'], never())).get('20')
    assert.deepEqual((changed as { categories: unknown }).categories, ['New'])
  })

  test('shows what visitors do not find only if asked to', async () => {
    shop.put({ id: 30, name: 'Draft', status: 'draft' })
    shop.put({ id: 31, name: 'Only by its link', visibility: 'hidden' })
    shop.put({ id: 32, name: 'Only in search', visibility: 'search' })
    shop.put({ id: 33, name: 'Thrown away', status: 'trash' })
    const { documents } = await readAll(opened())
    assert.deepEqual([...documents.keys()], ['10', '20', '32'])
    const all = await readAll(opened({ include_hidden: true }))
    assert.deepEqual([...all.documents.keys()], ['10', '20', '30', '31', '32'])
    const changes = await opened().readSome(['30', '31', '33', '99'], never())
    assert.deepEqual([...changesOf(changes).values()], Array(4).fill('removed'))
  })

  test('counts a stock that variations share once', async () => {
    const attributes = (size: string): { Size: string } => ({ Size: size })
    shop.put({
      id: 40,
      name: 'Sock',
      stock: 50,
      variations: ['S', 'M'].map((size, i) => ({
        id: 41 + i,
        regularPrice: '5',
        stock: 'parent',
        attributes: attributes(size),
      })),
    })
    const { documents } = await readAll(opened())
    assert.equal(documents.get('40')!['stock'], 50)
    assert.equal(documents.get('40')!['price'], 5)
  })

  test('of many pages is read whole while products come and go', async () => {
    for (let id = 100; id < 600; id++) shop.put({ id, name: `P${id}`, regularPrice: '1' })
    let requests = 0
    shop.onRequest = (path) => {
      if (path !== 'products') return
      requests++
      // Products that were already read go, so all after them move forward.
      if (requests === 3) for (let id = 100; id < 150; id++) shop.remove(id)
      if (requests === 5) shop.remove(299)
    }
    const { documents } = await readAll(opened())
    for (let id = 150; id < 600; id++) {
      if (id !== 299) assert.ok(documents.has(String(id)), `${id} is missing`)
    }
  })

  test('is asked again while it is busy, for as long as it says', async () => {
    const { waits, waited } = quickWaits()
    shop.faults.push(
      { status: 429, headers: { 'retry-after': '7' } },
      { status: 502 },
      'disconnect',
    )
    assert.equal((await readAll(opened({ waits }))).documents.size, 2)
    assert.deepEqual(waited, [7_000, 2_000, 4_000])
    for (let i = 0; i < 8; i++) shop.faults.push({ status: 500 })
    await assert.rejects(readAll(opened()), fails('unreachable', /answered 500/))
  })

  test('that refuses the key, or is not there, fails the reading with the reason', async () => {
    const wrong = opened({ secrets: { consumer_key: 'ck_x', consumer_secret: 'x' } })
    await assert.rejects(readAll(wrong), fails('unauthorized', /cannot list.*"Read"/))
    assert.throws(() => opened({ secrets: {} }), fails('unauthorized', /consumer_key/))
    const elsewhere = new WooCommerceReader(
      { kind: 'woocommerce', url: `${shop.url}/blog` },
      optionsForTest({ consumer_key: shop.key, consumer_secret: shop.secret }),
    )
    await assert.rejects(readAll(elsewhere), fails('unreachable', /permalinks/))
    shop.faults.push({ status: 301, headers: { location: 'https://www.shop.example/wp-json' } })
    await assert.rejects(readAll(opened()), fails('unreachable', /https:\/\/www\.shop\.example/))
    shop.faults.push({ status: 200, body: '<br />Warning: PHP' })
    await assert.rejects(readAll(opened()), fails('unreadable', /JSON/))
    shop.faults.push({ status: 200, body: '{}' })
    await assert.rejects(readAll(opened()), fails('unreadable', /list/))
  })

  test('that fails in the middle does not look like a shop that has shrunk', async () => {
    for (let id = 100; id < 400; id++) shop.put({ id, name: `P${id}`, regularPrice: '1' })
    let requests = 0
    shop.onRequest = () => {
      if (++requests === 5) for (let i = 0; i < 9; i++) shop.faults.push({ status: 503 })
    }
    await assert.rejects(readAll(opened()), fails('unreachable', /503/))
  })

  test('ends with the signal', async () => {
    const ending = new AbortController()
    shop.onRequest = () => ending.abort(new Error('stopped'))
    await assert.rejects(readAll(opened(), ending.signal), /stopped/)
  })

  test('shows its first products', async () => {
    const { documents } = await readBatches(opened().readFirst(1, never()))
    assert.deepEqual([...documents], [['10', SHIRT]])
  })

  test('is followed: what has changed is read, once', async () => {
    const ending = new AbortController()
    let rounds = 0
    const { waits } = quickWaits(() => {
      rounds++
      shop.pass(60_000)
      if (rounds === 2) shop.put({ id: 20, name: 'Cup', regularPrice: '9' })
      if (rounds === 4) shop.put({ id: 20, name: 'Cup', status: 'draft' })
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
    assert.deepEqual(seen.slice(-2), [
      ['20', 'Cup'],
      ['20', 'removed'],
    ])
    assert.ok(seen.length <= 4, JSON.stringify(seen))
  })
})
