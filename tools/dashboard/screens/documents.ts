import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { ScreenTest } from '../screen-test.ts'

const HOSTILE = '"><img src=x onerror=alert(1)> مرحبا 🏕️ <script>alert(2)</script>'

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'documents',
    login: 'editor',
    async prepare(session) {
      const store = await session.createStore('documents', {
        name: 'Tent & <b>Co</b>',
        products: 240,
      })
      await store.call('POST', '/documents', {
        id: HOSTILE,
        data: { title: `zzhostile ${HOSTILE} ${'W'.repeat(9_000)}`, brand: HOSTILE, price: -1 },
      })
      return store
    },
    address: () => '/stores/documents/documents',
    shows: '1–100 of 241',
    paths: {
      'a search, a filter and an order are in the address': async (opened) => {
        const { page } = opened
        await opened.goto('/stores/documents/documents?sort=price:desc')
        await page.getByRole('button', { name: 'Add filter' }).click()
        await page.getByRole('textbox', { name: 'Value', exact: true }).fill('tar')
        await page
          .getByRole('button', { name: /^Tarrow/ })
          .first()
          .click()
        await page.getByRole('button', { name: /^Remove brand is Tarrow/ }).waitFor()
        await page.getByRole('searchbox', { name: 'Search products' }).fill('jacket')
        await page.waitForURL(/q=jacket/)
        assert.match(decodeURIComponent(page.url()), /\["brand","is","Tarrow/)
        assert.match(page.url(), /sort=price/)
        await opened.picture('documents-filtered')
        assert.deepEqual(opened.faults, [])
      },
      'a product is changed, and errors appear at their fields': async (opened, { store }) => {
        const { page } = opened
        const before = await store
          .call<{ data: { title: string } }>('GET', '/documents/tn-1')
          .catch(() => undefined)
        assert.equal(before, undefined)
        await store.call('POST', '/documents', { id: 'tn-1', data: { title: 'Old', price: 5 } })
        await opened.goto('/stores/documents/documents?open=tn-1')
        const editor = page.getByRole('textbox', { name: 'Fields of tn-1' })
        // The editor checks a text once; the error must appear although it has done so.
        const mark = page.locator('.cm-lintRange-error').first()
        const syntaxError = page.locator('.cm-lintPoint').first()
        await editor.fill('{"title": "New", "price": "cheap"')
        await syntaxError.waitFor({ state: 'attached' })
        await editor.fill('{"title": "New", "price": "cheap"}')
        await syntaxError.waitFor({ state: 'detached' })
        await page.getByRole('button', { name: 'Save product' }).click()
        await page
          .getByText(/price" must be float/)
          .first()
          .waitFor()
        await mark.waitFor()
        opened.forgive(/status of 400/)
        await opened.check('documents-refused')
        await page.reload()
        await editor.getByText('"cheap"').waitFor()
        await editor.fill('{"title": "New", "price": 12345678.25}')
        await page.getByRole('button', { name: 'Save product' }).click()
        await page.getByText('Product tn-1 saved').waitFor()
        const after = await store.call<{ data: unknown }>('GET', '/documents/tn-1')
        assert.deepEqual(after.data, { title: 'New', price: 12345678.25 })
      },
      'products are added, ticked, deleted and brought back': async (opened) => {
        const { page } = opened
        await opened.goto('/stores/documents/documents')
        await page.getByRole('button', { name: 'Add product' }).click()
        await page.getByLabel('Id').fill('added-1')
        await page
          .getByRole('textbox', { name: 'Fields of the new product' })
          .fill('{"title": "Qxvbadded lamp"}')
        await page.getByRole('dialog').getByRole('button', { name: 'Add product' }).click()
        await page.getByText('Product added-1 added').waitFor()
        await page.getByRole('searchbox', { name: 'Search products' }).fill('qxvbadded')
        await page.getByRole('cell', { name: 'Qxvbadded lamp' }).click()
        await page.getByRole('button', { name: 'Delete product' }).click()
        await page
          .getByRole('alertdialog')
          .or(page.getByRole('dialog'))
          .last()
          .getByRole('button', { name: 'Delete product' })
          .click()
        await page.getByText('No product matches').waitFor()
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByRole('checkbox', { name: 'Select added-1' }).check({ force: true })
        await opened.picture('documents-selected')
        await page.getByRole('button', { name: 'Delete products' }).click()
        await page.getByRole('button', { name: 'Delete 1 product' }).click()
        await page.getByText('1 product deleted').waitFor()
        assert.deepEqual(opened.faults, [])
      },
      'an export has every product': async (opened) => {
        const { page } = opened
        await opened.goto('/stores/documents/documents')
        await page.getByRole('button', { name: 'Export products' }).click()
        const file = page.waitForEvent('download')
        await page.getByRole('menuitem', { name: /As JSONL/ }).click()
        const lines = readFileSync(await (await file).path(), 'utf8')
          .trimEnd()
          .split('\n')
        assert.ok(lines.length >= 241)
        assert.ok(lines.some((line) => (JSON.parse(line) as { id: string }).id === HOSTILE))
      },
      'all products go only when the name of the store is typed': async (opened, { session }) => {
        await session.createStore('documents-gone', { name: 'Gone shop', products: 3 })
        const { page } = opened
        await opened.goto('/stores/documents-gone/documents')
        await opened.picture('documents-few')
        await page.getByRole('button', { name: 'More actions' }).click()
        await page.getByRole('menuitem', { name: 'Delete all products' }).click()
        const button = page.getByRole('button', { name: 'Delete 3 products' })
        assert.equal(await button.isDisabled(), true)
        await page.getByLabel(/^Type “Gone shop”/).fill('Gone shop')
        await opened.picture('documents-clear')
        await button.click()
        await page.getByText('No products yet').waitFor()
        await page.reload()
        await page.getByText('No products yet').waitFor()
        await opened.check('documents-empty')
      },
      'hostile text is text, and a malformed address harms nobody': async (opened) => {
        const { page } = opened
        await opened.goto('/stores/documents/documents?q=zzhostile&filters=%5B%7B&page=x&sort=y')
        await page.getByRole('cell', { name: /^zzhostile/ }).click()
        await page.getByRole('textbox', { name: /^Fields of/ }).waitFor()
        await opened.check('documents-hostile')
      },
    },
  },
  {
    name: 'documents-analyst',
    login: 'analyst',
    prepare: (session) => session.createStore('documents-read', { products: 12 }),
    address: () => '/stores/documents-read/documents',
    shows: 'Only editors and owners can change this',
    paths: {
      'an analyst sees every product and can change none': async (opened) => {
        const { page } = opened
        await opened.goto('/stores/documents-read/documents')
        await page.getByRole('row').nth(1).click()
        await page.getByRole('textbox', { name: /^Fields of/ }).waitFor()
        assert.equal(await page.getByRole('button', { name: 'Save product' }).count(), 0)
        assert.equal(await page.getByRole('button', { name: 'Add product' }).isDisabled(), true)
        assert.deepEqual(opened.faults, [])
      },
    },
  },
]
