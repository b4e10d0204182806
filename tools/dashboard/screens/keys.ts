import assert from 'node:assert/strict'
import { PASSWORD } from '../dashboard-session.ts'
import type { ScreenTest } from '../screen-test.ts'

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'keys',
    login: 'owner',
    prepare: async (session) => {
      const store = await session.createStore('keys')
      await session.admin('POST', '/stores/keys/keys/write/rotate', { grace_seconds: 3_600 })
      return store
    },
    address: () => '/stores/keys/keys',
    shows: 'Read secret',
    paths: {
      'a key is rotated with a grace, the old one seen, and revoked': async (
        { page },
        { session, store },
      ) => {
        await page.goto(`${session.service.url}/stores/keys/keys`)
        const read = page.locator('section').filter({ hasText: 'Searches, suggestions' })
        await read.getByRole('button', { name: 'Show Read secret' }).click()
        assert.equal(await read.locator('code').textContent(), store.readSecret)
        await read.getByRole('button', { name: 'Rotate key' }).click()
        await page.getByText('1 hour').click()
        await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click()
        await page.getByRole('dialog').getByText(/^rs_/).waitFor()
        await page.getByRole('button', { name: 'Done' }).click()
        await read.getByText('Previous key').waitFor()
        await read.getByRole('button', { name: 'Revoke key' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click()
        await read.getByText('Previous key').waitFor({ state: 'detached' })
        const answer = await fetch(`${session.service.url}/v1/search?q=*`, {
          headers: { 'x-storeid': 'keys', 'x-storesecret': store.readSecret },
        })
        assert.equal(answer.status, 401)
      },
      'sites that may search are saved; what is not an origin is named at its field': async (
        { page },
        { session },
      ) => {
        await page.goto(`${session.service.url}/stores/keys/keys`)
        const field = page.getByLabel('Origins, one per line')
        await field.fill('shop example')
        await page.getByRole('button', { name: 'Save sites' }).click()
        await page.getByText('invalid_parameter').waitFor()
        await page.reload()
        assert.equal(await field.inputValue(), 'shop example', 'the draft is still there')
        await field.fill('https://shop.example.com')
        await page.getByRole('button', { name: 'Save sites' }).click()
        await page.getByText('Sites saved').waitFor()
      },
      'a session that ends in the middle of a form keeps the form, and a service that is away too':
        async ({ page }, { session }) => {
          // What is typed before the saved sites are there would seem to replace them.
          const loaded = Promise.withResolvers<void>()
          await page.route('**/settings', async (route) => {
            await loaded.promise
            await route.continue()
          })
          await page.goto(`${session.service.url}/stores/keys/keys`)
          const field = page.getByLabel('Origins, one per line')
          await page.getByText('Sites that may search').waitFor()
          assert.equal(await field.count(), 0)
          loaded.resolve()
          await field.fill('https://kept.example.com')
          await page.unroute('**/settings')
          await page.context().clearCookies()
          await page.getByRole('button', { name: 'Save sites' }).click()
          await page.getByText('Your session has expired.').first().waitFor()
          await page.getByLabel('Password').fill(PASSWORD)
          await page.getByRole('button', { name: 'Log in' }).click()
          await page.getByRole('dialog').waitFor({ state: 'detached' })
          assert.equal(await field.inputValue(), 'https://kept.example.com')

          await page.route('**/settings', (route) => route.abort())
          await page.getByRole('button', { name: 'Save sites' }).click()
          await page.getByText("Can't reach the service").waitFor()
          assert.equal(await field.inputValue(), 'https://kept.example.com')
          await page.unroute('**/settings')
          await page.getByRole('button', { name: 'Save sites' }).click()
          await page.getByText('Sites saved').waitFor()
        },
    },
  },
]
