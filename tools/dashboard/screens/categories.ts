import assert from 'node:assert/strict'
import { until } from '@aisle/testing'
import type { DashboardSession, TestStore } from '../dashboard-session.ts'
import type { ScreenPage } from '../screen-page.ts'
import type { ScreenTest } from '../screen-test.ts'
import { searchIn } from '../visitor-history.ts'

const PAGE = 'Outdoor > Camping'
const FILTER = `categories:="${PAGE}"`

async function storeWithPages(session: DashboardSession, id: string): Promise<TestStore> {
  const store = await session.createStore(id, { products: 240 })
  await store.call('PUT', '/rules/category-tents', {
    description: 'Category page: Outdoor > Camping > Tents',
    when: [{ match: 'empty', filter_by: `categories:="${PAGE} > Tents"` }],
    sort_by: 'price:asc',
  })
  return store
}

async function storeWithOrder(session: DashboardSession, id: string): Promise<TestStore> {
  const store = await session.createStore(id, { products: 60 })
  const ids = await searchIn(session.service.url, store, 'tent')
  await store.call('PUT', '/strategies/summer-sale', {
    title: 'Summer sale',
    schedule: [{ from: '2020-06-01T00:00:00+02:00', until: '2099-07-01T00:00:00+02:00' }],
  })
  await store.call('PATCH', '/rules', {
    put: ['first', 'second', 'third'].map((name, i) => ({
      id: name,
      description: `The ${name} rule`,
      priority: 30 - 10 * i,
      ...(name === 'second' ? { strategy: 'summer-sale' } : {}),
      when: [{ query: 'tent', match: 'contains' }],
      pin: [{ id: ids[i]!, position: 1 }],
    })),
  })
  return store
}

const rowsOf = ({ page }: ScreenPage) =>
  page.getByRole('list', { name: 'Order of the rules' }).getByRole('listitem')

const csvFile = (text: string) => ({
  name: 'rules.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
})

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'categories',
    login: 'editor',
    prepare: (session) => storeWithPages(session, 'categories'),
    address: () => '/stores/categories/categories',
    shows: 'Camping',
    paths: {
      'a category is found, its page arranged, published and undone': async (
        opened,
        { session, store },
      ) => {
        const { page } = opened
        await opened.goto('/stores/categories/categories')
        await page.getByLabel('Find categories').fill('camping')
        await page.getByRole('row').filter({ hasText: 'Camping' }).first().click()
        await page.getByText('This is the page with the filter').waitFor()
        const cards = page.getByRole('listbox', { name: 'Results' }).getByRole('option')
        await cards.nth(3).waitFor()
        const id = (await cards.nth(3).getAttribute('data-id'))!
        await cards.first().focus()
        for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'p', 'Home', 'Enter']) {
          await page.keyboard.press(key)
        }
        await cards
          .first()
          .and(page.locator(`[data-id="${id}"]`))
          .waitFor()
        await opened.check('category-page')
        await page.getByRole('radio', { name: 'Side by side' }).click({ force: true })
        await page.getByRole('listbox', { name: 'Live results' }).waitFor()
        await opened.check('category-beside')
        await opened.resize(360)
        await opened.check('category-beside')
        await opened.resize(1440)
        await page.getByRole('button', { name: 'Publish rule' }).click()
        await page.getByText('Rule published').waitFor()
        const found = await fetch(`${session.service.url}/v1/search`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-storeid': store.id,
            'x-storesecret': store.readSecret,
          },
          body: JSON.stringify({ q: '*', filter_by: FILTER }),
        })
        const { hits } = (await found.json()) as { hits: { id: string }[] }
        assert.equal(hits[0]?.id, id)
        await page.getByRole('button', { name: 'Undo' }).click()
        await until('the rule is gone', () =>
          store.call('GET', '/rules/category-outdoor-camping').then(
            () => false,
            (error: Error) => /rule_not_found/.test(error.message),
          ),
        )
        assert.deepEqual(opened.faults, [])
      },
      'a page has its figures, and a draft of its rule becomes an experiment': async (
        opened,
        { session, store },
      ) => {
        const { page } = opened
        const headers = { 'content-type': 'application/json', 'x-storeid': store.id }
        const visit = async (path: string, body: object) => {
          const answer = await fetch(`${session.service.url}${path}`, {
            method: 'POST',
            headers: { ...headers, 'x-storesecret': store.readSecret, 'x-anon-id': 'visitor' },
            body: JSON.stringify(body),
          })
          assert.equal(answer.status, 200, await answer.clone().text())
          return (await answer.json()) as { hits: { id: string }[] }
        }
        const { hits } = await visit('/v1/search', { q: '*', filter_by: FILTER })
        const sold = { document_id: hits[0]!.id, query: '', revenue: 49.5, currency: 'EUR' }
        await visit('/analytics/event', { event_type: 'conversion', data: sold })
        await until('the sale is counted', async () => {
          const { rows } = await store.call<{ rows: { revenue: object[] }[] }>(
            'GET',
            '/analytics/filters?query=*',
          )
          return rows[0]?.revenue.length === 1
        })
        await opened.goto('/stores/categories/categories')
        await page.getByRole('row').filter({ hasText: 'EUR 49.50' }).waitFor()
        await opened.picture('categories-figures')
        await page.getByRole('row').filter({ hasText: 'EUR 49.50' }).click()
        await page.getByText(/EUR 49\.50 of revenue/).waitFor()
        const cards = page.getByRole('listbox', { name: 'Results' }).getByRole('option')
        await cards.nth(1).focus()
        for (const key of ['p', 'Home', 'Enter']) await page.keyboard.press(key)
        await page.getByRole('button', { name: 'Run as experiment' }).click()
        await page.getByText('Only views of the page Outdoor > Camping').waitFor()
        await opened.picture('category-experiment')
        await page.getByRole('button', { name: 'Start experiment' }).click()
        const panel = page.getByRole('dialog')
        await panel.getByText('only the page Outdoor > Camping').waitFor()
        await panel.getByRole('button', { name: 'End', exact: true }).click()
        await page.getByText('Ended “Outdoor > Camping”').waitFor()
        assert.deepEqual(opened.faults, [])
      },
      'only merchandised categories are listed when asked for': async (opened) => {
        const { page } = opened
        await opened.goto('/stores/categories/categories?shown=yes')
        await page.getByRole('row').filter({ hasText: 'Tents' }).waitFor()
        assert.equal(await page.getByRole('row').filter({ hasText: 'Lighting' }).count(), 0)
        await page.getByRole('row').filter({ hasText: 'Tents' }).click()
        await page.getByText('sorts by price:asc').first().waitFor()
        assert.deepEqual(opened.faults, [])
      },
    },
  },
  {
    name: 'rule-order',
    login: 'editor',
    prepare: (session) => storeWithOrder(session, 'rule-order'),
    address: () => '/stores/rule-order/rules?list=order',
    shows: 'The first rule wins a conflict',
    paths: {
      'a rule is moved by keyboard, menu and mouse, and the order is saved at once': async (
        opened,
        { store },
      ) => {
        const { page } = opened
        await opened.goto('/stores/rule-order/rules?list=order')
        await rowsOf(opened).first().getByRole('button').first().focus()
        for (const key of ['p', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
        await rowsOf(opened).first().filter({ hasText: 'The second rule' }).waitFor()
        await page.getByRole('button', { name: 'Move third' }).click()
        await page.getByRole('menuitem', { name: 'Move to top' }).click()
        await rowsOf(opened).first().filter({ hasText: 'The third rule' }).waitFor()
        await opened.picture('rule-order-draft')
        await page.getByRole('button', { name: 'Save order' }).click()
        await page.getByText('Order saved').waitFor()
        const grip = rowsOf(opened).nth(2).locator('.rules-grip')
        await grip.hover()
        await page.mouse.down()
        const to = (await rowsOf(opened).first().boundingBox())!
        await page.mouse.move(to.x + 30, to.y + 20, { steps: 6 })
        await page.mouse.up()
        await rowsOf(opened).first().filter({ hasText: 'The first rule' }).waitFor()
        await page.getByRole('button', { name: 'Save order' }).click()
        await until('the order is saved', async () => {
          const { rules } = await store.call<{ rules: { id: string; priority: number }[] }>(
            'GET',
            '/rules',
          )
          const ids = rules.toSorted((a, b) => b.priority - a.priority).map(({ id }) => id)
          return ids.join() === 'first,third,second'
        })
        assert.deepEqual(opened.faults, [])
      },
      'a conflict names the other rule by its title': async (opened) => {
        const { page } = opened
        await opened.goto('/stores/rule-order/rules?rule=second')
        await page.getByText(/this rule pins .* there, “The first rule” pins .* there/).waitFor()
        assert.deepEqual(opened.faults, [])
      },
      'a strategy switches its rules off, and a new one is created': async (opened, { store }) => {
        const { page } = opened
        await opened.goto('/stores/rule-order/rules?list=strategies')
        await page.getByRole('switch', { name: 'Summer sale is on' }).click({ force: true })
        await page.getByText('“Summer sale” is off').waitFor()
        const off = await store.call<{ enabled: boolean }>('GET', '/strategies/summer-sale')
        assert.equal(off.enabled, false)
        await page.getByRole('button', { name: 'Create strategy' }).click()
        await page.getByLabel('Title').fill('Clearance')
        await page.getByRole('dialog').getByRole('button', { name: 'Create strategy' }).click()
        await page.getByRole('switch', { name: 'Clearance is on' }).waitFor()
        await opened.check('strategies')
        assert.deepEqual(opened.faults, [])
      },
      'a CSV shows its faults, then its changes, and applies all of them': async (
        opened,
        { store },
      ) => {
        const { page } = opened
        await opened.goto('/stores/rule-order/rules')
        await page.getByRole('button', { name: 'Rules as CSV' }).click()
        await page.getByRole('menuitem', { name: 'Import CSV' }).click()
        const file = page.locator('input[type="file"]')
        await file.setInputFiles(csvFile('id,priority,boost\nnew,many,\nother,1,2: nofield:=x\n'))
        await page.getByText('must be a number, such as 10 or 0.5').waitFor()
        await file.setInputFiles(csvFile('id,priority,boost\nother,1,2: nofield:=x\n'))
        await page
          .getByText(/nofield/)
          .first()
          .waitFor()
        await opened.picture('rules-csv-faults')
        await file.setInputFiles(
          csvFile('id,query,description\nnew,stove,New\nfirst,tents,The first\n'),
        )
        await page.getByText('2 changes, 0 unchanged').waitFor()
        await opened.picture('rules-csv')
        await page.getByRole('button', { name: 'Apply 2 changes' }).click()
        await page.getByText('2 rules changed').waitFor()
        const { when } = await store.call<{ when: object[] }>('GET', '/rules/first')
        assert.deepEqual(when, [{ query: 'tents', match: 'contains' }])
        opened.forgive(/400/)
        assert.deepEqual(opened.faults, [])
      },
    },
  },
]
