import assert from 'node:assert/strict'
import type { DashboardSession, TestStore } from '../dashboard-session.ts'
import type { ScreenTest } from '../screen-test.ts'
import { searchIn, sendEvents } from '../visitor-history.ts'

const DAY_MS = 86_400_000

/** Visitors who type one word, find nothing, and click for another. */
async function storeWithMisses(session: DashboardSession, id: string): Promise<TestStore> {
  const store = await session.createStore(id, { products: 400 })
  const { url } = session.service
  const events: object[] = []
  let visitors = 0
  const visit = async (
    query: string,
    times: number,
    {
      next = '',
      daysAgo = 2,
      clicks = '',
    }: { next?: string; daysAgo?: number; clicks?: string } = {},
  ): Promise<void> => {
    const clicked = next === '' ? clicks : next
    const found = clicked === '' ? [] : await searchIn(url, store, clicked, false)
    const own = await searchIn(url, store, query, false)
    for (let i = 0; i < times; i++) {
      const visitor = `missing-${visitors++}`
      const atMs = Date.now() - daysAgo * DAY_MS + visitors * 60_000
      const send = (event: string, ms: number, properties: object): void => {
        events.push({
          type: 'track',
          event,
          messageId: `${id}-${visitor}-${event}-${ms}`,
          anonymousId: visitor,
          timestamp: new Date(atMs + ms).toISOString(),
          properties: { session_id: visitor, ...properties },
        })
      }
      send('Search Submitted', 0, { query, num_found: own.length })
      if (next !== '') send('Search Submitted', 20_000, { query: next, num_found: found.length })
      const object_id = found[i % 3]
      const of = next === '' ? query : next
      if (object_id !== undefined) {
        send('Object Clicked', 25_000, { query: of, object_id, position: 1 + (i % 3) })
      }
    }
  }
  await visit('torch', 14, { next: 'lantern' })
  await visit('zelt', 9, { next: 'tent' })
  await visit('flashlight', 6, { next: 'torch' })
  await visit('lanternn', 4)
  await visit('voucher', 3)
  await visit('<b>cooker</b>', 2, { next: 'stove' })
  await visit('backpack', 5)
  await visit('stove', 8, { clicks: 'stove' })
  await sendEvents(url, store, events)
  return store
}

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'missed',
    login: 'editor',
    prepare: (session) => storeWithMisses(session, 'missed'),
    address: () => '/stores/missed/missed-searches',
    shows: 'zelt',
    paths: {
      'a missed search is fixed with one click where no synonym set exists, and undone': async (
        opened,
        { session, store },
      ) => {
        const { page } = opened
        await page.goto(`${session.service.url}/stores/${store.id}/missed-searches`)
        await page.getByRole('cell', { name: 'torch' }).first().click()
        const panel = page.getByRole('dialog')
        await panel.getByText('Finds nothing now').waitFor()
        await panel
          .getByText(/1[0-9] visitors typed it next · Would find [1-9]\d* products/)
          .waitFor()
        await panel.locator('.missed-products .product-title').first().waitFor()
        await opened.check('missed-panel')
        const action = panel.getByRole('button', {
          name: 'Add synonym: “torch” also finds “lantern”',
        })
        await action.click()
        await page.getByText(/^Fixed: “torch” finds [1-9]\d* products now/).waitFor()
        assert.ok((await searchIn(session.service.url, store, 'torch', false)).length > 0)
        await page.getByRole('tab', { name: 'Fixed 1' }).click()
        await page.getByText(/^Fixed on .*, finds [1-9]\d* now/).waitFor()
        await page.getByText('Measured after a week').waitFor()
        await opened.check('missed-fixed')
        await page.getByRole('button', { name: 'Undo' }).last().click()
        await page.getByRole('tab', { name: 'Fixed 0' }).waitFor()
        const sets = await store.call<{ synonym_sets: unknown[] }>('GET', '/synonym-sets')
        assert.deepEqual(sets.synonym_sets, [])
      },
      'what finds nothing is not proposed, and one is dismissed and reopened': async (
        { page },
        { session, store },
      ) => {
        await page.goto(`${session.service.url}/stores/${store.id}/missed-searches?query=voucher`)
        const panel = page.getByRole('dialog')
        await panel.getByText(/^None found\./).waitFor()
        await panel.getByRole('button', { name: 'Dismiss' }).click()
        await page.getByText('Dismissed “voucher”').waitFor()
        await page.getByRole('cell', { name: 'voucher' }).waitFor({ state: 'detached' })
        await page.getByRole('tab', { name: 'Dismissed 1' }).click()
        await page.getByRole('cell', { name: 'voucher' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Reopen' }).click()
        await page.getByRole('tab', { name: 'Dismissed 0' }).waitFor()
      },
      'a fix of one’s own is previewed as it is typed, and a product is pinned': async (
        opened,
        { session, store },
      ) => {
        const { page } = opened
        await page.goto(`${session.service.url}/stores/${store.id}/missed-searches?query=voucher`)
        const panel = page.getByRole('dialog')
        await panel.getByRole('textbox', { name: 'Other words' }).fill('xylophone')
        await panel.getByText('Finds nothing', { exact: true }).waitFor()
        await panel.getByRole('textbox', { name: 'Other words' }).fill('lantern')
        await panel.getByText(/^Would find [1-9]/).waitFor()
        await panel.locator('.missed-products .product-title').first().waitFor()
        await opened.check('missed-own')
        await panel.getByRole('textbox', { name: 'Other words' }).fill('')
        await panel.getByRole('button', { name: 'Choose product' }).click()
        await page
          .getByRole('dialog', { name: 'Choose product' })
          .getByRole('button', { name: /^Choose / })
          .first()
          .click()
        await panel.getByText('Would find 1 product').waitFor()
        await panel.getByRole('button', { name: 'Pin products: Pins 1 product' }).click()
        await page.getByText('Fixed: “voucher” finds 1 product now').waitFor()
        const { rules } = await store.call<{ rules: unknown[] }>('GET', '/rules')
        assert.equal(rules.length, 1)
      },
      'of two people who decide, the second is told, and sees the newest list': async (
        { page },
        { session, store },
      ) => {
        await page.goto(`${session.service.url}/stores/${store.id}/missed-searches?query=zelt`)
        const panel = page.getByRole('dialog')
        await panel
          .getByRole('button', { name: /^Add synonym/ })
          .first()
          .waitFor()
        await store.call('POST', '/missed-searches/dismiss', { query: 'zelt' })
        await panel
          .getByRole('button', { name: /^Add synonym/ })
          .first()
          .click()
        await page.getByText('Someone else has already handled this search').waitFor()
        await page.getByRole('tab', { name: 'Dismissed 1' }).waitFor()
        await store.call('POST', '/missed-searches/reopen', { query: 'zelt' })
      },
      'a link opens a query that no list has, on a phone too': async (
        opened,
        { session, store },
      ) => {
        const { page } = opened
        await page.goto(`${session.service.url}/stores/${store.id}/missed-searches?query=stove`)
        await page
          .getByRole('dialog')
          .getByText(/^Finds [1-9]\d* products now$/)
          .waitFor()
        await opened.resize(360)
        await opened.check('missed-phone')
      },
      // Last: its clock cannot be taken back.
      'the effect of a fix is shown from a week on': async (opened, { session, store }) => {
        const { page } = opened
        await store.call('POST', '/missed-searches/fix', { query: 'flashlight' })
        // The service measures it by its own clock: http/test/missed-searches.test.ts.
        const effect = (days: number, searches: number, rate: number): object => ({
          from: new Date(Date.now() - (days + 9) * DAY_MS).toISOString(),
          to: new Date(Date.now() - days * DAY_MS).toISOString(),
          searches,
          click_through_rate: rate,
        })
        await page.route(/missed-searches\/effect/, (route) =>
          route.fulfill({
            json: {
              query: 'flashlight',
              status: 'measured',
              before: effect(9, 60, 0.05),
              after: effect(0, 1_240, 0.32),
            },
          }),
        )
        await page.clock.install({ time: Date.now() + 9 * DAY_MS })
        await page.goto(`${session.service.url}/stores/${store.id}/missed-searches`)
        await page.getByRole('tab', { name: /^Fixed/ }).click()
        await page
          .getByText(/^Click-through 5.?% → 32.?%$/)
          .first()
          .waitFor()
        await page.getByText('60 → 1,240 searches in 9 days each').first().waitFor()
        await opened.check('missed-effect')
      },
    },
  },
  {
    name: 'missed-empty',
    login: 'analyst',
    prepare: (session) => session.createStore('no-misses', { products: 3 }),
    address: () => '/stores/no-misses/missed-searches',
    shows: 'No missed searches',
  },
]
