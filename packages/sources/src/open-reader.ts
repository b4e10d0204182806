import type { SourceConnection } from '@aisle/contract'
import type { ReaderOptions, SourceReader } from './source-reader.ts'

/** The reader of a source. Its technology is loaded with the first source of its kind. */
export async function openReader(
  connection: SourceConnection,
  options: ReaderOptions,
): Promise<SourceReader> {
  switch (connection.kind) {
    case 'feed': {
      const { FeedReader } = await import('./feed/feed-reader.ts')
      return new FeedReader(connection, options)
    }
  }
}
