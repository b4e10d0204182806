import assert from 'node:assert/strict'
import type { ScreenTest } from '../screen-test.ts'
import { searchIn, sendEvents, sendHistory } from '../visitor-history.ts'

const HOSTILE = '"><img src=x onerror=alert(1)> مرحبا 🏕️ <script>alert(2)</script>'

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
        await page.getByRole('row', { name: /^family tent/ }).click()
        const panel = page.getByRole('dialog', { name: 'family tent' })
        await panel.getByText('What it finds now').waitFor()
        await panel
          .getByText(/\d clicks?/)
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
    },
  },
  {
    name: 'analytics-empty',
    login: 'editor',
    prepare: (session) => session.createStore('quiet', { products: 3 }),
    address: () => '/stores/quiet/analytics',
    shows: 'No searches in this period',
    paths: {
      'a query that found nothing becomes a synonym': async (opened, { session, store }) => {
        const { page } = opened
        await store.call('PUT', '/synonym-sets/main', { items: [] })
        await sendEvents(session.service.url, store, [search('zelt', 'zelt')])
        await opened.goto('/stores/quiet/analytics?tab=queries&list=no-results')
        const row = page.getByRole('row', { name: /^zelt/ })
        await row.getByRole('link', { name: 'Create synonym' }).click()
        const panel = page.getByRole('dialog', { name: 'New synonym' })
        await panel.waitFor()
        assert.match(await panel.getByRole('textbox').last().inputValue(), /^zelt/)
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
        await row.getByRole('link', { name: 'Create synonym' }).waitFor()
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
