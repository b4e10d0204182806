/** One record of a source. */
export type SourceRow =
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'table'; readonly cells: Readonly<Record<string, string>> }
  /** A table row whose number of cells differs from the number of columns. */
  | { readonly kind: 'ragged'; readonly cells: readonly string[]; readonly error: string }
