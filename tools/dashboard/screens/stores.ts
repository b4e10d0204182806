import assert from 'node:assert/strict'
import { LOGINS } from '../dashboard-session.ts'
import type { ScreenTest } from '../screen-test.ts'

/** Text that must stay text, and leave the page its shape. */
const HOSTILE = '<img src=x onerror=alert(1)> "&\u202e\u2067 مرحبا 👩‍👩‍👧 ' + 'x'.repeat(40)

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'stores',
    login: 'owner',
    prepare: async (session) => {
      await session.createStore('hostile', { name: HOSTILE, products: 3 })
      return await session.createStore('stores', { name: 'Camping & more' })
    },
    address: () => '/stores',
    shows: 'Camping & more',
    paths: {
      'a store is made, its write secret shown once, and its guide has the keys': async (
        { page },
        { session },
      ) => {
        await page.goto(`${session.service.url}/stores`)
        await page.getByRole('button', { name: 'Create store' }).click()
        await page.getByRole('textbox', { name: 'Name' }).fill('Made here')
        assert.equal(await page.getByLabel('Store id').inputValue(), 'made-here')
        await page.getByRole('button', { name: /Language of the products/ }).click()
        await page.getByRole('option', { name: 'German' }).click()
        await page.getByLabel('Store id').fill('not a good id')
        await page.getByRole('dialog').getByRole('button', { name: 'Create store' }).click()
        await page.getByText(/^Must /).waitFor()
        await page.getByLabel('Store id').fill('')
        await page.getByRole('dialog').getByRole('button', { name: 'Create store' }).click()
        const secret = await page.getByText(/^ws_/).textContent()
        assert.ok(secret !== null && secret.length > 40)
        await page.getByRole('button', { name: 'Open store' }).click()
        await page.getByRole('heading', { level: 1, name: 'Made here' }).waitFor()
        const code = page.getByRole('figure', { name: 'Index products' })
        assert.ok(!(await code.textContent())?.includes(secret), 'masked')
        await code.getByRole('button', { name: 'Show keys' }).click()
        assert.ok((await code.textContent())?.includes(secret), 'shown')
        assert.equal(new URL(page.url()).pathname, '/stores/made-here/overview')
        await page.goto(`${session.service.url}/stores/made-here/settings`)
        await page.getByRole('button', { name: /German/ }).waitFor()
      },
      'a store is renamed, and the name comes back with undo': async ({ page }, { session }) => {
        await session.createStore('renamed', { name: 'Old name', products: 0 })
        await page.goto(`${session.service.url}/stores?rename=renamed`)
        await page.getByRole('textbox', { name: 'Name' }).fill('New name')
        await page.getByRole('button', { name: 'Rename store' }).click()
        await page.getByRole('cell', { name: 'New name', exact: true }).waitFor()
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByRole('cell', { name: 'Old name', exact: true }).waitFor()
      },
      'a clone has the products and settings of the store': async (
        { page },
        { session, store },
      ) => {
        await store.call('PUT', '/synonym-sets/camp', {
          items: [{ synonyms: ['tent', 'shelter'] }],
        })
        await page.goto(`${session.service.url}/stores?clone=stores`)
        await page.getByRole('textbox', { name: 'Name' }).fill('The copy')
        await page.getByRole('button', { name: 'Clone store' }).click()
        await page.getByRole('button', { name: 'Open store' }).click()
        await page.getByRole('heading', { level: 1, name: 'The copy' }).waitFor()
        const id = new URL(page.url()).pathname.split('/')[2]!
        const { stores } = await session.admin<{
          stores: { store_id: string; documents: number }[]
        }>('GET', '/stores')
        assert.equal(stores.find((one) => one.store_id === id)?.documents, 60)
      },
      'two stores are swapped, and back again with undo': async (opened, { session }) => {
        const { page } = opened
        await session.createStore('swap', { name: 'Swapped', products: 7 })
        await session.createStore('swap-next', { name: 'Swapped (reindex)', products: 4 })
        await session.createStore('swap-empty', { name: 'Nothing', products: 0 })
        const products = async () => {
          const { stores } = await session.admin<{
            stores: { store_id: string; documents: number }[]
          }>('GET', '/stores')
          return stores
            .filter(({ store_id: id }) => id.startsWith('swap'))
            .map(({ documents }) => documents)
        }
        await page.goto(`${session.service.url}/stores`)
        await page.getByRole('button', { name: 'More for Swapped', exact: true }).click()
        await page.getByRole('menuitem', { name: 'Swap' }).click()
        // The likeliest is chosen.
        await page.getByText('7 products → 4 products').waitFor()
        await opened.check('stores-swap')
        await page.getByRole('button', { name: /With/ }).click()
        await page.getByRole('option', { name: /Nothing/ }).click()
        await page.getByText('Swapped will have no products').waitFor()
        await page.getByRole('button', { name: /With/ }).click()
        await page.getByRole('option', { name: /reindex/ }).click()
        await page.getByRole('button', { name: 'Swap stores' }).click()
        await page.getByText('Swapped and Swapped (reindex) swapped').waitFor()
        assert.deepEqual(await products(), [4, 0, 7])
        await page.getByRole('button', { name: 'Undo' }).click()
        await page
          .getByRole('row', { name: /^Swapped swap / })
          .getByRole('cell', { name: '7', exact: true })
          .waitFor()
        assert.deepEqual(await products(), [7, 0, 4])
      },
      'a store is deleted when its id is typed': async ({ page }, { session }) => {
        await session.createStore('doomed', { name: 'Doomed', products: 5 })
        await page.goto(`${session.service.url}/stores?delete=doomed`)
        const button = page.getByRole('button', { name: 'Delete store' })
        await page.getByText('Deletes 5 products').waitFor()
        assert.ok(await button.isDisabled())
        await page.getByLabel('Type “doomed”').fill('doomed')
        await button.click()
        await page.getByText('Doomed deleted').waitFor()
        assert.equal(await page.getByRole('cell', { name: 'Doomed', exact: true }).count(), 0)
      },
    },
  },
  {
    name: 'stores-analyst',
    login: 'analyst',
    address: () => '/stores',
    shows: 'Stores',
    paths: {
      'who only reads is offered nothing that changes, and the service refuses it as well': async (
        { page },
        { session },
      ) => {
        await page.goto(`${session.service.url}/stores`)
        await page.getByRole('cell').first().waitFor()
        assert.equal(await page.getByRole('button', { name: /Create store|^More for/ }).count(), 0)
        assert.equal(await page.getByRole('link', { name: /People|Audit|Snapshots/ }).count(), 0)
        await page.goto(`${session.service.url}/people`)
        await page.getByText("You don't have access to this page").waitFor()
        const statuses = await page.evaluate(async () => {
          const own = (await (await fetch('/api/v1/admin/session')).json()) as {
            csrf_token: string
          }
          const headers = { 'x-csrf-token': own.csrf_token, 'content-type': 'application/json' }
          const send = async (method: string, path: string, body?: object): Promise<number> =>
            (
              await fetch(path, {
                method,
                headers,
                body: body === undefined ? null : JSON.stringify(body),
              })
            ).status
          return [
            await send('POST', '/api/v1/admin/stores', { name: 'x' }),
            await send('DELETE', '/api/v1/admin/stores/stores'),
            await send('POST', '/api/v1/admin/stores/stores/keys/read/rotate', {}),
            await send('POST', '/api/v1/stores/stores/documents', { id: '1', data: {} }),
            await send('PATCH', '/api/v1/stores/stores/settings', { cors_origins: ['*'] }),
            await send('PUT', '/api/v1/stores/stores/rules/x', {}),
            await send('POST', '/api/v1/admin/users', { login: 'x', role: 'owner', password: 'x' }),
          ]
        })
        assert.deepEqual([...new Set(statuses)], [403], LOGINS.analyst)
      },
    },
  },
]
