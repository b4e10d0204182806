import assert from 'node:assert/strict'
import type { ScreenTest } from '../screen-test.ts'

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'explorer',
    login: 'editor',
    prepare: (session) => session.createStore('explorer', { name: 'Shop <b>bold</b>' }),
    address: () => '/explorer?store=explorer',
    shows: 'Send the request to see',
    paths: {
      'an operation is found, filled in, sent, and sent again from the history': async (
        opened,
        { store },
      ) => {
        const { page } = opened
        await opened.goto(`/explorer?store=${store.id}`)
        await page.getByRole('button', { name: 'Send request' }).click()
        await page.getByRole('status').getByText(/^200 /).waitFor()
        await opened.check('explorer-answered')
        await page.getByRole('searchbox', { name: 'Find an operation' }).fill('read one document')
        await page.getByRole('button', { name: /Read one document/ }).click()
        await page.getByText('Still empty: document_id').waitFor()
        await page.getByRole('textbox', { name: 'document_id' }).fill('<i>/none')
        await page.getByText('/documents/%3Ci%3E%2Fnone').first().waitFor()
        await page.getByRole('button', { name: 'Send request' }).click()
        await page.getByRole('status').getByText(/^404 /).waitFor()
        opened.forgive(/404/)
        await page.getByRole('button', { name: /\/v1\/search/ }).click()
        await page.getByRole('heading', { name: 'Search', exact: true }).waitFor()
        assert.match(page.url(), /operation=search|explorer\?store=explorer/)
      },
      'a change is made with the session, a deletion asks for the name': async (
        opened,
        { session, store },
      ) => {
        const { page } = opened
        await opened.goto(`/explorer?store=${store.id}&operation=clearDocuments`)
        await page.getByRole('button', { name: 'Send request' }).click()
        const question = page.getByRole('dialog')
        assert.ok(await question.getByRole('button', { name: 'Send request' }).isDisabled())
        await question.getByRole('textbox').fill(store.id)
        await question.getByRole('button', { name: 'Send request' }).click()
        await page.getByRole('status').getByText(/^200 /).waitFor()
        const { documents } = await session.admin<{ documents: number }>(
          'GET',
          `/stores/${store.id}`,
        )
        assert.equal(documents, 0)
      },
    },
  },
  {
    name: 'explorer-analyst',
    login: 'analyst',
    prepare: (session) => session.createStore('explored', { products: 3 }),
    address: () => '/explorer?store=explored&operation=putRule',
    shows: 'Only editors and owners can change this',
  },
]
