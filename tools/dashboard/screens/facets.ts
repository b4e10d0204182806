import assert from 'node:assert/strict'
import { until } from '@aisle/testing'
import type { DashboardSession, TestStore } from '../dashboard-session.ts'
import type { ScreenTest } from '../screen-test.ts'

const ADDRESS = '/stores/facets/facets'

async function storeWithFacets(session: DashboardSession): Promise<TestStore> {
  const store = await session.createStore('facets')
  await store.call('PATCH', '/settings', {
    facet_display: { order: ['price', 'brand'], hide: ['in_stock'] },
  })
  return store
}

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'facets',
    login: 'editor',
    prepare: storeWithFacets,
    address: () => ADDRESS,
    shows: 'Preview',
    paths: {
      'facets and values are arranged by buttons and by dragging, saved, and undone': async (
        opened,
        { store },
      ) => {
        const { page } = opened
        const display = async () =>
          (await store.call<{ facet_display: unknown }>('GET', '/settings')).facet_display
        await opened.goto(ADDRESS)
        const list = page.getByRole('list', { name: 'Facets, in order' })
        const entries = list.getByRole('listitem')
        await list.getByRole('button', { name: 'Move brand up' }).click()
        await entries.first().getByRole('button', { name: 'brand', exact: true }).click()
        const values = page.getByRole('region', { name: 'Values of brand' })
        await values.getByRole('button', { name: /^Pin / }).nth(2).click()
        const pinned = values.getByRole('list', { name: 'Pinned values of brand' })
        await pinned.getByRole('listitem').waitFor()
        await values.getByRole('button', { name: /^Pin / }).nth(3).click()
        await until(
          'two are pinned',
          async () => (await pinned.getByRole('listitem').count()) === 2,
        )
        await pinned.getByRole('listitem').nth(1).dragTo(pinned.getByRole('listitem').nth(0))
        await values.getByRole('button', { name: /Order after pinned values/ }).click()
        await page.getByRole('option', { name: 'A to Z' }).click()
        await page.getByRole('textbox', { name: 'Values shown' }).fill('5')
        await page.keyboard.press('Tab')
        await page.getByText('With your unsaved changes.').waitFor()
        await page
          .getByText(/\d+ not shown/)
          .first()
          .waitFor()
        await opened.check('facets-arranged')
        await page.getByRole('button', { name: 'Save facets' }).click()
        await page.getByText('Facets saved').waitFor()
        const saved = (await display()) as {
          order: string[]
          hide: string[]
          facets: { brand: { pin: string[]; sort: string; limit: number } }
        }
        assert.deepEqual(saved.order.slice(0, 2), ['brand', 'price'])
        assert.deepEqual(saved.hide, ['in_stock'])
        assert.equal(saved.facets.brand.pin.length, 2)
        assert.deepEqual(
          [saved.facets.brand.sort, saved.facets.brand.limit],
          ['alpha', 5],
          JSON.stringify(saved),
        )
        await page.getByRole('button', { name: 'Undo' }).click()
        await until('it is as it was', async () => {
          const now = JSON.stringify(await display())
          return now === JSON.stringify({ order: ['price', 'brand'], hide: ['in_stock'] })
        })
        assert.deepEqual(opened.faults, [])
      },
      'the preview follows a query, and a hidden facet can be shown again': async (opened) => {
        const { page } = opened
        await opened.goto(ADDRESS)
        await page.getByRole('searchbox', { name: 'Query for the preview' }).fill('zzyzx')
        await page.getByText('No results.').waitFor()
        await page.getByRole('searchbox', { name: 'Query for the preview' }).fill('')
        await page.getByRole('button', { name: 'Show in_stock' }).click()
        await page.getByRole('button', { name: 'Hide in_stock' }).waitFor()
        assert.deepEqual(opened.faults, [])
      },
      'somebody else saves meanwhile: both versions are shown and merged': async (
        opened,
        { store },
      ) => {
        const { page } = opened
        await opened.goto(ADDRESS)
        await page.getByRole('button', { name: 'Hide brand' }).click()
        await store.call('PATCH', '/settings', {
          facet_display: { facets: { price: { limit: 3 } } },
        })
        await page.getByRole('button', { name: 'Save facets' }).click()
        await page.getByText('Someone else has saved this order of facets').waitFor()
        await page.getByRole('button', { name: 'Merge both' }).click()
        await page.getByRole('button', { name: 'Save facets' }).click()
        await page.getByText('Facets saved').waitFor()
        const { facet_display: display } = await store.call<{ facet_display: object }>(
          'GET',
          '/settings',
        )
        assert.deepEqual(Object.keys(display).toSorted(), ['facets', 'hide', 'order'])
        opened.forgive(/412/)
        assert.deepEqual(opened.faults, [])
      },
      'a rule arranges facets for its searches': async (opened, { store }) => {
        const { page } = opened
        await opened.goto('/stores/facets/rules?new=true')
        await page.getByRole('button', { name: 'Add action' }).click()
        await page.getByRole('menuitem', { name: 'Arrange facets' }).click()
        await page.getByRole('button', { name: 'Arrange', exact: true }).click()
        const dialog = page.getByRole('dialog', { name: 'Arrange facets' })
        await dialog.getByRole('button', { name: 'Hide brand' }).click()
        await opened.check('rule-facets')
        await dialog.getByRole('button', { name: 'Use arrangement' }).click()
        await page.getByText('brand hidden').waitFor()
        await page.getByRole('textbox', { name: 'Rule id' }).fill('no-brands')
        await page.getByRole('button', { name: 'Publish rule' }).click()
        await page.getByText('Rule published').waitFor()
        const { rules } = await store.call<{ rules: { facet_display: unknown }[] }>('GET', '/rules')
        assert.deepEqual(rules[0]!.facet_display, { hide: ['brand'] })
        assert.deepEqual(opened.faults, [])
      },
    },
  },
]
