import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FakeWooCommerce, until } from '@aisle/testing'
import type { Source } from '@aisle/contract'
import type { DashboardSession, TestStore } from '../dashboard-session.ts'
import type { ScreenTest } from '../screen-test.ts'

const HOSTILE = '"><img src=x onerror=alert(1)> مرحبا 🏕️'

const line = (id: string, title: string, price: string): string =>
  `${id},"${title.replaceAll('"', '""')}",${price}`

const FEED = [
  'id,title,price',
  line('tent', 'Dome tent', '249'),
  line('odd', HOSTILE, '1'),
  line('stove', 'Gas stove', '59'),
].join('\n')
const LESS = ['id,title,price', line('tent', 'Dome tent', '199'), line('mat', 'Mat', 'cheap')].join(
  '\n',
)

/** A shop whose feed becomes shorter. */
let feed = FEED
const server = createServer((_, response) => {
  response.setHeader('content-type', 'text/csv').end(feed)
})

async function feedUrl(): Promise<string> {
  if (!server.listening) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    server.unref()
  }
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed.csv`
}

async function storeWithSource(session: DashboardSession, id: string): Promise<TestStore> {
  const store = await session.createStore(id)
  feed = FEED
  await store.call('PUT', '/sources/products', {
    connection: { kind: 'feed', url: await feedUrl() },
    schedule: { cron: '0 5 * * *', time_zone: 'Europe/Berlin' },
    deletions: 'remove_missing',
  })
  await run(store)
  feed = LESS
  await run(store)
  return store
}

async function run(store: TestStore): Promise<void> {
  await store.call('POST', '/sources/products/runs', {})
  await until('the end of the run', async () => {
    const source = await store.call<Source>('GET', '/sources/products')
    return source.running === undefined
  })
}

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'sources',
    login: 'editor',
    prepare: (session) => storeWithSource(session, 'sources'),
    address: () => '/stores/sources/sources',
    shows: 'Every day at 5:00 (Europe/Berlin)',
    paths: {
      'a feed is previewed, connected and run': async (opened, { store }) => {
        const { page } = opened
        feed = FEED
        await opened.goto('/stores/sources/sources?new=true')
        await page.getByRole('textbox', { name: 'Name', exact: true }).fill('second')
        await page.getByRole('textbox', { name: 'URL', exact: true }).fill(await feedUrl())
        await page.getByRole('button', { name: 'Show first products' }).click()
        await page.getByRole('heading', { name: '3 products' }).waitFor()
        await opened.check('source-new')
        await page.getByRole('button', { name: 'Connect source' }).click()
        await page.getByText('Source connected').waitFor()
        await page.getByRole('button', { name: 'Run now' }).click()
        await page.getByText('3 added').waitFor()
        const source = await store.call<Source>('GET', '/sources/second')
        assert.equal(source.schedule?.cron, '0 5 * * *')
        assert.deepEqual(opened.faults, [])
      },
      'a database is described in fields, with faults at theirs': async (opened) => {
        const { page } = opened
        const field = (name: string) => page.getByRole('textbox', { name, exact: true })
        await opened.goto('/stores/sources/sources?new=true')
        await page.getByRole('button', { name: /Kind/ }).click()
        await page.getByRole('option', { name: 'PostgreSQL' }).click()
        await field('Name').fill('db')
        await field('Host').fill('10.0.0.1')
        await field('Port').fill('99999')
        await field('Database').fill('shop')
        await field('User').fill('aisle')
        await field('Table').fill('products')
        await field('Publication').fill('aisle_products')
        await page.getByRole('button', { name: 'Show first products' }).click()
        await page.getByText(/port.*65535/).waitFor()
        opened.forgive(/400/)
        await opened.check('source-database')
        await field('Port').fill('5433')
        await page.getByRole('button', { name: /Changes are found by/ }).click()
        await page.getByRole('option', { name: /A column with the time/ }).click()
        await field('Column').fill('changed_at')
        await page.getByText('Edit the connection as JSON').click()
        const json = await field('Connection').inputValue()
        assert.deepEqual(JSON.parse(json), {
          host: '10.0.0.1',
          port: 5433,
          database: 'shop',
          user: 'aisle',
          table: 'products',
          follow: { by: 'updated_at', column: 'changed_at' },
        })
        await opened.check('source-json')
        await field('Connection').fill(json.replace('5433', '5434'))
        await page.getByText('Edit the connection as JSON').click()
        assert.equal(await field('Port').inputValue(), '5434')
        await page.getByRole('button', { name: 'Show first products' }).click()
        await page.getByText(/not a public address/).waitFor()
        opened.forgive(/422/)
        assert.deepEqual(opened.faults, [])
      },
      'a WooCommerce shop is previewed from the form and connected': async (opened, { store }) => {
        const { page } = opened
        const woo = await FakeWooCommerce.start()
        try {
          woo.put({ id: 7, name: 'Enamel mug', regularPrice: '12.50' })
          await opened.goto('/stores/sources/sources?new=true')
          await page.getByRole('button', { name: /Kind/ }).click()
          await page.getByRole('option', { name: 'WooCommerce' }).click()
          await page.getByRole('textbox', { name: 'Name', exact: true }).fill('woo')
          await page.getByRole('textbox', { name: 'Site URL', exact: true }).fill(woo.url)
          await page.getByLabel('Consumer key').fill(woo.key)
          await page.getByLabel('Consumer secret').fill(woo.secret)
          await page.getByRole('button', { name: 'Show first products' }).click()
          await page.getByText('Enamel mug').first().waitFor()
          await opened.check('source-woocommerce')
          await page.getByRole('button', { name: 'Connect source' }).click()
          await page.getByText('Source connected').waitFor()
          const { secrets, connection } = await store.call<Source>('GET', '/sources/woo')
          assert.deepEqual(secrets, ['consumer_key', 'consumer_secret'])
          assert.deepEqual(connection, { kind: 'woocommerce', url: woo.url })
          await store.call('DELETE', '/sources/woo')
          assert.deepEqual(opened.faults, [])
        } finally {
          await woo.close()
        }
      },
      'an address that is not allowed is refused in words': async (opened) => {
        const { page } = opened
        await opened.goto('/stores/sources/sources?new=true')
        await page.getByRole('textbox', { name: 'URL', exact: true }).fill('http://10.0.0.1/a.csv')
        await page.getByRole('button', { name: 'Show first products' }).click()
        await page.getByText(/not a public address/).waitFor()
        opened.forgive(/422/)
        assert.deepEqual(opened.faults, [])
      },
    },
  },
  {
    name: 'source',
    login: 'editor',
    prepare: (session) => storeWithSource(session, 'source'),
    address: () => '/stores/source/sources?source=products',
    shows: 'Remove missing products',
    paths: {
      'a run shows what it changed': async (opened) => {
        const { page } = opened
        await opened.goto('/stores/source/sources?source=products')
        await page.getByText('1 changed, 1 refused').click()
        await page.getByText('Row 2').waitFor()
        await page.getByText('249').waitFor()
        await opened.check('source-run')
        assert.deepEqual(opened.faults, [])
      },
      'what is missing is removed after somebody has said so': async (opened, { store }) => {
        const { page } = opened
        await opened.goto('/stores/source/sources?source=products')
        await page.getByRole('button', { name: 'Remove missing products' }).click()
        await page.getByText(/2 removed/).waitFor()
        const source = await store.call<Source>('GET', '/sources/products')
        assert.equal(source.health, 'ok')
        assert.deepEqual(opened.faults, [])
      },
      'the overview tells of a source that shrank': async (opened, { store }) => {
        const { page } = opened
        feed = ['id,title,price', line('mat', 'Mat', '9')].join('\n')
        await run(store)
        await opened.goto('/stores/source/overview')
        await page.getByText(/Nothing was removed, because/).waitFor()
        await page.getByRole('link', { name: 'products', exact: true }).first().waitFor()
        assert.deepEqual(opened.faults, [])
      },
    },
  },
]
