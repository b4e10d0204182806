import assert from 'node:assert/strict'
import { until } from '@aisle/testing'
import type { DashboardSession, TestStore } from '../dashboard-session.ts'
import type { ScreenTest } from '../screen-test.ts'

const HOSTILE = '"><img src=x onerror=alert(1)> مرحبا 🏕️'

async function storeWithCollections(session: DashboardSession, id: string): Promise<TestStore> {
  const store = await session.createStore(id)
  await store.call('PUT', '/collections/under-50', {
    title: 'Under 50 euros',
    description: 'For the front page',
    filter_by: 'price:<50',
  })
  await store.call('PUT', '/collections/hostile', { title: HOSTILE, filter_by: 'id:=`none`' })
  await store.call('PUT', '/rules/cheap', {
    when: [{ query: 'cheap' }],
    filter_by: '_collection:under-50',
  })
  return store
}

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'collections',
    login: 'analyst',
    prepare: (session) => storeWithCollections(session, 'collections'),
    address: () => '/stores/collections/collections',
    shows: 'Under 50 euros',
    paths: {
      'each is listed with its products and the rules that name it': async (opened) => {
        const { page } = opened
        await opened.goto('/stores/collections/collections')
        const row = page.getByRole('row').filter({ hasText: 'under-50' })
        await row.getByText('rule cheap').waitFor()
        await until('it has a count', async () => /\d+/.test((await row.textContent()) ?? ''))
        assert.deepEqual(opened.faults, [])
      },
    },
  },
  {
    name: 'collection',
    login: 'editor',
    prepare: (session) => storeWithCollections(session, 'collection'),
    address: () => '/stores/collection/collections?collection=under-50',
    shows: 'How to use it',
    paths: {
      'the filter of the products screen becomes a collection': async (opened, { store }) => {
        const { page } = opened
        const filters = encodeURIComponent(JSON.stringify([['price', 'to', '20']]))
        await opened.goto(`/stores/collection/documents?filters=${filters}`)
        await page.getByRole('button', { name: 'More actions' }).click()
        await page.getByRole('menuitem', { name: 'Save filter as collection' }).click()
        await page.getByRole('textbox', { name: 'Name' }).fill('tiny prices')
        await page.getByRole('heading', { name: /^\d+ products?$/ }).waitFor()
        await opened.check('collection-new')
        await page.getByRole('button', { name: 'Save collection' }).click()
        await page.getByText('Collection saved').waitFor()
        const saved = await store.call('GET', '/collections/tiny%20prices')
        assert.deepEqual(saved, { name: 'tiny prices', filter_by: 'price:<=20' })
        await page.getByRole('link', { name: 'Show products' }).click()
        await page.getByText('collection is tiny prices').waitFor()
        assert.deepEqual(opened.faults, [])
      },
      'an invalid filter is refused beside its field': async (opened) => {
        const { page } = opened
        await opened.goto('/stores/collection/collections?collection=under-50')
        await page.getByRole('textbox', { name: 'Filter' }).fill('prise:<50')
        await page.getByText(/Did you mean `price`/).waitFor()
        await page.getByRole('button', { name: 'Save collection' }).click()
        await until(
          'the field shows it too',
          async () => (await page.getByText(/Did you mean `price`/).count()) === 2,
        )
        opened.forgive(/400/)
        await opened.check('collection-refused')
        assert.deepEqual(opened.faults, [])
      },
      'one is deleted after its uses were shown, and comes back by an undo': async (
        opened,
        { store },
      ) => {
        const { page } = opened
        const names = async () =>
          (
            await store.call<{ collections: { name: string }[] }>('GET', '/collections')
          ).collections.map(({ name }) => name)
        await opened.goto('/stores/collection/collections?collection=under-50')
        await page.getByRole('button', { name: 'More', exact: false }).first().click()
        await page.getByRole('menuitem', { name: 'Delete collection' }).click()
        const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'))
        await dialog.getByRole('link', { name: 'cheap' }).waitFor()
        await dialog.getByRole('button', { name: 'Delete collection' }).click()
        await page.getByText('Collection deleted').waitFor()
        assert.ok(!(await names()).includes('under-50'))
        await page.getByRole('button', { name: 'Undo' }).click()
        await until('it is there again', async () => (await names()).includes('under-50'))
        assert.deepEqual(opened.faults, [])
      },
      'a rule chooses a collection in the dialog of its filter': async (opened) => {
        const { page } = opened
        await opened.goto('/stores/collection/rules?new=true')
        await page.getByRole('button', { name: 'Add action' }).click()
        await page.getByRole('menuitem', { name: 'Filter products' }).click()
        await page.getByRole('button', { name: 'Choose' }).last().click()
        const dialog = page.getByRole('dialog', { name: 'Choose products by a field' })
        await dialog.getByRole('button', { name: /Field/ }).click()
        await page.getByRole('option', { name: /Collection/ }).click()
        await dialog.getByText('under-50', { exact: true }).click()
        await opened.check('filter-by-collection')
        await dialog.getByRole('button', { name: 'Use filter' }).click()
        await until(
          'the filter names it',
          async () =>
            (await page.getByRole('textbox', { name: 'Filter to add' }).inputValue()) ===
            '_collection:under-50',
        )
        assert.deepEqual(opened.faults, [])
      },
    },
  },
]
