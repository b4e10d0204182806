import { JSON_API_PAGE_ITEMS_MAX, type JsonApiConnection } from '@aisle/contract'
import { parseExactly } from '@aisle/client'
import { shownUrl } from '../feed/download.ts'
import { SourceError } from '../source-error.ts'
import type { ReaderOptions, SourceBatch, SourceReader } from '../source-reader.ts'
import { PoliteWeb, type Page } from '../web/polite-web.ts'
import { nextLink } from './next-link.ts'

/** Bytes of one page. */
const PAGE_BYTES_MAX = 50_000_000
const PAGES_MAX = 100_000

/** A JSON API that lists its items page by page. */
export class JsonApiReader implements SourceReader {
  readonly #connection: JsonApiConnection
  readonly #options: ReaderOptions

  constructor(connection: JsonApiConnection, options: ReaderOptions) {
    this.#connection = connection
    this.#options = options
  }

  async *readAll(signal: AbortSignal): AsyncGenerator<SourceBatch> {
    const {
      url: first,
      requests_per_second: requestsPerSecond,
      items: path = '',
    } = this.#connection
    const web = new PoliteWeb(this.#options, signal, {
      bytesMax: PAGE_BYTES_MAX,
      ...(requestsPerSecond === undefined ? {} : { requestsPerSecond }),
    })
    const asked = new Set<string>()
    let itemCount = 0
    let url: URL | undefined = this.#firstUrl(new URL(first))
    while (url !== undefined) {
      // An API that leads in circles would be read forever.
      if (asked.has(url.href) || asked.size === PAGES_MAX) {
        const reason = asked.has(url.href) ? 'comes a second time' : `is beyond ${PAGES_MAX} pages`
        throw new SourceError('unreadable', `The page "${shownUrl(url)}" ${reason}`)
      }
      asked.add(url.href)
      const page = await web.page(url.href, this.#headersFor(url))
      const answer = jsonOf(page, url)
      const items = at(answer, path)
      if (!Array.isArray(items)) {
        const where = path === '' ? 'The answer' : `"${path}" in the answer`
        throw new SourceError('unreadable', `${where} of "${shownUrl(url)}" is not a list`)
      }
      if (items.length > JSON_API_PAGE_ITEMS_MAX) {
        const message = `A page of "${shownUrl(url)}" has ${items.length} items, at most ${JSON_API_PAGE_ITEMS_MAX} are read`
        throw new SourceError('too_large', message)
      }
      itemCount += items.length
      const rows = items.map((item) => ({ kind: 'json', text: JSON.stringify(item) }) as const)
      if (rows.length > 0) yield { kind: 'rows', rows, bytes: page.text.length }
      url = this.#nextUrl(url, answer, page, items.length, itemCount)
    }
    yield { kind: 'end', position: undefined }
  }

  async close(): Promise<void> {
    // Every connection ends with its page.
  }

  #firstUrl(url: URL): URL {
    const { pages } = this.#connection
    if (pages?.by !== 'page' && pages?.by !== 'offset') return url
    if (!url.searchParams.has(pages.parameter)) {
      url.searchParams.set(pages.parameter, String(firstOf(pages)))
    }
    return url
  }

  #nextUrl(
    url: URL,
    answer: unknown,
    { link }: Page,
    pageItems: number,
    itemCount: number,
  ): URL | undefined {
    const { pages } = this.#connection
    switch (pages?.by) {
      case undefined:
        return undefined
      case 'page':
        if (pageItems === 0) return undefined
        return withParameter(
          url,
          pages.parameter,
          Number(url.searchParams.get(pages.parameter)) + 1,
        )
      case 'offset':
        if (pageItems === 0) return undefined
        return withParameter(url, pages.parameter, firstOf(pages) + itemCount)
      case 'cursor': {
        const cursor = textOf(at(answer, pages.path))
        return cursor === undefined ? undefined : withParameter(url, pages.parameter, cursor)
      }
      case 'next':
        return urlOf(textOf(at(answer, pages.path)), url)
      case 'link':
        return urlOf(nextLink(link), url)
    }
  }

  /** The token is for the site that it was entered for, wherever the next page is. */
  #headersFor(url: URL): Readonly<Record<string, string>> {
    const { header, url: first } = this.#connection
    const { token } = this.#options.secrets
    if (token === undefined || url.origin !== new URL(first).origin) return {}
    return header === undefined ? { authorization: `Bearer ${token}` } : { [header]: token }
  }
}

function firstOf({ by, first }: { readonly by: string; readonly first?: number }): number {
  return first ?? (by === 'page' ? 1 : 0)
}

function withParameter(url: URL, name: string, value: string | number): URL {
  const next = new URL(url)
  next.searchParams.set(name, String(value))
  return next
}

function urlOf(text: string | undefined, base: URL): URL | undefined {
  if (text === undefined) return undefined
  const url = URL.parse(text, base)
  if (url !== null) return url
  throw new SourceError('unreadable', `"${text.slice(0, 200)}" is not the URL of a next page`)
}

function jsonOf({ text }: Page, url: URL): unknown {
  try {
    return parseExactly(text)
  } catch (error) {
    const message = `The answer of "${shownUrl(url)}" is not JSON`
    throw new SourceError('unreadable', message, { cause: error })
  }
}

/** The value at a path such as `data.products`. */
function at(value: unknown, path: string): unknown {
  if (path === '') return value
  let found = value
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Readonly<Record<string, unknown>>)[name]
  }
  return found
}

/** A cursor may be a number. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '' || value === false) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}
