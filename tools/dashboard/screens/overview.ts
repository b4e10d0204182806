import assert from 'node:assert/strict'
import type { ScreenTest } from '../screen-test.ts'
import { sendEvents, sendHistory } from '../visitor-history.ts'

const QUERIES = ['tent', 'tent', 'sleeping bag', 'stove', 'tent pegs', 'zzzz']

const CURRENCIES = ['CHF', 'EUR', 'GBP', 'JPY', 'KWD', 'USD'] as const

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'guide',
    login: 'owner',
    prepare: (session) => session.createStore('guide', { name: 'New shop', products: 0 }),
    address: () => '/stores/guide/overview',
    shows: 'Connect your shop',
  },
  {
    name: 'overview',
    login: 'owner',
    prepare: async (session) => {
      const store = await session.createStore('overview', { name: 'Outdoor shop' })
      for (const [i, q] of QUERIES.entries()) {
        await fetch(`${session.service.url}/v1/search?q=${encodeURIComponent(q)}`, {
          headers: {
            'x-storeid': 'overview',
            'x-storesecret': store.readSecret,
            'x-session-id': `visit-${i}`,
          },
        })
      }
      return store
    },
    address: () => '/stores/overview/overview',
    shows: 'Top searches',
    paths: {
      'where nobody searched before, the difference has no percentage': async (opened) => {
        const { page } = opened
        await opened.goto('/stores/overview/overview')
        const tile = page.locator('.figure', { hasText: 'Searches' }).first()
        await tile.getByText('+6', { exact: true }).waitFor()
        await tile.getByText('from 0', { exact: true }).waitFor()
        // Neither period has any: there is nothing to compare.
        const clicks = page.locator('.figure', { hasText: 'Click-through rate' })
        await clicks.getByText('–', { exact: true }).waitFor()
        assert.equal(await clicks.getByText('from').count(), 0)
      },
      'a query that found nothing leads to what would fix it': async (opened) => {
        const { page } = opened
        await opened.goto('/stores/overview/overview')
        const list = page.getByRole('list', { name: 'Queries with no results' })
        await list.getByRole('link', { name: 'zzzz' }).waitFor()
        await list.scrollIntoViewIfNeeded()
        await opened.check('overview-lost')
        const row = list.getByRole('listitem').filter({ hasText: 'zzzz' })
        await row.getByRole('link', { name: 'Find a fix' }).click()
        await page.waitForURL(/missed-searches\?query=zzzz/)
      },
      'the search of the guide is carried out': async ({ page }, { session }) => {
        await page.goto(`${session.service.url}/stores/overview/overview?step=search`)
        await page.getByRole('button', { name: 'Run search' }).click()
        await page.getByText(/\d+ products? in/).waitFor()
        await page.getByText('"found"').waitFor()
      },
    },
  },
  {
    name: 'overview-compared',
    login: 'analyst',
    prepare: async (session) => {
      const store = await session.createStore('compared', { name: 'Busy shop' })
      await sendHistory(session.service.url, store, { journeys: 400, days: 60 })
      return store
    },
    address: () => '/stores/compared/overview',
    shows: 'points',
    paths: {
      'the comparison is chosen, and goes along to the reports': async (opened) => {
        const { page } = opened
        await opened.goto('/stores/compared/overview')
        const tile = page.locator('.figure', { hasText: 'Searches' }).first()
        await tile.getByText(/^\+\d+% \(\+\d+\)/).waitFor()
        assert.match((await tile.getByRole('link').getAttribute('href')) ?? '', /compare=previous/)
        await page.getByRole('button', { name: /Previous period/ }).click()
        await page.getByRole('option', { name: 'No comparison' }).click()
        await page.waitForURL(/compare=none/)
        await tile.getByText(/^from/).waitFor({ state: 'detached' })
        await opened.goto('/stores/compared/overview?range=90d')
        await page.setViewportSize({ width: 360, height: 740 })
        await tile.scrollIntoViewIfNeeded()
        await opened.check('overview-figures')
        assert.deepEqual(opened.faults, [])
      },
    },
  },
  {
    name: 'overview-currencies',
    login: 'analyst',
    prepare: async (session) => {
      const store = await session.createStore('currencies', { name: 'Shop of six countries' })
      await sendEvents(session.service.url, store, [0, 40].flatMap(ordersOf))
      return store
    },
    address: () => '/stores/currencies/overview',
    shows: 'JPY 1,234,567',
    paths: {
      'amounts of six currencies have a line each, and nothing is cut off': async (opened) => {
        const { page } = opened
        for (const address of ['overview', 'analytics?compare=previous']) {
          await opened.goto(`/stores/currencies/${address}`)
          const lines = page.locator('.figure-line')
          await lines.getByText('KWD 1,234,567.000').waitFor()
          assert.equal(await lines.count(), CURRENCIES.length)
          await lines.getByText('+100%').first().waitFor()
          await opened.check(`currencies-${address.slice(0, 8)}`)
        }
        await opened.goto('/stores/currencies/analytics?tab=queries&compare=previous')
        await page.getByText('CHF 1,234,567.00 + 5 more').waitFor()
        const cutPixels = await page
          .locator('.table-scroller')
          .evaluate((scroller) => scroller.scrollWidth - scroller.clientWidth)
        assert.ok(cutPixels <= 0, `${cutPixels} px of the last column are cut off`)
      },
    },
  },
]

/** An order in each currency; half as much in the period before. */
function ordersOf(daysAgo: number): readonly object[] {
  return CURRENCIES.flatMap((currency, i) => {
    const id = `${currency}-${daysAgo}`
    const event = (name: string, properties: object): object => ({
      type: 'track',
      event: name,
      messageId: `${id}-${name}`,
      anonymousId: `visitor-${i}`,
      timestamp: new Date(Date.now() - daysAgo * 86_400_000 - 60_000).toISOString(),
      properties: { search_id: id, query: 'tent', ...properties },
    })
    const revenue = daysAgo === 0 ? 1_234_567 : 617_283.5
    return [
      event('Search Submitted', { num_found: 8 }),
      event('Order Completed', { order_id: id, revenue, currency, products: [] }),
    ]
  })
}
