import type { CDPSession, Page } from 'playwright-core'

/** Notes when each frame begins, and when the page is free again after it. */
const WATCH_FRAMES = `
  globalThis.frameTimes = []
  globalThis.frameWork = []
  globalThis.framesEnd = false
  const channel = new MessageChannel()
  let begin = 0
  channel.port1.onmessage = () => frameWork.push(performance.now() - begin)
  const frame = (time) => {
    frameTimes.push(time)
    begin = performance.now()
    // Answered when styles and layout of this frame are done.
    channel.port2.postMessage(0)
    if (!framesEnd) requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)`

export interface Frames {
  /** Between the beginnings of two frames. */
  readonly intervalsMs: readonly number[]
  /** From the beginning of each until its layout is done and the page is free again. */
  readonly workMs: readonly number[]
}

/** Memory and frames of a page, from the browser's own counters. */
export class BrowserGauge {
  readonly #cdp: CDPSession
  readonly #page: Page

  private constructor(cdp: CDPSession, page: Page) {
    this.#cdp = cdp
    this.#page = page
  }

  static async of(page: Page): Promise<BrowserGauge> {
    return new BrowserGauge(await page.context().newCDPSession(page), page)
  }

  /** Of the heap of JavaScript, after a collection. */
  async heapBytes(): Promise<number> {
    await this.#cdp.send('HeapProfiler.collectGarbage')
    return await this.usedBytes()
  }

  /** Of the heap of JavaScript, with what is to be collected. */
  async usedBytes(): Promise<number> {
    return (await this.#cdp.send('Runtime.getHeapUsage')).usedSize
  }

  /** The frames that are drawn while something is done. */
  async frames(work: () => Promise<void>): Promise<Frames> {
    await this.#page.evaluate(WATCH_FRAMES)
    await work()
    const [times, workMs] = await this.#page.evaluate<[number[], number[]]>(
      'framesEnd = true, [frameTimes, frameWork]',
    )
    return { intervalsMs: times.slice(1).map((time, i) => time - times[i]!), workMs }
  }
}
