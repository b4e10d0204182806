import { readFileSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { REPOSITORY } from '@aisle/testing'
import { SettledPage } from '../lib/settled-page.ts'
import type { DashboardSession, Login } from './dashboard-session.ts'

/**
 * For people to look at; git ignores the folder. A picture takes as long as the rest of a check, so
 * they are taken only of named screens, and of failures.
 */
const SCREENSHOTS = join(REPOSITORY, 'screenshots')
const KEEPS_PICTURES = process.env['SCREENS'] !== undefined
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What passed is not listed, nor how to find a node again: that takes half of the time. Findings of
 * the slow rules below are moderate or minor, which fails nothing.
 */
const AXE_OPTIONS = {
  resultTypes: ['violations'],
  selectors: false,
  preload: false,
  rules: Object.fromEntries(
    ['region', 'landmark-unique', 'aria-allowed-role', 'heading-order', 'no-autoplay-audio'].map(
      (rule) => [rule, { enabled: false }],
    ),
  ),
}

/** A desk, and a phone. */
export const WIDTHS = [1440, 360] as const
type Width = (typeof WIDTHS)[number]
type Theme = 'light' | 'dark'
/** Each width and each theme once: neither changes what the other one does. */
export const LOOKS = [
  [WIDTHS[0], 'light'],
  [WIDTHS[1], 'dark'],
] as const
const HEIGHTS: Readonly<Record<Width, number>> = { 360: 740, 1440: 900 }
const WAIT_MS = 10_000
const OVERFLOW_LOOKS = 20
const OVERFLOW_PAUSE_MS = 50
/** What tests listen to. */
const EVENTS = [
  'console',
  'dialog',
  'load',
  'pageerror',
  'request',
  'requestfailed',
  'requestfinished',
]

/** A page of the dashboard, with everything that went wrong in it. */
export class ScreenPage {
  readonly page: Page
  readonly faults: string[] = []
  readonly #session: DashboardSession
  readonly #login: Login | undefined
  readonly #url: string
  readonly #settled: SettledPage
  #width: Width = WIDTHS[0]
  #theme: Theme = 'light'

  private constructor(session: DashboardSession, login: Login | undefined, page: Page) {
    this.#session = session
    this.#login = login
    this.#url = session.service.url
    this.page = page
    this.#settled = new SettledPage(page, this.#url)
  }

  /**
   * On a desk, with nothing left of earlier tests. A page that another test has closed is used
   * again: its browser has the code compiled already.
   *
   * @param login undefined: nobody is logged in
   */
  static async open(
    session: DashboardSession,
    { login }: { readonly login?: Login },
  ): Promise<ScreenPage> {
    const closed = session.takePage(login)
    if (closed !== undefined) await clean(closed, session.service.url)
    const opened = new ScreenPage(session, login, closed ?? (await newPage(session)))
    await opened.page.context().addCookies(await session.cookiesOf(login))
    opened.#watch()
    return opened
  }

  /** Opens an address and waits until nothing is loaded any more. */
  async goto(path: string): Promise<void> {
    await this.page.goto(this.#url + path)
    await this.settle()
  }

  /**
   * Goes to an address in the page that is open, as a link does: on a tour of many, loading the
   * page for each takes most of the time.
   */
  async visit(path: string): Promise<void> {
    await this.page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)
    await this.settle()
  }

  /** Waits until nothing is loaded any more. */
  async settle(): Promise<void> {
    await this.#settled.wait()
  }

  /** Runs axe-core, and fails on its findings and on every fault until now. */
  async check(name: string): Promise<void> {
    if (KEEPS_PICTURES) await this.picture(name)
    this.faults.push(...(await this.#axe()), ...(await this.overflow()))
    assert.deepEqual(this.faults, [], `${name}, ${this.#theme}, ${this.#width} px`)
  }

  async picture(name: string): Promise<void> {
    mkdirSync(SCREENSHOTS, { recursive: true })
    const path = join(SCREENSHOTS, `${name}-${this.#width}-${this.#theme}.png`)
    await this.page.screenshot({ path, fullPage: false })
  }

  /**
   * As the person's system changes it in the evening: the page follows without being loaded again.
   */
  async wear(theme: Theme): Promise<void> {
    await this.page.emulateMedia({ colorScheme: theme })
    this.#theme = theme
  }

  /** As a window is made narrow, or a phone is turned. */
  async resize(width: Width): Promise<void> {
    await this.page.setViewportSize({ width, height: HEIGHTS[width] })
    this.#width = width
    await this.settle()
  }

  /** A fault that the test provoked itself. */
  forgive(pattern: RegExp): void {
    for (let i = this.faults.length - 1; i >= 0; i--) {
      if (pattern.test(this.faults[i]!)) this.faults.splice(i, 1)
    }
  }

  /** Leaves the page to the next test. */
  close(): void {
    if (!this.page.isClosed()) this.#session.keepPage(this.#login, this.page)
  }

  /** After a failure: nobody knows in which state the page is. */
  async discard(): Promise<void> {
    await this.page.context().close()
  }

  #watch(): void {
    const { page, faults } = this
    page.on('console', (message) => {
      if (message.type() !== 'error') return
      const { url } = message.location()
      // Who is logged in is asked before anybody is.
      if (message.text().includes('401') && url.endsWith('/api/v1/admin/session')) return
      // Reports of several stores take turns on a slow machine, and the page asks again.
      if (message.text().includes('503') && url.includes('/analytics/')) return
      faults.push(`console: ${message.text()} (${url})`)
    })
    page.on('pageerror', (error) => faults.push(`page: ${error.message}`))
    page.on('request', (request) => {
      const url = request.url()
      if (url.startsWith(this.#url) || /^(data|blob):/.test(url)) return
      faults.push(`a request to another host: ${url.slice(0, 200)}`)
    })
  }

  /** Serious and critical findings. The script comes from outside of the page, past its policy. */
  async #axe(): Promise<string[]> {
    if (!(await this.page.evaluate<boolean>("'axe' in globalThis"))) await this.page.evaluate(AXE)
    return await this.page.evaluate(async (how) => {
      const { axe } = globalThis as unknown as {
        axe: { run(where: object, how: object): Promise<AxeResult> }
      }
      // React Aria's announcer keeps what it said for a while after the button that it names has
      // gone. Rows of a table are alike: the first ten are looked at.
      const exclude = ['[data-live-announcer]', 'tr:nth-child(n + 11)']
      const { violations } = await axe.run({ exclude }, how)
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, help, nodes }) =>
          nodes.slice(0, 3).map(({ html }) => `axe ${id}: ${help}: ${html.slice(0, 240)}`),
        )
      interface AxeResult {
        readonly violations: {
          readonly id: string
          readonly impact: string
          readonly help: string
          readonly nodes: { readonly html: string }[]
        }[]
      }
    }, AXE_OPTIONS)
  }

  /**
   * A page that can be pushed sideways has something in it that is too wide. Charts follow a window
   * that was resized a moment later.
   */
  async overflow(): Promise<string[]> {
    let pixels = 0
    for (let look = 0; look < OVERFLOW_LOOKS; look++) {
      pixels = await this.page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      if (pixels <= 0) return []
      await this.page.waitForTimeout(OVERFLOW_PAUSE_MS)
    }
    return [`the page is ${pixels} px wider than the window`]
  }
}

/** Takes away what an earlier test has left. */
async function clean(page: Page, url: string): Promise<void> {
  for (const event of EVENTS) page.removeAllListeners(event)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  // Of the same origin, and nothing runs in it that would write again.
  await page.goto(`${url}/health`)
  await page.evaluate('localStorage.clear(), sessionStorage.clear()')
  await page.context().clearCookies()
  const [width] = WIDTHS
  await page.setViewportSize({ width, height: HEIGHTS[width] })
  await page.emulateMedia({ colorScheme: 'light' })
}

async function newPage(session: DashboardSession): Promise<Page> {
  const [width] = WIDTHS
  const context = await session.browser.newContext({
    viewport: { width, height: HEIGHTS[width] },
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_MS)
  return page
}

/** Chooses one of a few options that are shown side by side. */
export async function chooseOption(page: Page, control: string, option: string): Promise<void> {
  const options = page.getByRole('radiogroup', { name: control })
  await options.getByRole('radio', { name: option, exact: true }).click({ force: true })
}
