import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { SourceNetworks } from '../networks.ts'
import { SourceError } from '../source-error.ts'

/** Limits of a request to an API. */
export const REQUEST_LIMITS = {
  /** Of an answer. */
  bytesMax: 50_000_000,
  /** Until the answer begins, and between two parts of it. */
  silenceMsMax: 30_000,
  /** For all of it. */
  totalMsMax: 120_000,
} as const

export type RequestLimits = { readonly [Name in keyof typeof REQUEST_LIMITS]: number }

export interface ApiRequest {
  readonly url: URL
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface ApiAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/**
 * Sends a request to an API, and receives all of its answer, whatever its status. Redirects are not
 * followed: the request has credentials.
 *
 * @throws SourceError if there is no whole answer; the reason of the signal
 */
export async function sendRequest(
  { url, method, headers, body }: ApiRequest,
  networks: SourceNetworks,
  signal: AbortSignal,
  limits: RequestLimits = REQUEST_LIMITS,
): Promise<ApiAnswer> {
  networks.requireAllowed(url.hostname)
  const timed = AbortSignal.any([signal, AbortSignal.timeout(limits.totalMsMax)])
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const sent = (url.protocol === 'https:' ? requestHttps : requestHttp)(
    url,
    {
      method,
      headers: {
        'user-agent': 'aisle-source',
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
        ...headers,
      },
      signal: timed,
      lookup: networks.lookup,
      // No connection is kept: each one is checked.
      agent: false,
    },
    resolve,
  )
  sent.on('error', reject)
  sent.setTimeout(limits.silenceMsMax, () => {
    const error = new Error(`it sent nothing for ${limits.silenceMsMax / 1_000} s`)
    // First: a body without a length would be complete when its connection is closed.
    void promise.then(
      (response) => response.destroy(error),
      () => undefined,
    )
    sent.destroy(error)
  })
  sent.end(body)
  try {
    const response = await promise
    const text = await received(response, url, limits)
    // A body without a length is complete when its connection is closed.
    timed.throwIfAborted()
    return { status: response.statusCode ?? 0, headers: response.headers, text }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (error instanceof SourceError) throw error
    const message = timed.aborted ? 'it took too long' : (error as Error).message
    throw new SourceError('unreachable', `No answer from "${url.host}": ${message}`, {
      cause: error,
    })
  }
}

async function received(
  response: IncomingMessage,
  url: URL,
  { bytesMax }: RequestLimits,
): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bytesMax) {
      const most = bytesMax.toLocaleString('en-US')
      throw new SourceError('too_large', `An answer of "${url.host}" is longer than ${most} bytes`)
    }
    chunks.push(chunk)
  }
  if (!response.complete) throw new Error('the connection was closed')
  return Buffer.concat(chunks).toString()
}
