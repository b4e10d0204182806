import assert from 'node:assert/strict'
import type { ServiceActivity } from '@aisle/contract'
import { until } from '@aisle/testing'
import type { ScreenTest } from '../screen-test.ts'

/** The page reads the metrics this often. */
const METRICS_EVERY_MS = 5_000

function activityOf(storeId: string): ServiceActivity {
  const at = new Date(Date.now() - 90_000).toISOString()
  const queries = ['red tent', '<img src=x onerror=alert(1)>', 'W'.repeat(200), 'مرحبا', '']
  return {
    slow_search_min_ms: 200,
    slow_searches: queries.map((q, i) => ({
      at,
      store_id: i === 4 ? 'gone' : storeId,
      kind: 'search',
      took_ms: 212.4 * (i + 1),
      found: 1_234 * i,
      cut_off: i === 4,
      q,
    })),
    refusals: [
      { reason: 'rate_limited', status: 429, store_id: storeId, count: 12_345, last_at: at },
      { reason: 'unavailable', status: 503, count: 7, last_at: at },
    ],
    jobs: [
      {
        kind: 'analysis',
        store_id: storeId,
        state: 'running',
        documents_done: 40_000,
        documents_total: 86_169,
      },
      { kind: 'snapshot', state: 'running', since: at },
      { kind: 'merge', store_id: storeId, state: 'waiting', since: at },
    ],
    threads: ['main', 'serve-0', 'serve-1', 'events', 'reports', 'suggestions'].map((name, i) => ({
      name,
      busy: i / 7,
    })),
  }
}

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'health',
    login: 'analyst',
    prepare: (session) => session.createStore('health', { name: 'Health & <i>Beauty</i>' }),
    address: () => '/service',
    shows: 'Refused since startup',
    paths: {
      'requests that are refused are there by reason and store, and how busy the threads are':
        async (opened, { session }) => {
          const store = await session.createStore('used-up', { name: 'Used up <b>', products: 3 })
          await store.call('PATCH', '/settings', { quota: { searches_per_month: 1 } })
          const headers = { 'x-storeid': store.id, 'x-storesecret': store.readSecret }
          for (let i = 0; i < 4; i++) {
            await fetch(`${session.service.url}/v1/search?q=tent${i}`, { headers })
          }
          await opened.goto('/service')
          const { page } = opened
          const table = page.getByRole('table', { name: 'Refused requests' })
          await table.getByText('429 quota_exceeded').waitFor()
          await table.getByRole('link', { name: 'Used up <b>' }).waitFor()
          await page.getByText('Searches, thread 0').waitFor()
          assert.deepEqual(opened.faults, [])
        },
      'slow searches and jobs are shown, hostile queries as text': async (opened, { store }) => {
        const { page } = opened
        await page.route('**/api/v1/admin/activity', (route) =>
          route.fulfill({ json: activityOf(store.id) }),
        )
        await opened.goto('/service')
        await page.getByText('40,000 of 86,169 products').waitFor()
        await page.getByRole('table', { name: 'Slow searches' }).scrollIntoViewIfNeeded()
        await opened.check('health-busy')
        await page.setViewportSize({ width: 360, height: 740 })
        await opened.check('health-busy-phone')
      },
      'searches are counted while the page is open': async ({ page }, { session, store }) => {
        await page.clock.install()
        await page.goto(`${session.service.url}/service`)
        await page.getByText('Ready').waitFor()
        const headers = { 'x-storeid': store.id, 'x-storesecret': store.readSecret }
        for (let i = 0; i < 3; i++) {
          await fetch(`${session.service.url}/v1/search?q=tent&page=${i + 1}`, { headers })
        }
        const chart = page.getByRole('img', { name: 'Searches per second' })
        await until('the chart of two readings', async () => {
          await page.clock.fastForward(METRICS_EVERY_MS)
          return await chart.isVisible()
        })
        await page.getByRole('link', { name: 'Health & <i>Beauty</i>' }).first().waitFor()
        // Its clock cannot be taken back.
        await page.context().close()
      },
    },
  },
]
