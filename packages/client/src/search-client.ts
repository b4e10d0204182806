import type { ClientOptions } from './call.ts'
import { StoreSearch } from './store-search.ts'
import type { AnyDocument } from './store-search.ts'
import { Transport } from './transport.ts'

/** What a page may know: the read secret opens searches alone. */
export interface SearchClientOptions extends Omit<
  ClientOptions,
  'adminToken' | 'writeSecret' | 'csrfToken'
> {
  readonly storeId: string
  readonly readSecret: string
}

/** The searches of one store, for its pages. */
export class SearchClient<Document = AnyDocument> extends StoreSearch<Document> {
  constructor({ storeId, ...options }: SearchClientOptions) {
    super(new Transport(options), storeId)
  }
}
