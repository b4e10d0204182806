import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  WEBHOOK_BODY_MAX_BYTES,
  WEBHOOK_PRODUCTS_MAX,
  WEBHOOKS_PER_SECOND_MAX,
} from '@aisle/contract'
import { FakeShopify, FakeWooCommerce } from '@aisle/testing'
import { BULK_LIMITS } from '../packages/sources/src/shopify/bulk-operation.ts'
import { COLLECTIONS_MAX, IMAGES_MAX } from '../packages/sources/src/shopify/product-query.ts'
import { SHOPIFY_API_VERSION } from '../packages/sources/src/shopify/shopify-api.ts'
import { CHANGES } from '../packages/sources/src/web/changed-since.ts'
import { PATIENCE } from '../packages/sources/src/web/patience.ts'
import { WOOCOMMERCE_API_VERSION } from '../packages/sources/src/woocommerce/woocommerce-api.ts'
import { CommandLine } from './lib/command-line.ts'
import { readSource } from './lib/source-files.ts'

const SHOPIFY = 'docs/sources-shopify.md'
const WOOCOMMERCE = 'docs/sources-woocommerce.md'

/** The lines of the example, with the fake in place of the shop. */
async function runExample(file: string, url: string): Promise<string[]> {
  const { text } = readSource(file)
  const [, block = ''] = /```sh add\n([^`]*)```/.exec(text) ?? []
  const line = await CommandLine.start({ AISLE_SOURCE_NETWORKS: '127.0.0.1' })
  const said: string[] = []
  try {
    const made = await line.well('store', 'create', 'Shop', '--id', 'shop', '--json')
    line.environment['AISLE_WRITE_SECRET'] = made.json()['write_secret']
    for (const command of block.trim().split('\n')) {
      const [program, ...words] = command.split(' ')
      if (program === 'export') {
        const [name = '', value = ''] = words[0]!.split('=')
        line.environment[name] = value
        continue
      }
      const here = words.map((word) => (word.startsWith('https://') ? url : word))
      said.push((await line.well(...here)).out)
    }
  } finally {
    await line.stop()
  }
  return said
}

suite('the pages of shop systems', () => {
  test('the example of Shopify works as it is shown', async () => {
    const shop = await FakeShopify.start()
    try {
      shop.put({ id: '1', title: 'Dome tent', variants: [{ price: '199.00', stock: 3 }] })
      shop.put({ id: '2', title: 'Mug', variants: [{ price: '12.50' }] })
      const [added, ran, found] = await runExample(SHOPIFY, shop.url)
      assert.match(added!, /^Saved source "shop"/)
      assert.match(ran!, /^Wrote: 2 added/)
      assert.match(found!, /1 found/)
    } finally {
      await shop.close()
    }
  })

  test('the example of WooCommerce works as it is shown', async () => {
    const shop = await FakeWooCommerce.start()
    try {
      shop.put({ id: 1, name: 'Mug', regularPrice: '12.50' })
      const [added, ran, found] = await runExample(WOOCOMMERCE, shop.url)
      assert.match(added!, /^Saved source "shop"/)
      assert.match(ran!, /^Wrote: 1 added/)
      assert.match(found!, /1 found/)
    } finally {
      await shop.close()
    }
  })

  test('their limits are those of the code', () => {
    const both = [
      `up to ${PATIENCE.attemptsMax} times`,
      `every ${CHANGES.everyMs / 1_000} seconds`,
      `more than ${CHANGES.productsMax} products`,
      `${WEBHOOK_PRODUCTS_MAX.toLocaleString('en-US')} wait`,
      `more than ${WEBHOOKS_PER_SECOND_MAX} webhooks a second`,
      `above ${WEBHOOK_BODY_MAX_BYTES.toLocaleString('en-US')} bytes`,
    ]
    const shopify = [
      `version \`${SHOPIFY_API_VERSION}\``,
      `first ${IMAGES_MAX} pictures and ${COLLECTIONS_MAX} collections`,
      `up to ${BULK_LIMITS.totalMsMax / 3_600_000} hours`,
    ]
    for (const [file, texts] of [
      [SHOPIFY, [...both, ...shopify]],
      [WOOCOMMERCE, [...both, `\`${WOOCOMMERCE_API_VERSION}\``]],
    ] as const) {
      const { text } = readSource(file)
      for (const one of texts) assert.ok(text.includes(one), `${file}: ${one}`)
    }
  })
})
