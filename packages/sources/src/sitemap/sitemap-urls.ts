import { SaxesParser } from 'saxes'
import { SourceError } from '../source-error.ts'

/** What a sitemap lists (sitemaps.org): pages, or further sitemaps. */
export interface SitemapEntry {
  readonly kind: 'page' | 'sitemap'
  readonly url: string
}

/** Characters of an address. */
const URL_CHARS_MAX = 2_048

/** @throws SourceError if it is not a sitemap */
export async function* sitemapEntries(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<SitemapEntry> {
  let found: SitemapEntry[] = []
  let inside: SitemapEntry['kind'] | undefined
  let text: string | undefined
  // Entities of a document type are not known to the parser, and refused.
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw new SourceError('unreadable', `"${name}" is not a sitemap: ${error.message}`)
  })
  parser.on('opentag', ({ name: tag }) => {
    if (tag === 'url') inside = 'page'
    else if (tag === 'sitemap') inside = 'sitemap'
    else if (tag === 'loc' && inside !== undefined) text = ''
  })
  const append = (more: string): void => {
    if (text !== undefined && text.length <= URL_CHARS_MAX) text += more
  }
  parser.on('text', append)
  parser.on('cdata', append)
  parser.on('closetag', ({ name: tag }) => {
    if (tag === 'loc' && text !== undefined && inside !== undefined) {
      found.push({ kind: inside, url: text.trim() })
      text = undefined
    } else if (tag === 'url' || tag === 'sitemap') inside = undefined
  })
  const decoder = new TextDecoder()
  for await (const chunk of bytes) {
    parser.write(decoder.decode(chunk, { stream: true }))
    yield* found
    found = []
  }
  parser.close()
  yield* found
}
