import { after, before, suite, test } from 'node:test'
import { DashboardSession, type TestStore } from './dashboard-session.ts'
import { LOOKS, ScreenPage } from './screen-page.ts'
import type { ScreenTest } from './screen-test.ts'

/** `SCREENS=stores,keys` runs only those, and keeps pictures of them; `SCREENS=all` of all. */
const wanted = process.env['SCREENS']?.split(',') ?? ['all']

/** Screens in a real browser over a real service: one service and one browser for all of them. */
export function testScreens(subject: string, screens: readonly ScreenTest[]): void {
  const chosen = screens.filter(({ name }) => wanted.includes('all') || wanted.includes(name))
  if (chosen.length === 0) return
  suite(subject, () => {
    let session: DashboardSession
    before(async () => {
      session = await DashboardSession.start()
    })
    after(async () => session.stop())

    for (const screen of chosen) {
      suite(screen.name, () => {
        let store: TestStore
        before(async () => {
          store = await (screen.prepare?.(session) ?? Promise.resolve({} as TestStore))
        })
        const inBrowser = async (work: (opened: ScreenPage) => Promise<void>): Promise<void> => {
          const opened = await ScreenPage.open(session, screen)
          try {
            await work(opened)
            opened.close()
          } catch (error) {
            await opened.picture(`${screen.name}-failed`).catch(() => undefined)
            await opened.discard()
            throw error
          }
        }
        test('is whole and accessible on a desk in light, and on a phone in the dark', () =>
          inBrowser(async (opened) => {
            await opened.goto(screen.address({ session, store }))
            await opened.page.getByRole('main').getByText(screen.shows).first().waitFor()
            for (const [width, theme] of LOOKS) {
              await opened.wear(theme)
              await opened.resize(width)
              await opened.check(screen.name)
            }
          }))
        for (const [title, path] of Object.entries(screen.paths ?? {})) {
          test(title, () => inBrowser((opened) => path(opened, { session, store })))
        }
      })
    }
  })
}
