import { readFileSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import assert from 'node:assert/strict'
import type { BrowserContext, Page } from 'playwright-core'
import { REPOSITORY } from '@aisle/testing'
import { LOGINS, PASSWORD, type DashboardSession, type Login } from './dashboard-session.ts'

/** Kept by the run for people to look at; git ignores the folder. */
const SCREENSHOTS = join(REPOSITORY, 'screenshots')
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What passed is not listed, nor how to find a node again: that takes half of the time. */
const AXE_OPTIONS = { resultTypes: ['violations'], selectors: false }
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** A phone, and a desk. */
export const WIDTHS = [1440, 360] as const
type Width = (typeof WIDTHS)[number]
export const THEMES = ['light', 'dark'] as const
type Theme = (typeof THEMES)[number]
const HEIGHTS: Readonly<Record<Width, number>> = { 360: 740, 1440: 900 }
const WAIT_MS = 10_000
const OVERFLOW_LOOKS = 20
const OVERFLOW_PAUSE_MS = 50

/** A page of the dashboard in its own browser, with everything that went wrong in it. */
export class ScreenPage {
  readonly page: Page
  readonly faults: string[] = []
  readonly #context: BrowserContext
  #width: Width = WIDTHS[0]
  #theme: Theme = 'light'
  readonly #url: string

  private constructor(context: BrowserContext, page: Page, url: string) {
    this.#context = context
    this.page = page
    this.#url = url
  }

  /** On a desk. @param login undefined: nobody is logged in */
  static async open(
    session: DashboardSession,
    { login }: { readonly login?: Login },
  ): Promise<ScreenPage> {
    const [width] = WIDTHS
    const context = await session.browser.newContext({
      viewport: { width, height: HEIGHTS[width] },
      colorScheme: 'light',
      reducedMotion: 'reduce',
      locale: 'en-GB',
    })
    const page = await context.newPage()
    page.setDefaultTimeout(WAIT_MS)
    const { url } = session.service
    const opened = new ScreenPage(context, page, url)
    opened.#watch()
    if (login !== undefined) {
      const answer = await context.request.post(`${url}/api/v1/admin/session`, {
        data: { login: LOGINS[login], password: PASSWORD },
      })
      assert.equal(answer.status(), 201)
    }
    return opened
  }

  /** Opens an address and waits until nothing is loaded any more. */
  async goto(path: string): Promise<void> {
    await this.page.goto(this.#url + path)
    await this.settle()
  }

  async settle(): Promise<void> {
    await this.page.waitForLoadState('networkidle')
    // Not a function to wait for: the policy of the page forbids code made of text.
    await this.page.locator('.skeleton').first().waitFor({ state: 'detached' })
  }

  /** Keeps a picture, runs axe-core, and fails on its findings and on every fault until now. */
  async check(name: string): Promise<void> {
    await this.picture(name)
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

  async close(): Promise<void> {
    await this.#context.close()
  }

  #watch(): void {
    const { page, faults } = this
    page.on('console', (message) => {
      if (message.type() !== 'error') return
      const { url } = message.location()
      // Who is logged in is asked before anybody is.
      if (message.text().includes('401') && url.endsWith('/api/v1/admin/session')) return
      faults.push(`console: ${message.text()} (${url})`)
    })
    page.on('pageerror', (error) => faults.push(`page: ${error.message}`))
    page.on('request', (request) => {
      const url = request.url()
      if (url.startsWith(this.#url) || /^(data|blob):/.test(url)) return
      faults.push(`a request to another host: ${url.slice(0, 200)}`)
    })
  }

  /**
   * Serious and critical findings. The script comes in from outside of the page, past its policy.
   * In the dark only colours are looked at: nothing else is different there.
   */
  async #axe(): Promise<string[]> {
    if (!(await this.page.evaluate<boolean>("'axe' in globalThis"))) await this.page.evaluate(AXE)
    const options = this.#theme === 'dark' ? { ...AXE_OPTIONS, runOnly: COLOR_RULES } : AXE_OPTIONS
    return await this.page.evaluate(async (how) => {
      const { axe } = globalThis as unknown as {
        axe: { run(where: object, how: object): Promise<AxeResult> }
      }
      // React Aria's announcer keeps what it said for a while after the button that it names has
      // gone.
      const { violations } = await axe.run({ exclude: ['[data-live-announcer]'] }, how)
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
    }, options)
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

/** Chooses one of a few options that are shown side by side. */
export async function chooseOption(page: Page, control: string, option: string): Promise<void> {
  const options = page.getByRole('radiogroup', { name: control })
  await options.getByRole('radio', { name: option, exact: true }).click({ force: true })
}
