import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, suite, test } from 'node:test'
import { AisleClient } from '@aisle/client'
import { until } from '@aisle/testing'
import type { ServerProcess } from '@aisle/testing'
import { build } from 'esbuild'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchBrowser } from '../lib/browser.ts'
import { logEntries, type EventStore } from './event-store.ts'
import { startIngest } from './stock-events.ts'

// Goal: actions of visitors reach the log once, with the search that led there, across page loads
// and without a connection. Method: our clients in pages of a real browser, from another origin;
// then the log on disk.

/** The script of the pages: our clients, and their uses, as globals. */
const PAGE = `
import { SearchClient } from '@aisle/client/search'
import { AisleEvents } from '@aisle/events'
Object.assign(globalThis, {
  start({ url, writeKey, readSecret, consent = true }) {
    const events = new AisleEvents({ url, writeKey, consent })
    const shop = new SearchClient({ url, storeId: 'shop', readSecret, visitor: events.visitor })
    Object.assign(globalThis, { events, shop })
  },
})`

interface Globals {
  start(options: object): void
  events: {
    visitor(): Record<string, string>
    consent(isGiven: boolean): void
    identify(userId?: string): void
    shown(...answers: object[]): void
    clicked(id: string): void
    viewed(id: string): void
    added(id: string): void
    ordered(order: object): void
    flush(): Promise<void>
  }
  shop: { search(parameters: object): Promise<{ search_id: string; hits: { id: string }[] }> }
}
/** Runs in a page. */
declare const window: Globals & { localStorage: { length: number } }

let server: ServerProcess
let store: EventStore
let pages: Server
let origin: string
let browser: Browser

/** The events in the log with their properties, without those recorded by the service. */
function logged(visitor: string): [name: string, properties: Record<string, unknown>][] {
  return [...logEntries(store)].flatMap((entry) =>
    entry.kind === 'event' && entry.source === 'canonical' && entry.visitor.anonymousId === visitor
      ? [[entry.name, entry.properties]]
      : [],
  )
}

function namesOf(visitor: string): string[] {
  return logged(visitor).map(([name]) => name)
}

/** Opens a page of the shop, where the clients start. */
async function open(context: BrowserContext, consent = true): Promise<Page> {
  const page = await context.newPage()
  await visit(page, consent)
  return page
}

async function visit(page: Page, consent = true): Promise<void> {
  await page.goto(origin)
  await page.evaluate((options) => window.start(options), {
    url: server.url,
    writeKey: store.writeKey,
    readSecret: store.readSecret,
    consent,
  })
}

const visitorOf = (page: Page) => page.evaluate(() => window.events.visitor()['anonymousId'] ?? '')

suite('@aisle/events in a browser', { timeout: 600_000 }, () => {
  before(async () => {
    ;({ server, store } = await startIngest())
    const { outputFiles } = await build({
      stdin: { contents: PAGE, resolveDir: import.meta.dirname },
      bundle: true,
      format: 'esm',
      write: false,
    })
    pages = createServer((request, response) => {
      const isScript = request.url === '/shop.js'
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
      response.end(
        isScript ? outputFiles[0]!.text : '<script type="module" src="/shop.js"></script>',
      )
    })
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
    const shop = new AisleClient({ url: server.url }).store('shop', store)
    await shop.changeSchema({ fields: [{ name: 'title', type: 'string', searchable: true }] })
    await shop.bulk(['desk', 'floor', 'wall'].map((id) => `{"id":"${id}","title":"${id} lamp"}`))
    await shop.changeSettings({ cors_origins: [origin] })
    browser = await launchBrowser()
  })
  after(async () => {
    await browser.close()
    pages.close()
    await server.stop()
  })

  test('a click, the cart and the order know the search, across pages', async () => {
    const page = await open(await browser.newContext())
    const searched = await page.evaluate(async () => {
      const { events, shop } = window
      const answer = await shop.search({ q: 'lamp' })
      events.shown(answer)
      events.clicked(answer.hits[1]!.id)
      return { searchId: answer.search_id, ids: answer.hits.map(({ id }) => id) }
    })
    const visitor = await visitorOf(page)
    const [first = '', clicked = ''] = searched.ids
    // The link leads to the product page at once.
    await visit(page)
    assert.equal(await visitorOf(page), visitor)
    await page.evaluate(
      ([id, other]) => {
        const { events } = window
        events.viewed(id!)
        events.added(id!)
        events.clicked(other!)
        const products = [{ id: id!, quantity: 2, price: 30 }]
        events.ordered({ orderId: 'o-1', products, revenue: 60, currency: 'EUR' })
        events.identify('user-1')
        return events.flush()
      },
      [clicked, first],
    )
    const events = Object.fromEntries(logged(visitor))
    const search_id = searched.searchId
    assert.deepEqual(namesOf(visitor), [
      'Search Impression',
      'Object Clicked',
      'Object Viewed',
      'Product Added',
      'Object Clicked Outside Search',
      'Order Completed',
    ])
    const session_id = events['Object Clicked']?.['session_id']
    assert.partialDeepStrictEqual(events, {
      'Search Impression': { search_id, object_ids: searched.ids },
      'Object Clicked': { search_id, position: 2, object_id: clicked },
      'Object Viewed': { search_id, object_id: clicked, session_id },
      'Product Added': { search_id, object_id: clicked },
      'Order Completed': {
        search_id,
        order_id: 'o-1',
        revenue: 60,
        currency: 'EUR',
        products: [{ object_id: clicked, quantity: 2, price: 30 }],
      },
    })
    // The service records a search shortly after the answer.
    const searches = await until('the record of the search', () => {
      const visitors = [...logEntries(store)].flatMap((entry) =>
        entry.kind === 'event' && entry.source === 'server' ? [entry.visitor.anonymousId] : [],
      )
      return visitors.length > 0 && visitors
    })
    assert.deepEqual(searches, [visitor])
    const links = [...logEntries(store)].filter((entry) => entry.kind === 'identify')
    assert.deepEqual(
      links.map((link) => [link.visitor.userId, link.visitor.anonymousId]),
      [['user-1', visitor]],
    )
  })

  test('a search is reported once, if the page still shows it', async () => {
    const page = await open(await browser.newContext())
    await page.evaluate(() => {
      const { events } = window
      const list = (search_id: string, id: string): object => {
        return { search_id, page: 1, per_page: 20, hits: [{ id }] }
      }
      const [typed, back] = [list('s-1', 'desk'), list('s-2', 'floor')]
      // The visitor types on and goes back, all in a moment; two widgets have the same search.
      events.shown(back)
      events.shown(typed)
      events.shown(back, back)
      return events.flush().then(() => {
        events.shown(typed)
        events.shown(back)
        return events.flush()
      })
    })
    const shown = logged(await visitorOf(page)).map(([name, { search_id }]) => [name, search_id])
    assert.deepEqual(shown, [['Search Impression', 's-2']])
  })

  test('without a connection events wait; they are sent once it is back', async () => {
    const context = await browser.newContext()
    const page = await open(context)
    const visitor = await visitorOf(page)
    await context.setOffline(true)
    await page.evaluate(() => {
      window.events.clicked('desk')
      return window.events.flush()
    })
    assert.deepEqual(namesOf(visitor), [])
    await context.setOffline(false)
    await until('the click', () => namesOf(visitor).length === 1)
  })

  test('unsent events survive the page, and count once', async () => {
    const context = await browser.newContext()
    const page = await open(context)
    const visitor = await visitorOf(page)
    await context.route('**/v1/b', (route) => route.abort())
    await page.evaluate(() => {
      for (let i = 0; i < 300; i++) window.events.clicked(`lamp-${i}`)
      return window.events.flush()
    })
    assert.deepEqual(namesOf(visitor), [])
    // No route holds back the beacon of a closing page: part of the clicks may arrive twice.
    await page.close()
    await context.unroute('**/v1/b')
    const next = await open(context)
    assert.equal(await visitorOf(next), visitor)
    await until('the clicks', () => namesOf(visitor).length >= 300)
    await next.evaluate(() => window.events.flush())
    assert.equal(namesOf(visitor).length, 300)
  })

  test('leaving a page sends a beacon', async () => {
    const context = await browser.newContext()
    const page = await open(context)
    const visitor = await visitorOf(page)
    await page.evaluate(() => window.events.clicked('desk'))
    await page.close({ runBeforeUnload: true })
    await until('the click', () => namesOf(visitor).length === 1)
  })

  test('without consent nothing is stored or sent, and a withdrawal deletes everything', async () => {
    const context = await browser.newContext()
    const page = await open(context, false)
    let requests = 0
    page.on('request', (request) => (requests += request.url().endsWith('/v1/b') ? 1 : 0))
    const kept = () => page.evaluate(() => window.localStorage.length)
    await page.evaluate(() => {
      window.events.clicked('desk')
      window.events.identify('user-2')
      return window.events.flush()
    })
    assert.deepEqual(await page.evaluate(() => window.events.visitor()), {})
    assert.deepEqual([await kept(), requests], [0, 0])
    const visitor = await page.evaluate(() => {
      window.events.consent(true)
      window.events.clicked('desk')
      return window.events.visitor()['anonymousId'] ?? ''
    })
    assert.ok((await kept()) > 0)
    await page.evaluate(() => window.events.flush())
    assert.deepEqual(namesOf(visitor), ['Object Clicked Outside Search'])
    await page.evaluate(() => {
      window.events.clicked('floor')
      window.events.consent(false)
      return window.events.flush()
    })
    assert.equal(await kept(), 0)
    assert.equal(namesOf(visitor).length, 1)
  })
})
