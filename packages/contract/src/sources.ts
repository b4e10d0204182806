import type { Static } from 'typebox'
import { SOURCE_NAME_MAX_CHARS, SOURCE_URL_MAX_CHARS } from './source-limits.ts'
import { Optional, Type } from './type.ts'

/** Pattern of the name of a source. */
export const SOURCE_NAME_PATTERN = `^[a-z0-9][a-z0-9_-]{0,${SOURCE_NAME_MAX_CHARS - 1}}$`

export const FeedConnection = Type.Object(
  {
    kind: Type.Literal('feed'),
    url: Type.String({
      minLength: 1,
      maxLength: SOURCE_URL_MAX_CHARS,
      description: 'An `http` or `https` URL, without a user name and a password.',
    }),
    format: Optional.Enum(['json', 'ndjson', 'csv', 'tsv', 'xml'], {
      description: 'Default: by the end of the URL, or by `Content-Type`.',
    }),
    encoding: Optional.String({ maxLength: 40, description: 'Default: detected.' }),
    delimiter: Optional.String({
      minLength: 1,
      maxLength: 1,
      description: 'Delimiter of a table. Default: detected.',
    }),
    username: Optional.String({
      maxLength: 256,
      description: 'For HTTP basic authentication, with the secret `password`.',
    }),
  },
  {
    additionalProperties: false,
    description: 'A product feed or a file of documents on the web. See docs/feeds.md.',
  },
)
export type FeedConnection = Static<typeof FeedConnection>

/** One member for each kind of source; `kind` tells them apart. */
export const SourceConnection = Type.Union([FeedConnection], {
  description: 'Where the documents are.',
})
export type SourceConnection = Static<typeof SourceConnection>
export type SourceKind = SourceConnection['kind']

/** The secrets that each kind of source may have. */
export const SOURCE_SECRETS: { readonly [Kind in SourceKind]: readonly string[] } = {
  feed: ['password'],
}
