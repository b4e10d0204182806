import type { ShopifyConnection } from '@aisle/contract'
import { SourceError, type SourceFault } from '../source-error.ts'
import type { ReaderOptions } from '../source-reader.ts'
import { untilAnswered, type Wait } from '../web/patience.ts'
import { sendRequest, type ApiAnswer } from '../web/send-request.ts'
import { shopUrl } from '../web/shop-url.ts'

/**
 * The version of the Admin API that the queries are written for. Shopify answers each version for
 * at least a year, and then as the oldest one that it still has.
 */
export const SHOPIFY_API_VERSION = '2026-10'

/** A token is asked for again this long before it ends. */
const TOKEN_MARGIN_MS = 5 * 60_000

interface Token {
  readonly value: string
  readonly untilMs: number
}

interface GraphqlAnswer {
  readonly data?: Readonly<Record<string, unknown>> | null
  readonly errors?: readonly GraphqlError[] | string
  readonly extensions?: {
    readonly cost?: {
      readonly requestedQueryCost?: number
      readonly throttleStatus?: {
        readonly currentlyAvailable?: number
        readonly restoreRate?: number
      }
    }
  }
}

interface GraphqlError {
  readonly message?: string
  readonly extensions?: { readonly code?: string }
}

/** The Admin API of a shop, in GraphQL. */
export class ShopifyApi {
  readonly #url: URL
  readonly #connection: ShopifyConnection
  readonly #options: ReaderOptions
  readonly #waits: Wait
  #token: Token | undefined

  /** @throws SourceError if the address is not one of a shop */
  constructor(connection: ShopifyConnection, options: ReaderOptions, waits: Wait) {
    this.#url = shopUrl(connection.url)
    this.#connection = connection
    this.#options = options
    this.#waits = waits
  }

  get host(): string {
    return this.#url.host
  }

  /**
   * Asks, for as long as the shop says "later".
   *
   * @returns `data` of the answer, and when the shop answered
   * @throws SourceError
   */
  async ask<Data>(
    query: string,
    variables: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<{ readonly data: Data; readonly answeredMs: number }> {
    const body = JSON.stringify({ query, variables })
    let answer = await this.#send(body, signal)
    // A token that was exchanged may end early: when the app is installed again, for instance.
    if (answer.status === 401 && this.#token !== undefined) {
      this.#token = undefined
      answer = await this.#send(body, signal)
    }
    const { data, errors } = this.#read(answer)
    const [error] = typeof errors === 'string' ? [{ message: errors }] : (errors ?? [])
    if (error !== undefined) throw this.#refused(error)
    if (data === undefined || data === null) throw this.#unreadable(answer)
    return { data: data as Data, answeredMs: Date.parse(answer.headers.date ?? '') }
  }

  async #send(body: string, signal: AbortSignal): Promise<ApiAnswer> {
    const token = await this.#accessToken(signal)
    const url = new URL(`admin/api/${SHOPIFY_API_VERSION}/graphql.json`, this.#url)
    const headers = { 'content-type': 'application/json', 'x-shopify-access-token': token }
    const send = (): Promise<ApiAnswer> =>
      sendRequest({ url, method: 'POST', headers, body }, this.#options.networks, signal)
    return untilAnswered(send, signal, this.#waits, throttledMs)
  }

  /** The token of the secrets, or the one that the client id and secret are exchanged for. */
  async #accessToken(signal: AbortSignal): Promise<string> {
    const { access_token: given, client_secret: secret } = this.#options.secrets
    if (given !== undefined && given !== '') return given
    if (this.#token !== undefined && performance.now() < this.#token.untilMs)
      return this.#token.value
    const { client_id: id } = this.#connection
    if (id === undefined || secret === undefined || secret === '') {
      throw new SourceError(
        'unauthorized',
        'Expected the secret `access_token`, or `client_id` with the secret `client_secret`',
      )
    }
    const url = new URL('admin/oauth/access_token', this.#url)
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secret,
    }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const askedMs = performance.now()
    const answer = await untilAnswered(
      () => sendRequest({ url, method: 'POST', headers, body }, this.#options.networks, signal),
      signal,
      this.#waits,
    )
    if (answer.status === 400 || answer.status === 401 || answer.status === 403) {
      throw new SourceError(
        'unauthorized',
        `"${this.host}" refused the client id and secret (${answer.status}): is the app installed in this shop?`,
      )
    }
    const read =
      answer.status === 200
        ? parsed<{ access_token?: string; expires_in?: number }>(answer.text)
        : undefined
    if (typeof read?.access_token !== 'string') throw this.#unreadable(answer)
    const lifeMs = (read.expires_in ?? 0) * 1_000
    this.#token = { value: read.access_token, untilMs: askedMs + lifeMs - TOKEN_MARGIN_MS }
    return read.access_token
  }

  /** @throws SourceError unless the shop answered the query */
  #read(answer: ApiAnswer): GraphqlAnswer {
    const fault = FAULTS.get(answer.status)
    if (fault !== undefined) {
      throw new SourceError(fault[0], `"${this.host}" answered ${answer.status}: ${fault[1]}`)
    }
    if (answer.status !== 200) {
      throw new SourceError('unreachable', `"${this.host}" answered ${answer.status}`)
    }
    const read = parsed<GraphqlAnswer>(answer.text)
    if (typeof read !== 'object' || read === null) throw this.#unreadable(answer)
    return read
  }

  #refused({ message = '', extensions }: GraphqlError): SourceError {
    const code = extensions?.code
    const fault: SourceFault =
      code === 'ACCESS_DENIED'
        ? 'unauthorized'
        : code === 'THROTTLED' || code === 'INTERNAL_SERVER_ERROR'
          ? 'unreachable'
          : 'unreadable'
    const hint = fault === 'unauthorized' ? '. The app needs the scope `read_products`' : ''
    return new SourceError(
      fault,
      `"${this.host}" refused the query: ${message.slice(0, 300)}${hint}`,
    )
  }

  #unreadable({ status }: ApiAnswer): SourceError {
    return new SourceError(
      'unreadable',
      `"${this.host}" answered ${status}, and not in JSON as expected`,
    )
  }
}

const FAULTS: ReadonlyMap<number, readonly [SourceFault, string]> = new Map([
  [301, ['unreachable', 'expected the address that ends with .myshopify.com']],
  [302, ['unreachable', 'expected the address that ends with .myshopify.com']],
  [307, ['unreachable', 'expected the address that ends with .myshopify.com']],
  [308, ['unreachable', 'expected the address that ends with .myshopify.com']],
  [401, ['unauthorized', 'the access token is wrong, or the app was removed from the shop']],
  [402, ['unauthorized', 'the shop is frozen until its owner has paid']],
  [403, ['unauthorized', 'the access token may not do this']],
  [404, ['unreachable', 'there is no such shop, or it was closed']],
  [423, ['unauthorized', 'the shop is locked']],
])

/** Of an answer that says that the budget of the app is spent: until it is enough for the query. */
function throttledMs(answer: ApiAnswer): number | undefined {
  if (answer.status !== 200 || !answer.text.includes('THROTTLED')) return undefined
  const { errors, extensions } = parsed<GraphqlAnswer>(answer.text) ?? {}
  if (typeof errors !== 'object') return undefined
  if (!errors.some((error) => error.extensions?.code === 'THROTTLED')) return undefined
  const cost = extensions?.cost
  const missing = (cost?.requestedQueryCost ?? 0) - (cost?.throttleStatus?.currentlyAvailable ?? 0)
  const perSecond = cost?.throttleStatus?.restoreRate ?? 0
  return perSecond > 0 && missing > 0 ? Math.ceil((missing / perSecond) * 1_000) : 1_000
}

function parsed<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T
  } catch {
    return undefined
  }
}
