import type { Secret } from './errors.ts'

/** Who searches: whatever is known of it. The ids of the visitor's events. */
export interface Visitor {
  readonly userId?: string | undefined
  /** Proves `userId` where the store asks for that (`identity: "signed"`). */
  readonly userSignature?: string | undefined
  readonly anonymousId?: string | undefined
  readonly sessionId?: string | undefined
}

export interface ClientOptions {
  /**
   * Base URL of the service, e.g. `http://127.0.0.1:7700`, or several that answer the same, the
   * nearest first. The client stays with one until it fails or is slow.
   */
  readonly url: string | readonly string[]
  readonly adminToken?: string | undefined
  readonly readSecret?: string | undefined
  readonly writeSecret?: string | undefined
  /**
   * In a page of the service itself, instead of secrets: the `csrf_token` of the session whose
   * cookie the browser sends.
   */
  readonly csrfToken?: string | undefined
  /** Asked before each search, so that it is the visitor's who is there then. */
  readonly visitor?: (() => Visitor) | undefined
  /**
   * Number of retries of a request that was refused for now (429, 503), or got no response and is
   * safe to repeat.
   */
  readonly retries?: number | undefined
  /** Longest wait before a retry. */
  readonly retryWaitMaxMs?: number | undefined
  /**
   * Longest wait for an answer, each try by itself. Default: 10 seconds for a search, without end
   * for everything else: a snapshot takes its time.
   */
  readonly timeoutMs?: number | undefined
  /**
   * With several hosts: a search without an answer for so long is also sent to the next one, and
   * the first answer counts.
   */
  readonly hedgeAfterMs?: number | undefined
  readonly fetch?: typeof fetch | undefined
  /** Waits before a retry; an abort ends the wait. */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined
}

/** One request, to whichever host. */
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
  /** A search: changes nothing, so that it may be repeated, and sent to two hosts at once. */
  readonly isSearch?: boolean | undefined
  /** Instead of that of the client. */
  readonly visitor?: Visitor | undefined
  /** Gives the request up. */
  readonly signal?: AbortSignal | undefined
}

/** @throws SyntaxError when the base is no URL */
export function addressOf(base: string, { path, query }: Call): URL {
  const url = new URL(withoutSlashes(base) + path)
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return url
}

export function bodyOf({ body }: Call): string | Uint8Array<ArrayBuffer> | undefined {
  if (body === undefined || typeof body === 'string') return body
  return body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body)
}

/** Those at the end. */
function withoutSlashes(url: string): string {
  let end = url.length
  while (url[end - 1] === '/') end--
  return url.slice(0, end)
}
