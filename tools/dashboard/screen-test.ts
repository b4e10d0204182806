import type { DashboardSession, Login, TestStore } from './dashboard-session.ts'
import type { ScreenPage } from './screen-page.ts'

/**
 * The test of one screen: a separate file in `screens/`, which one of the test files runs. It is
 * opened in light at 1440 px, and in the dark at 360 px; in both axe-core runs. `paths` is what a
 * person does there.
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
