import assert from 'node:assert/strict'
import { LOGINS, PASSWORD } from '../dashboard-session.ts'
import type { ScreenTest } from '../screen-test.ts'

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'people',
    login: 'owner',
    address: () => '/people',
    shows: LOGINS.editor,
    prepare: (session) => session.createStore('people', { name: 'People shop', products: 3 }),
    paths: {
      'a member sees the own stores, with the role there, and nothing of the service': async (
        _screen,
        { session, store },
      ) => {
        await session.createStore('people-other', { name: 'Secret shop', products: 3 })
        const login = 'mia@example.com'
        const stores = { [store.id]: 'analyst' }
        await session.admin('POST', '/users', { login, role: 'member', stores, password: PASSWORD })
        const context = await session.browser.newContext()
        const { url } = session.service
        await context.request.post(`${url}/api/v1/admin/session`, {
          data: { login, password: PASSWORD },
        })
        const page = await context.newPage()
        await page.goto(`${url}/stores`)
        await page.getByRole('cell', { name: 'People shop' }).first().waitFor()
        const nav = page.getByRole('navigation', { name: 'Main' })
        await nav.getByRole('link', { name: 'Rules' }).waitFor()
        for (const hidden of ['Import', 'Keys', 'People', 'Audit', 'Health', 'Snapshots']) {
          assert.equal(
            await nav.getByRole('link', { name: hidden, exact: true }).count(),
            0,
            hidden,
          )
        }
        assert.equal(await page.getByText('Secret shop').count(), 0)
        await page.goto(`${url}/stores/${store.id}/synonyms`)
        await page.getByText('Only editors and owners can change this').first().waitFor()
        await page.goto(`${url}/stores/people-other/overview`)
        await page.getByText('No store “people-other”').waitFor()
        await page.goto(`${url}/service`)
        await page.getByText("You don't have access to this page").waitFor()
        await context.close()
      },
      'a person is added, changed, and deleted': async ({ page }, { session }) => {
        await page.goto(`${session.service.url}/people`)
        await page.getByRole('button', { name: 'Add person' }).click()
        await page.getByLabel('Login').fill('Nora@example.com')
        await page.getByLabel('First password').fill('short')
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('button', { name: 'Add person' }).click()
        await dialog.getByText(/^Must /).waitFor()
        await page.getByLabel('First password').fill(PASSWORD)
        await dialog.getByRole('button', { name: 'Add person' }).click()
        await page.getByRole('cell', { name: 'nora@example.com' }).click()
        const panel = page.getByRole('dialog', { name: 'nora@example.com' })
        await panel.getByText('Analyst').click()
        await panel.getByRole('button', { name: 'Save changes' }).click()
        await page.getByText('nora@example.com updated').waitFor()
        await panel.getByText('Member of some stores').click()
        await panel
          .getByRole('button', { name: /Role in/ })
          .first()
          .click()
        await page.getByRole('option', { name: 'Editor' }).click()
        await panel.getByRole('button', { name: 'Save changes' }).click()
        await page.getByRole('cell', { name: /^Editor of / }).waitFor()
        await panel.getByRole('button', { name: 'Delete person' }).click()
        await page
          .getByRole('dialog', { name: /^Delete nora/ })
          .getByRole('button', { name: 'Delete person' })
          .click()
        await page.getByText('nora@example.com deleted').waitFor()
      },
    },
  },
  {
    name: 'person',
    login: 'owner',
    address: () => `/people?open=${LOGINS.editor}`,
    shows: LOGINS.editor,
  },
  { name: 'account', login: 'editor', address: () => '/account', shows: 'Active sessions' },
  {
    name: 'audit',
    login: 'owner',
    address: () => '/audit',
    shows: 'Create user',
    paths: {
      'entries are filtered, opened and stepped through': async ({ page }, { session }) => {
        await page.goto(`${session.service.url}/audit`)
        await page
          .getByRole('button', { name: /Outcome$/ })
          .first()
          .click()
        await page.getByRole('option', { name: 'Done' }).click()
        await page.getByRole('cell', { name: 'Create user' }).first().click()
        const panel = page.getByRole('dialog', { name: 'Create user' })
        await panel.getByText('createUser').waitFor()
        await panel.getByRole('button', { name: 'Next' }).click()
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await page.goBack()
      },
    },
  },
]
