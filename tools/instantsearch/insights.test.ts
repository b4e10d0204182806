import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { until } from '@aisle/testing'
import type { Browser, Page } from 'playwright-core'
import { logEntries } from '../events/event-store.ts'
import { launchBrowser } from '../lib/browser.ts'
import { INSIGHTS_PAGES } from './insights-pages.ts'
import { startLampStores, type LampStores } from './lamp-stores.ts'
import { serveShopPage } from './shop-page.ts'

// Goal: what visitors see and do in widgets arrives at the service, with products, positions and
// searches. Method: the same page with each library, in a real browser with a running service;
// reads the event log.

/** Runs in the page. */
declare const window: {
  events: { visitor(): { anonymousId?: string }; flush(): Promise<void> }
}

interface Told {
  readonly name: string
  readonly object_id?: string
  readonly object_ids?: readonly string[]
  readonly search_id?: string
  readonly position?: number
  readonly filters?: object
  readonly query?: string
}

suite('insights of InstantSearch', { timeout: 600_000 }, () => {
  let lamps: LampStores
  let browser: Browser
  before(async () => {
    lamps = await startLampStores()
    browser = await launchBrowser()
  })
  after(async () => {
    await browser.close()
    await lamps.server.stop()
  })

  async function told(page: Page): Promise<Told[]> {
    await page.evaluate(() => window.events.flush())
    const visitor = await page.evaluate(() => window.events.visitor().anonymousId)
    return [...logEntries(lamps.store)].flatMap((entry) =>
      entry.kind === 'event' && entry.visitor.anonymousId === visitor
        ? [{ ...(entry.properties as object), name: entry.name }]
        : [],
    )
  }

  for (const [library, script] of Object.entries(INSIGHTS_PAGES)) {
    test(library, async (t) => {
      const { server, stores, store } = lamps
      const options = JSON.stringify({ url: server.url, stores, writeKey: store.writeKey })
      const shop = await serveShopPage(
        script,
        () =>
          `<div id="app"></div><script type="application/json" id="options">${options}</script>`,
      )
      t.after(() => shop.close())
      await lamps.allow(shop.origin)
      const page = await (await browser.newContext()).newPage()
      page.setDefaultTimeout(10_000)
      // Answers for "lamp" arrive after those for "wall"; widgets ignore them.
      const late = Promise.withResolvers<void>()
      const lateAnswers: Promise<void>[] = []
      await page.route('**/v1/search', async (route) => {
        const isLate = (route.request().postData() ?? '').includes('"q":"lamp"')
        if (isLate) lateAnswers.push(late.promise.then(() => route.continue()))
        else await route.continue()
      })
      await page.goto(shop.origin)
      const title = async (row: string) => await page.locator(`${row} b`).innerText()
      const id = async (row: string) => `lamp-${/\d+/.exec(await title(row))![0]}`

      await page.fill('#box input', 'lamp')
      await until('the search for lamps', () => lateAnswers.length > 0)
      await page.fill('#box input', 'wall')
      await page.waitForSelector('#hits li:nth-child(5) b:has-text("Wall")')
      await page.waitForSelector('#more li:nth-child(4) b:has-text("Wall")')
      late.resolve()
      await Promise.all(lateAnswers)
      const second = await id('#hits li:nth-child(2)')
      await page.click('#hits li:nth-child(2) b')
      const third = await id('#hits li:nth-child(3)')
      await page.click('#hits li:nth-child(3) .add')
      await page.click('#hits li:nth-child(3) .convert')

      await page.click('.ais-InfiniteHits-loadMore')
      await page.waitForSelector('#more li:nth-child(8)')
      const sixth = await id('#more li:nth-child(6)')
      await page.click('#more li:nth-child(6) b')
      const first = await id('#more li:nth-child(1)')
      await page.click('#more li:nth-child(1) b')

      const hasRow = library !== 'Vue InstantSearch'
      const related = hasRow ? await id('#related li:nth-child(2)') : ''
      if (hasRow) await page.click('#related li:nth-child(2) b')
      await page.click('#room input[value="Study"]')
      await until('the event of the filter', async () =>
        (await told(page)).some(({ name }) => name === 'Facet Applied'),
      )

      const all = await told(page)
      const named = (wanted: string) => all.filter(({ name }) => name === wanted)
      const shown = new Map(named('Search Impression').map((one) => [one.search_id, one]))
      const clicks = named('Object Clicked')
      const places = clicks.map(({ object_id, position }) => [object_id, position])
      // InstantSearch takes a button inside a hit for a click on the hit too.
      assert.deepEqual(places, [
        [second, 2],
        [third, 3],
        [third, 3],
        [sixth, 6],
        [first, 1],
      ])
      // Each click names the search whose impression has the product, at its place on the page.
      const seenAt = clicks.map(({ search_id, object_id = '' }) =>
        shown.get(search_id)?.object_ids?.indexOf(object_id),
      )
      assert.deepEqual(seenAt, [1, 2, 2, 1, 0])
      assert.equal(new Set(clicks.map(({ search_id }) => search_id)).size, 3)
      const [added] = named('Product Added')
      const [converted] = named('Object Converted')
      for (const one of [added, converted]) {
        assert.deepEqual([one?.object_id, one?.search_id], [third, clicks[0]!.search_id])
      }
      const outside = named('Object Clicked Outside Search')
      assert.deepEqual(
        outside.map(({ object_id, position, search_id }) => [object_id, position, search_id]),
        hasRow ? [[related, 2, undefined]] : [],
      )
      assert.ok(
        all.some(({ query }) => query === 'wall'),
        'the service knows whose search it was',
      )
      assert.deepEqual(named('Facet Applied')[0]?.filters, { room: ['Study'] })
    })
  }
})
