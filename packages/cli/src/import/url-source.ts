import { chunksOf } from '@aisle/client'
import { formatOfName, formatOfType, ImportError, type Source } from '@aisle/import'
import { CommandError } from '../exit-codes.ts'
import { knownFormat } from './source.ts'

/** Limits of a download. */
export const DOWNLOAD_LIMITS = {
  redirectsMax: 5,
  /** Bytes as they are received, compressed or not. */
  bytesMax: 10_000_000_000,
  /** Until the first byte of the answer. */
  responseMsMax: 30_000,
  /** For all of it, with the time that the import takes meanwhile. */
  totalMsMax: 3_600_000,
} as const

export type DownloadLimits = { readonly [Name in keyof typeof DOWNLOAD_LIMITS]: number }

export function isUrl(file: string): boolean {
  return /^[a-z][a-z\d+.-]{0,20}:\/\//i.test(file)
}

/**
 * A file on the web. It is read once, while it arrives.
 *
 * @throws CommandError if it cannot be had, or its format is unknown
 */
export async function openUrl(
  address: string,
  format: string | undefined,
  signal: AbortSignal,
  limits: DownloadLimits = DOWNLOAD_LIMITS,
): Promise<Source> {
  const chosen = knownFormat(format)
  const first = webUrl(address)
  const response = await answerOf(first, signal, limits)
  const [type = ''] = (response.headers.get('content-type') ?? '').split(';')
  const found = chosen ?? formatOfName(first.pathname) ?? formatOfType(type)
  const name = shownUrl(first)
  if (found === undefined) {
    await response.body?.cancel()
    throw new CommandError(
      'usage',
      `Neither the end of "${name}" nor its type "${type}" says which format it has: add --format`,
    )
  }
  const open: Source['open'] = (onBytes) => received(response, name, limits, onBytes)
  return { name, format: found, bytes: Number.NaN, changedMs: 0, open }
}

/** Follows redirects; a name and a password in the URL go to its own origin only. */
async function answerOf(
  first: URL,
  signal: AbortSignal,
  limits: DownloadLimits,
): Promise<Response> {
  let url = first
  for (let redirects = 0; redirects <= limits.redirectsMax; redirects++) {
    const response = await request(url, first, signal, limits)
    const location = response.headers.get('location')
    if (response.status < 300 || response.status > 399 || location === null) {
      if (response.ok && response.body !== null) return response
      await response.body?.cancel()
      throw new CommandError('failed', `"${shownUrl(url)}" answered ${response.status}`)
    }
    await response.body?.cancel()
    const next = webUrl(location, url)
    if (url.protocol === 'https:' && next.protocol === 'http:') {
      throw new CommandError('failed', `"${shownUrl(url)}" redirects from https to http`)
    }
    url = next
  }
  throw new CommandError(
    'failed',
    `"${shownUrl(first)}" redirects more than ${limits.redirectsMax} times`,
  )
}

async function request(
  url: URL,
  first: URL,
  signal: AbortSignal,
  { responseMsMax, totalMsMax }: DownloadLimits,
): Promise<Response> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), responseMsMax)
  const headers = new Headers({ 'user-agent': 'aisle-import' })
  if (first.username !== '' && url.origin === first.origin) {
    const [name, password] = [first.username, first.password].map(decodeURIComponent)
    const credentials = Buffer.from(`${name}:${password}`).toString('base64')
    headers.set('authorization', `Basic ${credentials}`)
  }
  const plain = new URL(url)
  plain.username = plain.password = ''
  try {
    return await fetch(plain, {
      headers,
      redirect: 'manual',
      signal: AbortSignal.any([signal, late.signal, AbortSignal.timeout(totalMsMax)]),
    })
  } catch (error) {
    if (signal.aborted) throw error
    const reason = late.signal.aborted
      ? `it did not answer within ${responseMsMax / 1_000} s`
      : reasonOf(error)
    throw new CommandError('failed', `Cannot read "${shownUrl(url)}": ${reason}`, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

async function* received(
  { body }: Response,
  name: string,
  { bytesMax, totalMsMax }: DownloadLimits,
  onBytes: ((bytes: number) => void) | undefined,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  try {
    for await (const chunk of chunksOf(body!)) {
      bytes += chunk.length
      if (bytes > bytesMax) {
        const most = bytesMax.toLocaleString('en-US')
        throw new ImportError('unreadable', `"${name}" is longer than ${most} bytes`)
      }
      onBytes?.(chunk.length)
      yield chunk
    }
  } catch (error) {
    if (error instanceof ImportError || (error as Error).name === 'AbortError') throw error
    const isLate = (error as Error).name === 'TimeoutError'
    const reason = isLate ? `it took more than ${totalMsMax / 60_000} minutes` : reasonOf(error)
    throw new ImportError('unreadable', `"${name}" was not received to its end: ${reason}`, {
      cause: error,
    })
  }
}

/** `getaddrinfo ENOTFOUND shop.example`: what is below "fetch failed". */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}

/** @throws CommandError if it is not the URL of a page */
function webUrl(address: string, base?: URL): URL {
  const url = URL.parse(address, base)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  const shown = url === null ? address : shownUrl(url)
  throw new CommandError('usage', `Cannot read "${shown}": expected an http or https URL`)
}

/** Without a password, and without parameters, which may be secret as well. */
function shownUrl({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`
}
