import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Browser, Page, Response } from 'playwright-core'
import type { ServerProcess } from '@aisle/testing'
import { launchBrowser } from '../lib/browser.ts'
import { serveShopPages, type ShopPages } from './shop-pages.ts'
import type { EventStore } from './event-store.ts'
import { AT, PROPERTIES, arrived, checkDelivered, positionOf, startIngest } from './stock-events.ts'

// Goal: stock browser clients deliver events unchanged, from another origin. Method: runs each in a
// page of a real browser, which checks cross-origin calls as for a visitor; then reads the log on
// disk.

let server: ServerProcess
let store: EventStore
let shop: ShopPages
let browser: Browser

/** A new visitor on a page of the shop with a client's script. */
async function openPage(client: Parameters<ShopPages['urlOf']>[0]): Promise<Page> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(shop.urlOf(client))
  return page
}

/** Waits for this many answers on paths of the ingest. @returns their paths, sorted */
async function answersOf(page: Page, count: number): Promise<string[]> {
  const responses: Response[] = []
  await new Promise<void>((resolve) => {
    page.on('response', (response) => {
      if (response.url().startsWith(server.url)) responses.push(response)
      if (responses.length === count) resolve()
    })
  })
  for (const response of responses) assert.equal(response.status(), 200, response.url())
  return responses.map((response) => new URL(response.url()).pathname).toSorted()
}

suite('events of browsers, from another origin', { timeout: 600_000 }, () => {
  before(async () => {
    ;({ server, store } = await startIngest())
    shop = await serveShopPages()
    browser = await launchBrowser()
  })
  after(async () => {
    await browser.close()
    shop.close()
    await server.stop()
  })

  suite('stock clients', () => {
    test('@segment/analytics-next, in batches to /v1/b', async () => {
      const from = positionOf(store)
      const page = await openPage('segment')
      const answers = answersOf(page, 1)
      await page.evaluate(sendBySegment, given({ batching: true }))
      assert.deepEqual(await answers, ['/v1/b'])
      checkDelivered(arrived(store, from), 'anon-browser')
      const click = arrived(store, from).find((entry) => entry.kind === 'event')
      assert.match(click?.messageId ?? '', /^ajs-next-/)
    })

    test('@segment/analytics-next, one by one to its built-in paths', async () => {
      const from = positionOf(store)
      const page = await openPage('segment')
      const answers = answersOf(page, 3)
      await page.evaluate(sendBySegment, given({ batching: false }))
      assert.deepEqual(await answers, ['/v1/i', '/v1/p', '/v1/t'])
      checkDelivered(arrived(store, from), 'anon-browser')
    })

    test('@rudderstack/analytics-js, by XMLHttpRequest', async () => {
      const from = positionOf(store)
      const page = await openPage('rudderstack')
      const answers = answersOf(page, 3)
      await page.evaluate(sendByRudderStack, given({ useBeacon: false }))
      assert.deepEqual(await answers, ['/v1/identify', '/v1/page', '/v1/track'])
      checkDelivered(arrived(store, from), 'anon-browser')
    })

    test('@rudderstack/analytics-js, by beacon', async () => {
      const from = positionOf(store)
      const page = await openPage('rudderstack')
      const answers = answersOf(page, 1)
      await page.evaluate(sendByRudderStack, given({ useBeacon: true }))
      assert.deepEqual(await answers, ['/beacon/v1/batch'])
      checkDelivered(arrived(store, from), 'anon-browser')
    })

    test('@jitsu/js, to its own paths, with the key in a header', async () => {
      const from = positionOf(store)
      const page = await openPage('jitsu')
      const answers = answersOf(page, 3)
      await page.evaluate(sendByJitsu, given({}))
      assert.deepEqual(await answers, ['/api/s/identify', '/api/s/page', '/api/s/track'])
      checkDelivered(arrived(store, from), 'anon-browser', new Date())
    })
  })

  suite('without a client', () => {
    const envelope = (messageId: string): string =>
      JSON.stringify({
        writeKey: store.writeKey,
        sentAt: new Date().toISOString(),
        batch: [
          {
            type: 'track',
            event: 'Object Clicked',
            anonymousId: 'anon-browser',
            messageId,
            timestamp: new Date().toISOString(),
            properties: PROPERTIES,
          },
        ],
      })
    const isStored = (messageId: string): boolean =>
      arrived(store, 0).some((entry) => entry.kind === 'event' && entry.messageId === messageId)

    for (const type of ['application/json', 'text/plain']) {
      test(`sendBeacon with a blob of ${type}`, async () => {
        const page = await openPage('none')
        const answered = page.waitForResponse(`${server.url}/v1/b`)
        const body = envelope(`beacon-${type}`)
        await page.evaluate(sendBeacon, { url: `${server.url}/v1/b`, body, type })
        assert.equal((await answered).status(), 200)
        assert.ok(isStored(`beacon-${type}`))
      })
    }

    for (const credentials of ['include', 'omit'] as const) {
      test(`fetch with credentials: ${credentials}; the page reads the answer`, async () => {
        const page = await openPage('none')
        const body = envelope(`fetch-${credentials}`)
        const request = { url: `${server.url}/v1/b`, body, credentials }
        const answer = await page.evaluate(post, request)
        assert.deepEqual(answer, {
          status: 200,
          body: '{"ok":true,"okEvents":1,"receivedEvents":1}',
        })
        assert.ok(isStored(`fetch-${credentials}`))
      })
    }

    test('a page can read why an envelope is refused', async () => {
      const page = await openPage('none')
      const request = { url: `${server.url}/v1/b`, body: '{', credentials: 'include' } as const
      const answer = await page.evaluate(post, request)
      assert.equal(answer.status, 400)
      assert.match(answer.body, /not JSON/)
    })

    // This also proves that the browser checks origins: without its security, all of these would
    // succeed.
    for (const path of ['/v1/search', '/analytics/event', '/health', '/v1/nothing']) {
      for (const credentials of ['include', 'omit'] as const) {
        test(`${path} is closed to other origins, credentials: ${credentials}`, async () => {
          const page = await openPage('none')
          const request = { url: `${server.url}${path}`, body: '{"q":"tent"}', credentials }
          const answer = await page.evaluate(post, request)
          assert.deepEqual(answer, { status: 0, body: 'TypeError: Failed to fetch' })
        })
      }
    }
  })
})

interface Given {
  readonly url: string
  readonly writeKey: string
  readonly at: number
  readonly properties: object
}

function given<More extends object>(more: More): Given & More {
  const { writeKey } = store
  return { url: server.url, writeKey, at: AT.getTime(), properties: PROPERTIES, ...more }
}

// The following functions run in the page.

interface StockClient {
  setAnonymousId(id: string): void
  track(event: string, properties: object, options?: object): Promise<unknown>
  identify(userId: string, traits: object): Promise<unknown>
  page(name: string | object): Promise<unknown>
}

/** The snippet of a shop without an account with Segment. */
async function sendBySegment(sent: Given & { batching: boolean }): Promise<void> {
  const { AnalyticsNext } = globalThis as unknown as {
    AnalyticsNext: {
      AnalyticsBrowser: { load(settings: object, options: object): Promise<[StockClient]> }
    }
  }
  const segment = {
    apiHost: `${new URL(sent.url).host}/v1`,
    protocol: 'http',
    ...(sent.batching
      ? { deliveryStrategy: { strategy: 'batching', config: { size: 3, timeout: 20_000 } } }
      : {}),
  }
  const [analytics] = await AnalyticsNext.AnalyticsBrowser.load(
    {
      writeKey: sent.writeKey,
      cdnSettings: { integrations: { 'Segment.io': { apiKey: sent.writeKey } } },
    },
    { integrations: { 'Segment.io': segment } },
  )
  analytics.setAnonymousId('anon-browser')
  await Promise.all([
    analytics.track('Object Clicked', sent.properties, { timestamp: new Date(sent.at) }),
    analytics.identify('user-1', { plan: 'x' }),
    analytics.page('Home'),
  ])
}

/** The snippet of a shop without a control plane of RudderStack. */
function sendByRudderStack(sent: Given & { useBeacon: boolean }): void {
  const { rudderanalytics } = globalThis as unknown as {
    rudderanalytics: {
      RudderAnalytics: new () => StockClient & {
        load(writeKey: string, dataPlaneUrl: string, options: object): void
      }
    }
  }
  const client = new rudderanalytics.RudderAnalytics()
  client.load(sent.writeKey, sent.url, {
    loadIntegration: false,
    plugins: [sent.useBeacon ? 'BeaconQueue' : 'XhrQueue'],
    useBeacon: sent.useBeacon,
    beaconQueueOptions: { maxItems: 3, flushQueueInterval: 20_000 },
    getSourceConfig: () => ({ source: { id: 'x', config: {}, destinations: [], enabled: true } }),
  })
  client.setAnonymousId('anon-browser')
  void client.track('Object Clicked', sent.properties, {
    originalTimestamp: new Date(sent.at).toISOString(),
  })
  void client.identify('user-1', { plan: 'x' })
  void client.page('Home')
}

/** The snippet of a shop that used Jitsu: the key has a second part, as its client requires. */
async function sendByJitsu(sent: Given): Promise<void> {
  const { jitsu } = globalThis as unknown as {
    jitsu: { jitsuAnalytics(options: object): StockClient }
  }
  const client = jitsu.jitsuAnalytics({ host: sent.url, writeKey: `${sent.writeKey}:shop` })
  client.setAnonymousId('anon-browser')
  await client.track('Object Clicked', sent.properties)
  await client.identify('user-1', { plan: 'x' })
  await client.page({ name: 'Home' })
}

function sendBeacon(sent: { url: string; body: string; type: string }): void {
  const { navigator: sender } = globalThis as unknown as {
    navigator: { sendBeacon(url: string, body: Blob): boolean }
  }
  sender.sendBeacon(sent.url, new Blob([sent.body], { type: sent.type }))
}

interface PostedText {
  readonly url: string
  readonly body: string
  readonly credentials: 'include' | 'omit'
}

/** @returns what the page may read; status 0 if the browser blocks it */
async function post(sent: PostedText): Promise<{ status: number; body: string }> {
  const { url, body, credentials } = sent
  const headers = { 'content-type': 'application/json' }
  try {
    const answer = await fetch(url, { method: 'POST', headers, body, credentials })
    return { status: answer.status, body: await answer.text() }
  } catch (error) {
    return { status: 0, body: String(error) }
  }
}
