/** What visitors who searched for the same have taught about one document. */
export interface LearnedDocument {
  /** 0..1: how certain it is that they choose it more often than its place explains. */
  readonly lift: number
  /** Weighted clicks of the query on the document, without those of its busiest network. */
  readonly clicks: number
  /** Clicks that an average document at its places gets. */
  readonly expected: number
}

/** What was learned from clicks and affects the order of one search. */
export interface PlannedLearning {
  /** By docKey. Others: no lift. */
  readonly documents: ReadonlyMap<number, LearnedDocument>
  /** Maximum share by which it raises points, 0..1. */
  readonly limit: number
}
