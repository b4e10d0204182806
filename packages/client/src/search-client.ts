import type { ClientOptions } from './call.ts'
import { StoreSearch, type AnyDocument } from './store-search.ts'
import { Transport } from './transport.ts'

/** Options that a page may contain: the read secret opens only searches. */
export interface SearchClientOptions extends Omit<
  ClientOptions,
  'adminToken' | 'writeSecret' | 'csrfToken'
> {
  readonly storeId: string
  readonly readSecret: string
}

/** The search calls of one store, for its pages. */
export class SearchClient<Document = AnyDocument> extends StoreSearch<Document> {
  constructor({ storeId, ...options }: SearchClientOptions) {
    super(new Transport(options), storeId)
  }
}
