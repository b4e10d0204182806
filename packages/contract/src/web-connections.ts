import type { Static } from 'typebox'
import {
  JSON_API_PATH_MAX_CHARS,
  JSON_API_PAGE_ITEMS_MAX,
  SITEMAP_PAGES_MAX,
  SOURCE_REQUESTS_PER_SECOND_MAX,
  SOURCE_URL_MAX_CHARS,
} from './source-limits.ts'
import { Optional, Type } from './type.ts'

const PATH = { maxLength: JSON_API_PATH_MAX_CHARS }
const url = (description: string): ReturnType<typeof Type.String> =>
  Type.String({ minLength: 1, maxLength: SOURCE_URL_MAX_CHARS, description })
const requestsPerSecond = Optional.Number({
  minimum: 0.01,
  maximum: SOURCE_REQUESTS_PER_SECOND_MAX,
  description: 'Default: 2.',
})

const NumberedPages = Type.Object(
  {
    by: Type.Enum(['page', 'offset']),
    parameter: Type.String({ minLength: 1, ...PATH, description: 'Query parameter.' }),
    first: Optional.Integer({
      minimum: 0,
      description: 'Its first value. Default: 1 for pages, 0 for offsets.',
    }),
  },
  {
    additionalProperties: false,
    description:
      'A number of the page, or of its first item. A page without items is the last one.',
  },
)
const CursorPages = Type.Object(
  {
    by: Type.Literal('cursor'),
    parameter: Type.String({ minLength: 1, ...PATH, description: 'Query parameter.' }),
    path: Type.String({ minLength: 1, ...PATH, description: 'Where the answer has the next one.' }),
  },
  {
    additionalProperties: false,
    description: 'A cursor from the answer. The last page has none.',
  },
)
const NextPages = Type.Object(
  {
    by: Type.Literal('next'),
    path: Type.String({ minLength: 1, ...PATH, description: 'Where the answer has the URL.' }),
  },
  { additionalProperties: false, description: 'The URL of the next page, in the answer.' },
)
const LinkPages = Type.Object(
  { by: Type.Literal('link') },
  { additionalProperties: false, description: 'The header `Link` with `rel="next"`.' },
)

export const JsonApiConnection = Type.Object(
  {
    kind: Type.Literal('json_api'),
    url: url('The first page, with its query parameters.'),
    items: Optional.String({
      ...PATH,
      description:
        'Where the answer has its list, such as `data.products`. Default: it is the list.',
    }),
    header: Optional.String({
      minLength: 1,
      maxLength: 100,
      pattern: '^[A-Za-z0-9-]+$',
      description:
        'Header that has the secret `token`. Default: `Authorization`, with `Bearer` before it.',
    }),
    pages: Optional.Union([NumberedPages, CursorPages, NextPages, LinkPages], {
      description: 'How the next page is found. Default: there is one page.',
    }),
    requests_per_second: requestsPerSecond,
  },
  {
    additionalProperties: false,
    description: `A JSON API, with at most ${JSON_API_PAGE_ITEMS_MAX} items in a page. See docs/sources-json-api.md.`,
  },
)
export type JsonApiConnection = Static<typeof JsonApiConnection>

export const SitemapConnection = Type.Object(
  {
    kind: Type.Literal('sitemap'),
    url: url('A sitemap, or an index of sitemaps.'),
    path_prefix: Optional.String({
      ...PATH,
      description: 'Beginning of the paths of product pages, such as `/products/`.',
    }),
    pages_max: Optional.Integer({
      minimum: 1,
      maximum: SITEMAP_PAGES_MAX,
      description: 'A site with more pages is refused. Default: 10000.',
    }),
    requests_per_second: requestsPerSecond,
  },
  {
    additionalProperties: false,
    description: 'Product pages of a shop with JSON-LD of schema.org. See docs/sources-sitemap.md.',
  },
)
export type SitemapConnection = Static<typeof SitemapConnection>
