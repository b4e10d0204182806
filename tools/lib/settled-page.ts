import { until } from '@aisle/testing'
import type { Page, Request } from 'playwright-core'

/** Resolves when the page has drawn four frames: what an answer sets off has begun by then. */
const FRAMES = `new Promise((done) => {
  let frames = 4
  const next = () => (frames-- > 0 ? requestAnimationFrame(next) : setTimeout(done))
  next()
})`

/**
 * Follows the requests of a page to its own service. The driver's `networkidle` waits half a second
 * after the last one, on every page.
 */
export class SettledPage {
  readonly #page: Page
  readonly #pending = new Set<Request>()
  #requestCount = 0

  constructor(page: Page, origin: string) {
    this.#page = page
    page.on('request', (request) => {
      if (!request.url().startsWith(origin) || request.resourceType() === 'eventsource') return
      this.#requestCount++
      this.#pending.add(request)
    })
    page.on('requestfinished', (request) => this.#pending.delete(request))
    page.on('requestfailed', (request) => this.#pending.delete(request))
  }

  /** Waits until no request is open, none has begun for some frames, and no part is a skeleton. */
  async wait(): Promise<void> {
    const skeletons = this.#page.locator('.skeleton')
    const isSettled = async (): Promise<boolean> => {
      const before = this.#requestCount
      await this.#page.evaluate(FRAMES)
      if (this.#pending.size > 0 || this.#requestCount > before) return false
      return (await skeletons.count()) === 0
    }
    const open = (): string => Array.from(this.#pending, (request) => request.url()).join(' ')
    await until(() => `a settled page: ${open()}`, isSettled)
  }
}
