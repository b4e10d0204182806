import assert from 'node:assert/strict'
import { LOGINS, PASSWORD } from '../dashboard-session.ts'
import type { ScreenTest } from '../screen-test.ts'

export const screenTests: readonly ScreenTest[] = [
  {
    name: 'login',
    address: () => '/',
    shows: 'Log in to Aisle',
    paths: {
      'a link leads on after the login': async ({ page }, { session }) => {
        await page.goto(`${session.service.url}/people`)
        await page.getByLabel('Login').fill(LOGINS.owner)
        await page.getByLabel('Password').fill('not the password')
        await page.getByRole('button', { name: 'Log in' }).click()
        await page.getByText('Wrong login or password').waitFor()
        await page.getByLabel('Password').fill(PASSWORD)
        await page.getByRole('button', { name: 'Log in' }).click()
        await page.getByRole('heading', { name: 'People', level: 1 }).waitFor()
        assert.equal(new URL(page.url()).pathname, '/people')
      },
    },
  },
  {
    name: 'frame',
    login: 'owner',
    prepare: (session) => session.createStore('frame', { name: 'Frame & <b>Sons</b>' }),
    address: () => '/stores/frame/overview',
    shows: 'Connect your shop',
    paths: {
      'every entry of the rail leads to its screen, by keyboard too': async (
        { page, faults },
        { session },
      ) => {
        await page.goto(`${session.service.url}/stores/frame/overview`)
        const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
        await links.first().waitFor()
        const names = await links.allTextContents()
        assert.ok(names.length >= 20)
        for (const name of names) {
          const heading = name === 'Overview' ? 'Frame & <b>Sons</b>' : name
          const link = links.filter({ hasText: new RegExp(`^${name}$`) })
          await link.focus()
          await page.keyboard.press('Enter')
          await page.getByRole('heading', { level: 1, name: heading }).waitFor()
        }
        assert.deepEqual(faults, [])
      },
      'Ctrl K goes to a page by its name, and to a product': async ({ page }, { session }) => {
        await page.goto(`${session.service.url}/stores/frame/overview`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.keyboard.press('Control+k')
        await page.getByRole('dialog').getByRole('searchbox').fill('syno')
        await page.getByRole('menuitem', { name: 'Synonyms' }).waitFor()
        await page.keyboard.press('Enter')
        await page.getByRole('heading', { level: 1, name: 'Synonyms' }).waitFor()
        await page.keyboard.press('Control+k')
        await page.getByRole('dialog').getByRole('searchbox').fill('tent')
        await page.getByRole('group', { name: 'Products' }).waitFor()
      },
      'Ctrl K lists every page once, above the stores': async ({ page }, { session }) => {
        await page.goto(`${session.service.url}/stores/frame/overview`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.keyboard.press('Control+k')
        const pages = page.getByRole('group', { name: 'Pages' }).getByRole('menuitem')
        await page.getByRole('group', { name: 'Stores' }).waitFor()
        const names = await pages.locator('[slot="label"]').allTextContents()
        assert.deepEqual(names.slice(0, 3), ['Overview', 'Preview', 'Missed searches'])
        assert.equal(new Set(names).size, names.length)
        // It is in the middle of "Relevance", too.
        await page.getByRole('dialog').getByRole('searchbox').fill('an')
        await pages.first().getByText('Analytics').waitFor()
        await page.getByRole('dialog').getByRole('searchbox').fill('')
        const stores = page.getByRole('group', { name: 'Stores' }).getByRole('menuitem')
        const found = await stores.allTextContents()
        assert.equal(new Set(found).size, found.length)
        await page.keyboard.press('Escape')
      },
      'a store is found in the switcher by its name, and Enter opens it': async (
        { page },
        { session },
      ) => {
        const long = `Garden ${'and garden '.repeat(12)}`
        for (const i of [1, 2, 3, 4, 5, 6]) {
          await session.createStore(`switch-${i}`, { name: `${long}${i}`, products: 0 })
        }
        await page.goto(`${session.service.url}/stores/frame/rules`)
        await page.getByRole('button', { name: /^Frame/ }).click()
        const field = page.getByRole('dialog').getByRole('searchbox')
        await field.fill('garden 4')
        await page.getByRole('menuitem', { name: /garden 4/ }).waitFor()
        const name = page.getByRole('menuitem', { name: /garden 4/ }).locator('[slot="label"]')
        const isCut = await name.evaluate((one: unknown) => {
          const { scrollWidth, clientWidth } = one as { scrollWidth: number; clientWidth: number }
          return scrollWidth > clientWidth && clientWidth > 100
        })
        assert.ok(isCut, 'the name ends with an ellipsis')
        await page.keyboard.press('Enter')
        await page.waitForURL(/\/stores\/switch-4\/rules/)
      },
      'a page that is older than the service loads itself again, once, at the same address': async (
        opened,
        { session },
      ) => {
        const { page } = opened
        await opened.goto('/stores/frame/overview')
        let isOld = true
        let loads = 0
        page.on('load', () => loads++)
        const gone = '**/assets/rules-screen-*.js'
        await page.route(gone, (route) => route.fulfill({ status: 404 }))
        const link = page.getByRole('link', { name: 'Rules', exact: true })
        await link.click()
        await page.getByRole('button', { name: 'Try again' }).waitFor()
        assert.equal(loads, 0, 'the service has no other page')
        await opened.goto('/stores/frame/overview')
        loads = 0
        await page.unroute(gone)
        await page.route(gone, (route) =>
          isOld ? route.fulfill({ status: 404 }) : route.continue(),
        )
        await page.route(`${session.service.url}/`, (route) => {
          isOld = false
          return route.fulfill({ body: '<script src="/assets/index-newer.js"></script>' })
        })
        await link.click()
        await page.getByRole('heading', { level: 1, name: 'Rules' }).waitFor()
        assert.deepEqual([loads, new URL(page.url()).pathname], [1, '/stores/frame/rules'])
      },
      'a session that ends leaves the page as it is': async ({ page }, { session }) => {
        await page.goto(`${session.service.url}/stores/frame/rules`)
        await page.getByRole('heading', { level: 1, name: 'Rules' }).waitFor()
        await page.context().clearCookies()
        await page.getByRole('link', { name: 'Stores' }).click()
        await page.getByText('Your session has expired.').waitFor()
        await page.getByLabel('Password').fill(PASSWORD)
        await page.getByRole('button', { name: 'Log in' }).click()
        await page.getByText('Your session has expired.').waitFor({ state: 'detached' })
      },
    },
  },
]
