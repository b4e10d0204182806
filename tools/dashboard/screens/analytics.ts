import assert from 'node:assert/strict'
import { until } from '@aisle/testing'
import type { ScreenTest } from '../screen-test.ts'
import { searchIn, sendEvents, sendHistory } from '../visitor-history.ts'

const HOSTILE = '"><img src=x onerror=alert(1)> مرحبا 🏕️ <script>alert(2)</script>'

/** Of the vertical axis, at a device pixel ratio of 1. */
const AXIS_WIDTH = 64

interface DrawnText {
  readonly text: string
  readonly x: number
  readonly isWhole: boolean
}

interface Canvas {
  readonly canvas: { readonly width: number }
  measureText(text: unknown): { readonly width: number }
}

/** Has a browser say that its language is another, and keeps the texts that are drawn. */
const ODD_READER = (locale: string): void => {
  const page = globalThis as unknown as {
    navigator: object
    drawnTexts: DrawnText[]
    CanvasRenderingContext2D: { prototype: Record<string, (...given: unknown[]) => unknown> }
  }
  Object.defineProperty(page.navigator, 'language', { get: () => locale, configurable: true })
  Object.defineProperty(page.navigator, 'languages', { get: () => [locale], configurable: true })
  page.drawnTexts = []
  const { prototype } = page.CanvasRenderingContext2D
  const draw = prototype['fillText']!
  prototype['fillText'] = function (this: Canvas, text: unknown, x: unknown, ...rest: unknown[]) {
    const half = this.measureText(text).width / 2
    const isWhole = (x as number) + half <= this.canvas.width
    page.drawnTexts.push({ text: String(text), x: x as number, isWhole })
    return draw.call(this, text, x, ...rest)
  }
}

function isDay(text: string): boolean {
  return /[A-Za-z]{3}/.test(text) && /\d/.test(text)
}

/** A day of the month in any order of its parts. */
function dayPattern(day: string): RegExp {
  return new RegExp(`\\b${Number(day.slice(8))}\\b`)
}

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'analytics',
    login: 'analyst',
    async prepare(session) {
      const store = await session.createStore('analytics', { name: 'Camp shop', products: 240 })
      await sendHistory(session.service.url, store)
      for (const q of ['tent', 'stove', 'tent']) await searchIn(session.service.url, store, q)
      return store
    },
    address: () => '/stores/analytics/analytics?compare=previous',
    shows: 'From search to order',
    paths: {
      'on a phone every number of a table has its name': async (opened) => {
        const { page } = opened
        await opened.resize(360)
        await opened.goto('/stores/analytics/analytics?tab=queries')
        const numbers = page.locator('tbody td.table-number:not(.table-first):visible')
        await numbers.first().waitFor()
        const names = await page.evaluate<string[]>(
          `[...document.querySelectorAll('tbody td.table-number:not(.table-first)')]
            .filter((cell) => cell.offsetParent !== null)
            .map((cell) => getComputedStyle(cell, '::before').content)`,
        )
        for (const name of names) assert.match(name, /[A-Za-z]{3}/)
      },
      'every report opens, and a figure leads to its line': async (opened) => {
        const { page } = opened
        await opened.goto('/stores/analytics/analytics')
        await page.getByRole('button', { name: /^Click-through rate/ }).click()
        assert.match(page.url(), /figure=click_through_rate/)
        await page.getByRole('img', { name: 'Click-through rate over time' }).waitFor()
        for (const [tab, shows] of [
          ['Queries', 'family tent'],
          ['Products', 'Clicks per view'],
          ['Sales', 'not from a search|tent'],
          ['Filters', 'searches were narrowed with a filter'],
          ['Speed', 'Median'],
          ['Events', 'Order Completed'],
        ] as const) {
          await page.getByRole('tab', { name: tab }).click()
          await page.getByRole('tabpanel').getByText(new RegExp(shows)).first().waitFor()
          await opened.settle()
          await opened.check(`analytics-${tab.toLowerCase()}`)
        }
      },
      'a query leads to its results, its clicks, and on to a rule or a synonym': async (
        opened,
        { session },
      ) => {
        const { page } = opened
        await opened.goto('/stores/analytics/analytics?tab=queries&compare=previous')
        await page.getByRole('row', { name: /^family tent/ }).waitFor()
        const cutPixels = await page
          .locator('.table-scroller')
          .evaluate((scroller) => scroller.scrollWidth - scroller.clientWidth)
        assert.ok(cutPixels <= 0, `${cutPixels} px of the last column are cut off`)
        await opened.check('analytics-compared')
        await page.getByRole('row', { name: /^family tent/ }).click()
        const panel = page.getByRole('dialog', { name: 'family tent' })
        await panel.getByText('What it finds now').waitFor()
        await panel
          .getByText(/\d clicks?/)
          .first()
          .waitFor()
        await panel
          .getByText(/from \d+ \(\+\d+.*%\)/)
          .first()
          .waitFor()
        await panel
          .getByText(/points\)/)
          .first()
          .waitFor()
        await panel.getByText('Only editors and owners can create rules').waitFor()
        await opened.check('analytics-query')
        const preview = panel.getByRole('link', { name: 'Open in preview' })
        assert.equal(
          await preview.getAttribute('href'),
          '/stores/analytics/preview?q=family%20tent',
        )
        const rows = await fetch(
          `${session.service.url}/api/v1/stores/analytics/analytics/top-documents?query=family%20tent`,
        )
        assert.equal(rows.status, 401)
      },
      'charts name days where they are, whatever the locale and time zone of the reader': async (
        _opened,
        { session },
      ) => {
        for (const [locale, zone] of [
          ['en-US@posix', 'Asia/Tokyo'],
          ['de-DE', 'America/Los_Angeles'],
        ] as const) {
          const context = await session.browser.newContext({ timezoneId: zone })
          await context.addInitScript(ODD_READER, locale)
          await context.addCookies(await session.cookiesOf('analyst'))
          const page = await context.newPage()
          await page.goto(`${session.service.url}/stores/analytics/analytics?range=7d`)
          await page.getByRole('img', { name: 'Searches over time' }).waitFor()
          const drawn = async (): Promise<DrawnText[]> =>
            await page.evaluate<DrawnText[]>('globalThis.drawnTexts')
          await until('the axis', async () => (await drawn()).some(({ text }) => isDay(text)))
          const days = (await drawn()).filter(({ text }) => isDay(text))
          assert.ok(
            days.every(({ isWhole }) => isWhole),
            `${zone}: ${JSON.stringify(days)}`,
          )
          const first = days.reduce((a, b) => (b.x < a.x ? b : a))
          const today = new Date().toISOString().slice(0, 10)
          const from = Date.parse(today) - 6 * 86_400_000
          assert.equal(first.text.match(/\d+/)?.[0], String(new Date(from).getUTCDate()), zone)
          assert.ok(first.x < AXIS_WIDTH + 3, `${zone}: ${first.text} at ${first.x}`)

          await page.getByRole('button', { name: /–/ }).first().click()
          const header = page.locator('.calendar th')
          await header.first().waitFor()
          const week = await header.allTextContents()
          assert.equal(week[0], locale === 'de-DE' ? 'M' : 'S')
          await page.goto(`${session.service.url}/stores/analytics/analytics?tab=speed&range=7d`)
          const row = page.getByRole('row').nth(1)
          await row.waitFor()
          const shown = row.getByRole('cell').or(row.getByRole('rowheader')).first()
          assert.match((await shown.textContent()) ?? '', dayPattern(today))
          await context.close()
        }
      },
    },
  },
  {
    name: 'analytics-empty',
    login: 'editor',
    prepare: (session) => session.createStore('quiet', { products: 3 }),
    address: () => '/stores/quiet/analytics',
    shows: 'No searches in this period',
    paths: {
      'a query that found nothing leads to what would fix it': async (
        opened,
        { session, store },
      ) => {
        const { page } = opened
        await sendEvents(session.service.url, store, [search('zelt', 'zelt')])
        await opened.goto('/stores/quiet/analytics?tab=queries&list=no-results')
        const row = page.getByRole('row', { name: /^zelt/ })
        await row.getByRole('link', { name: 'Find a fix' }).click()
        const panel = page.getByRole('dialog', { name: 'zelt' })
        await panel.getByText('Finds nothing now').waitFor()
        assert.deepEqual(opened.faults, [])
      },
      'hostile queries are text': async (opened, { session, store }) => {
        const { page } = opened
        await sendEvents(session.service.url, store, [
          search('1', HOSTILE),
          search('2', 'W'.repeat(10_000)),
        ])
        await opened.goto('/stores/quiet/analytics?tab=queries&list=no-results')
        await page.getByText('onerror=alert(1)').first().waitFor()
        await opened.check('analytics-hostile')
        const row = page.getByRole('row', { name: /onerror/ })
        await row.getByRole('link', { name: 'Find a fix' }).waitFor()
        await row.click({ position: { x: 20, y: 10 } })
        await page.getByText('What it finds now').waitFor()
        await opened.check('analytics-hostile-query')
        await opened.goto('/stores/quiet/analytics?range=today&figure=none&tags=,,&tab=nowhere')
        await page.getByText('From search to order').waitFor()
        await opened.check('analytics-today')
      },
    },
  },
]

function search(id: string, query: string): object {
  return {
    type: 'track',
    event: 'Search Submitted',
    messageId: `hostile-${id}`,
    anonymousId: HOSTILE,
    timestamp: new Date().toISOString(),
    properties: { search_id: `hostile-${id}`, query, num_found: 0 },
  }
}
