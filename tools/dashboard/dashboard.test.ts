import { globSync } from 'node:fs'
import { after, before, suite, test } from 'node:test'
import { DashboardSession, type TestStore } from './dashboard-session.ts'
import { ScreenPage, THEMES, WIDTHS } from './screen-page.ts'
import type { ScreenTest } from './screen-test.ts'

/**
 * Every screen in a real browser over a real service; pictures are kept in `screenshots/`. One
 * service and one browser for all of them. `SCREENS=stores,keys` runs only those.
 */
const wanted = process.env['SCREENS']?.split(',')
const files = globSync('screens/*.ts', { cwd: import.meta.dirname }).toSorted()
const screens: ScreenTest[] = []
for (const file of files) {
  const module = (await import(`./${file}`)) as { screenTests: readonly ScreenTest[] }
  screens.push(...module.screenTests)
}

suite('the dashboard', () => {
  let session: DashboardSession
  before(async () => {
    session = await DashboardSession.start()
  })
  after(async () => session.stop())

  for (const screen of screens) {
    if (wanted !== undefined && !wanted.includes(screen.name)) continue
    suite(screen.name, () => {
      let store: TestStore
      before(async () => {
        store = await (screen.prepare?.(session) ?? Promise.resolve({} as TestStore))
      })
      test('is whole and accessible on a desk and on a phone, in light and dark', async () => {
        const opened = await ScreenPage.open(session, screen)
        try {
          await opened.goto(screen.address({ session, store }))
          await opened.page.getByRole('main').getByText(screen.shows).first().waitFor()
          for (const width of WIDTHS) {
            await opened.resize(width)
            for (const theme of THEMES) {
              await opened.wear(theme)
              await opened.check(screen.name)
            }
          }
        } finally {
          await opened.close()
        }
      })
      for (const [title, path] of Object.entries(screen.paths ?? {})) {
        test(title, async () => {
          const opened = await ScreenPage.open(session, screen)
          try {
            await path(opened, { session, store })
          } catch (error) {
            await opened.picture(`${screen.name}-failed`).catch(() => undefined)
            throw error
          } finally {
            await opened.close()
          }
        })
      }
    })
  }
})
