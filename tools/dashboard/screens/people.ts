import { LOGINS, PASSWORD } from '../dashboard-session.ts'
import type { ScreenTest } from '../screen-test.ts'

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'people',
    login: 'owner',
    address: () => '/people',
    shows: LOGINS.editor,
    paths: {
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
