import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { SourceNetworks } from '../networks.ts'
import { SourceError } from '../source-error.ts'

/** Limits of a download. */
export const DOWNLOAD_LIMITS = {
  redirectsMax: 5,
  /** Bytes as they are received, compressed or not. */
  bytesMax: 10_000_000_000,
  /** Until the answer begins, and between two parts of it. */
  silenceMsMax: 30_000,
  /** For all of it, with the time that writing takes meanwhile. */
  totalMsMax: 3 * 3_600_000,
} as const

export type DownloadLimits = { readonly [Name in keyof typeof DOWNLOAD_LIMITS]: number }

/** What the answer said of a file, to ask later whether it has changed. */
export interface Validators {
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
}

export interface DownloadRequest {
  readonly url: string
  /** `Authorization`, for the origin of the URL only. */
  readonly authorization?: string | undefined
  /** Further headers, such as a key, for the origin of the URL only. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly validators?: Validators | undefined
  readonly networks: SourceNetworks
  readonly signal: AbortSignal
  readonly limits?: DownloadLimits
}

export type Download =
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'file'
      readonly url: URL
      readonly contentType: string
      /** Header `Link`. */
      readonly link: string
      readonly validators: Validators
      readonly bytes: AsyncGenerator<Uint8Array>
    }

/**
 * Asks for a file on the web. Every connection, also after a redirect, is made only to addresses
 * that a source may have.
 *
 * @throws SourceError
 */
export async function download({
  limits = DOWNLOAD_LIMITS,
  ...asked
}: DownloadRequest): Promise<Download> {
  const signal = AbortSignal.any([asked.signal, AbortSignal.timeout(limits.totalMsMax)])
  const first = webUrl(asked.url)
  let url = first
  for (let redirects = 0; redirects <= limits.redirectsMax; redirects++) {
    const response = await answerOf(url, url.origin === first.origin, asked, signal, limits)
    const { statusCode: status = 0, headers } = response
    if (status === 304 && asked.validators !== undefined) {
      response.destroy()
      return { kind: 'unchanged' }
    }
    if (status >= 200 && status < 300) {
      return {
        kind: 'file',
        url: first,
        contentType: headers['content-type'] ?? '',
        link: [headers['link'] ?? ''].flat().join(', '),
        validators: { etag: headers.etag, lastModified: settledTime(headers) },
        bytes: received(response, shownUrl(first), signal, limits),
      }
    }
    response.destroy()
    if (status < 300 || status > 399 || headers.location === undefined) throw refusal(url, status)
    const next = webUrl(headers.location, url)
    if (url.protocol === 'https:' && next.protocol === 'http:') {
      throw new SourceError('unreachable', `"${shownUrl(url)}" redirects from https to http`)
    }
    url = next
  }
  throw new SourceError(
    'unreachable',
    `"${shownUrl(first)}" redirects more than ${limits.redirectsMax} times`,
  )
}

/**
 * `Last-Modified` has whole seconds. A file that was written in the second of the answer may
 * change again in it, so its time is not a validator yet (RFC 9110, section 8.8.2.2).
 */
function settledTime({
  date = '',
  'last-modified': lastModified = '',
}: IncomingMessage['headers']): string | undefined {
  return Date.parse(date) - Date.parse(lastModified) >= 1_000 ? lastModified : undefined
}

function refusal(url: URL, status: number): SourceError {
  const fault = status === 401 || status === 403 ? 'unauthorized' : 'unreachable'
  return new SourceError(fault, `"${shownUrl(url)}" answered ${status}`, { cause: { status } })
}

async function answerOf(
  url: URL,
  isFirstOrigin: boolean,
  { authorization, headers: more, validators, networks }: DownloadRequest,
  signal: AbortSignal,
  { silenceMsMax }: DownloadLimits,
): Promise<IncomingMessage> {
  networks.requireAllowed(url.hostname)
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  const headers = {
    'user-agent': 'aisle-source',
    accept: '*/*',
    ...(isFirstOrigin ? more : {}),
    ...(authorization === undefined || !isFirstOrigin ? {} : { authorization }),
    ...(validators?.etag === undefined ? {} : { 'if-none-match': validators.etag }),
    ...(validators?.lastModified === undefined
      ? {}
      : { 'if-modified-since': validators.lastModified }),
  }
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  // No connection is kept: each one is checked.
  const options = { headers, signal, lookup: networks.lookup, agent: false } as const
  const sent = request(url, options, resolve)
  sent.on('error', reject)
  sent.setTimeout(silenceMsMax, () => {
    const error = new SilenceError(silenceMsMax)
    // First: a body without a length would be complete when its connection is closed.
    void promise.then(
      (response) => response.destroy(error),
      () => undefined,
    )
    sent.destroy(error)
  })
  sent.end()
  try {
    return await promise
  } catch (error) {
    throw failed(error, `Cannot read "${shownUrl(url)}"`, signal)
  }
}

class SilenceError extends Error {
  constructor(afterMs: number) {
    super(`it sent nothing for ${afterMs / 1_000} s`)
  }
}

async function* received(
  response: IncomingMessage,
  name: string,
  signal: AbortSignal,
  { bytesMax }: DownloadLimits,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > bytesMax) {
        const most = bytesMax.toLocaleString('en-US')
        throw new SourceError('too_large', `"${name}" is longer than ${most} bytes`)
      }
      yield chunk
    }
    // A body without a length is complete when its connection is closed.
    signal.throwIfAborted()
    if (!response.complete) throw new Error('the connection was closed')
  } catch (error) {
    throw failed(error, `"${name}" was not received to its end`, signal)
  } finally {
    response.destroy()
  }
}

function failed(error: unknown, what: string, signal: AbortSignal): unknown {
  if (signal.aborted && (signal.reason as Error | undefined)?.name !== 'TimeoutError') {
    return signal.reason
  }
  if (error instanceof SourceError) return error
  const { name, message, cause } = error as Error
  if (name === 'TimeoutError' || (cause as Error | undefined)?.name === 'TimeoutError') {
    return new SourceError('too_large', `${what}: it took too long`, { cause: error })
  }
  return new SourceError('unreachable', `${what}: ${message}`, { cause: error })
}

/** @throws SourceError if it is not the URL of a page */
function webUrl(address: string, base?: URL): URL {
  const url = URL.parse(address, base)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  const shown = url === null ? address : shownUrl(url)
  throw new SourceError('unreachable', `Cannot read "${shown}": expected an http or https URL`)
}

/** Without a password, and without parameters, which may be secret as well. */
export function shownUrl({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`
}
