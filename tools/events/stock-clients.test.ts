import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { DiskLogFiles, logEnd, logNameOf, readLog, type LogEntry } from '@aisle/events'
import RudderAnalytics from '@rudderstack/rudder-sdk-node'
import { Analytics } from '@segment/analytics-node'
import { ServerProcess } from '../lib/server-process.ts'
import { launchBrowser, serveShopPage } from './browser.ts'

// Goal: stock clients deliver to us unchanged. Method: each against a running server, then the log on disk.

const server = await ServerProcess.start({ threads: 1 })
after(() => server.stop())
const created = await fetch(`${server.url}/api/v1/admin/stores`, {
  method: 'POST',
  headers: {
    authorization: `Bearer ${server.adminToken}`,
    'content-type': 'application/json',
  },
  body: JSON.stringify({ name: 'Shop', id: 'shop' }),
})
const { events_write_key: writeKey } = (await created.json()) as { events_write_key: string }
const described = await fetch(`${server.url}/api/v1/admin/stores/shop`, {
  headers: { authorization: `Bearer ${server.adminToken}` },
})
const { created_at: createdAt } = (await described.json()) as { created_at: string }
const files = new DiskLogFiles(
  join(server.dataDir, 'events', logNameOf({ storeId: 'shop', createdAt })),
)

/** What arrived behind a position. */
function arrived(from: number): LogEntry[] {
  return readLog(files, from, logEnd(files)).records.map(({ entry }) => entry)
}

const PROPERTIES = { search_id: 'search-1', object_id: 'tent-2', position: 2 }
const AT = new Date(Date.now() - 60_000)

function check(entries: readonly LogEntry[], anonymousId: string): void {
  const clicks = entries.filter((entry) => entry.kind === 'event')
  assert.deepEqual(
    clicks.map(({ name, source, properties }) => [name, source, properties]),
    [['Object Clicked', 'canonical', PROPERTIES]],
  )
  assert.equal(clicks[0]?.visitor.anonymousId, anonymousId)
  // The clock of this machine is that of the server: the correction must leave the time as it is.
  assert.ok(Math.abs((clicks[0]?.atMs ?? 0) - AT.getTime()) < 5_000)
  const links = entries.filter((entry) => entry.kind === 'identify')
  assert.deepEqual(
    links.map(({ visitor }) => [visitor.userId, visitor.anonymousId]),
    [['user-1', anonymousId]],
  )
  assert.ok(entries.every((entry) => entry.kind !== 'tally' || isPage(entry)))
}

/** A page view is answered, and counted as not kept. */
function isPage(entry: LogEntry & { kind: 'tally' }): boolean {
  return entry.counts.every(({ verdict, name }) => verdict === 'dropped_unknown' && name === 'page')
}

suite('stock clients', () => {
  test('@segment/analytics-node', async () => {
    const from = logEnd(files)
    const errors: unknown[] = []
    const analytics = new Analytics({ writeKey, host: server.url, path: '/v1/b' })
    analytics.on('error', (error) => errors.push(error))
    analytics.track({
      anonymousId: 'anon-segment',
      event: 'Object Clicked',
      properties: PROPERTIES,
      timestamp: AT,
    })
    analytics.identify({ anonymousId: 'anon-segment', userId: 'user-1', traits: { plan: 'x' } })
    analytics.page({ anonymousId: 'anon-segment', name: 'Home' })
    await analytics.closeAndFlush()
    assert.deepEqual(errors, [])
    check(arrived(from), 'anon-segment')
  })

  test('@rudderstack/rudder-sdk-node', async () => {
    const from = logEnd(files)
    const client = new RudderAnalytics(writeKey, { dataPlaneUrl: server.url, path: '/v1/b' })
    const sent = (send: (done: (error?: Error) => void) => void): Promise<void> =>
      new Promise((resolve, reject) => {
        send((error) => (error instanceof Error ? reject(error) : resolve()))
      })
    const all = [
      sent((done) =>
        client.track(
          {
            anonymousId: 'anon-rudder',
            event: 'Object Clicked',
            properties: PROPERTIES,
            timestamp: AT,
          },
          done,
        ),
      ),
      sent((done) => client.identify({ anonymousId: 'anon-rudder', userId: 'user-1' }, done)),
      sent((done) => client.page({ anonymousId: 'anon-rudder', name: 'Home' }, done)),
    ]
    await client.flush()
    await Promise.all(all)
    check(arrived(from), 'anon-rudder')
  })

  test(
    '@segment/analytics-next, in a browser, from another origin',
    { timeout: 120_000 },
    async () => {
      const from = logEnd(files)
      const shop = await serveShopPage()
      const browser = await launchBrowser()
      try {
        const page = await browser.newPage()
        await page.goto(shop.url)
        const apiHost = `${new URL(server.url).host}/v1`
        const answered = page.waitForResponse((response) => response.url().endsWith('/v1/b'))
        await page.evaluate(sendFromPage, { writeKey, apiHost, at: AT.getTime(), ...PROPERTIES })
        const response = await answered
        assert.deepEqual(
          [response.status(), await response.json()],
          [200, { ok: true, okEvents: 3, receivedEvents: 3 }],
        )
        check(arrived(from), 'anon-browser')
        const click = arrived(from).find((entry) => entry.kind === 'event')
        assert.match(click?.messageId ?? '', /^ajs-next-/)
      } finally {
        await browser.close()
        shop.close()
      }
    },
  )
})

interface BrowserAnalytics {
  setAnonymousId(id: string): void
  track(event: string, properties: object, options: object): Promise<unknown>
  identify(userId: string, traits: object): Promise<unknown>
  page(name: string): Promise<unknown>
}

/** Runs in the page: what a shop writes that has no account with Segment. */
async function sendFromPage(given: {
  writeKey: string
  apiHost: string
  at: number
  search_id: string
  object_id: string
  position: number
}): Promise<void> {
  const { writeKey, apiHost, at, ...properties } = given
  const { AnalyticsNext } = globalThis as unknown as {
    AnalyticsNext: {
      AnalyticsBrowser: { load(settings: object, options: object): Promise<[BrowserAnalytics]> }
    }
  }
  const segment = {
    apiHost,
    protocol: 'http',
    deliveryStrategy: { strategy: 'batching', config: { size: 3, timeout: 20_000 } },
  }
  const [analytics] = await AnalyticsNext.AnalyticsBrowser.load(
    { writeKey, cdnSettings: { integrations: { 'Segment.io': { apiKey: writeKey } } } },
    { integrations: { 'Segment.io': segment } },
  )
  analytics.setAnonymousId('anon-browser')
  await Promise.all([
    analytics.track('Object Clicked', properties, { timestamp: new Date(at) }),
    analytics.identify('user-1', { plan: 'x' }),
    analytics.page('Home'),
  ])
}
