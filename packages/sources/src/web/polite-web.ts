import { setTimeout as delay } from 'node:timers/promises'
import { download, DOWNLOAD_LIMITS, type Download } from '../feed/download.ts'
import { SourceError } from '../source-error.ts'
import type { ReaderOptions } from '../source-reader.ts'

const REQUESTS_PER_SECOND = 2
const ATTEMPTS_MAX = 5
/** Doubled with each attempt. */
const RETRY_MS = 1_000

export interface Page {
  readonly text: string
  readonly link: string
}

/** Asks a site for one page after another, not too fast, and again after an error that may pass. */
export class PoliteWeb {
  readonly #options: ReaderOptions
  readonly #signal: AbortSignal
  readonly #intervalMs: number
  readonly #bytesMax: number
  #nextMs = 0

  constructor(
    options: ReaderOptions,
    signal: AbortSignal,
    {
      requestsPerSecond = REQUESTS_PER_SECOND,
      bytesMax,
    }: { readonly requestsPerSecond?: number; readonly bytesMax: number },
  ) {
    this.#options = options
    this.#signal = signal
    this.#intervalMs = 1_000 / requestsPerSecond
    this.#bytesMax = bytesMax
  }

  /** A site may ask for more time between two requests. */
  slowDown(intervalMs: number): PoliteWeb {
    if (intervalMs <= this.#intervalMs) return this
    const requestsPerSecond = 1_000 / intervalMs
    const bytesMax = this.#bytesMax
    return new PoliteWeb(this.#options, this.#signal, { requestsPerSecond, bytesMax })
  }

  /** @throws SourceError */
  async file(
    url: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Download & { kind: 'file' }> {
    const { networks } = this.#options
    const limits = { ...DOWNLOAD_LIMITS, bytesMax: this.#bytesMax }
    for (let attempt = 1; ; attempt++) {
      await this.#turn()
      try {
        const answer = await download({ url, headers, networks, signal: this.#signal, limits })
        if (answer.kind === 'file') return answer
      } catch (error) {
        if (attempt === ATTEMPTS_MAX || !mayPass(error)) throw error
        await this.#wait(RETRY_MS * 2 ** (attempt - 1))
      }
    }
  }

  /** @throws SourceError */
  async page(url: string, headers?: Readonly<Record<string, string>>): Promise<Page> {
    const { bytes, link } = await this.file(url, headers)
    const chunks: Uint8Array[] = []
    for await (const chunk of bytes) chunks.push(chunk)
    return { text: Buffer.concat(chunks).toString('utf8'), link }
  }

  async #turn(): Promise<void> {
    const nowMs = performance.now()
    const waitMs = this.#nextMs - nowMs
    this.#nextMs = Math.max(nowMs, this.#nextMs) + this.#intervalMs
    if (waitMs > 0) await this.#wait(waitMs)
  }

  async #wait(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#signal }).catch(() => this.#signal.throwIfAborted())
  }
}

/** Too many requests, and errors of the server or of the network. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof SourceError) || error.fault !== 'unreachable') return false
  // An address that cannot be asked at all stays so.
  if (error.cause === undefined) return false
  const status = statusOf(error)
  return status === undefined || status === 429 || status >= 500
}

/** Status of an answer that is an error. */
export function statusOf({ cause }: SourceError): number | undefined {
  return (cause as { readonly status?: number } | undefined)?.status
}
