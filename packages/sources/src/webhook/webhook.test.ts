import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import test, { after, before, suite } from 'node:test'
import type { SourceConnection } from '@aisle/contract'
import { FakeShopify, FakeWooCommerce } from '@aisle/testing'
import { isWooCommercePing } from './woocommerce-webhook.ts'
import { readWebhook } from './webhook.ts'
import type { WebhookReading } from './webhook-reading.ts'

const SHOPIFY: SourceConnection = { kind: 'shopify', url: 'https://example.myshopify.com' }
const WOO: SourceConnection = { kind: 'woocommerce', url: 'https://shop.example' }

let shopify: FakeShopify
let woo: FakeWooCommerce
before(async () => {
  shopify = await FakeShopify.start()
  woo = await FakeWooCommerce.start()
})
after(async () => {
  await shopify.close()
  await woo.close()
})

type Sent = { readonly headers: Record<string, string>; readonly body: string }

function read(connection: SourceConnection, { headers, body }: Sent): WebhookReading {
  const secrets = { client_secret: shopify.clientSecret, webhook_secret: woo.webhookSecret }
  return readWebhook(connection, secrets, { headers, body: Buffer.from(body) })
}

suite('a webhook', () => {
  test('of Shopify says which product has changed, in every digit', () => {
    for (const topic of ['products/create', 'products/update', 'products/delete'] as const) {
      assert.deepEqual(read(SHOPIFY, shopify.webhook(topic, '788032119674292922')), {
        kind: 'changed',
        ids: ['788032119674292922'],
        delivery: 'delivery-788032119674292922',
      })
    }
  })

  test('of WooCommerce says which product has changed, also by its variation', () => {
    woo.put({
      id: 10,
      name: 'Shirt',
      variations: [{ id: 11, regularPrice: '4', attributes: { Size: 'S' } }],
    })
    const changed = { kind: 'changed', ids: ['10'] }
    assert.deepEqual(read(WOO, woo.webhook('product.updated', 10)), {
      ...changed,
      delivery: 'delivery-10',
    })
    assert.deepEqual(read(WOO, woo.webhook('product.updated', 11)), {
      ...changed,
      delivery: 'delivery-11',
    })
    assert.deepEqual(read(WOO, woo.webhook('product.deleted', 10)), {
      ...changed,
      delivery: 'delivery-10',
    })
    assert.deepEqual(read(WOO, woo.webhook('product.restored', 10)), {
      ...changed,
      delivery: 'delivery-10',
    })
  })

  test('that is not signed with the secret is forged', () => {
    const signed = shopify.webhook('products/update', '1')
    const signature = 'x-shopify-hmac-sha256'
    const forged: Sent[] = [
      shopify.webhook('products/update', '1', { secret: 'other' }),
      { ...signed, body: `${signed.body} ` },
      { ...signed, headers: { ...signed.headers, [signature]: '' } },
      { ...signed, headers: { ...signed.headers, [signature]: 'AAAA' } },
      { ...signed, headers: { ...signed.headers, [signature]: 'é'.repeat(44) } },
      { ...signed, headers: {} },
      woo.webhook('product.updated', 1),
    ]
    for (const one of forged) assert.deepEqual(read(SHOPIFY, one), { kind: 'forged' })
    assert.deepEqual(read(WOO, signed), { kind: 'forged' })
    assert.deepEqual(read({ kind: 'feed', url: 'https://x.example' }, signed), { kind: 'forged' })
    const asked = { headers: signed.headers, body: Buffer.from(signed.body) }
    assert.deepEqual(readWebhook(SHOPIFY, {}, asked), { kind: 'forged' })
    assert.deepEqual(readWebhook(SHOPIFY, { client_secret: '' }, asked), { kind: 'forged' })
  })

  test('about other things is ignored', () => {
    const signed = (body: string, topic: string): Sent => {
      const sent = woo.webhook('product.deleted', 1)
      const hmac = signature(body)
      return {
        headers: { ...sent.headers, 'x-wc-webhook-topic': topic, 'x-wc-webhook-signature': hmac },
        body,
      }
    }
    for (const body of ['{"id":1}', '']) {
      assert.deepEqual(read(WOO, signed(body, 'order.created')), { kind: 'ignored' })
    }
    for (const body of [
      '',
      'x',
      'null',
      '[]',
      '{"id":"1"}',
      '{"id":-1}',
      '{"id":1.5}',
      '{"id":1e300}',
    ]) {
      assert.deepEqual(read(WOO, signed(body, 'product.updated')), { kind: 'ignored' }, body)
    }
  })

  test('of WooCommerce is tried before it is used, unsigned', () => {
    assert.ok(isWooCommercePing(Buffer.from('webhook_id=12')))
    for (const body of ['', 'webhook_id=', 'webhook_id=1&x=2', '{"webhook_id":1}']) {
      assert.ok(!isWooCommercePing(Buffer.from(body)), body)
    }
  })
})

function signature(body: string): string {
  return createHmac('sha256', woo.webhookSecret).update(body).digest('base64')
}
