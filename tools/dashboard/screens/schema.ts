import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { until } from '@aisle/testing'
import { LOOKS } from '../screen-page.ts'
import type { ScreenTest } from '../screen-test.ts'

interface Stores {
  readonly stores: readonly { readonly store_id: string; readonly documents: number }[]
}

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'schema',
    login: 'editor',
    prepare: (session) => session.createStore('schema', { name: 'Schema shop', products: 12 }),
    address: () => '/stores/schema/schema',
    shows: 'brand',
    paths: {
      'a field is added while the products stay; the draft survives a reload': async (
        opened,
        { store },
      ) => {
        const { page } = opened
        await opened.goto('/stores/schema/schema')
        await page.getByRole('button', { name: 'Add field' }).click()
        await page.getByLabel('Name').fill('brand')
        await page.getByText('A field with this name exists').waitFor()
        await page.getByLabel('Name').fill('<b>season</b>')
        await page.getByRole('button', { name: 'Add to draft' }).click()
        await page.reload()
        await page.getByRole('list', { name: 'Changes' }).getByText('<b>season</b>').waitFor()
        await opened.check('schema-draft')
        await page.getByRole('button', { name: 'Add fields' }).click()
        await page.getByText('All 12 products stay').waitFor()
        await page.getByRole('dialog').getByRole('button', { name: 'Add fields' }).click()
        await page.getByText('Fields added').waitFor()
        const { fields } = await store.call<{ fields: { name: string }[] }>('GET', '/schema')
        assert.equal(fields.at(-1)?.name, '<b>season</b>')
        assert.deepEqual(opened.faults, [])
      },
      'a change keeps the products, and is undone': async (opened, { session }) => {
        const store = await session.createStore('schema-change', { name: 'Live', products: 9 })
        const { page } = opened
        await opened.goto('/stores/schema-change/schema')
        await page.getByRole('checkbox', { name: 'Filter: description' }).press('Space')
        await page.getByRole('button', { name: 'Change schema' }).click()
        await page.getByText('All 9 products stay').waitFor()
        await opened.check('schema-change')
        await page.getByRole('dialog').getByRole('button', { name: 'Change schema' }).click()
        await page.getByText('Last change: description.').waitFor()
        await opened.check('schema-changed')
        const facetOf = async (): Promise<boolean | undefined> => {
          const { fields } = await store.call<{ fields: { name: string; facet: boolean }[] }>(
            'GET',
            '/schema',
          )
          return fields.find(({ name }) => name === 'description')?.facet
        }
        assert.equal(await facetOf(), true)
        await page.getByRole('button', { name: 'Undo', exact: true }).click()
        await page.getByText('Undo started').waitFor()
        await until('the former schema', async () => (await facetOf()) === false)
        // The type of another field does not fit its values.
        await page.getByRole('button', { name: 'Type of title' }).click()
        await page.getByRole('option', { name: 'date', exact: true }).click()
        await page.getByRole('checkbox', { name: 'Search: title' }).press('Space')
        await page.getByRole('button', { name: 'Change schema' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Change schema' }).click()
        await page.getByText(/9 documents do not fit, and nothing was changed \(tn-/).waitFor()
        await opened.picture('schema-misfit')
        // The browser's own line about the status 409.
        opened.faults.length = 0
      },
      'a change replaces the schema, and says how many products go': async (
        opened,
        { session },
      ) => {
        const store = await session.createStore('schema-gone', { name: 'Gone shop', products: 7 })
        const { page } = opened
        await opened.goto('/stores/schema-gone/schema')
        await page.getByRole('button', { name: 'Remove description' }).click()
        await page.getByRole('button', { name: 'Type of price' }).click()
        await page.getByRole('option', { name: 'int32', exact: true }).click()
        await page.getByText('deletes all 7 products').waitFor()
        // It makes a store and swaps two, which editors may not.
        const rebuild = page.getByRole('button', { name: 'Rebuild in a copy' })
        assert.equal(await rebuild.isDisabled(), true)
        await page.getByRole('button', { name: 'Replace schema' }).click()
        const confirm = page.getByRole('button', { name: 'Replace schema and delete 7 products' })
        assert.equal(await confirm.isDisabled(), true)
        await page.getByLabel(/^Type “Gone shop”/).fill('Gone shop')
        await opened.check('schema-replace')
        await confirm.click()
        await page.getByText('Schema replaced').waitFor()
        const { fields } = await store.call<{ fields: { name: string; type: string }[] }>(
          'GET',
          '/schema',
        )
        assert.equal(fields.find(({ name }) => name === 'price')?.type, 'int32')
        assert.equal(
          fields.some(({ name }) => name === 'description'),
          false,
        )
      },
      'an empty store learns its fields from a file, and JSON is another way to write them': async (
        opened,
        { session },
      ) => {
        await session.createStore('schema-empty', { products: 0 })
        const { page } = opened
        await opened.goto('/stores/schema-empty/schema')
        await page.getByText('No fields yet').waitFor()
        await opened.picture('schema-empty')
        await page.locator('input[type=file]').setInputFiles({
          name: 'shop.csv',
          mimeType: 'text/csv',
          buffer: Buffer.from('id,Product Name,Price\n1,Tent,5.5\n2,Mug,7\n'),
        })
        await page.getByText('2 fields found in shop.csv').waitFor()
        await page.getByRole('list', { name: 'Changes' }).getByText('product_name').waitFor()
        await page.getByRole('tab', { name: 'JSON' }).click()
        await page
          .getByRole('textbox', { name: 'Fields as JSON' })
          .getByText('product_name')
          .waitFor()
        await opened.check('schema-json')
      },
    },
  },
  {
    name: 'schema-rebuild',
    login: 'owner',
    prepare: (session) => session.createStore('rebuild', { name: 'Rebuilt', products: 11 }),
    address: () => '/stores/rebuild/schema',
    shows: 'description',
    paths: {
      'a field is removed in a copy, which takes the place of the store': async (
        opened,
        { session, store },
      ) => {
        const { page } = opened
        const ids = async (): Promise<string> => {
          const answer = await fetch(`${session.service.url}/v1/search`, {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              'x-storeid': store.id,
              'x-storesecret': store.readSecret,
            },
            body: JSON.stringify({ q: '*', per_page: 50 }),
          })
          const { hits } = (await answer.json()) as { hits: { id: string }[] }
          return hits.map(({ id }) => id).join()
        }
        const order = await ids()
        await opened.goto('/stores/rebuild/schema')
        await page.getByRole('button', { name: 'Remove description' }).click()
        await page.getByRole('button', { name: 'Rebuild in a copy' }).click()
        await page.getByText('Not copied: the values of description.').waitFor()
        await opened.check('schema-rebuild-dialog')
        await page.getByRole('button', { name: 'Build the copy' }).click()
        await page.getByRole('heading', { name: 'The copy is ready' }).waitFor()
        await opened.check('schema-rebuild-ready')
        // What is written meanwhile is copied before the swap.
        await store.call('DELETE', `/documents/${order.split(',')[3]!}`)
        await page.getByRole('button', { name: 'Swap', exact: true }).click()
        await page.getByText('Its id, keys, events and reports stay').waitFor()
        await opened.picture('schema-rebuild-swap')
        await page.getByRole('button', { name: 'Swap stores' }).click()
        await page.getByText('now has the new schema and 10 products').waitFor()
        for (const [width, theme] of LOOKS) {
          await opened.wear(theme)
          await opened.resize(width)
          await page.getByText('now has the new schema and 10 products').scrollIntoViewIfNeeded()
          await opened.check('schema-rebuild-swapped')
        }
        const { fields } = await store.call<{ fields: { name: string }[] }>('GET', '/schema')
        assert.equal(
          fields.some(({ name }) => name === 'description'),
          false,
        )
        assert.equal(await page.getByRole('button', { name: 'Remove description' }).count(), 0)
        assert.equal(await ids(), order.split(',').toSpliced(3, 1).join())
        const { stores } = await session.admin<Stores>('GET', '/stores')
        const old = stores.find(({ store_id: id }) => id === 'rebuild-next')
        assert.equal(old?.documents, 10)
        // The list of stores arrives late: the deleted copy must not be asked for its schema.
        await page.route('**/api/v1/stores', async (route) => {
          await delay(300)
          await route.continue()
        })
        await page.getByRole('button', { name: 'Delete previous version' }).click()
        await page
          .getByRole('dialog')
          .getByRole('button', { name: 'Delete previous version' })
          .click()
        await page.getByText('Copy deleted').waitFor()
        assert.deepEqual(opened.faults, [])
      },
      'what does not fit is listed, nothing is swapped, and values can be left out': async (
        opened,
        { session },
      ) => {
        const store = await session.createStore('misfit', { name: 'Misfit', products: 25 })
        const { page } = opened
        await opened.goto('/stores/misfit/schema')
        await page.getByRole('button', { name: 'Type of title' }).click()
        await page.getByRole('option', { name: 'date', exact: true }).click()
        await page.getByRole('checkbox', { name: 'Search: title' }).press('Space')
        await page.getByRole('button', { name: 'Change schema' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Change schema' }).click()
        await page.getByText(/20 or more documents do not fit/).waitFor()
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
        // The browser's own line about the status 409.
        opened.faults.length = 0
        await page.getByRole('button', { name: 'Rebuild in a copy' }).click()
        await page.getByRole('button', { name: 'Build the copy' }).click()
        await page.getByText('25 products do not fit the new schema').waitFor()
        const misfits = page.getByRole('list', { name: 'Products that do not fit' })
        assert.equal(await misfits.getByRole('listitem').count(), 20)
        for (const [width, theme] of LOOKS) {
          await opened.wear(theme)
          await opened.resize(width)
          await page.getByText('25 products do not fit the new schema').scrollIntoViewIfNeeded()
          await opened.check('schema-rebuild-misfits')
        }
        await page.getByRole('button', { name: 'Delete copy' }).click()
        await page.getByText('Copy deleted').waitFor()
        const { stores } = await session.admin<Stores>('GET', '/stores')
        assert.equal(
          stores.some(({ store_id: id }) => id === 'misfit-next'),
          false,
        )
        await opened.resize(LOOKS[0][0])
        await page.getByRole('button', { name: 'Rebuild in a copy' }).click()
        await page.getByText('Leave out the values of title').click()
        await page.getByRole('button', { name: 'Build the copy' }).click()
        await page.getByRole('heading', { name: 'The copy is ready' }).waitFor()
        const { fields } = await store.call<{ fields: { name: string; type: string }[] }>(
          'GET',
          '/schema',
        )
        assert.equal(fields.find(({ name }) => name === 'title')?.type, 'string')
        await page.getByRole('button', { name: 'Delete copy' }).click()
        await page.getByText('Copy deleted').last().waitFor()
      },
      'a rebuild whose tab was closed is continued, or its copy is deleted': async (
        opened,
        { session },
      ) => {
        const store = await session.createStore('closed', { name: 'Closed', products: 14 })
        const { page } = opened
        const bulk = '**/stores/closed-next/documents/bulk*'
        const begin = async (): Promise<void> => {
          await page.route(bulk, () => undefined)
          await opened.goto('/stores/closed/schema')
          await page.getByRole('button', { name: 'Remove description' }).click()
          await page.getByRole('button', { name: 'Rebuild in a copy' }).click()
          const asked = page.waitForRequest(bulk)
          await page.getByRole('button', { name: 'Build the copy' }).click()
          await asked
          await opened.goto('/login')
          await page.unroute(bulk)
          await opened.goto('/stores/closed/schema')
          await page.getByRole('heading', { name: 'A copy of this store exists' }).waitFor()
        }
        await begin()
        await page.getByText('Its schema differs: no description.').waitFor()
        for (const [width, theme] of LOOKS) {
          await opened.wear(theme)
          await opened.resize(width)
          await opened.check('schema-rebuild-earlier')
        }
        await opened.resize(LOOKS[0][0])
        await page.getByRole('main').getByRole('button', { name: 'Continue' }).click()
        await opened.check('schema-rebuild-continue')
        await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
        await page.getByRole('heading', { name: 'The copy is ready' }).waitFor()
        await page.getByRole('button', { name: 'Swap', exact: true }).click()
        await page.getByRole('button', { name: 'Swap stores' }).click()
        await page.getByText('now has the new schema and 14 products').waitFor()
        const { fields } = await store.call<{ fields: { name: string }[] }>('GET', '/schema')
        assert.equal(
          fields.some(({ name }) => name === 'description'),
          false,
        )
        await page.getByRole('button', { name: 'Delete previous version' }).click()
        await page
          .getByRole('dialog')
          .getByRole('button', { name: 'Delete previous version' })
          .click()
        await page.getByText('Copy deleted').waitFor()
        await session.admin('POST', '/stores', { id: 'closed-next', name: 'Closed (reindex)' })
        await opened.goto('/stores/closed/schema')
        await page.getByRole('button', { name: 'Delete copy' }).click()
        assert.equal(await page.getByRole('button', { name: 'Continue' }).count(), 0)
        await page.getByRole('dialog').getByRole('button', { name: 'Delete copy' }).click()
        await page.getByText('Copy deleted').waitFor()
        await page.getByRole('heading', { name: 'A copy of this store exists' }).waitFor({
          state: 'detached',
        })
      },
      'a rebuild that is cancelled leaves no copy': async (opened, { session }) => {
        await session.createStore('halt', { name: 'Halted', products: 12 })
        const { page } = opened
        const held = Promise.withResolvers<void>()
        await page.route('**/stores/halt-next/documents/bulk*', async (route) => {
          await held.promise
          await route.continue()
        })
        await opened.goto('/stores/halt/schema')
        await page.getByRole('button', { name: 'Remove description' }).click()
        await page.getByRole('button', { name: 'Rebuild in a copy' }).click()
        const asked = page.waitForRequest('**/stores/halt-next/documents/bulk*')
        await page.getByRole('button', { name: 'Build the copy' }).click()
        await asked
        await opened.check('schema-rebuild-running')
        await page.getByRole('main').getByRole('button', { name: 'Cancel' }).click()
        await page.getByText('Deleting the copy').waitFor()
        held.resolve()
        await page.getByText('Copy deleted').waitFor()
        const { stores } = await session.admin<Stores>('GET', '/stores')
        assert.equal(
          stores.some(({ store_id: id }) => id === 'halt-next'),
          false,
        )
        await page.unroute('**/stores/halt-next/documents/bulk*')
      },
    },
  },
  {
    name: 'schema-analyst',
    login: 'analyst',
    prepare: (session) => session.createStore('schema-read', { products: 3 }),
    address: () => '/stores/schema-read/schema',
    shows: 'Only editors and owners can change this',
  },
]
