import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { exactNumber } from '@aisle/client'
import type { Locator } from 'playwright-core'
import type { DashboardSession, TestStore } from '../dashboard-session.ts'
import type { ScreenTest } from '../screen-test.ts'

const HOSTILE = '"><img src=x onerror=alert(1)> مرحبا 🏕️ <script>alert(2)</script>'

/** Whether people see it without scrolling. */
async function isInWindow(place: Locator): Promise<boolean> {
  const box = await place.boundingBox()
  const { height } = place.page().viewportSize()!
  return box !== null && box.y >= 0 && box.y + Math.min(box.height, height / 2) <= height
}

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
      'products are searched while the schema is still asked for': async (opened) => {
        const { page } = opened
        const searched = page.waitForRequest(/\/v1\/search$/)
        await page.route('**/api/v1/stores/documents/schema', async (route) => {
          await searched
          await route.continue()
        })
        await opened.goto('/stores/documents/documents')
        await page.getByText('1–100 of 241').waitFor()
        assert.deepEqual(opened.faults, [])
      },
      'a phone shows the whole search, and prices': async (opened) => {
        const { page } = opened
        await opened.resize(360)
        await opened.goto('/stores/documents/documents?sort=price:desc')
        await page.getByRole('cell', { name: '329.00' }).first().waitFor()
        const search = page.getByRole('searchbox', { name: 'Search products' })
        const { width = 0 } = (await search.boundingBox()) ?? {}
        assert.ok(width > 200, `${width} px`)
        await opened.check('documents-phone')
      },
      'a search, a filter and an order are in the address': async (opened) => {
        const { page } = opened
        await opened.goto('/stores/documents/documents?sort=price:desc')
        await page
          .getByRole('cell', { name: /^\d+\.00$/ })
          .first()
          .waitFor()
        await page.getByRole('button', { name: 'Add filter' }).click()
        await page.getByRole('textbox', { name: 'Value', exact: true }).fill('tar')
        // All brands are listed until it has searched for these letters.
        await page.locator('[aria-label="Values of brand"]:not(:has(li + li))').waitFor()
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
        await opened.goto('/stores/documents/documents?open=tn-1&panel=json')
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
        await page.getByRole('tab', { name: 'JSON' }).click()
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
        await page.getByRole('textbox', { name: 'title' }).waitFor()
        await opened.check('documents-hostile')
        await page.getByRole('tab', { name: 'In searches' }).click()
        await page.getByText('No rule touches this product.').waitFor()
        await page.getByRole('tab', { name: 'JSON' }).click()
        await page.getByRole('textbox', { name: /^Fields of/ }).waitFor()
      },
    },
  },
  {
    name: 'products',
    login: 'editor',
    prepare: prepareKinds,
    address: () => '/stores/kinds/documents',
    shows: 'Northfold',
    paths: {
      'every kind of field has an input, and only what was changed is written': async (
        opened,
        { store },
      ) => {
        const { page } = opened
        await opened.goto('/stores/kinds/documents?open=k1')
        const panel = page.getByRole('dialog')
        await panel.getByRole('textbox', { name: 'code' }).waitFor()
        await opened.check('product-form')
        assert.equal(
          await panel.getByRole('textbox', { name: 'code' }).inputValue(),
          '9007199254740993',
        )
        await panel.getByRole('textbox', { name: 'price' }).fill('12,90')
        await panel.getByText('Must be a number, such as 12.5').waitFor()
        await panel.getByRole('textbox', { name: 'stock' }).fill('3000000000')
        await panel.getByText(/^Must be between -2147483648/).waitFor()
        await panel.getByText('Unsaved changes').waitFor()
        await opened.check('product-form-faults')
        await page.reload()
        await panel.getByRole('textbox', { name: 'price' }).fill('13.90')
        await panel.getByRole('textbox', { name: 'stock' }).fill('7')
        await panel.getByRole('textbox', { name: 'width' }).fill('55')
        await panel.getByRole('textbox', { name: 'place, latitude' }).fill('52.5')
        await panel.getByRole('button', { name: 'Remove red from colors' }).click()
        await panel.getByRole('combobox', { name: 'colors' }).fill('green')
        await panel.getByRole('combobox', { name: 'colors' }).press('Enter')
        // Another field is changed by others meanwhile, and stays.
        const data = { note: 'from elsewhere' }
        await store.call('POST', '/documents', { id: 'k1', action: 'update', data })
        await panel.getByRole('button', { name: 'Save product' }).click()
        await page.getByText('Product k1 saved').waitFor()
        const after = await store.call<{ data: Record<string, unknown> }>('GET', '/documents/k1')
        assert.deepEqual(
          [after.data['price'], after.data['stock'], after.data['size'], after.data['place']],
          [13.9, 7, { width: 55, unit: 'cm' }, [52.5, 13.4]],
        )
        assert.deepEqual(
          [after.data['colors'], after.data['note']],
          [['blue', 'green'], 'from elsewhere'],
        )
        opened.forgive(/412/)
        assert.deepEqual(opened.faults, [])
      },
      'a field that others changed meanwhile is overwritten only on purpose': async (
        opened,
        { store },
      ) => {
        const { page } = opened
        await opened.goto('/stores/kinds/documents?open=k2')
        const panel = page.getByRole('dialog')
        await panel.getByRole('textbox', { name: 'price' }).fill('1')
        const data = { price: 2 }
        await store.call('POST', '/documents', { id: 'k2', action: 'update', data })
        await panel.getByRole('button', { name: 'Save product' }).click()
        const changed = panel.getByRole('region', { name: 'Changed by someone else' })
        await changed.getByText('Changed by both').waitFor()
        opened.forgive(/412/)
        assert.ok(await isInWindow(changed))
        await opened.check('product-changed-meanwhile')
        const save = panel.getByRole('button', { name: 'Save product' })
        assert.equal(await save.isDisabled(), true)
        await changed.getByRole('button', { name: 'Keep mine' }).click()
        await save.click()
        await page.getByText('Product k2 saved').waitFor()
        const after = await store.call<{ data: Record<string, unknown> }>('GET', '/documents/k2')
        assert.equal(after.data['price'], 1)
        assert.deepEqual(opened.faults, [])
      },
      'a product that others deleted meanwhile is created again, or given up': async (
        opened,
        { store },
      ) => {
        const { page } = opened
        const panel = page.getByRole('dialog')
        const gone = panel.getByRole('region', { name: 'Deleted by someone else' })
        const change = async (id: string): Promise<void> => {
          await opened.goto(`/stores/kinds/documents?open=${id}`)
          await panel.getByRole('textbox', { name: 'price' }).fill('77')
          await store.call('DELETE', `/documents/${id}`)
          await panel.getByRole('button', { name: 'Save product' }).click()
          await gone.waitFor()
          opened.forgive(/404|412/)
        }
        await change('k4')
        assert.ok(await isInWindow(gone))
        await opened.check('product-deleted-meanwhile')
        await gone.getByRole('button', { name: 'Create it again' }).click()
        await page.getByText('Product k4 added').waitFor()
        const after = await store.call<{ data: Record<string, unknown> }>('GET', '/documents/k4')
        assert.equal(after.data['price'], 77)
        await change('k5')
        await gone.getByRole('button', { name: 'Discard changes' }).click()
        await panel.waitFor({ state: 'detached' })
        assert.deepEqual(opened.faults, [])
      },
      'an error of the service is at its field, and a product is duplicated': async (opened) => {
        const { page } = opened
        await opened.goto('/stores/kinds/documents?open=k3')
        const panel = page.getByRole('dialog')
        await panel.getByRole('button', { name: 'Duplicate' }).click()
        await panel.getByRole('textbox', { name: 'Id', exact: true }).fill('k3')
        await panel.getByRole('textbox', { name: 'price' }).fill('dear')
        await panel.getByRole('button', { name: 'Add product' }).click()
        await panel.getByText(/already exists/).waitFor()
        opened.forgive(/status of 400|status of 409/)
        await panel.getByRole('textbox', { name: 'Id', exact: true }).fill('k3-copy')
        await panel.getByRole('textbox', { name: 'price' }).fill('5')
        await panel.getByRole('button', { name: 'Add product' }).click()
        await page.getByText('Product k3-copy added').waitFor()
      },
      'the rules that touch a product, its variants and its likes': async (opened) => {
        const { page } = opened
        await opened.goto('/stores/kinds/documents?open=k1&panel=searches')
        await page.getByRole('link', { name: 'pins-k1' }).waitFor()
        await page.getByText('pins it to position 1').waitFor()
        await page.getByText('boosts it').waitFor()
        const variants = page.getByRole('region', { name: 'Variants' })
        await variants.getByRole('button', { name: /Tent 13/ }).waitFor()
        await opened.check('product-searches')
        await variants.getByRole('button', { name: /Tent 13/ }).click()
        await page.getByRole('heading', { name: 'k13' }).waitFor()
      },
      'what a filter finds is edited, with a preview, and undone': async (opened, { store }) => {
        const { page } = opened
        await opened.goto('/stores/kinds/documents?filters=[["brand","is","Northfold"]]')
        await page.getByRole('button', { name: /^Remove brand is Northfold/ }).waitFor()
        await page.getByRole('button', { name: 'Edit products' }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('button', { name: /Field/ }).click()
        await page.getByRole('option', { name: 'stock', exact: true }).click()
        await dialog.getByRole('button', { name: /Action/ }).click()
        await page.getByRole('option', { name: 'Increase by' }).click()
        await dialog.getByRole('textbox', { name: 'Value' }).fill('2147483640')
        await dialog.getByText(/12 found|12 products found/).waitFor()
        await dialog.getByText(/can't be changed/).waitFor()
        await opened.check('bulk-edit-refused')
        await dialog.getByRole('textbox', { name: 'Value' }).fill('100')
        await dialog.getByText(/12 will change\./).waitFor()
        await opened.check('bulk-edit')
        await dialog.getByRole('button', { name: 'Edit 12 products' }).click()
        await dialog.getByText('Edit done').waitFor()
        await opened.check('bulk-edit-done')
        const edited = await store.call<{ data: { stock: number } }>('GET', '/documents/k4')
        assert.ok(edited.data.stock >= 100)
        await dialog.getByRole('button', { name: 'Undo edit' }).click()
        await dialog.getByText('Edit undone').waitFor()
        const undone = await store.call<{ data: { stock: number } }>('GET', '/documents/k4')
        assert.equal(undone.data.stock, edited.data.stock - 100)
        await dialog.getByRole('button', { name: 'Close' }).click()
        await page.getByRole('button', { name: 'More actions' }).click()
        await page.getByRole('menuitem', { name: /Bulk edits/ }).click()
        await page.getByText('undone').waitFor()
        await opened.check('bulk-edit-history')
        assert.deepEqual(opened.faults, [])
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
        assert.equal(await page.getByRole('textbox', { name: 'title' }).isDisabled(), true)
        assert.equal(await page.getByRole('button', { name: 'Save product' }).count(), 0)
        assert.equal(await page.getByRole('button', { name: 'Add product' }).isDisabled(), true)
        assert.deepEqual(opened.faults, [])
      },
    },
  },
]

/** A store with a field of every kind, rules and variants. */
async function prepareKinds(session: DashboardSession): Promise<TestStore> {
  const store = await session.createStore('kinds', { name: 'All kinds', products: 0 })
  await store.call('POST', '/schema', {
    mode: 'replace',
    fields: [
      { name: 'title', type: 'string', searchable: true, sort: true },
      { name: 'image', type: 'string' },
      { name: 'brand', type: 'string', facet: true },
      { name: 'model', type: 'string', facet: true },
      { name: 'price', type: 'float', facet: true, sort: true },
      { name: 'stock', type: 'int32', facet: true, sort: true },
      { name: 'code', type: 'int64', facet: true },
      { name: 'visible', type: 'bool', facet: true },
      { name: 'since', type: 'date', facet: true, sort: true },
      { name: 'colors', type: 'string[]', facet: true, searchable: true },
      { name: 'sizes', type: 'int32[]', facet: true },
      { name: 'place', type: 'geopoint' },
      { name: 'size', type: 'object' },
      { name: 'size.width', type: 'int32', facet: true },
      { name: 'size.unit', type: 'string', facet: true },
      { name: 'parts', type: 'object[]' },
      { name: 'parts.name', type: 'string', facet: true },
      { name: 'note', type: 'string' },
    ],
  })
  const picture =
    'data:image/svg+xml,' +
    encodeURIComponent(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path fill="#2a7" d="M0 9 5 1l5 8z"/></svg>',
    )
  const documents = Array.from({ length: 24 }, (_, i) => ({
    id: `k${i + 1}`,
    title: `Tent ${i + 1}`,
    image: picture,
    brand: i % 2 === 0 ? 'Kettleby' : 'Northfold',
    model: `m${i % 12}`,
    price: 10 + i,
    stock: i,
    code: exactNumber('9007199254740993'),
    visible: i % 3 === 0,
    since: '2026-11-28',
    colors: ['red', 'blue'],
    sizes: [1, 2],
    place: [52, 13.4],
    size: { width: 50 + i, unit: 'cm' },
    parts: [{ name: 'pole' }],
    note: HOSTILE,
  }))
  await store.call('POST', '/documents/bulk', { documents })
  await store.call('PATCH', '/settings', {
    distinct: { field: 'model' },
    product_card: { title: 'title', image: 'image', price: 'price', brand: 'brand' },
  })
  await store.call('PUT', '/rules/pins-k1', {
    when: [{ query: 'tent', match: 'contains' }],
    pin: [{ id: 'k1', position: 1 }],
  })
  await store.call('PUT', '/rules/boosts', {
    boost: [{ filter_by: 'brand:=Kettleby', weight: 5 }],
  })
  return store
}
