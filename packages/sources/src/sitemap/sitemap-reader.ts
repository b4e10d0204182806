import type { SitemapConnection } from '@aisle/contract'
import { unpacked } from '@aisle/import'
import { shownUrl } from '../feed/download.ts'
import { SourceError } from '../source-error.ts'
import type { ReaderOptions, SourceBatch, SourceReader } from '../source-reader.ts'
import { PoliteWeb, statusOf } from '../web/polite-web.ts'
import { pageProducts } from './page-products.ts'
import { readRobots, type Robots } from './robots.ts'
import { sitemapEntries } from './sitemap-urls.ts'

/** Bytes of one page or sitemap, as received. */
const PAGE_BYTES_MAX = 60_000_000
const SITEMAPS_MAX = 1_000
const PAGES_DEFAULT = 10_000
const BATCH_PAGES = 20

/** The product pages of a shop, which its sitemap lists, as far as `robots.txt` allows. */
export class SitemapReader implements SourceReader {
  readonly #connection: SitemapConnection
  readonly #options: ReaderOptions

  constructor(connection: SitemapConnection, options: ReaderOptions) {
    this.#connection = connection
    this.#options = options
  }

  async *readAll(signal: AbortSignal): AsyncGenerator<SourceBatch> {
    const { url, requests_per_second: requestsPerSecond } = this.#connection
    const first = new PoliteWeb(this.#options, signal, {
      bytesMax: PAGE_BYTES_MAX,
      ...(requestsPerSecond === undefined ? {} : { requestsPerSecond }),
    })
    const robots = await robotsOf(first, new URL(url))
    const web = first.slowDown((robots.crawlDelaySeconds ?? 0) * 1_000)
    const pages = await this.#pages(web, robots)
    for (let at = 0; at < pages.length; at += BATCH_PAGES) {
      const rows: string[] = []
      let bytes = 0
      for (const page of pages.slice(at, at + BATCH_PAGES)) {
        const html = await pageAt(web, page)
        bytes += html.length
        for (const product of pageProducts(html, page)) rows.push(JSON.stringify(product))
      }
      if (rows.length === 0) continue
      yield { kind: 'rows', bytes, rows: rows.map((text) => ({ kind: 'json', text }) as const) }
    }
    yield { kind: 'end', position: undefined }
  }

  async close(): Promise<void> {
    // Every connection ends with its page.
  }

  /** Addresses of the product pages. A sitemap speaks for its own site only. */
  async #pages(web: PoliteWeb, robots: Robots): Promise<string[]> {
    const {
      url: root,
      path_prefix: prefix = '/',
      pages_max: most = PAGES_DEFAULT,
    } = this.#connection
    const { origin } = new URL(root)
    const pages = new Set<string>()
    const sitemaps = new Set([root])
    // A set is walked to its end, also to what is added meanwhile.
    for (const sitemap of sitemaps) {
      const { bytes } = await web.file(sitemap)
      for await (const entry of sitemapEntries(unpacked(bytes), shownUrl(new URL(sitemap)))) {
        const url = URL.parse(entry.url)
        if (url?.origin !== origin) continue
        if (entry.kind === 'sitemap') sitemaps.add(url.href)
        else if (url.pathname.startsWith(prefix) && robots.allows(url.pathname + url.search)) {
          pages.add(url.href)
        }
        if (sitemaps.size > SITEMAPS_MAX) throw tooMany(root, `${SITEMAPS_MAX} sitemaps`)
        if (pages.size > most) throw tooMany(root, `${most} pages`)
      }
    }
    return [...pages]
  }
}

function tooMany(url: string, what: string): SourceError {
  const message = `"${shownUrl(new URL(url))}" has more than ${what}`
  return new SourceError('too_large', message)
}

/** Without the file everything is allowed. */
async function robotsOf(web: PoliteWeb, { origin }: URL): Promise<Robots> {
  return readRobots(await pageAt(web, `${origin}/robots.txt`))
}

/** A page that is gone has no products. */
async function pageAt(web: PoliteWeb, url: string): Promise<string> {
  try {
    return (await web.page(url)).text
  } catch (error) {
    const status = error instanceof SourceError ? statusOf(error) : undefined
    if (status === 404 || status === 410) return ''
    throw error
  }
}
