import { linesOf, parseExactly } from '@aisle/client'
import { SourceError } from '../source-error.ts'
import type { SourceAddress } from './live-source.ts'

const TIMEOUT_MS = 60_000
/** Maximum of shown bytes of an error. */
const ERROR_SHOWN_CHARS = 300

interface Request {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly body?: unknown
}

/** Requests to the other engine. Numbers in JSON answers keep all their digits. */
export class ForeignApi {
  readonly #address: SourceAddress
  readonly #headers: Readonly<Record<string, string>>

  constructor(address: SourceAddress, headers: Readonly<Record<string, string>>) {
    this.#address = address
    this.#headers = headers
  }

  /** @throws SourceError if the request is refused or unanswered */
  async json(path: string, request: Request = {}): Promise<unknown> {
    return parseAs(await (await this.#send(path, request)).text(), parseExactly)
  }

  /**
   * Settings, with ordinary numbers; undefined if the name does not exist.
   *
   * @throws SourceError
   */
  async settings(path: string, request: Request = {}): Promise<unknown> {
    const response = await this.#send(path, request, [404])
    const text = await response.text()
    return response.status === 404 ? undefined : parseAs(text, JSON.parse)
  }

  /** Lines of a streamed answer. */
  async *lines(path: string): AsyncGenerator<string> {
    const response = await this.#send(path, {})
    if (response.body === null) return
    yield* linesOf(response.body)
  }

  async #send(path: string, { method, body }: Request, allowed: readonly number[] = []) {
    const { url, signal } = this.#address
    const send = this.#address.fetch ?? fetch
    const limit = AbortSignal.timeout(TIMEOUT_MS)
    let response: Response
    try {
      response = await send(new URL(path, url.endsWith('/') ? url : `${url}/`), {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          ...this.#headers,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      })
    } catch (error) {
      const cause = (error as Error).cause
      const why = cause instanceof Error ? cause.message : (error as Error).message
      throw new SourceError(`${url} does not respond: ${why}`, { cause: error })
    }
    if (response.ok || allowed.includes(response.status)) return response
    const text = (await response.text()).slice(0, ERROR_SHOWN_CHARS)
    throw new SourceError(`${url} returned ${response.status} for ${path}: ${text}`)
  }
}

function parseAs(text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text)
  } catch (error) {
    throw new SourceError('The answer is not JSON', { cause: error })
  }
}
