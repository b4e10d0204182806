import assert from 'node:assert/strict'
import { until } from '@aisle/testing'
import type { ScreenTest } from '../screen-test.ts'

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
    name: 'schema-analyst',
    login: 'analyst',
    prepare: (session) => session.createStore('schema-read', { products: 3 }),
    address: () => '/stores/schema-read/schema',
    shows: 'Only editors and owners can change this',
  },
]
