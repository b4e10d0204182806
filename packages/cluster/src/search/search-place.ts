import type { ProductPlace } from '../opensearch/product-requests.ts'
import type { SlotMap } from '../opensearch/field-slots.ts'

/** Where the documents of a store are, and their fields; see docs/cluster-index.md. */
export interface SearchPlace extends ProductPlace {
  readonly slots: SlotMap
}
