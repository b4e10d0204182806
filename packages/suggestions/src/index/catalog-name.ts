/** A name of the catalog (a brand, a category): suggested even without searches. */
export interface CatalogName {
  readonly text: string
  readonly docCount: number
}
