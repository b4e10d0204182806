import assert from 'node:assert/strict'
import { until } from '@aisle/testing'
import type { ScreenTest } from '../screen-test.ts'
import { sendEvents } from '../visitor-history.ts'

const HOSTILE = '"><img src=x onerror=alert(1)> مرحبا 🏕️'

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'events',
    login: 'analyst',
    async prepare(session) {
      const store = await session.createStore('events', { name: 'Event shop', products: 12 })
      await sendEvents(session.service.url, store, journey('before'))
      return store
    },
    address: () => '/stores/events/events',
    shows: 'Object Clicked',
    paths: {
      'events come in with their verdict; one opens with its visitor’s journey': async (
        opened,
        { session, store },
      ) => {
        const { page } = opened
        await opened.goto('/stores/events/events')
        await page.getByText('0 per second').waitFor()
        await sendEvents(session.service.url, store, [
          ...journey('ada'),
          { ...track('x', 'Cart Emptied'), anonymousId: 'ada' },
          { ...track('y', HOSTILE), anonymousId: HOSTILE },
        ])
        const table = page.getByRole('table', { name: 'Events' })
        await table.getByText('Unknown name').first().waitFor()
        await table.getByText('onerror').first().waitFor()
        await opened.check('events-live')
        await page
          .getByRole('row', { name: /^Object Clicked/ })
          .first()
          .click()
        const panel = page.getByRole('dialog', { name: 'Object Clicked' })
        await panel.getByText('Journey of ada').waitFor()
        assert.equal(await panel.getByRole('listitem').count(), 3)
        await opened.check('events-journey')
        await page.keyboard.press('Escape')
        await page.getByRole('searchbox').fill('order')
        await page
          .getByRole('row', { name: /^Order Completed/ })
          .first()
          .waitFor()
        assert.equal(await page.getByRole('row', { name: /^Object Clicked/ }).count(), 0)
      },
      'the whole journey of a visitor is opened from an event, and by an id': async (
        opened,
        { session, store },
      ) => {
        const { page } = opened
        await opened.goto('/stores/events/events')
        await page.getByText('0 per second').waitFor()
        await sendEvents(session.service.url, store, [
          { ...track('late', 'Product Added', { product_id: 'p-1' }), anonymousId: 'before' },
        ])
        await page.getByRole('row', { name: /^Product Added/ }).click()
        await page.getByRole('link', { name: 'Show whole journey' }).click()
        await page.waitForURL(/tab=journey&by=anonymous_id&visitor=before/)
        // Three of them came before the page was opened.
        await page.getByText('1 search, 1 click, 1 addition to the cart, 1 order').waitFor()
        const steps = page.locator('.events-timeline li')
        assert.deepEqual(await steps.locator('.strong').allTextContents(), [
          'Searched',
          'Clicked',
          'Ordered',
          'Added to cart',
        ])
        await steps.nth(1).getByText('p-1 · place 1 · from “tent”').waitFor()
        await opened.check('events-whole-journey')
        await steps.nth(1).getByRole('button').click()
        await page.getByRole('dialog', { name: 'Object Clicked' }).waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('searchbox', { name: 'Visitor id' }).fill(HOSTILE)
        await page.getByText('No events of this visitor').waitFor()
        await page.reload()
        await page.getByText('No events of this visitor').waitFor()
        await page.getByRole('searchbox', { name: 'Visitor id' }).fill('')
        await page.getByText('No visitor chosen').waitFor()
        await opened.check('events-no-journey')
        await opened.goto('/stores/events/events?tab=journey&visitor=before')
        await opened.wear('dark')
        await page.setViewportSize({ width: 360, height: 740 })
        await opened.check('events-narrow-journey')
      },
      'what came before is listed, and the count of faulty events leads to their reasons': async (
        opened,
        { session, store },
      ) => {
        const { page } = opened
        await sendEvents(session.service.url, store, [
          track('no-product', 'Object Clicked', { position: 'first' }),
          { ...track('no-time', 'Cart Viewed'), timestamp: 'soon' },
          track('sound', 'Product Added', { product_id: 'p-2' }),
        ])
        await opened.goto('/stores/events/events')
        await page
          .getByRole('row', { name: /^Product Added/ })
          .first()
          .waitFor()
        await page
          .getByRole('link', { name: /faulty/ })
          .first()
          .click()
        await page.waitForURL(/verdict=faulty/)
        const row = page.getByRole('row', { name: /^Object Clicked/ })
        await row.getByText('Incomplete').waitFor()
        await page.getByRole('row', { name: /^Cart Viewed Invalid/ }).waitFor()
        assert.equal(await page.getByRole('row', { name: /^Product Added/ }).count(), 0)
        await opened.check('events-faulty')
        await row.click()
        const panel = page.getByRole('dialog', { name: 'Object Clicked' })
        const reasons = await panel.locator('.events-reasons li').allTextContents()
        assert.deepEqual(reasons, [
          '`properties.object_id` (or `product_id`) is missing: the event is not counted for any product',
          '`properties.position` must be a whole number from 1, received "first"',
        ])
        await opened.check('events-incomplete')
      },
      'thousands of events leave 2,000 rows, and nothing moves while it is read': async (
        opened,
        { session, store },
      ) => {
        const { page } = opened
        await opened.goto('/stores/events/events')
        await page.getByText('0 per second').waitFor()
        const many = Array.from({ length: 2_400 }, (_, i) => track(`many-${i}`, 'Cart Viewed'))
        await sendEvents(session.service.url, store, many.slice(0, 2_100))
        await page.getByText('2,000', { exact: true }).waitFor()
        const drawn = await page.getByRole('row').count()
        assert.ok(drawn < 100, `${drawn} rows are in the page`)
        await page.getByRole('row').nth(5).hover()
        await sendEvents(session.service.url, store, many.slice(2_100))
        // Up to 100 of the first may have come after the pause.
        const paused = page.getByText(/^paused, [34]\d\d new$/)
        await paused.waitFor()
        await page.mouse.move(5, 5)
        await paused.waitFor({ state: 'detached' })
        assert.deepEqual(opened.faults, [])
      },
      'events of any form are checked before a shop sends them': async (opened) => {
        const { page } = opened
        await opened.goto('/stores/events/events?tab=check')
        const check = async () => await page.getByRole('button', { name: 'Check events' }).click()
        const verdicts = page.getByRole('list', { name: 'Verdicts' })
        await check()
        await page.getByText('1 event of 1 would be accepted').waitFor()
        const editor = page.getByRole('textbox', { name: 'Events to check' })
        await editor.fill('{"event_type": "click", "data": {"position": 0}}')
        await check()
        await page.getByText('0 events of 1 would be accepted').waitFor()
        await verdicts.getByText('`data.query` is required for a click event').waitFor()
        await editor.fill(
          JSON.stringify({ sentAt: 'soon', batch: [track('before-Object Clicked', HOSTILE)] }),
        )
        await check()
        await page.getByText('"sentAt" must be an ISO 8601 time').waitFor()
        await editor.fill(
          JSON.stringify({
            sentAt: new Date().toISOString(),
            batch: [
              track('new', 'Cart Viewed'),
              track('new', 'Cart Viewed'),
              track('new-2', HOSTILE),
              { type: 'identify', messageId: 'new-3', anonymousId: 'a', userId: 'u' },
              { ...track('new-4', 'Cart Viewed'), timestamp: 'soon' },
            ],
          }),
        )
        await check()
        await page.getByText('2 events of 5 would be accepted').waitFor()
        for (const label of ['Duplicate', 'Unknown name', 'Invalid']) {
          await verdicts.getByText(label, { exact: true }).first().waitFor()
        }
        await until('the announcement is over', async () => {
          return (await page.locator('[role="img"][aria-labelledby]').count()) === 0
        })
        await opened.check('events-check')
      },
    },
  },
]

function track(id: string, event: string, properties: object = {}): object {
  return {
    type: 'track',
    event,
    messageId: id,
    anonymousId: 'someone',
    timestamp: new Date().toISOString(),
    properties,
  }
}

function journey(visitor: string): object[] {
  const of = (event: string, properties: object): object => ({
    ...track(`${visitor}-${event}`, event, { search_id: `s-${visitor}`, ...properties }),
    anonymousId: visitor,
  })
  return [
    of('Search Submitted', { query: 'tent', num_found: 12 }),
    of('Object Clicked', { query: 'tent', object_id: 'p-1', position: 1 }),
    of('Order Completed', { order_id: `o-${visitor}`, revenue: 20, currency: 'EUR' }),
  ]
}
