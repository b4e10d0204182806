import type { Secret } from './errors.ts'

/** The visitor who searches, as far as known: the ids that the visitor's events have. */
export interface Visitor {
  readonly userId?: string | undefined
  /** Proves `userId`, if the store requires it (`identity: "signed"`). */
  readonly userSignature?: string | undefined
  readonly anonymousId?: string | undefined
  readonly sessionId?: string | undefined
}

export interface ClientOptions {
  /**
   * Base URL of the service, e.g. `http://127.0.0.1:7700`, or of several equivalent hosts, the
   * nearest first. The client uses one until it fails or is slow.
   */
  readonly url: string | readonly string[]
  readonly adminToken?: string | undefined
  readonly readSecret?: string | undefined
  readonly writeSecret?: string | undefined
  /**
   * Used instead of secrets in pages of the service itself: the `csrf_token` of the session whose
   * cookie the browser sends.
   */
  readonly csrfToken?: string | undefined
  /** Called before each search, so that it returns the visitor of that moment. */
  readonly visitor?: (() => Visitor) | undefined
  /**
   * Maximum number of retries when the service is busy (429, 503), or when a request that is safe
   * to repeat got no response.
   */
  readonly retries?: number | undefined
  /** Maximum wait before a retry. */
  readonly retryWaitMaxMs?: number | undefined
  /**
   * Timeout per attempt. Default: 10 seconds for searches, none for everything else: a snapshot may
   * take long.
   */
  readonly timeoutMs?: number | undefined
  /**
   * With several hosts: a search without a response after this time is also sent to the next host,
   * and the first response counts.
   */
  readonly hedgeAfterMs?: number | undefined
  /** Receives each warning of an answer: parameters without effect, filters that look mistaken. */
  readonly onWarning?: ((warning: string) => void) | undefined
  readonly fetch?: typeof fetch | undefined
  /** Waits before a retry; an abort ends the wait. */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined
}

/** One request, to any host. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly secret?: Secret | undefined
  /** Id of the store that the secret belongs to. */
  readonly storeId?: string | undefined
  readonly query?: Readonly<Record<string, string | undefined>> | undefined
  /** Sent as JSON; text and bytes are sent unchanged. */
  readonly body?: unknown
  readonly contentType?: string | undefined
  /** Writes only over the version with this `ETag`; otherwise 412 `precondition_failed`. */
  readonly ifMatch?: string | undefined
  /**
   * Whether it is a search: it changes nothing, so it may be repeated and sent to two hosts at
   * once.
   */
  readonly isSearch?: boolean | undefined
  /** Overrides the visitor of the client. */
  readonly visitor?: Visitor | undefined
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined
}

/** @throws SyntaxError if the base is not a URL */
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

/** Slashes at the end. */
function withoutSlashes(url: string): string {
  let end = url.length
  while (url[end - 1] === '/') end--
  return url.slice(0, end)
}
