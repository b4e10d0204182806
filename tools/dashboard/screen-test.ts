import type { DashboardSession, Login, TestStore } from './dashboard-session.ts'
import type { ScreenPage } from './screen-page.ts'

/**
 * The test of one screen: a separate file in `screens/`, found by its name. It is opened in light
 * and dark, at 360 and 1440 px; in each the picture is kept and axe-core runs. `path` is its main
 * path, once.
 */
export interface ScreenTest {
  /** Names its pictures. */
  readonly name: string
  /** The address to look at. */
  readonly address: (context: ScreenContext) => string
  readonly login?: Login
  /** Text that is there when the screen is. */
  readonly shows: string
  /** Its own data: a store, events. */
  readonly prepare?: (session: DashboardSession) => Promise<TestStore>
  /** What a person does here, each with a title that is a sentence. */
  readonly paths?: Readonly<
    Record<string, (page: ScreenPage, context: ScreenContext) => Promise<void>>
  >
}

export interface ScreenContext {
  readonly session: DashboardSession
  /** What `prepare` made. */
  readonly store: TestStore
}
