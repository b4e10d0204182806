/** One record of a source. */
export type SourceRow =
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'table'; readonly cells: Readonly<Record<string, string>> }
  /** A row of a table that has not as many cells as there are columns. */
  | { readonly kind: 'ragged'; readonly cells: readonly string[]; readonly error: string }
