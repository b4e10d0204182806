import { SourceError } from '../source-error.ts'
import type { ReaderOptions } from '../source-reader.ts'
import { untilAnswered, type Wait } from '../web/patience.ts'
import { sendRequest, type ApiAnswer } from '../web/send-request.ts'
import { shopUrl } from '../web/shop-url.ts'

/** Version of the REST API that the requests are written for. */
export const WOOCOMMERCE_API_VERSION = 'wc/v3'
/** Most that a page of the API may have. */
export const PAGE_MAX = 100

export type Parameters = Readonly<Record<string, string | number>>

/** The REST API of a WooCommerce shop. */
export class WooCommerceApi {
  readonly #url: URL
  readonly #options: ReaderOptions
  readonly #waits: Wait
  readonly #authorization: string

  /** @throws SourceError if the address is not one of a shop, or a key is missing */
  constructor(address: string, options: ReaderOptions, waits: Wait) {
    this.#url = shopUrl(address)
    this.#options = options
    this.#waits = waits
    const { consumer_key: key = '', consumer_secret: secret = '' } = options.secrets
    if (key === '' || secret === '') {
      throw new SourceError(
        'unauthorized',
        'Expected the secrets `consumer_key` and `consumer_secret`',
      )
    }
    this.#authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`
  }

  /**
   * One answer, for as long as the shop says "later".
   *
   * @returns undefined if there is no such thing
   * @throws SourceError
   */
  async find<T>(
    path: string,
    parameters: Parameters,
    signal: AbortSignal,
  ): Promise<{ readonly data: T; readonly answeredMs: number } | undefined> {
    const answer = await this.#send(path, parameters, signal)
    const { code } = errorOf(answer)
    if (answer.status === 404 && code.startsWith('woocommerce_rest_')) return undefined
    if (answer.status !== 200) throw this.#refused(answer)
    const data = parsed<T>(answer.text)
    if (data === undefined) {
      throw new SourceError(
        'unreadable',
        `"${this.#url.host}" did not answer in JSON: does its WordPress show notices or a page for maintenance?`,
      )
    }
    return { data, answeredMs: Date.parse(answer.headers.date ?? '') }
  }

  /**
   * A page of a list.
   *
   * @throws SourceError
   */
  async list<T>(
    path: string,
    parameters: Parameters,
    signal: AbortSignal,
  ): Promise<{ readonly data: readonly T[]; readonly answeredMs: number }> {
    const found = await this.find<readonly T[]>(path, { per_page: PAGE_MAX, ...parameters }, signal)
    if (found === undefined) return { data: [], answeredMs: Number.NaN }
    if (Array.isArray(found.data)) return found
    throw new SourceError('unreadable', `"${this.#url.host}" did not answer with a list`)
  }

  /** All pages of a list that is short. */
  async *all<T>(path: string, parameters: Parameters, signal: AbortSignal): AsyncGenerator<T> {
    for (let page = 1; ; page++) {
      const { data } = await this.list<T>(path, { ...parameters, page }, signal)
      yield* data
      if (data.length < PAGE_MAX) return
    }
  }

  #send(path: string, parameters: Parameters, signal: AbortSignal): Promise<ApiAnswer> {
    const url = new URL(`wp-json/${WOOCOMMERCE_API_VERSION}/${path}`, this.#url)
    for (const [name, value] of Object.entries(parameters)) {
      url.searchParams.set(name, String(value))
    }
    const headers = { authorization: this.#authorization }
    const send = (): Promise<ApiAnswer> =>
      sendRequest({ url, method: 'GET', headers }, this.#options.networks, signal)
    return untilAnswered(send, signal, this.#waits)
  }

  #refused(answer: ApiAnswer): SourceError {
    const { status, headers } = answer
    const { code, message } = errorOf(answer)
    const said = `"${this.#url.host}" answered ${status}${message === '' ? '' : `: ${message}`}`
    if (status === 401 || status === 403) {
      return new SourceError(
        'unauthorized',
        `${said}. The key needs the permission "Read"; a proxy that removes the header \`Authorization\` refuses every key`,
      )
    }
    if (status >= 300 && status < 400) {
      const to = URL.parse(headers.location ?? '', this.#url)?.origin ?? 'another address'
      return new SourceError('unreachable', `${said}, and redirects to ${to}: use this as the URL`)
    }
    if (status === 404 && (code === 'rest_no_route' || code === '')) {
      return new SourceError(
        'unreachable',
        `${said}. There is no REST API of WooCommerce: is the URL the address of the WordPress site, and are its permalinks other than "Plain"?`,
      )
    }
    return new SourceError('unreachable', said)
  }
}

function errorOf({ text }: ApiAnswer): { readonly code: string; readonly message: string } {
  const { code, message } = parsed<{ code?: unknown; message?: unknown }>(text) ?? {}
  return {
    code: typeof code === 'string' ? code : '',
    message: typeof message === 'string' ? message.slice(0, 300) : '',
  }
}

function parsed<T>(text: string): T | undefined {
  try {
    return (JSON.parse(text) as T | null) ?? undefined
  } catch {
    return undefined
  }
}
