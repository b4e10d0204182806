import type { ErrorResponse } from '@aisle/contract'
import { addressOf, bodyOf, type Call, type ClientOptions, type Visitor } from './call.ts'
import { RefusedError, TimedOutError, UnreachableError } from './errors.ts'
import { headersOf } from './headers.ts'
import { Hosts } from './hosts.ts'
import { pause } from './pause.ts'

const RETRIES_DEFAULT = 4
const RETRY_WAIT_MAX_DEFAULT_MS = 10_000
const FIRST_WAIT_MS = 200
const SEARCH_TIMEOUT_DEFAULT_MS = 10_000
/** Much longer than a search takes, and shorter than a visitor's patience. */
const HEDGE_AFTER_DEFAULT_MS = 500
/** Statuses of requests that were refused without any change, and may be retried. */
const RETRYABLE_STATUS = [429, 503]
/** Statuses of a host that is down, or whose upstream is. */
const HOST_STATUS = [502, 503, 504]

/** How the caller consumes a successful response. */
type Take<Answer> = (response: Response) => Promise<Answer>

/** Sends requests to one service: addresses, secrets, errors, timeouts and retries. */
export class Transport {
  readonly #options: ClientOptions
  readonly #hosts: Hosts

  constructor(options: ClientOptions, hosts: Hosts = new Hosts(options.url)) {
    this.#options = options
    this.#hosts = hosts
  }

  /** Who sends the requests now. */
  get visitor(): Visitor | undefined {
    return this.#options.visitor?.()
  }

  /** The same service with other secrets. */
  with(secrets: Pick<ClientOptions, 'readSecret' | 'writeSecret'>): Transport {
    return new Transport({ ...this.#options, ...secrets }, this.#hosts)
  }

  /** @throws RefusedError, UnreachableError, MissingSecretError; the reason of an abort */
  async json<Answer>(call: Call): Promise<Answer> {
    return (await this.answer<Answer>(call)).answer
  }

  /** The same with the headers. @throws as `json` */
  async answer<Answer>(call: Call): Promise<{ answer: Answer; headers: Headers }> {
    const taken = await this.#repeat(call, async (response) => ({
      answer: (await response.json()) as Answer,
      headers: response.headers,
    }))
    const { onWarning } = this.#options
    if (onWarning !== undefined) for (const warning of warningsOf(taken.answer)) onWarning(warning)
    return taken
  }

  /** The successful response, with its body unread. @throws as `json` */
  send(call: Call): Promise<Response> {
    return this.#repeat(call, (response) => Promise.resolve(response))
  }

  async #repeat<Answer>(call: Call, take: Take<Answer>): Promise<Answer> {
    const { retries = RETRIES_DEFAULT } = this.#options
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#hedged(call, take)
      } catch (error) {
        if (call.signal?.aborted === true || attempt >= retries || !mayRepeat(call, error)) {
          throw error
        }
        // Hosts that were not asked yet are tried without a wait.
        const isLast = attempt >= this.#hosts.count - 1 || !isOfHost(error)
        if (isLast) await this.#wait(attempt, error, call.signal)
      }
    }
  }

  /** Also asks the next host if a search takes long. The first successful response counts. */
  async #hedged<Answer>(call: Call, take: Take<Answer>): Promise<Answer> {
    const { first, next: other } = this.#hosts
    if (call.isSearch !== true || other === undefined) return this.#attempt(first, call, take)
    const over = new AbortController()
    const { hedgeAfterMs = HEDGE_AFTER_DEFAULT_MS } = this.#options
    let isLate = false
    const asked = this.#attempt(first, call, take, over.signal).catch((error: unknown) => {
      // An early failure is left to the retries.
      if (!isLate) over.abort()
      throw error
    })
    const second = pause(hedgeAfterMs, over.signal).then(async () => {
      isLate = true
      try {
        const answer = await this.#attempt(other, call, take, over.signal)
        this.#hosts.leave(first)
        return answer
      } catch (error) {
        // A refusal: the slow host would refuse, too.
        if (!isOfHost(error)) over.abort(error)
        throw error
      }
    })
    try {
      return await Promise.any([asked, second])
    } catch (error) {
      throw (error as AggregateError).errors[0]
    } finally {
      over.abort()
    }
  }

  async #attempt<Answer>(
    host: string,
    call: Call,
    take: Take<Answer>,
    over?: AbortSignal,
  ): Promise<Answer> {
    const {
      timeoutMs = call.isSearch === true ? SEARCH_TIMEOUT_DEFAULT_MS : undefined,
      fetch: send = fetch,
    } = this.#options
    const late = new AbortController()
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => late.abort(), timeoutMs)
    const signals = [late.signal, call.signal, over].filter((signal) => signal !== undefined)
    const init: RequestInit = {
      method: call.method,
      headers: headersOf(call, this.#options),
      signal: AbortSignal.any(signals),
    }
    const body = bodyOf(call)
    if (body !== undefined) init.body = body
    let response: Response | undefined
    try {
      response = await send(addressOf(host, call), init)
      if (!response.ok) throw await refusal(call, response)
      return await take(response)
    } catch (error) {
      call.signal?.throwIfAborted()
      over?.throwIfAborted()
      const failure =
        error instanceof RefusedError
          ? error
          : late.signal.aborted
            ? new TimedOutError(`${host} did not answer in ${timeoutMs} ms`)
            : response === undefined
              ? new UnreachableError(`Cannot reach ${host}: ${reasonOf(error)}`, { cause: error })
              : new UnreachableError(
                  `${call.method} ${call.path}: the connection was lost during the response`,
                  {
                    cause: error,
                  },
                )
      if (isOfHost(failure)) this.#hosts.leave(host)
      throw failure
    } finally {
      clearTimeout(timer)
    }
  }

  async #wait(attempt: number, error: unknown, signal: AbortSignal | undefined): Promise<void> {
    const asked = error instanceof RefusedError ? error.retryAfterMs : undefined
    const { retryWaitMaxMs = RETRY_WAIT_MAX_DEFAULT_MS, sleep = pause } = this.#options
    // Jitter: clients that failed together do not retry together.
    const own = FIRST_WAIT_MS * 2 ** attempt * (0.5 + Math.random() / 2)
    await sleep(Math.min(asked ?? own, retryWaitMaxMs), signal)
  }
}

/** Warnings of an answer, and of those of a multi-search. */
function warningsOf(answer: unknown): readonly string[] {
  const { warnings = [], results = [] } = (answer ?? {}) as {
    readonly warnings?: readonly string[]
    readonly results?: readonly unknown[]
  }
  return [...warnings, ...results.flatMap(warningsOf)]
}

function mayRepeat({ method, isSearch }: Call, error: unknown): boolean {
  if (error instanceof RefusedError) {
    if (error.code === 'quota_exceeded') return false
    return RETRYABLE_STATUS.includes(error.status) || (isSearch === true && isOfHost(error))
  }
  // It is unknown whether the request was carried out.
  const isSafe = isSearch === true || method === 'GET' || method === 'PUT'
  return isSafe && error instanceof UnreachableError
}

/** Whether to try another host. */
function isOfHost(error: unknown): boolean {
  if (error instanceof RefusedError) return HOST_STATUS.includes(error.status)
  return error instanceof UnreachableError
}

async function refusal(call: Call, response: Response): Promise<RefusedError> {
  const { status, headers } = response
  const text = await response.text().catch(() => '')
  const fallback = `${call.method} ${call.path} answered ${status}`
  const seconds = Number(headers.get('retry-after') ?? NaN)
  const retryAfterMs = Number.isFinite(seconds) ? seconds * 1_000 : undefined
  let body: ErrorResponse | undefined
  try {
    body = JSON.parse(text) as ErrorResponse
  } catch {
    // A proxy answered.
  }
  return new RefusedError(status, body, fallback, retryAfterMs)
}

/** Node gives the reason in `cause`. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: { code?: string; message?: string } }
  return cause?.code ?? cause?.message ?? message
}
