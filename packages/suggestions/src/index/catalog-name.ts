/** A name of the catalog (a brand, a category): suggested even if nobody has searched for it. */
export interface CatalogName {
  readonly text: string
  readonly docCount: number
}
