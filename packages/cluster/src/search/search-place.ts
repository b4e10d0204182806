import type { ProductPlace, SlotMap } from '@aisle/opensearch'

/** Where the documents of a store are, and their fields: docs/cluster-index.md. */
export interface SearchPlace extends ProductPlace {
  readonly slots: SlotMap
}
