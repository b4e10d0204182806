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
    case 'json_api': {
      const { JsonApiReader } = await import('./json-api/json-api-reader.ts')
      return new JsonApiReader(connection, options)
    }
    case 'sitemap': {
      const { SitemapReader } = await import('./sitemap/sitemap-reader.ts')
      return new SitemapReader(connection, options)
    }
    case 'postgres': {
      const { PostgresReader } = await import('./postgres/postgres-reader.ts')
      return new PostgresReader(connection, options)
    }
    case 'mysql': {
      const { MysqlReader } = await import('./mysql/mysql-reader.ts')
      return new MysqlReader(connection, options)
    }
    case 'shopify': {
      const { ShopifyReader } = await import('./shopify/shopify-reader.ts')
      return new ShopifyReader(connection, options)
    }
    case 'woocommerce': {
      const { WooCommerceReader } = await import('./woocommerce/woocommerce-reader.ts')
      return new WooCommerceReader(connection, options)
    }
  }
}
