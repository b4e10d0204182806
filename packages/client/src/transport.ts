import type { ErrorResponse } from '@aisle/contract'
import { MissingSecretError, RefusedError, UnreachableError } from './errors.ts'
import type { Secret } from './errors.ts'

export interface ClientOptions {
  /** Base URL of the service, e.g. `http://127.0.0.1:7700`. */
  readonly url: string
  readonly adminToken?: string | undefined
  readonly readSecret?: string | undefined
  readonly writeSecret?: string | undefined
  /**
   * In a page of the service itself, instead of secrets: the `csrf_token` of the session whose
   * cookie the browser sends.
   */
  readonly csrfToken?: string | undefined
  /**
   * Number of retries of a request that was refused for now (429, 503), or got no response and is
   * safe to repeat.
   */
  readonly retries?: number | undefined
  /** Longest wait before a retry. */
  readonly retryWaitMaxMs?: number | undefined
  readonly fetch?: typeof fetch | undefined
  readonly sleep?: ((ms: number) => Promise<void>) | undefined
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly secret?: Secret | undefined
  /** Of the store that the secret opens. */
  readonly storeId?: string | undefined
  readonly query?: Readonly<Record<string, string | undefined>> | undefined
  /** Sent as JSON; text and bytes are sent as they are. */
  readonly body?: unknown
  readonly contentType?: string | undefined
  /** Gives the request up. */
  readonly signal?: AbortSignal | undefined
}

const RETRIES_DEFAULT = 4
const RETRY_WAIT_MAX_DEFAULT_MS = 10_000
const FIRST_WAIT_MS = 200
/** Refused for now, without any change. */
const RETRYABLE_STATUS = [429, 503]

/** Requests to one service: addresses, secrets, errors, and retries. */
export class Transport {
  readonly #options: ClientOptions
  readonly #url: string

  constructor(options: ClientOptions) {
    this.#options = options
    this.#url = withoutSlashes(options.url)
  }

  /** @throws RefusedError, UnreachableError, MissingSecretError */
  async json<Answer>(call: Call): Promise<Answer> {
    const response = await this.send(call)
    try {
      return (await response.json()) as Answer
    } catch (error) {
      throw new UnreachableError(`${call.method} ${call.path}: the answer broke off`, {
        cause: error,
      })
    }
  }

  /** The successful response, with its body unread. @throws as `json` */
  async send(call: Call): Promise<Response> {
    const { retries = RETRIES_DEFAULT } = this.#options
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#attempt(call)
      if (outcome instanceof Response && outcome.ok) return outcome
      if (attempt >= retries || !mayRepeat(call, outcome)) throw await failure(call, outcome)
      await this.#wait(attempt, outcome)
    }
  }

  async #attempt(call: Call): Promise<Response | UnreachableError> {
    const url = new URL(this.#url + call.path)
    for (const [name, value] of Object.entries(call.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, value)
    }
    const raw = typeof call.body === 'string' || call.body instanceof Uint8Array
    const init: RequestInit = {
      method: call.method,
      headers: this.#headers(call),
      signal: call.signal ?? null,
    }
    if (call.body !== undefined) {
      init.body = raw ? (call.body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(call.body)
    }
    try {
      return await (this.#options.fetch ?? fetch)(url, init)
    } catch (error) {
      call.signal?.throwIfAborted()
      const { cause } = error as { cause?: { code?: string; message?: string } }
      const reason = cause?.code ?? cause?.message ?? (error as Error).message
      return new UnreachableError(`Cannot reach ${this.#url}: ${reason}`, { cause: error })
    }
  }

  #headers({ secret, storeId, body, contentType }: Call): Record<string, string> {
    const headers: Record<string, string> = {}
    if (body !== undefined) headers['content-type'] = contentType ?? 'application/json'
    if (storeId !== undefined) headers['x-storeid'] = storeId
    if (secret === undefined) return headers
    const { adminToken, readSecret, writeSecret, csrfToken } = this.#options
    if (csrfToken !== undefined) {
      headers['x-csrf-token'] = csrfToken
    } else if (secret === 'admin' && adminToken !== undefined) {
      headers['authorization'] = `Bearer ${adminToken}`
    } else if (secret === 'read' && readSecret !== undefined) {
      headers['x-storesecret'] = readSecret
    } else if (secret !== 'admin' && writeSecret !== undefined) {
      // The write secret opens the read routes too.
      headers['x-store-write-secret'] = writeSecret
    } else {
      throw new MissingSecretError(secret)
    }
    return headers
  }

  async #wait(attempt: number, outcome: Response | UnreachableError): Promise<void> {
    const asked = outcome instanceof Response ? outcome.headers.get('retry-after') : null
    if (outcome instanceof Response) await outcome.body?.cancel()
    const ms = asked === null ? FIRST_WAIT_MS * 2 ** attempt : Number(asked) * 1_000
    const { retryWaitMaxMs = RETRY_WAIT_MAX_DEFAULT_MS, sleep = defaultSleep } = this.#options
    await sleep(Math.min(Number.isFinite(ms) ? ms : FIRST_WAIT_MS, retryWaitMaxMs))
  }
}

function mayRepeat({ method }: Call, outcome: Response | UnreachableError): boolean {
  if (outcome instanceof Response) return RETRYABLE_STATUS.includes(outcome.status)
  // Nobody knows whether it was carried out.
  return method === 'GET' || method === 'PUT'
}

async function failure(call: Call, outcome: Response | UnreachableError): Promise<Error> {
  if (outcome instanceof UnreachableError) return outcome
  const text = await outcome.text().catch(() => '')
  const fallback = `${call.method} ${call.path} answered ${outcome.status}`
  try {
    return new RefusedError(outcome.status, JSON.parse(text) as ErrorResponse, fallback)
  } catch {
    return new RefusedError(outcome.status, undefined, fallback)
  }
}

function defaultSleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Those at the end. */
function withoutSlashes(url: string): string {
  let end = url.length
  while (url[end - 1] === '/') end--
  return url.slice(0, end)
}
